"""A remedy, and what came of it in fresh launches."""

from dataclasses import dataclass, replace
from enum import Enum

from ictus.guidelines.measured import Measured
from ictus.guidelines.verdict import Place, Verdict
from ictus.tuning.candidate import Candidate, Cell

REMEDIED = "remedied"
"""The variant of a library that its remedy is in force in."""


Call = tuple[str, int]
"""Operation and size."""


class Result(str, Enum):
    """What fresh launches say of a remedy."""

    CONFIRMED = "confirmed"
    NOT_FASTER = "not-faster"
    """Not significantly faster than the call was."""
    STILL_VIOLATED = "still-violated"
    """Faster, and yet slower than what the guideline compares it with."""
    HARMS = "harms"
    """Another call is slower with it."""
    BREAKS = "breaks"
    """The check, run again with it in force, finds a guideline violated that was not."""
    REFUSED = "refused"
    """A launch with its files fails."""
    CONTRADICTS = "contradicts"
    """The library takes one choice, and that of another remedy mends more."""
    UNCHECKED = "unchecked"
    """Confirmed, but the check could not be run again with it in force."""
    NO_DATA = "no-data"
    """A side has no launch with a valid sample, or so few that nothing could be decided."""


@dataclass(frozen=True)
class Remedy:
    """A candidate that won its race, with what it is to mend."""

    cell: Cell
    candidate: Candidate
    violated: tuple[Verdict, ...]


@dataclass(frozen=True)
class Confirmation:
    """What came of a remedy. Times in seconds, medians over launches."""

    remedy: Remedy
    result: Result
    before_s: float | None = None
    after_s: float | None = None
    ratio: float | None = None
    """After to before: below 1 it is faster."""
    ratio_low: float | None = None
    ratio_high: float | None = None
    p_adjusted: float | None = None
    verdicts: tuple[Verdict, ...] = ()
    """Of the guidelines, with the remedy."""
    harmed: tuple[Call, ...] = ()
    """Calls that are slower."""
    said: str = ""
    """Why, where the result leaves it open."""


@dataclass(frozen=True)
class Fresh:
    """The launches that confirm the remedies of one library."""

    measured: Measured
    """By places: launches as they were, and of the variant REMEDIED."""
    other_calls: frozenset[Remedy] = frozenset()
    """Remedies that only the program's author can apply: other calls, in the launches as they were."""


def remedied(place: Place) -> Place:
    """The same library and number of processes, with the remedy."""
    return replace(place, algorithm=REMEDIED)
