"""Where to look for MPI wrappers, in the order in which a bare name like `mpich` means one of them.

1. those that the user added by hand: label and wrapper, in mpi.json of the user's settings;
2. the wheels in this Python's own prefix (`make setup` puts each into `mpi/NAME`; one may also lie in the environment
   itself), which make a comparison the same on every machine;
3. the Intel MPI that I_MPI_ROOT names;
4. an MPI that a loaded environment module brought, or that a site's variable names;
5. PATH;
6. Debian's packages, under their suffixed names: the unsuffixed ones change with update-alternatives.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from ictus.model.document import Document
from ictus.model.errors import IctusError, UsageError
from ictus.model.library import check_label
from ictus.mpi.cache import config_folder
from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.recognition import WrapperCandidate


class AddedDocument(Document):
    """mpi.json: wrappers by label."""

    FILE: ClassVar = "mpi.json"

    installations: dict[str, Path]


def added_file() -> Path:
    """Where they are kept."""
    return config_folder() / AddedDocument.FILE


def load_added() -> dict[str, Path]:
    """Label and wrapper of each, in the order they were added; empty where there is no file.

    Raises:
        UsageError: the file is not one that Ictus wrote.
    """
    try:
        return dict(AddedDocument.read(added_file()).installations) if added_file().exists() else {}
    except IctusError as failure:
        raise UsageError(f"{failure}; mend or remove that file") from failure


def save_added(label: str, wrapper: Path) -> None:
    """Remember an installation; one of the same label is replaced.

    Raises:
        UsageError: the label cannot be one, or the file cannot be written.
    """
    _write({**load_added(), check_label(label): wrapper})


def remove_added(label: str) -> None:
    """Forget an installation.

    Raises:
        UsageError: none of this label was added.
    """
    installations = load_added()
    if label not in installations:
        known = ", ".join(installations) or "none"
        message = f"label {label!r} was not added; added: {known}"
        raise UsageError(message)
    _write({name: wrapper for name, wrapper in installations.items() if name != label})


def _write(installations: dict[str, Path]) -> None:
    content = AddedDocument(installations=installations).model_dump(mode="json", include={"format", "installations"})
    path = added_file()
    partial = path.with_suffix(f".{os.getpid()}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(json.dumps(content, indent=2) + "\n")
        partial.replace(path)
    except OSError as failure:
        message = f"cannot write {path}: {failure.strerror or failure}"
        raise UsageError(message) from failure


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
