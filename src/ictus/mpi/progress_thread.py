"""Progress threads of the libraries: which have one, how it is switched on, and how a launch shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ictus.mpi.flavours import flavour


@dataclass(frozen=True)
class ProgressThread:
    """The progress thread of a library. `reason` says why there is none; it is empty where there is one."""

    reason: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that switch it on."""
    control_variables: Mapping[str, str] = field(default_factory=dict)
    """Values of control variables that show the thread. Intel MPI names them differently from the environment."""

    @property
    def available(self) -> bool:
        """Whether the library has one."""
        return not self.reason


def progress_thread(name: str, cvars: Mapping[str, str]) -> ProgressThread:
    """The progress thread of a library of the flavour `name`, given its control variables (MPI_T): a variable that it
    does not have cannot switch anything on.
    """
    variables = flavour(name).progress_variable(cvars)
    if variables is None:
        return ProgressThread(_none(cvars))
    variable, confirming = variables
    return ProgressThread(environment={variable: "1"}, control_variables={confirming: "1"})


def _none(cvars: Mapping[str, str]) -> str:
    """The reason why a library has no progress thread."""
    if not cvars:
        return "unavailable: the library lists no control variables (MPI_T), so nothing can be switched on and proven"
    named = sorted(name for name in cvars if "progress" in name.lower() and "thread" in name.lower())
    others = f"; of {', '.join(named)} none does" if named else ", and none names a progress thread"
    return (
        f"unavailable: none of the library's {len(cvars)} control variables starts a progress thread for collectives"
        f"{others}"
    )


def shows_thread(thread: ProgressThread, control_variables: Mapping[str, str]) -> bool:
    """Whether a launch's own control variables have the requested values."""
    spellings = {"1": ("1", "true", "yes"), "0": ("0", "false", "no")}
    return all(
        control_variables.get(name, "").lower() in spellings.get(value, (value,))
        for name, value in thread.control_variables.items()
    )
