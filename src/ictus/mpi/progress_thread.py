"""Progress threads of the libraries: which have one, how it is switched on, and how a launch shows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ictus.mpi.flavours import flavour


@dataclass(frozen=True)
class ProgressThread:
    """What a library has. `reason` says why there is none, and is empty where there is one."""

    reason: str = ""
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables that switch it on."""
    told: Mapping[str, str] = field(default_factory=dict)
    """Control variables that a launch has then. Intel MPI's goes by another name than the environment's."""

    @property
    def available(self) -> bool:
        """Whether the library has one."""
        return not self.reason


def progress_thread(name: str, cvars: Mapping[str, str]) -> ProgressThread:
    """The progress thread of a library of the flavour `name`, given its control variables (MPI_T): a variable that it
    does not have cannot switch anything on.
    """
    found = flavour(name).progress_variable(cvars)
    if found is None:
        return ProgressThread(_none(cvars))
    variable, shown = found
    return ProgressThread(environment={variable: "1"}, told={shown: "1"})


def _none(cvars: Mapping[str, str]) -> str:
    """What was looked for, and what there is."""
    if not cvars:
        return "unavailable: the library lists no control variables (MPI_T), so nothing can be switched on and proven"
    named = sorted(name for name in cvars if "progress" in name.lower() and "thread" in name.lower())
    beside = f"; of {', '.join(named)} none does" if named else ", and none names a progress thread"
    return (
        f"unavailable: none of the library's {len(cvars)} control variables starts a progress thread for collectives"
        f"{beside}"
    )


def shows_thread(thread: ProgressThread, control_variables: Mapping[str, str]) -> bool:
    """Whether a launch's own control variables have the requested values."""
    said = {"1": ("1", "true", "yes"), "0": ("0", "false", "no")}
    return all(
        control_variables.get(name, "").lower() in said.get(value, (value,)) for name, value in thread.told.items()
    )
