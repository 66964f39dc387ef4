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
3. the plan's variables; one with the value `unset` is taken out, whoever set it.

What was compiled for the standard ABI finds the library of its own launch: one build serves all that have it.
"""

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ictus.launch.process import MARK
from ictus.model.environment import UNSET
from ictus.model.library import Installation
from ictus.mpi.flavours import FLAVOURS, SetVariable, Situation, flavour
from ictus.mpi.flavours.flavour import prefix

_MPI = ("libmpi.so*", "libmpi_abi.so*", "libmpich.so*", "libmpicxx.so*")
_NETWORK = ("libfabric.so*", "libuc[pst].so*", "libpmix.so*", "libprrte.so*", "libopen-*.so*")

TRANSPORTS = ("UCX_", "FI_")
"""Beginnings of the names of variables that steer what several libraries send with."""

_SELF_CONTAINED = ("wheel", "debian")


@dataclass(frozen=True)
class LaunchEnvironment:
    """Variables for one launch, and what was done to get them."""

    variables: Mapping[str, str]
    """All that the launcher is started with."""
    changed_variables: Mapping[str, str]
    """What Ictus set among them: the flavour's and the plan's."""
    removed: tuple[str, ...] = ()
    """Names of the shell's variables that were taken out."""
    warnings: tuple[str, ...] = ()
    own_variables: Mapping[str, str] = field(default_factory=dict)
    """Those that Ictus set by itself: neither the shell nor the plan has them."""
    steering: tuple[str, ...] = ()
    """Those that steer the library, each with who set it: `OMPI_MCA_pml=ucx (shell)`."""


def _facts(question: str) -> tuple[str, ...]:
    """The answers of all flavours together: a launch of one library may be made from within one of another."""
    return tuple(dict.fromkeys(name for member in FLAVOURS for name in getattr(member, question)))


def of_one_launch(name: str) -> bool:
    """Whether a launcher, or Ictus, gives its ranks another value of this variable in each launch: addresses, numbers.
    `PMIX_MCA_...` are the user's.
    """
    if name.startswith("PMIX_MCA_"):
        return False
    return name == MARK or name.startswith((*_facts("rank_variables"), *_facts("launch_variables")))


def launch_environment(
    installation: Installation,
    flavour_variables: Mapping[str, str],
    plan_variables: Mapping[str, str] | None = None,
    ambient: Mapping[str, str] | None = None,
) -> LaunchEnvironment:
    """The environment that a launch of `installation` gets; `ambient` is the shell's, by default this process's."""
    plan = {name: value for name, value in (plan_variables or {}).items() if value != UNSET}
    without = (plan_variables or {}).keys() - plan
    shell = {name: value for name, value in (os.environ if ambient is None else ambient).items() if name not in without}
    removed = tuple(sorted(name for name in shell if name.startswith(_facts("launch_variables"))))
    for name in removed:
        del shell[name]
    path, warnings = _library_path(shell.pop("LD_LIBRARY_PATH", ""), installation)
    if path:
        shell["LD_LIBRARY_PATH"] = path
    kept = shell.keys() - _facts("own_variables")
    own_variables = {name: value for name, value in flavour_variables.items() if name not in {*kept, *plan, *without}}
    changed = {**{name: shell[name] for name in flavour_variables if name in kept}, **own_variables, **plan}
    if installation.abi_wrapper is not None:
        others = changed.get("LD_LIBRARY_PATH", path)
        changed["LD_LIBRARY_PATH"] = f"{prefix(installation)}/lib{others and ':'}{others}"
        own_variables["LD_LIBRARY_PATH"] = changed["LD_LIBRARY_PATH"]
    variables = {**shell, **changed}
    who = {name: "plan" if name in plan else "Ictus" if name in own_variables else "shell" for name in variables}
    beginnings = (*TRANSPORTS, *steering_variables(installation.flavour))
    order = ("shell", "plan", "Ictus")
    steering = sorted(
        (name for name in variables if name.startswith(beginnings)), key=lambda name: order.index(who[name])
    )
    told = tuple(f"{name}={variables[name]} ({who[name]})" for name in steering)
    return LaunchEnvironment(variables, changed, removed, warnings, own_variables, told)


def steering_variables(flavour_name: str) -> tuple[str, ...]:
    """Beginnings of the names of variables that steer a library of that flavour; of an unknown one those of all."""
    member = next((candidate for candidate in FLAVOURS if candidate.name == flavour_name), None)
    return _facts("steering_variables") if member is None else member.steering_variables


def selects_algorithms(flavour_name: str, variable: str) -> bool:
    """Whether a variable selects algorithms of collectives in a library of that flavour."""
    patterns = (member.algorithm_variables for member in FLAVOURS if member.name == flavour_name)
    return any(pattern is not None and pattern.match(variable) is not None for pattern in patterns)


def selecting_sentence(label: str, variables: str) -> str:
    """`Variables of the environment select algorithms of openmpi: OMPI_MCA_coll=basic`."""
    return f"Variables of the environment select algorithms of {label}: {variables}"


EVERY_LIBRARY = (
    SetVariable(MARK, "always", "Ictus finds by it the processes that a launch leaves behind"),
    SetVariable(
        "LD_LIBRARY_PATH",
        "one program serves all libraries with the standard ABI of MPI 5",
        "the folder of the library comes first, so that the program finds it",
    ),
)
"""Variables that Ictus may set whatever the library is."""


@dataclass(frozen=True)
class SetValue:
    """A variable that Ictus sets, with its value in one situation."""

    variable: SetVariable
    value: str

    def __str__(self) -> str:
        return f"{self.variable.name}={self.value}"


def set_values(installation: Installation, situation: Situation) -> tuple[SetValue, ...]:
    """What Ictus sets by itself for ranks of a library in this situation, where the shell and the plan say nothing."""
    member = flavour(installation.flavour)
    own_variables = launch_environment(installation, member.run_environment(installation, situation)).own_variables
    return tuple(
        SetValue(variable, own_variables[variable.name])
        for variable in (*member.sets, *EVERY_LIBRARY)
        if variable.name in own_variables
    )


def reasons_of(flavour_name: str, names: Collection[str]) -> dict[str, str]:
    """By name: why Ictus sets these variables for a library of that flavour."""
    sets = next((member.sets for member in FLAVOURS if member.name == flavour_name), ())
    return {variable.name: variable.why for variable in (*sets, *EVERY_LIBRARY) if variable.name in names}


def refusal(installation: Installation, situation: Situation, name: str, value: str) -> str | None:
    """Why a launch cannot have a variable with this value of a plan, and what to do; None where it can."""
    member = flavour(installation.flavour)
    fixed = member.run_environment(installation, situation)
    if name in member.own_variables and name in fixed and value != fixed[name]:
        why = next(variable.why for variable in member.sets if variable.name == name)
        return f"a launch of {installation.label} needs {name}={fixed[name]} ({why}); leave it out"
    if name == MARK or (name in member.own_variables and name not in fixed and member.simulated):
        return "Ictus sets it for every launch; leave it out"
    if name.startswith(_facts("rank_variables")) and value != UNSET:
        return "a launcher tells each rank by it who the rank is; leave it out"
    if name == "LD_LIBRARY_PATH" and value == UNSET and installation.abi_wrapper is not None:
        return f"by it a program built for the standard ABI finds {installation.label}; leave it out"
    return None


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
