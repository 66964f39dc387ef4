"""The library with the standard ABI of MPI 5 that an installation has beside its own: an installation like others."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ictus.model.library import Installation
from ictus.mpi.flavours.flavour import prefix

_WRAPPER = "mpicxx_abi"
"""What MPICH calls its wrapper for the standard ABI."""


def with_standard_abi(installations: Sequence[Installation]) -> Iterator[Installation]:
    """One for each of `found` that has such a library, labelled `LABEL-abi`. Compiled by the own wrapper for it, else
    by another installation's: that is what the ABI is for. Without any wrapper there is none.
    """
    having = [installation for installation in installations if _has_library(installation)]
    wrappers = [installation.wrapper.with_name(_WRAPPER) for installation in having]
    able = [path for path in wrappers if os.access(path, os.X_OK)]
    for installation, abi_wrapper in zip(having, wrappers, strict=True):
        if able:
            yield replace(
                installation,
                label=f"{installation.label}-abi",
                abi_wrapper=abi_wrapper if abi_wrapper in able else able[0],
            )


def by_its_wrapper(installation: Installation) -> Installation:
    """An installation that was named by its wrapper for the standard ABI; another one as it is."""
    if installation.wrapper.name != _WRAPPER or not _has_library(installation):
        return installation
    return replace(installation, wrapper=installation.wrapper.with_name("mpicxx"), abi_wrapper=installation.wrapper)


def _has_library(installation: Installation) -> bool:
    """By the name that programs ask for; MPICH 5.0.1 has `libmpi_abi.so.0`, and a program would take another's."""
    return (Path(prefix(installation)) / "lib" / "libmpi_abi.so.1").exists()
