"""Where MPI libraries are looked for. Each place gives wrappers in its own order; `ICTUS_SEARCH=added,wheels` names the
places that are searched, in that order, and leaves out the others.
"""

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ictus.model.unknown import unknown
from ictus.mpi.added import load_added
from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.recognition import WrapperCandidate
from ictus.mpi.wheels import wheel_prefixes

VARIABLE = "ICTUS_SEARCH"
"""Names the places to search, with commas between; unset or empty: all."""


@dataclass(frozen=True)
class Surroundings:
    """What the places lie in; tests give their own."""

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    python_prefix: Path = Path(sys.prefix)
    root: Path = Path("/")
    """Root of the file system below which Debian's packages lie."""

    @cached_property
    def searched(self) -> tuple[str, ...]:
        """Names of the places that are searched, in the order in which a bare name chooses.

        Raises:
            UsageError: ICTUS_SEARCH names no place.
        """
        named = [word.strip() for word in self.environ.get(VARIABLE, "").split(",") if word.strip()]
        for name in named:
            if name not in PLACES:
                raise unknown(f"place '{name}' in {VARIABLE}={self.environ[VARIABLE]}", name, PLACES)
        return tuple(dict.fromkeys(named)) or tuple(PLACES)

    @property
    def left_out(self) -> tuple[str, ...]:
        """Names of the other places."""
        return tuple(name for name in PLACES if name not in self.searched)


def candidates(surroundings: Surroundings) -> Iterator[WrapperCandidate]:
    """Every wrapper in the places that are searched, the same one perhaps several times.

    Raises:
        UsageError: ICTUS_SEARCH names no place, or the file of added installations cannot be read.
    """
    for name in surroundings.searched:
        yield from PLACES[name](surroundings)


def _added(_surroundings: Surroundings) -> Iterator[WrapperCandidate]:
    for label, wrapper in load_added().items():
        yield WrapperCandidate(wrapper, "added", label)


def _wheels(surroundings: Surroundings) -> Iterator[WrapperCandidate]:
    environment = surroundings.python_prefix
    for folder in (*wheel_prefixes(environment), environment):
        yield from _in_folder(folder / "bin", "wheel")


def _modules(surroundings: Surroundings) -> Iterator[WrapperCandidate]:
    for name in (name for member in FLAVOURS for name in member.prefix_variables):
        origin = name if any(name in member.own_variables for member in FLAVOURS) else "module"
        if prefix := surroundings.environ.get(name):
            yield from _in_folder(Path(prefix) / "bin", origin)
    for folder in _folders_of_path(surroundings):
        if _from_module(folder, surroundings):
            yield from _in_folder(folder, "module")


def _path(surroundings: Surroundings) -> Iterator[WrapperCandidate]:
    for folder in _folders_of_path(surroundings):
        if not _from_module(folder, surroundings):
            yield from _in_folder(folder, _system_origin(folder))


def _system(surroundings: Surroundings) -> Iterator[WrapperCandidate]:
    for wrapper in sorted((surroundings.root / "usr/bin").glob("mpicxx.*")):
        yield WrapperCandidate(wrapper, "debian")


PLACES: Mapping[str, Callable[[Surroundings], Iterator[WrapperCandidate]]] = {
    "added": _added,
    "wheels": _wheels,
    "modules": _modules,
    "path": _path,
    "system": _system,
}


def _folders_of_path(surroundings: Surroundings) -> Iterator[Path]:
    """But for relative ones, and the folder of this Python's own programs: its wheels are a place of their own."""
    path = (surroundings.python_prefix / "bin").resolve()
    folders = map(Path, surroundings.environ.get("PATH", "").split(":"))
    return (folder for folder in folders if folder.is_absolute() and folder.resolve() != path)


_SYSTEM_FOLDERS = ("/usr/bin", "/bin", "/usr/local/bin")


def _from_module(folder: Path, surroundings: Surroundings) -> bool:
    return bool(surroundings.environ.get("LOADEDMODULES")) and str(folder) not in _SYSTEM_FOLDERS


def _in_folder(folder: Path, origin: str) -> Iterator[WrapperCandidate]:
    for name in wrapper_names():
        if (folder / name).exists():
            yield WrapperCandidate(folder / name, origin)


def wrapper_names() -> list[str]:
    """All names that wrappers have, those of a single flavour first: its mpicxx only leads to them."""
    names = [name for flavour in FLAVOURS for name in flavour.wrapper_names]
    return sorted(dict.fromkeys(names), key=names.count)


def _system_origin(folder: Path) -> str:
    """Wrappers in Debian's own folder that dpkg brought have suffixed siblings; others there are the site's."""
    is_debian = str(folder) in {"/usr/bin", "/bin"} and any(folder.glob("mpicxx.*"))
    return "debian" if is_debian else "path"
