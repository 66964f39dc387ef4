"""The precision goal of a campaign (`ictus run --until`): the precision of each interval, and sentences about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ictus.comparison.case_rows import case_rows
from ictus.comparison.case_titles import ALGORITHM, LIBRARY, Case, operation_title, processes_title, size_title
from ictus.comparison.decisions import DecisionsReached, decisions_of
from ictus.comparison.matching import MatchedCase, match, values
from ictus.comparison.modes import MachineModes, machine_modes, strata_of
from ictus.comparison.sides import sides
from ictus.model.algorithm import DEFAULT
from ictus.model.goal import Goal
from ictus.model.quantity import format_span, percent
from ictus.render.page import Section, paragraphs
from ictus.render.table import Block, Column, Table, records
from ictus.stats.compare import STRATA
from ictus.stats.precision import half_width, ratio_half_width
from ictus.store.campaign import Campaign
from ictus.store.journal import GoalProgress

MEDIAN_CONFIDENCE = 0.95


@dataclass(frozen=True)
class GoalRow:
    """One interval that was to become narrow."""

    case: Case
    of: str
    """The library, or `a / b`."""
    half_width: float | None
    """As a share; None where there are too few launches, or no valid sample."""
    launches: int
    """On the side that has fewer."""
    reached: bool


@dataclass(frozen=True)
class GoalReached:
    """A goal and what was reached."""

    goal: Goal
    confidence: float
    goal_progress: GoalProgress
    rows: tuple[GoalRow, ...]

    @property
    def missed(self) -> tuple[GoalRow, ...]:
        """The intervals wider than the goal, the widest first; before them the cases without an interval."""
        widest = float("inf")
        wide = [row for row in self.rows if not row.reached]
        return tuple(sorted(wide, key=lambda row: -(widest if row.half_width is None else row.half_width)))

    def as_object(self) -> dict[str, Any]:
        """The object for scripts."""
        return {
            "quantity": self.goal.quantity,
            "share": self.goal.share,
            "confidence": self.confidence,
            "ended": self.goal_progress.ended,
            "spent_s": self.goal_progress.spent_s,
            "time_budget_s": self.goal_progress.budget_s,
            "reached": not self.missed,
            "rows": records(self.rows),
        }


def goal_of(campaign: Campaign, strata: str = STRATA[0]) -> GoalReached | DecisionsReached | None:
    """The goal of a campaign and where it stands; None where it has none. Ratios are those within modes of the machine,
    with `strata="off"` regardless of them, as `ictus compare` shows them.
    """
    goal = campaign.plan.goal
    if goal is None or campaign.goal_progress is None:
        return None
    if goal.of_verdicts:
        return decisions_of(campaign, strata)
    if goal.quantity == "median":
        return GoalReached(goal, MEDIAN_CONFIDENCE, campaign.goal_progress, tuple(_medians(campaign, goal)))
    confidence = 1 - campaign.plan.level
    return GoalReached(goal, confidence, campaign.goal_progress, tuple(_ratios(campaign, goal, confidence, strata)))


def _medians(campaign: Campaign, goal: Goal) -> Iterator[GoalRow]:
    for row in case_rows(campaign, MEDIAN_CONFIDENCE):
        width = half_width(row.low_s, row.high_s)
        variant = "" if row.case[ALGORITHM] == DEFAULT else f" {row.case[ALGORITHM]}"
        yield GoalRow(row.case, f"{row.mpi}{variant}", width, row.n_launches, _narrow(width, goal))


def _ratios(campaign: Campaign, goal: Goal, confidence: float, strata: str) -> Iterator[GoalRow]:
    modes = machine_modes(campaign) if strata == STRATA[0] else MachineModes((), ())
    for by in (LIBRARY, ALGORITHM) if goal.by is None else (goal.by,):
        if len(values(campaign, by)) < 2:
            continue
        paired = by not in (LIBRARY, ALGORITHM)
        pairs = sides(campaign, None, by)
        matched = [(left, right, case) for left, right in pairs for case in match(left, right, by, paired=paired)]
        of_cases = strata_of(matched, modes, first=campaign).of_cases
        for index, (left, right, case) in enumerate(matched):
            of_case = None if of_cases is None else of_cases[index]
            width = ratio_half_width(case.a, case.b, confidence, paired=paired, strata=of_case)
            of = f"{left.name} / {right.name}"
            yield GoalRow(case.case, of, width, _launches_of(case, paired=paired), _narrow(width, goal))


def _launches_of(case: MatchedCase, *, paired: bool) -> int:
    """The launches with a valid sample, on the side that has fewer; of pairs those that have both."""
    if paired:
        return sum(x is not None and y is not None for x, y in zip(case.a, case.b, strict=True))
    return min(sum(x is not None for x in side) for side in (case.a, case.b))


def _narrow(width: float | None, goal: Goal) -> bool:
    return width is not None and width <= goal.share


_NAMED = 3
PROMISED = (
    "A case got launches until its interval was narrow: at such an end an interval of {level} is promised to hold the "
    "true value in 93 % of campaigns."
)
"""Simulated: tests/stats/test_stopping.py, statistics-study.md."""
_OF = {"median": "each case's median", "ratio": "each ratio"}


def goal_text(goal: Goal, confidence: float) -> str:
    """`1 % of each case's median (half of the 95 % interval)`."""
    by = "" if goal.by is None else f" by {goal.by}"
    return f"{percent(goal.share)} of {_OF[goal.quantity]}{by} (half of the {percent(confidence)} interval)"


def goal_sentences(reached: GoalReached | DecisionsReached) -> tuple[str, ...]:
    """A sentence for the goal, and one for what is not reached."""
    if isinstance(reached, DecisionsReached):
        return reached.sentences()
    missed, total = reached.missed, len(reached.rows)
    head = f"Precision goal, {goal_text(reached.goal, reached.confidence)}"
    spent = f"in {format_span(reached.goal_progress.spent_s)} of launches"
    promised = (PROMISED.format(level=percent(reached.confidence)),) if len(missed) < total else ()
    if not missed:
        which = "the one case" if total == 1 else f"all {total}"
        return (f"{head}: reached in {which}, {_launches(reached.rows)}, {spent}.", *promised)
    first = f"{head}: reached in {total - len(missed)} of {total}{_ended(reached)}."
    named = [_missed(row) for row in missed[:_NAMED]]
    unnamed = f"; {len(missed) - _NAMED} more" if len(missed) > _NAMED else ""
    return first, f"Not reached: {', '.join(named)}{unnamed}.", *promised


def goal_section(reached: GoalReached | DecisionsReached | None) -> Section | None:
    """The part of the page."""
    if reached is None:
        return None
    if isinstance(reached, DecisionsReached):
        return Section("goal", "Verdicts sought", (*_ABOUT_VERDICTS, *reached.sentences()))
    column = Column[GoalRow]
    columns = (
        column("of", "", lambda row: f"{row.of} {operation_title(row.case)} {processes_title(row.case)}".rstrip()),
        column("size_bytes", "size", lambda row: size_title(row.case)),
        column("half_width", "half-width", _width),
        column("launches", "launches"),
        column("reached", "", lambda row: "reached" if row.reached else "not reached"),
    )
    table = Table(columns, [Block("How precise each interval is", f"goal {percent(reached.goal.share)}", reached.rows)])
    return Section("goal", "Precision goal", (*_ABOUT, *goal_sentences(reached)), tables=(table,))


_ABOUT_VERDICTS = paragraphs("""
    Launches were added in rounds until every comparison had its verdict, or the most launches or the time budget were
    reached; decided comparisons were left out of further launches. Looks are fixed before the first launch, and each
    spends a part of the level. A verdict that was given stays, with the numbers of its look.
""")
_ABOUT = paragraphs("""
    Launches were added until the intervals were as narrow as was asked for, or the time budget ended; cases that were
    precise were left out of further launches. The half-width of an interval is the square root of its upper over its
    lower limit, less 1. Only this width ended it, never a p-value.
""")


def _ended(reached: GoalReached) -> str:
    if reached.goal_progress.ended == "budget" and reached.goal_progress.budget_s is not None:
        return f", budget of {format_span(reached.goal_progress.budget_s)} ended"
    return ", ended without the rest" if reached.goal_progress.ended else ", not ended yet"


def _launches(rows: tuple[GoalRow, ...]) -> str:
    counts = sorted({row.launches for row in rows})
    number = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"after {number} launches"


def _width(row: GoalRow) -> str:
    return "NA" if row.half_width is None else f"{100 * row.half_width:.2g} %"


def _missed(row: GoalRow) -> str:
    launches = f"{row.launches} launch{'' if row.launches == 1 else 'es'}"
    if row.half_width is None:
        return (
            f"{_name(row)} no interval yet ({launches}: too few)" if row.launches else f"{_name(row)} no valid sample"
        )
    return f"{_name(row)} {_width(row)} after {launches}"


def _name(row: GoalRow) -> str:
    return f"{row.of} {operation_title(row.case)} {size_title(row.case)} {processes_title(row.case)}".rstrip()
