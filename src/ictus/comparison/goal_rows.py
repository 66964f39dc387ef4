"""How precise the intervals of a campaign are that pursues a precision goal (`ictus run --until`)."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ictus.comparison.case_titles import ALGORITHM, Case
from ictus.comparison.cases import case_rows
from ictus.comparison.matching import LIBRARY, match, values
from ictus.comparison.sides import sides
from ictus.model.algorithm import DEFAULT
from ictus.model.goal import Goal
from ictus.stats.precision import half_width, pairs_half_width, ratio_half_width
from ictus.store.campaign import Campaign
from ictus.store.journal import Pursued

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

    def as_row(self) -> dict[str, Any]:
        """The row for scripts."""
        return {**vars(self), "case": dict(self.case)}


@dataclass(frozen=True)
class GoalReached:
    """A goal and what was reached."""

    goal: Goal
    confidence: float
    pursued: Pursued
    rows: tuple[GoalRow, ...]

    @property
    def missed(self) -> tuple[GoalRow, ...]:
        """What is not as narrow as it was to become; the widest first, before them what has no interval at all."""
        widest = float("inf")
        wide = [row for row in self.rows if not row.reached]
        return tuple(sorted(wide, key=lambda row: -(widest if row.half_width is None else row.half_width)))

    def as_row(self) -> dict[str, Any]:
        """The object for scripts."""
        return {
            "quantity": self.goal.quantity,
            "share": self.goal.share,
            "confidence": self.confidence,
            "ended": self.pursued.ended,
            "spent_s": self.pursued.spent_s,
            "time_budget_s": self.pursued.budget_s,
            "reached": not self.missed,
            "rows": [row.as_row() for row in self.rows],
        }


def goal_of(campaign: Campaign) -> GoalReached | None:
    """The goal of a campaign and where it stands; None where it has none."""
    goal = campaign.plan.goal
    if goal is None or campaign.pursued is None:
        return None
    if goal.quantity == "median":
        return GoalReached(goal, MEDIAN_CONFIDENCE, campaign.pursued, tuple(_medians(campaign, goal)))
    confidence = 1 - campaign.plan.level
    return GoalReached(goal, confidence, campaign.pursued, tuple(_ratios(campaign, goal, confidence)))


def _medians(campaign: Campaign, goal: Goal) -> Iterator[GoalRow]:
    for row in case_rows(campaign, MEDIAN_CONFIDENCE):
        width = half_width(row.low_s, row.high_s)
        variant = "" if row.case[ALGORITHM] == DEFAULT else f" {row.case[ALGORITHM]}"
        yield GoalRow(row.case, f"{row.mpi}{variant}", width, row.n_launches, _narrow(width, goal))


def _ratios(campaign: Campaign, goal: Goal, confidence: float) -> Iterator[GoalRow]:
    for by in (LIBRARY, ALGORITHM) if goal.by is None else (goal.by,):
        if len(values(campaign, by)) < 2:
            continue
        paired = by not in (LIBRARY, ALGORITHM)
        for left, right in sides(campaign, None, by, None, None):
            for found in match(left, right, by, paired=paired):
                a, b = _known(found.a, found.b, paired=paired)
                width = (pairs_half_width if paired else ratio_half_width)(a, b, confidence) if a and b else None
                of = f"{left.name} / {right.name}"
                yield GoalRow(found.case, of, width, min(len(a), len(b)), _narrow(width, goal))


def _known(a: Sequence[float | None], b: Sequence[float | None], *, paired: bool) -> tuple[list[float], list[float]]:
    """The launches with a valid sample, seconds; of pairs those that have both."""
    if paired:
        both = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
        return [x for x, _ in both], [y for _, y in both]
    return [x for x in a if x is not None], [y for y in b if y is not None]


def _narrow(width: float | None, goal: Goal) -> bool:
    return width is not None and width <= goal.share
