"""The list of all studies.

A new one needs a folder `studies/NAME` whose module `study` has the function `measure` and whose module `command` has
the function of the command's last word, and a line below.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ictus.model.unknown import unknown


@dataclass(frozen=True)
class StudyEntry:
    """A study: its folder under studies/, whose module `study` has the function `measure`."""

    name: str
    command: str
    """The words of the command that measures and shows it."""
    question: str

    @property
    def study(self) -> Any:
        """The declaration."""
        return import_module(f"ictus.studies.{self.name}.study").STUDY

    @property
    def measure(self) -> Callable[..., Any]:
        """Measures the study; in addition to the common options it takes its own keyword parameters."""
        found: Callable[..., Any] = import_module(f"ictus.studies.{self.name}.study").measure
        return found

    @property
    def function(self) -> Callable[..., None]:
        """The command itself."""
        module = import_module(f"ictus.studies.{self.name}.study")
        if not isinstance(getattr(module, "STUDY", ""), str):
            made: Callable[..., None] = import_module("ictus.studies.runner").command_of(module.STUDY)
            return made
        found: Callable[..., None] = getattr(
            import_module(f"ictus.studies.{self.name}.command"), self.command.rpartition(" ")[2]
        )
        return found


STUDIES = (
    StudyEntry("clock_accuracy", "clocks accuracy", "How far apart are global clocks after synchronising?"),
    StudyEntry("clock_pareto", "clocks pareto", "What does accuracy cost?"),
    StudyEntry("clock_drift", "clocks drift", "How do local clocks run away from each other?"),
    StudyEntry("frequency", "clocks frequency", "What error does the conversion from ticks to seconds add?"),
    StudyEntry("rtt", "clocks rtt", "How long do round trips take, and how many does an offset need?"),
    StudyEntry("exit_skew", "barriers skew", "How far apart do processes leave a barrier that they entered together?"),
    StudyEntry("barrier_impact", "barriers impact", "Does the winner change with the start alone?"),
    StudyEntry("local_and_global", "procsync times", "What do local clocks say beside the global one?"),
    StudyEntry("window_size", "procsync window", "How long does a window have to be?"),
    StudyEntry("nrep", "nrep", "How many repetitions does each case need?"),
    StudyEntry("lens", "lens", "What would other suites have reported?"),
    StudyEntry("reproduce", "reproduce", "Test whether the same experiment gives the same result again."),
    StudyEntry("overlap", "overlap", "How much of an operation does a computation hide?"),
    StudyEntry("network", "network", "What is the machine, before libraries are compared on it?"),
)


def find(name: str) -> Any:
    """The study of that name. Raises UsageError that lists the known ones."""
    entry = next((one for one in STUDIES if one.name == name), None)
    if entry is None:
        raise unknown(f"study '{name}'", name, [one.name for one in STUDIES])
    return entry.study
