"""A remedy and its outcome in fresh launches; the outcome of a tuning as rows and as texts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from ictus.comparison.evidence import ComparisonEvidence
from ictus.guidelines.explain import Explanation
from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.verdict import Configuration, GuidelineVerdict
from ictus.model.algorithm import Setting
from ictus.model.quantity import format_size
from ictus.model.reduction import USUAL, Reduction
from ictus.model.spec import Spec
from ictus.tuning.candidates import Candidate, TuningCell

REMEDIED = "remedied"
"""The variant of a library that its remedy is in force in."""


Call = tuple[Spec, int]
"""Operation and size."""


class Result(str, Enum):
    """The verdict of fresh launches on a remedy."""

    CONFIRMED = "confirmed"
    NOT_FASTER = "not-faster"
    """Not significantly faster than the unchanged call."""
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

    cell: TuningCell
    candidate: Candidate
    violated: tuple[GuidelineVerdict, ...]


@dataclass(frozen=True)
class Confirmation:
    """The result of a remedy. Times in seconds, medians over launches."""

    remedy: Remedy
    result: Result
    before_s: float | None = None
    after_s: float | None = None
    ratio: float | None = None
    """After to before: below 1 it is faster."""
    ratio_low: float | None = None
    ratio_high: float | None = None
    p_adjusted: float | None = None
    verdicts: tuple[GuidelineVerdict, ...] = ()
    """The verdicts on the guidelines, with the remedy."""
    harmed: tuple[Call, ...] = ()
    """Calls that are slower."""
    reason: str = ""
    """Why, where the result leaves it open."""


@dataclass(frozen=True)
class FreshLaunches:
    """The launches that confirm the remedies of one library."""

    measured: GuidelineMedians
    """By places: launches as they were, and of the variant REMEDIED."""
    other_calls: frozenset[Remedy] = frozenset()
    """Remedies that only the program's author can apply: other calls, in the launches as they were."""


def remedied(configuration: Configuration) -> Configuration:
    """The same library and number of processes, with the remedy."""
    return replace(configuration, algorithm=REMEDIED)


@dataclass(frozen=True)
class TuningResult:
    """One call that breaks guidelines."""

    cell: TuningCell
    violated: tuple[GuidelineVerdict, ...]
    candidates: int
    """How many raced, the original included."""
    looks: int
    left: int
    """How many were in at the end."""
    ended: str
    """How the race ended: `decided`, `looks`, `budget`, `no time`."""
    winner: Candidate | None
    """None where no candidate was better than the unchanged call, or none was tried. Where a library takes one choice
    for all, the confirmed one in place of the race's winner.
    """
    confirmation: Confirmation | None
    refused: Mapping[str, str] = field(default_factory=dict)
    """Variants that could not serve the call, with the reason."""

    @property
    def confirmed(self) -> bool:
        """Whether it is recommended."""
        return self.confirmation is not None and self.confirmation.result is Result.CONFIRMED

    @property
    def cut_short(self) -> bool:
        """Whether the budget ended before an answer."""
        return self.confirmation is None and (self.winner is not None or self.ended in ("no time", "budget"))


@dataclass(frozen=True)
class WrittenRemedy:
    """A file of remedies, and how it is used."""

    path: str
    use: str


@dataclass(frozen=True)
class Tuning:
    """All of it."""

    check: str
    created: str
    ictus: str
    cells: tuple[TuningResult, ...]
    explanations: tuple[Explanation, ...]
    files: tuple[WrittenRemedy, ...]
    recheck: tuple[str, ...]
    """The commands that check again, with the remedies in force."""
    checked: tuple[str, ...]
    """What the check said with them in force, in sentences."""
    spent_s: float
    budget_s: float
    warnings: tuple[str, ...]
    undecided: int = 0
    """Questions of the check that its launches were too few for."""
    marks: tuple[str, ...] = ()
    """Conditions that make the times differ from those of a library on its own cores."""
    reduction: Reduction = USUAL
    """By which launches became numbers."""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """By label of the library: what puts its confirmed remedies in force in any launch."""
    evidence: ComparisonEvidence | None = None
    """What races and confirmations rest on; None where nothing was raced."""


SAID = {
    Result.CONFIRMED: "confirmed",
    Result.NOT_FASTER: "not faster in fresh launches",
    Result.STILL_VIOLATED: "faster, but still slower than the guideline allows",
    Result.HARMS: "slows down other calls",
    Result.BREAKS: "with it in force the check is newly violated",
    Result.REFUSED: "a launch with it fails",
    Result.CONTRADICTS: "contradicts a remedy that gains more",
    Result.UNCHECKED: "confirmed, but not checked again",
    Result.NO_DATA: "not decided by so few launches",
}


def tuned_row(result: TuningResult) -> dict[str, Any]:
    """A call for scripts; times in seconds."""
    confirmation, winner = result.confirmation, result.winner
    return {
        "mpi": result.cell.place.library,
        "n": result.cell.place.n,
        "operation": str(result.cell.operation),
        "layout": str(result.cell.layout),
        "size_bytes": result.cell.size_bytes,
        "guidelines": list(dict.fromkeys(verdict.rule.name for verdict in result.violated)),
        "loss_s": max((verdict.loss_s or 0.0 for verdict in result.violated), default=0.0),
        "candidates": result.candidates,
        "looks": result.looks,
        "left": result.left,
        "race": result.ended,
        "way": None if winner is None else winner.way.value,
        "winner": None if winner is None else winner.name,
        "before_s": None if confirmation is None else confirmation.before_s,
        "after_s": None if confirmation is None else confirmation.after_s,
        "ratio": None if confirmation is None else confirmation.ratio,
        "ratio_low": None if confirmation is None else confirmation.ratio_low,
        "ratio_high": None if confirmation is None else confirmation.ratio_high,
        "p_adjusted": None if confirmation is None else confirmation.p_adjusted,
        "result": outcome(result),
        "harmed": []
        if confirmation is None
        else [{"operation": str(name), "size_bytes": size} for name, size in confirmation.harmed],
        "said": "" if confirmation is None else confirmation.reason,
        "in_the_program": winner is not None and winner.in_the_program,
    }


def outcome(result: TuningResult) -> str:
    """`confirmed`, or why nothing is recommended."""
    if result.confirmation is not None:
        return result.confirmation.result.value
    if result.winner is not None:
        return "unconfirmed"
    return {"no time": "no-time", "nothing": "nothing-to-try"}.get(result.ended, "nothing-better")


def outcome_text(result: TuningResult) -> str:
    """The same in words."""
    if result.confirmation is not None:
        confirmation = result.confirmation
        calls = [f"{name} of {format_size(size)}" for name, size in confirmation.harmed]
        details = [confirmation.reason] if confirmation.reason else calls if confirmation.result is Result.HARMS else []
        return SAID[confirmation.result] + (f": {', '.join(details)}" if details else "")
    if result.winner is not None:
        return "not confirmed: the budget ended"
    return {
        "no time": "not tried: the budget ended",
        "nothing": "there is nothing to try",
        "budget": "nothing better was found in time",
    }.get(result.ended, "nothing is better")


def was_tried(result: TuningResult) -> bool:
    """Whether its race began, or there was nothing to race."""
    return result.confirmation is not None or result.ended != "no time"


def not_tried(results: Sequence[TuningResult]) -> str:
    """Calls that the budget had no time for, counted in a sentence; empty where there are none."""
    left = [tuning_result for tuning_result in results if not was_tried(tuning_result)]
    places = dict.fromkeys(tuned.cell.place for tuned in left)
    texts = []
    for configuration in places:
        specs = [tuned.cell.operation for tuned in left if tuned.cell.place == configuration]
        calls = ", ".join(f"{name} ({specs.count(name)})" for name in dict.fromkeys(specs))
        texts.append(f"{configuration.library}, {configuration.n} processes: {calls}")
    if not texts:
        return ""
    calls = "1 call was" if len(left) == 1 else f"{len(left)} calls were"
    return f"{calls} not tried, because the budget ended (in brackets: sizes). {'; '.join(texts)}. --json has each."


def summary(results: Sequence[TuningResult], undecided: int = 0) -> str:
    """`3 of 5 calls that break guidelines have a confirmed remedy.`; where none has, what is unknown."""
    confirmed = sum(tuning_result.confirmed for tuning_result in results)
    calls = (
        "1 call that breaks a guideline has"
        if len(results) == 1
        else f"{len(results)} calls that break guidelines have"
    )
    if not results and undecided:
        open_ones = "1 of them" if undecided == 1 else f"{undecided} of them"
        return f"No guideline is found violated, but {open_ones} could not be decided: the check had too few launches."
    if not results:
        return "No guideline is violated: there is nothing to tune."
    number = "a" if confirmed == len(results) == 1 else "no" if not confirmed else str(confirmed)
    if len(results) == 1:
        return f"The {calls} {number} confirmed remedy."
    return f"{confirmed} of {calls} a confirmed remedy."
