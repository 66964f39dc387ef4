"""What libictus-preload.so writes: preload.json and exits.npy (docs/preload.md)."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ictus.model.errors import MeasurementError
from ictus.store.document import read_document

REPORT = "preload.json"
EXITS = "exits.npy"

_FIELDS = ("communicator", "barrier", "rank", "flags", "exit", "skew", "clock_bound")


@dataclass(frozen=True)
class Replaced:
    """The barriers of one communicator, or of several that were no longer told apart."""

    name: str
    communicators: int
    n_ranks: int
    barriers: int
    """A barrier of all its processes counts once."""
    calls: int
    """Here once for each process."""
    missed: int
    """Calls that missed their deadline."""
    missed_share: float | None
    """Of the calls; None where there are no deadlines."""
    kept: int
    """Barriers in the log."""
    stride: int
    """Every how manieth barrier is."""


@dataclass(frozen=True)
class PreloadReport:
    """What became of the barriers of a program."""

    finalised: bool
    """False: the program has not called MPI_Finalize (yet), and nothing is counted."""
    procsync: str
    library_version: str
    n_ranks: int
    barriers: int
    calls: int
    missed: int
    missed_share: float | None
    left_to_library: int
    """Calls that had no common start: between two groups, beyond MPI_COMM_WORLD, on too few processes."""
    communicators: tuple[Replaced, ...]
    logged: bool
    warnings: tuple[str, ...]


def read_report(file: Path) -> PreloadReport:
    """The report in `file`.

    Raises:
        MeasurementError: it is missing or broken.
        UsageError: it has a format that is not known here.
    """
    document = read_document(file)
    try:
        return _report(document)
    except (KeyError, TypeError) as error:
        raise MeasurementError(f"{file} is no report of libictus-preload: {error} is missing or wrong") from error


def _report(document: dict[str, Any]) -> PreloadReport:
    return PreloadReport(
        finalised=document["state"] == "finalised",
        procsync=document["procsync"],
        library_version=document["library_version"],
        n_ranks=document["n_ranks"],
        barriers=document["barriers"],
        calls=document["calls"],
        missed=document["missed"],
        missed_share=document["missed_share"],
        left_to_library=document["left_to_library"],
        communicators=tuple(Replaced(**one) for one in document["communicators"]),
        logged=document["log"] is not None,
        warnings=tuple(document["warnings"]),
    )


def read_exits(folder: Path) -> NDArray[np.void]:
    """The log of a folder: structured records with the fields of docs/preload.md, shape (exits,).

    Raises:
        MeasurementError: it is missing, torn, or no such log.
    """
    file = folder / EXITS
    try:
        exits: NDArray[np.void] = np.load(file, allow_pickle=False)
    except OSError as error:
        raise MeasurementError(f"{file}: {error.strerror or error}") from error
    except ValueError as error:
        raise MeasurementError(f"{file} is torn or no log of exits: {error}") from error
    if exits.dtype.names != _FIELDS:
        raise MeasurementError(f"{file} is no log of exits: its fields are {exits.dtype.names}")
    return exits
