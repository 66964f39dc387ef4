"""Where to look for MPI wrappers, in the order in which a bare name like `mpich` means one of them.

1. those that the user added;
2. the wheels in this Python's own prefix (`make setup` puts each into `mpi/NAME`; one may also lie in the environment
   itself), which make a comparison the same on every machine;
3. the Intel MPI that I_MPI_ROOT names;
4. an MPI that a loaded environment module brought, or that a site's variable names;
5. PATH;
6. Debian's packages, under their suffixed names: the unsuffixed ones change with update-alternatives.
"""

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ictus.mpi.added import load_added
from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.recognition import WrapperCandidate

_SYSTEM_FOLDERS = ("/usr/bin", "/bin", "/usr/local/bin")


@dataclass(frozen=True)
class Surroundings:
    """The places that are searched; tests give their own."""

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    python_prefix: Path = Path(sys.prefix)
    root: Path = Path("/")
    """Root of the file system below which Debian's packages lie."""


def candidates(surroundings: Surroundings) -> Iterator[WrapperCandidate]:
    """Every wrapper in sight, the same one perhaps several times."""
    for label, wrapper in load_added().items():
        yield WrapperCandidate(wrapper, "added", label)
    yield from _wheels(surroundings.python_prefix)
    for name in (name for member in FLAVOURS for name in member.prefix_variables):
        origin = name if any(name in member.own_variables for member in FLAVOURS) else "module"
        yield from _in_prefix(surroundings.environ.get(name), origin)
    yield from _on_path(surroundings)
    yield from _debian(surroundings.root)


def _wheels(prefix: Path) -> Iterator[WrapperCandidate]:
    for folder in (*sorted((prefix / "mpi").glob("*/bin")), prefix / "bin"):
        yield from _in_folder(folder, "wheel")


def _in_prefix(prefix: str | None, origin: str) -> Iterator[WrapperCandidate]:
    if prefix:
        yield from _in_folder(Path(prefix) / "bin", origin)


def _on_path(surroundings: Surroundings) -> Iterator[WrapperCandidate]:
    modules_loaded = bool(surroundings.environ.get("LOADEDMODULES"))
    for entry in surroundings.environ.get("PATH", "").split(":"):
        folder = Path(entry)
        if not folder.is_absolute() or folder.resolve() == (surroundings.python_prefix / "bin").resolve():
            continue
        from_module = modules_loaded and str(folder) not in _SYSTEM_FOLDERS
        yield from _in_folder(folder, "module" if from_module else _system_origin(folder))


def _in_folder(folder: Path, origin: str) -> Iterator[WrapperCandidate]:
    for name in _wrapper_names():
        if (folder / name).exists():
            yield WrapperCandidate(folder / name, origin)


def _wrapper_names() -> list[str]:
    """All names that wrappers have, those of a single flavour first: its mpicxx only leads to them."""
    names = [name for flavour in FLAVOURS for name in flavour.wrapper_names]
    return sorted(dict.fromkeys(names), key=names.count)


def _system_origin(folder: Path) -> str:
    """Wrappers in Debian's own folder that dpkg brought have suffixed siblings; others there are the site's."""
    is_debian = str(folder) in {"/usr/bin", "/bin"} and any(folder.glob("mpicxx.*"))
    return "debian" if is_debian else "path"


def _debian(root: Path) -> Iterator[WrapperCandidate]:
    for wrapper in sorted((root / "usr/bin").glob("mpicxx.*")):
        yield WrapperCandidate(wrapper, "debian")
