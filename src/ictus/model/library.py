"""MPI libraries: an installation on this machine, the label that a plan uses, and the record in a campaign."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePath

from ictus.model.errors import UsageError
from ictus.model.spec import split_list


@dataclass(frozen=True)
class Installation:
    """One MPI library that can compile and launch.

    `label` is the name used in plans, tables and folders; two installations may differ in nothing but the label (A/A).
    `wrapper` and `launcher` are real paths, never symbolic links: wrappers break when called through one.
    """

    label: str
    flavour: str
    """Member of family flavour: `mpich`, `openmpi`, `intelmpi`."""
    version: str
    """The library's own version, for example `5.0.2`."""
    wrapper: Path
    """C++ compiler wrapper."""
    launcher: Path
    library_version: str = "unknown"
    """First line of MPI_Get_library_version, filled in when the core is built."""
    build_info: str = "unknown"
    """Compiler and flags of the library's own build, where it reports them (mpichversion, ompi_info)."""
    origin: str = "unknown"
    """Where it was found: `wheel`, `debian`, `path`, `I_MPI_ROOT`, `module`, `added`."""
    abi_wrapper: Path | None = None
    """Compiles for the standard ABI of MPI 5, whose library of this installation is used then; it may be another
    installation's. None: the library's own ABI."""
    checksum: str = "unknown"
    """Of the shared libraries of MPI that a program is linked with, filled in when the core is built."""

    @property
    def compiled_by(self) -> Path:
        """The wrapper that compiles what runs on it."""
        return self.abi_wrapper or self.wrapper


_LONGEST = 200
"""Characters of a label: names of folders have 255."""
_LABEL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_RESERVED = re.compile(r".*\.(partial|try\d+)")
_WRAPPER = re.compile(r"mpi(?:cc|cxx|c\+\+|CC|exec|run)(?:\.(?P<suffix>.+))?")


@dataclass(frozen=True)
class LibraryRequest:
    """`-m old=mpich`: `which` installation to use, and the `label` that it has in tables and folders."""

    label: str
    which: str

    def __str__(self) -> str:
        return self.which if self.label == self.which else f"{self.label}={self.which}"


def parse_library(text: str) -> LibraryRequest:
    """`mpich`, `old=mpich`, `new=/path/to/mpicc` or a bare path, which is labelled by its folder or its suffix."""
    label, equals, which = text.strip().partition("=")
    if not equals:
        label, which = _label_of(text.strip()), text.strip()
    if not which:
        raise UsageError(f"'{text}': expected a library, as in 'mpich', 'old=mpich' or 'new=/path/to/mpicc'")
    return LibraryRequest(check_label(label), which)


def library_names(texts: Iterable[str]) -> list[str]:
    """The libraries that these texts name, each of which may name several: `-m a,b` is `-m a -m b`. A path may hold a
    comma.
    """
    return [name for text in texts for name in (split_list(text) if "," in text and "/" not in text else (text,))]


def is_label(text: str) -> bool:
    """Whether it can be the name of a folder of launches."""
    return len(text) <= _LONGEST and _LABEL.fullmatch(text) is not None and _RESERVED.fullmatch(text) is None


def check_label(label: str) -> str:
    """The label itself; UsageError when it cannot be the name of a folder of launches."""
    if not is_label(label):
        raise UsageError(
            f"label '{label}': a label is at most {_LONGEST} letters, digits and '.', '_', '+', '-', does not begin "
            f"with a sign and does not end like a folder of Ictus (.partial, .try1); give one as in 'LABEL=WHICH'"
        )
    return label


NO_CONTROL = "none"
"""Instead of the label of a control: no library stands for the state of the machine."""


def control_fault(control: str, labels: Sequence[str]) -> str:
    """Why the library of that label cannot be the control of a campaign of these; empty where it can. Without `labels`
    nobody knows yet which are measured.
    """
    if not labels:
        return "" if is_label(control) else "expected the label of a measured library"
    if control not in labels:
        return f"expected the label of a measured library: {', '.join(labels)}; name it with -m {control} too"
    return "" if len(labels) > 1 else "no other library is measured: name the one under test with -m too"


def _label_of(which: str) -> str:
    """`/opt/mpich-4.2/bin/mpicc` is `mpich-4.2`, `/usr/bin/mpicc.openmpi` and `mpicc.openmpi` are `openmpi`, another
    name is itself.
    """
    path = PurePath(which)
    wrapper = _WRAPPER.fullmatch(path.name)
    if "/" not in which and (wrapper is None or not wrapper["suffix"]):
        return which
    if wrapper is not None and wrapper["suffix"]:
        return wrapper["suffix"]
    return path.parent.parent.name if wrapper is not None and path.parent.name == "bin" else path.name


@dataclass(frozen=True)
class Library:
    """The record of an installation in campaign.json."""

    label: str
    flavour: str
    version: str
    wrapper: str
    launcher: str
    library_version: str
    compiler: str
    checksum: str = "unknown"
    """Of its shared libraries of MPI; two with one checksum are the same library, wherever they lie."""

    @staticmethod
    def of(installation: Installation) -> "Library":
        """The record of an installation as found on this machine."""
        return Library(
            label=installation.label,
            flavour=installation.flavour,
            version=installation.version,
            wrapper=str(installation.compiled_by),
            launcher=str(installation.launcher),
            library_version=installation.library_version,
            compiler=installation.build_info,
            checksum=installation.checksum,
        )

    def differences(self, other: "Library") -> tuple[str, ...]:
        """Fields in which two records of one label differ, as `field: here there, other`; "unknown" never differs."""
        here, theirs = asdict(self), asdict(other)
        return tuple(
            f"{field}: {here[field]} there, {theirs[field]}"
            for field in here
            if here[field] != theirs[field] and "unknown" not in (here[field], theirs[field])
        )
