"""The environment of a launch: it keeps what the user set, removes what would break the library, and records both.

Three sources, the later wins:

1. the shell's environment. Variables that steer a library (`OMPI_MCA_...`, `MPIR_CVAR_...`, `I_MPI_...`, `UCX_...`,
   `FI_...`) are passed on: the user wants them measured, and the core records them with every launch. Removed are
   - variables that another launcher gives its own ranks (Ictus may itself run under mpiexec or srun): a library that
     finds them would join that launch or run as single processes;
   - folders of LD_LIBRARY_PATH with another installation's MPI, which the loader would prefer to the right one. For
     self-contained installations (wheels, Debian's) also folders with network libraries that MPI loads (libfabric, UCX,
     PMIx): an older libfabric there stops the MPICH wheel. Other folders stay, because a compiler's run time may be
     found only there. A warning names the folders;
2. the flavour's own variables. Where the shell sets the same one, the shell's value stays, except for those that point
   to the installation itself (I_MPI_ROOT) or describe the launch (ICTUS_PLATFORM);
3. the plan's variables.

What was compiled for the standard ABI finds the library of its own launch: one build serves all that have it.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ictus.model.library import Installation
from ictus.mpi.flavours import FLAVOURS
from ictus.mpi.flavours.flavour import prefix

_MPI = ("libmpi.so*", "libmpi_abi.so*", "libmpich.so*", "libmpicxx.so*")
_NETWORK = ("libfabric.so*", "libuc[pst].so*", "libpmix.so*", "libprrte.so*", "libopen-*.so*")

_SELF_CONTAINED = ("wheel", "debian")


@dataclass(frozen=True)
class LaunchEnvironment:
    """Variables for one launch, and what was done to get them."""

    variables: Mapping[str, str]
    """All that the launcher is started with."""
    given: Mapping[str, str]
    """What Ictus set among them: the flavour's and the plan's."""
    removed: tuple[str, ...] = ()
    """Names of the shell's variables that were taken out."""
    warnings: tuple[str, ...] = ()


def _facts(question: str) -> tuple[str, ...]:
    """The answers of all flavours together: a launch of one library may be made from within one of another."""
    return tuple(dict.fromkeys(name for member in FLAVOURS for name in getattr(member, question)))


def launch_environment(
    installation: Installation,
    flavour_variables: Mapping[str, str],
    plan_variables: Mapping[str, str] | None = None,
    ambient: Mapping[str, str] | None = None,
) -> LaunchEnvironment:
    """The environment that a launch of `installation` gets; `ambient` is the shell's, by default this process's."""
    shell = dict(os.environ if ambient is None else ambient)
    removed = tuple(sorted(name for name in shell if name.startswith(_facts("launch_variables"))))
    for name in removed:
        del shell[name]
    path, warnings = _library_path(shell.pop("LD_LIBRARY_PATH", ""), installation)
    if path:
        shell["LD_LIBRARY_PATH"] = path
    steered = {name: shell.get(name, value) for name, value in flavour_variables.items()}
    steered |= {name: value for name, value in flavour_variables.items() if name in _facts("own_variables")}
    given = {**steered, **(plan_variables or {})}
    if installation.abi_wrapper is not None:
        others = given.get("LD_LIBRARY_PATH", path)
        given["LD_LIBRARY_PATH"] = f"{prefix(installation)}/lib{others and ':'}{others}"
    return LaunchEnvironment({**shell, **given}, given, removed, warnings)


def _library_path(path: str, installation: Installation) -> tuple[str, tuple[str, ...]]:
    folders = [folder for folder in path.split(":") if folder]
    foreign = [folder for folder in folders if _is_foreign(Path(folder), installation)]
    kept = ":".join(folder for folder in folders if folder not in foreign)
    if not foreign:
        return kept, ()
    what = f"LD_LIBRARY_PATH: left out {':'.join(foreign)} for {installation.label}: it holds libraries of another MPI"
    return kept, (what,)


def _is_foreign(folder: Path, installation: Installation) -> bool:
    if folder.resolve().is_relative_to(Path(prefix(installation)).resolve()) and installation.origin != "debian":
        return False
    patterns = _MPI + _NETWORK if installation.origin in _SELF_CONTAINED else _MPI
    return any(next(folder.glob(pattern), None) is not None for pattern in patterns)
