"""The sources of the core: their folder and their hash."""

import functools
import hashlib
from pathlib import Path

from ictus.model.errors import MeasurementError

_PACKAGE = Path(__file__).parent.parent


def native_folder() -> Path:
    """The folder with the core's CMakeLists.txt: shipped inside the package, or beside it in a checkout.

    Raises:
        MeasurementError: the installation of Ictus lacks it.
    """
    for folder in (_PACKAGE / "native", _PACKAGE.parent.parent / "native"):
        if (folder / "CMakeLists.txt").is_file():
            return folder
    message = f"the sources of the core are missing beside {_PACKAGE}: install Ictus again"
    raise MeasurementError(message)


@functools.cache
def source_hash(folder: Path) -> str:
    """Twelve hexadecimal digits that change with any source file of the core, tests excluded.

    Computed once per process: a campaign is measured with one state of the sources.
    """
    digest = hashlib.sha256()
    for path in sorted([folder / "CMakeLists.txt", *(folder / "cmake").rglob("*"), *_code(folder)]):
        if path.is_file():
            digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:12]


_OTHER_PROGRAMS = ("platform", "skew/", "tool/simulate.cpp")
_NOT_LOADED = (
    *_OTHER_PROGRAMS,
    *("workload", "neighbourhood", "interface/isomorphic", "plugin", "measure", "study", "tool"),
)
"""Measured calls, sparse collectives, and the programs that measure them: no part of the libraries that are loaded
before other programs.
"""
_LOADED = ("interface", "interposition", "preload", "redirect", "profile")
"""What is in these libraries alone."""
_LOADED_TOO = "workload/pattern"
"""Arrival patterns, which the libraries for other programs make as well."""


def core_sources(folder: Path) -> tuple[Path, ...]:
    """The files that make ictus-bench, for compiling them without CMake."""
    return _without(folder, (*_OTHER_PROGRAMS, *_LOADED))


def preload_sources(folder: Path) -> tuple[Path, ...]:
    """The files that make libictus-preload.so, for compiling them without CMake."""
    return _without(folder, (*_NOT_LOADED, "mockup", "redirect", "profile"))


def redirect_sources(folder: Path) -> tuple[Path, ...]:
    """The files that make libictus-redirect.so, for compiling them without CMake."""
    return _without(folder, (*_NOT_LOADED, "preload", "profile"), kept=("plugin/declaration",))


def profile_sources(folder: Path) -> tuple[Path, ...]:
    """The files that make libictus-profile.so, for compiling them without CMake."""
    return _without(folder, (*_NOT_LOADED, "mockup", "preload", "redirect"))


def simulate_sources(folder: Path) -> tuple[Path, ...]:
    """The files that make ictus-simulate, for compiling them without CMake."""
    others = ("skew/", "platform/simgrid", *_LOADED, "measure", "study")
    return tuple(path for path in _without(folder, others) if path.parent.name != "tool" or path.name == "simulate.cpp")


def _without(folder: Path, left_out: tuple[str, ...], kept: tuple[str, ...] = ()) -> tuple[Path, ...]:
    def is_part(path: Path) -> bool:
        name = path.relative_to(folder / "src").as_posix()
        return name.startswith((_LOADED_TOO, *kept)) or not name.startswith(left_out)

    return tuple(path for path in _code(folder) if path.suffix == ".cpp" and is_part(path))


def _code(folder: Path) -> list[Path]:
    kinds = {".cpp", ".hpp", ".h", ".inc"}
    return sorted(path for name in ("src", "include") for path in (folder / name).rglob("*") if path.suffix in kinds)
