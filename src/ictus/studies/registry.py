"""The list of all studies: a light one, which help and completion read; and what a name means: a study or a claim.

A new study is a folder `studies/NAME` whose module `study` has the declaration `STUDY`, and an entry below.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ictus.model.unknown import unknown

if TYPE_CHECKING:
    from ictus.studies.claim import Claim
    from ictus.studies.study import Study

ALL = "all"
"""Every claim of every study."""


@dataclass(frozen=True)
class StudyEntry:
    """A study: its folder under studies/, its question, the words of its command."""

    name: str
    command: str
    """`study NAME` where it has none of its own: it is answered by its claims."""
    question: str
    summary: str = ""
    """The first sentence of the command's help."""

    @property
    def has_command(self) -> bool:
        """Whether it is a command of its own."""
        return not self.command.startswith("study ")

    @property
    def study(self) -> "Study[Any, Any]":
        """The declaration."""
        declaration: Study[Any, Any] = import_module(f"ictus.studies.{self.name}.study").STUDY
        return declaration


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
        "Does the same experiment give the same result again?",
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
    StudyEntry(
        "communicators",
        "communicators",
        "What does it cost to make communicators?",
        "Measure what calls cost that make communicators.",
    ),
    StudyEntry(
        "persistent",
        "persistent",
        "After how many calls has a persistent collective paid for its making?",
        "Measure when a persistent collective has paid for its making.",
    ),
    StudyEntry("launches", "study launches", "Does one launch tell what the next one says?"),
    StudyEntry("diagnosis", "study diagnosis", "Are samples of a launch normal, independent, steady?"),
    StudyEntry("factors", "study factors", "Does a factor, such as the start, change what is measured?"),
    StudyEntry("sync_worlds", "study sync_worlds", "How good are our clocks where the truth is known?"),
    StudyEntry("guidelines", "study guidelines", "Do libraries break performance guidelines?"),
    StudyEntry("remedies", "study remedies", "Does tuning mend guidelines that are broken?"),
    StudyEntry("dims", "study dims", "Are the answers of MPI_Dims_create balanced?"),
    StudyEntry("precision", "study precision", "Does a precision goal save time?"),
    StudyEntry("sparse_exchange", "study sparse_exchange", "What do sparse exchanges by schedules cost?"),
)


def entry(name: str) -> StudyEntry:
    """The study of that name. Raises UsageError that lists the known ones."""
    study_entry = next((study for study in STUDIES if study.name == name), None)
    if study_entry is None:
        raise unknown(f"study '{name}'", name, [known_study.name for known_study in STUDIES])
    return study_entry


def every_claim() -> Iterator[tuple[StudyEntry, "Claim"]]:
    """Of every study, in the order of the list."""
    for study in STUDIES:
        for claim in study.study.claims:
            yield study, claim


def named(name: str) -> tuple[StudyEntry | None, tuple[tuple[StudyEntry, "Claim"], ...]]:
    """What a name means: the study, and the claims that it has; of a claim's name, which goes before a study's, and of
    `all` no study. Raises UsageError that lists the known names.
    """
    claims = tuple(every_claim())
    matching = tuple(claim for claim in claims if name in (ALL, claim[1].name))
    if matching:
        return None, matching
    study = next((study_entry for study_entry in STUDIES if study_entry.name == name.replace("-", "_")), None)
    if study is None:
        raise unknown(
            f"study '{name}'",
            name,
            [ALL, *(known_claim.name for _, known_claim in claims), *(known_study.name for known_study in STUDIES)],
        )
    return study, tuple(pair for pair in claims if pair[0] is study)
