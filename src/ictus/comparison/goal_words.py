"""The precision goal in sentences: what was asked for, what was reached, what ended it."""

from ictus.comparison.case_titles import operation_title, processes_title, size_title
from ictus.comparison.goal_rows import GoalReached, GoalRow
from ictus.model.goal import Goal
from ictus.model.quantity import format_span
from ictus.render.page import Section
from ictus.render.prose import paragraphs
from ictus.render.table import Block, Column, Table
from ictus.stats.verdict import percent

_NAMED = 3
PROMISED = (
    "A case got launches until its interval was narrow: at such an end an interval of {level} is promised to hold the "
    "true value in 93 % of campaigns."
)
"""Simulated: tests/stats/test_stopping.py, docs/statistics.md."""
_OF = {"median": "each case's median", "ratio": "each ratio"}


def goal_text(goal: Goal, confidence: float) -> str:
    """`1 % of each case's median (half of the 95 % interval)`."""
    by = "" if goal.by is None else f" by {goal.by}"
    return f"{percent(goal.share)} of {_OF[goal.quantity]}{by} (half of the {percent(confidence)} interval)"


def goal_sentences(found: GoalReached) -> tuple[str, ...]:
    """One for the goal, one for what is not reached."""
    missed, total = found.missed, len(found.rows)
    asked = f"Precision goal, {goal_text(found.goal, found.confidence)}"
    spent = f"in {format_span(found.pursued.spent_s)} of launches"
    promised = (PROMISED.format(level=percent(found.confidence)),) if len(missed) < total else ()
    if not missed:
        which = "the one case" if total == 1 else f"all {total}"
        return (f"{asked}: reached in {which}, {_launches(found.rows)}, {spent}.", *promised)
    first = f"{asked}: reached in {total - len(missed)} of {total}{_ended(found)}."
    named = [_missed(row) for row in missed[:_NAMED]]
    rest = f"; {len(missed) - _NAMED} more" if len(missed) > _NAMED else ""
    return first, f"Not reached: {', '.join(named)}{rest}.", *promised


def goal_section(found: GoalReached | None) -> Section | None:
    """The part of the page."""
    if found is None:
        return None
    column = Column[GoalRow]
    columns = (
        column("of", "", lambda row: f"{row.of} {operation_title(row.case)} {processes_title(row.case)}".rstrip()),
        column("size_bytes", "size", lambda row: size_title(row.case)),
        column("half_width", "half-width", _width),
        column("launches", "launches"),
        column("reached", "", lambda row: "reached" if row.reached else "not reached"),
    )
    table = Table(columns, [Block("How precise each interval is", f"goal {percent(found.goal.share)}", found.rows)])
    return Section("goal", "Precision goal", (*_ABOUT, *goal_sentences(found)), tables=(table,))


_ABOUT = paragraphs("""
    Launches were added until the intervals were as narrow as was asked for, or the time budget ended; cases that were
    precise were left out of further launches. The half-width of an interval is the square root of its upper over its
    lower limit, less 1. Only this width ended it, never a p-value.
""")


def _ended(found: GoalReached) -> str:
    if found.pursued.ended == "budget" and found.pursued.budget_s is not None:
        return f", budget of {format_span(found.pursued.budget_s)} ended"
    return ", ended without the rest" if found.pursued.ended else ", not ended yet"


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
