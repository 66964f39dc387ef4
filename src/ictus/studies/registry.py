"""The list of all studies.

A new one needs a folder `studies/NAME` whose module `study` has the function `measure` and whose module `command` has
the function of the command's last word, and a line below.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True)
class StudyEntry:
    """A study: its folder under studies/, whose module `study` has the function `measure`."""

    name: str
    command: str
    """The words of the command that measures and shows it."""
    question: str
    summary: str
    """The first sentence of the command's docstring, which help lists."""

    @property
    def measure(self) -> Callable[..., Any]:
        """Measures the study; in addition to the common options it takes its own keyword parameters."""
        found: Callable[..., Any] = import_module(f"ictus.studies.{self.name}.study").measure
        return found


STUDIES = (
    StudyEntry(
        "clock_accuracy",
        "clocks accuracy",
        "How far apart are global clocks after synchronising?",
        "Judge algorithms by the errors of the ranks' global clocks.",
    ),
    StudyEntry(
        "clock_pareto",
        "clocks pareto",
        "What does accuracy cost?",
        "Weigh the accuracy of algorithms against their cost.",
    ),
    StudyEntry(
        "clock_drift",
        "clocks drift",
        "How do local clocks run away from each other?",
        "Measure how local clocks drift from that of rank 0.",
    ),
    StudyEntry(
        "frequency",
        "clocks frequency",
        "What error does the conversion from ticks to seconds add?",
        "Judge the stated frequency of the processor's counter.",
    ),
    StudyEntry(
        "rtt",
        "clocks rtt",
        "How long do round trips take, and how many does an offset need?",
        "Measure round trips of each pair of hosts or ranks.",
    ),
    StudyEntry(
        "exit_skew",
        "barriers skew",
        "How far apart do processes leave a barrier that they entered together?",
        "Measure exit skew: how far apart ranks leave a barrier.",
    ),
    StudyEntry(
        "barrier_impact",
        "barriers impact",
        "Does the winner change with the start alone?",
        "Measure the same collective under every synchronisation.",
    ),
    StudyEntry(
        "local_and_global",
        "procsync times",
        "What do local clocks say beside the global one?",
        "Compare local with global times of the same samples.",
    ),
    StudyEntry(
        "window_size", "procsync window", "How long does a window have to be?", "Sweep window sizes, and recommend one."
    ),
    StudyEntry(
        "nrep", "nrep", "How many repetitions does each case need?", "Predict how many repetitions each case needs."
    ),
    StudyEntry("lens", "lens", "What would other suites have reported?", "Show what other suites would have reported."),
    StudyEntry(
        "reproduce",
        "reproduce",
        "Test whether the same experiment gives the same result again.",
        "Test whether the same experiment gives the same result again.",
    ),
    StudyEntry(
        "overlap",
        "overlap",
        "How much of an operation does a computation hide?",
        "Measure how much of an operation a computation can hide.",
    ),
    StudyEntry(
        "network",
        "network",
        "What is the machine, before libraries are compared on it?",
        "Measure the machine: links, bandwidth under load, noise.",
    ),
)
