"""Finds the MPI installations of this machine, labels them, and selects one by name or path.

A bare name such as `mpich` means the first match in this order:

1. wrappers that the user added: label and wrapper, in mpi.json of the user's settings;
2. wheels: `ictus mpi install` and `make setup` put each into `mpi/NAME` of this Python's own prefix, or of the user's
   cache; one may also be installed in the environment itself. They make a comparison the same on every machine;
3. the Intel MPI of I_MPI_ROOT;
4. an MPI of a loaded environment module, or of a site's variable;
5. PATH;
6. Debian's packages, under their suffixed names: the unsuffixed ones change with update-alternatives;
7. `LABEL-abi`: the library with the standard ABI of MPI 5 that an installation has beside its own.
"""

import json
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import ClassVar

from ictus.model.document import Document
from ictus.model.errors import IctusError, UsageError
from ictus.model.library import Installation, check_label
from ictus.model.unknown import probable
from ictus.mpi.cache import config_folder
from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.recognition import Unusable, WrapperCandidate, real_wrapper, recognise
from ictus.mpi.standard_abi import by_its_wrapper, with_standard_abi
from ictus.mpi.wheels import HOW_TO_INSTALL, wheel_prefixes


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
        raise UsageError(f"{failure}; correct or remove that file") from failure


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


def _wheels(environment: Path) -> Iterator[WrapperCandidate]:
    for folder in (*wheel_prefixes(environment), environment):
        yield from _in_folder(folder / "bin", "wheel")


def _in_prefix(root: str | None, origin: str) -> Iterator[WrapperCandidate]:
    if root:
        yield from _in_folder(Path(root) / "bin", origin)


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


@dataclass(frozen=True)
class Survey:
    """All that was seen on this machine."""

    installations: tuple[Installation, ...]
    """Labels are unique."""
    unusable: tuple[Unusable, ...] = ()

    @property
    def none_found(self) -> str:
        """What to do where there is no usable installation, and why those that were seen are not."""
        seen = "".join(f"\n{one.wrapper} cannot be used: {one.reason}" for one in self.unusable)
        return f"no MPI found: {HOW_TO_INSTALL}, `ictus doctor` says what else can be done{seen}"


def survey(surroundings: Surroundings | None = None) -> Survey:
    """Look everywhere. The first installation of a flavour is labelled with its name, further ones add their origin.

    The same wrapper is listed once, however many ways lead to it.

    Raises:
        UsageError: the file of added installations cannot be read.
    """
    here = surroundings or Surroundings()
    seen: set[Path] = set()
    found: list[Installation] = []
    unusable: list[Unusable] = []
    for candidate in candidates(here):
        wrapper = real_wrapper(candidate.wrapper)
        if wrapper in seen and candidate.label is None:
            continue
        seen.add(wrapper)
        result = recognise(candidate, here.environ)
        if isinstance(result, Unusable):
            unusable.append(result)
        elif candidate.label is not None or not _known(result, found):
            found.append(result if candidate.label else replace(result, label=_label(result, found)))
    return Survey((*found, *with_standard_abi(found)), tuple(unusable))


def discover(surroundings: Surroundings | None = None) -> tuple[Installation, ...]:
    """The usable installations of `survey`, in the order in which a bare name chooses."""
    return survey(surroundings).installations


def find(which: str, label: str | None = None, surroundings: Surroundings | None = None) -> Installation:
    """The installation that `which` names: a label of `discover`, a flavour, the name of a wrapper in PATH, or
    the path of a wrapper or launcher.

    It carries `label` where one is given, so that one installation can take part under two names (A/A).

    Raises:
        UsageError: nothing fits; the message lists what was found.
    """
    here = surroundings or Surroundings()
    installation = _at_path(Path(which), here) if "/" in which else _named(which, here)
    return installation if label is None else replace(installation, label=label)


def add(label: str, wrapper: Path, surroundings: Surroundings | None = None) -> Installation:
    """Check that `wrapper` belongs to an installation that can be used, and remember it as `label`.

    Raises:
        UsageError: it does not, or the label cannot be one; the message says why.
    """
    installation = replace(_at_path(wrapper.expanduser(), surroundings or Surroundings()), label=label, origin="added")
    save_added(label, installation.wrapper)
    return installation


def _label(installation: Installation, found: list[Installation]) -> str:
    taken = {other.label for other in found}
    preferred = (installation.flavour, f"{installation.flavour}-{installation.origin}".lower())
    free = (label for label in preferred if label not in taken)
    numbered = (f"{preferred[1]}-{number}" for number in range(2, len(taken) + 3))
    return next(free, None) or next(label for label in numbered if label not in taken)


def _known(installation: Installation, found: list[Installation]) -> bool:
    """Two wrappers of one folder that lead to the same library are one installation (Intel's mpicxx and mpigxx)."""
    return any(
        (other.launcher, other.flavour, other.version)
        == (installation.launcher, installation.flavour, installation.version)
        and other.origin != "added"
        for other in found
    )


def _at_path(path: Path, here: Surroundings) -> Installation:
    path = path.expanduser()
    if path.name.startswith(("mpiexec", "mpirun")):
        suffix = path.name.partition(".")[1:]
        path = path.with_name("mpicxx" + "".join(suffix)) if suffix != (".", "hydra") else path.with_name("mpicxx")
    result = recognise(WrapperCandidate(path.absolute(), "path"), here.environ)
    if isinstance(result, Unusable):
        message = f"{path} cannot be used as an MPI: {result.reason}; name a wrapper such as /opt/mpich/bin/mpicxx"
        raise UsageError(message)
    result = by_its_wrapper(result)
    kind = (result.wrapper, result.abi_wrapper)
    return next((other for other in discover(here) if (other.wrapper, other.abi_wrapper) == kind), result)


def _named(which: str, here: Surroundings) -> Installation:
    seen = survey(here)
    for installation in seen.installations:
        if which == installation.label:
            return installation
    for installation in seen.installations:
        if which == installation.flavour:
            return installation
    in_path = shutil.which(which, path=here.environ.get("PATH"))
    if in_path is not None and (which.startswith("mpi") or which in _wrapper_names()):
        return _at_path(Path(in_path), here)
    found = ", ".join(f"{i.label} ({i.flavour} {i.version}, {i.wrapper})" for i in seen.installations) or "none"
    known = [f.name for f in FLAVOURS]
    kind = "is not installed here" if which in known else "is unknown"
    meant = probable(which, (*(i.label for i in seen.installations), *known)) if which not in known else ""
    wheels = (one for one in seen.unusable if one.origin == "wheel")
    broken = "".join(f"; {one.wrapper} cannot be used: {one.reason}" for one in wheels)
    message = (
        f"MPI {which!r} {kind}{meant or ';'} found: {found}{broken}; the name of a wrapper in PATH or a path such as "
        f"/opt/mpich/bin/mpicxx works too"
    )
    raise UsageError(message)
