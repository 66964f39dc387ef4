"""An MPI installation as found on this machine."""

from dataclasses import dataclass
from pathlib import Path


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
    """First line of MPI_Get_library_version, filled in when the core was built and asked."""
    build_info: str = "unknown"
    """Compiler and flags the library itself was built with, where it tells (mpichversion, ompi_info)."""
    origin: str = "unknown"
    """Where it was found: `wheel`, `debian`, `path`, `I_MPI_ROOT`, `module`, `added`."""
