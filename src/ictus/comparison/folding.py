"""Long operations fold on a terminal: of neighbouring sizes with one verdict the first and the last are shown."""

from collections.abc import Sequence

from ictus.comparison.case_titles import group_key, grouped, varying
from ictus.comparison.rows import ComparisonRow
from ictus.comparison.verdict_texts import verdict_text

LONG = 6
"""Rows of one operation that are never folded."""


def folded(rows: Sequence[ComparisonRow]) -> list[ComparisonRow]:
    """The rows to show: in each operation of more than `LONG` those whose verdict differs from that of a neighbour, and
    the first and the last. What is left out has the verdict of the rows around it.
    """
    names = varying([row.case for row in rows])
    kept: list[ComparisonRow] = []
    for block in grouped(rows, lambda row: (row.a, row.b, *group_key(row.case, names))):
        ends = (0, len(block) - 1)
        kept += [row for at, row in enumerate(block) if len(block) <= LONG or at in ends or not _inside(block, at)]
    return kept


def _inside(block: Sequence[ComparisonRow], at: int) -> bool:
    before, here, after = ((row.outcome, row.missing and verdict_text(row)) for row in block[at - 1 : at + 2])
    return before == here == after


def fold_note(listed: Sequence[ComparisonRow], rows: Sequence[ComparisonRow], every: str) -> str:
    """`14 of 41 cases are shown. ...`, and what shows `every` case; empty where all are."""
    if len(listed) == len(rows):
        return ""
    return (
        f"{len(listed)} of {len(rows)} cases are shown. Hidden sizes have the same verdict as their neighbours. {every}"
    )
