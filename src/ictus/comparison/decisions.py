"""The verdicts that a campaign was measured for (`ictus run --until decided`): how many are known, and what is not."""

from dataclasses import dataclass
from typing import Any

from ictus.comparison.case_titles import ALGORITHM, LIBRARY, case_title, first_ones
from ictus.comparison.comparison import Comparison, compare
from ictus.comparison.rows import COMPARISON_COLUMNS, OPEN, UNKNOWN, ComparisonRow
from ictus.comparison.words import more_command
from ictus.model.goal import Goal
from ictus.model.quantity import format_span, percent
from ictus.render.table import records
from ictus.stats.compare import STRATA
from ictus.store.campaign import Campaign
from ictus.store.journal import GoalProgress


@dataclass(frozen=True)
class DecisionsReached:
    """A goal of verdicts and where it stands."""

    goal: Goal
    goal_progress: GoalProgress
    comparison: Comparison
    """By the factor and the margin of the goal."""
    onward: str | None
    """The command that adds launches; None where nothing is open."""

    @property
    def open_rows(self) -> tuple[ComparisonRow, ...]:
        """The comparisons without a verdict, those of which nothing is known among them."""
        return tuple(row for row in self.comparison.rows if row.outcome in (*OPEN, *UNKNOWN))

    def as_object(self) -> dict[str, Any]:
        """The object for scripts."""
        return {
            "quantity": self.goal.quantity,
            "share": self.goal.share,
            "by": self.comparison.by,
            "ended": self.goal_progress.ended,
            "spent_s": self.goal_progress.spent_s,
            "time_budget_s": self.goal_progress.budget_s,
            "reached": not self.open_rows,
            "rows": records(self.comparison.rows, COMPARISON_COLUMNS),
        }

    def sentences(self) -> tuple[str, ...]:
        """What is decided, what is open and why it ended, and what is promised."""
        rows, still_open = self.comparison.rows, self.open_rows
        margin = percent(self.goal.share)
        progress = f"{len(rows) - len(still_open)} of {len(rows)} decided, {_launches(rows)}"
        spent = f"in {format_span(self.goal_progress.spent_s)} of launches"
        promised = (
            f"The chance of any false alarm is at most {percent(self.comparison.level)} over all looks together, "
            f"however many follow."
        )
        head = f"Goal, every comparison decided or the same within {margin}: {progress}, {spent}{self._ended()}."
        if not still_open:
            return head, promised
        named = first_ones(f"{row.a} / {row.b} {case_title(row.case)}" for row in still_open)
        why = {
            "launches": "not decided by the most launches that were allowed",
            "budget": "not decided within the budget",
        }.get(self.goal_progress.ended or "", "not decided yet")
        onward = () if self.onward is None else (f"`{self.onward}` continues.",)
        return head, f"{why.capitalize()}: {named}.", *onward, promised

    def _ended(self) -> str:
        budget_s = self.goal_progress.budget_s
        if self.goal_progress.ended == "budget" and budget_s is not None:
            return f"; the budget of {format_span(budget_s)} ended"
        return "" if self.goal_progress.ended else "; not ended yet"


def decisions_of(campaign: Campaign, strata: str = STRATA[0]) -> DecisionsReached | None:
    """The verdicts that a campaign was measured for; None where it was measured for something else."""
    goal = campaign.plan.goal
    if goal is None or not goal.of_verdicts or campaign.goal_progress is None:
        return None
    by = goal.by or (LIBRARY if len(campaign.labels) > 1 else ALGORITHM)
    comparison = compare(campaign, by=by, strata=strata)
    return DecisionsReached(goal, campaign.goal_progress, comparison, more_command(campaign, comparison))


def _launches(rows: tuple[ComparisonRow, ...]) -> str:
    counts = sorted({max(row.result.n_a, row.result.n_b) for row in rows})
    return f"after {counts[0]} launches" if len(counts) == 1 else f"after {counts[0]} to {counts[-1]} launches"
