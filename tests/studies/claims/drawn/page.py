"""The tables of docs/studies/papers.md: in how many of 2,000 drawn data sets of each kind claims hold."""

from collections.abc import Sequence

from tests.studies.claims.drawn.sets import SETS, DrawnSets
from tools.marked_page import table

from ictus.stats.binomial_rate import Rate


def section(judged: Sequence[tuple[DrawnSets, Rate]]) -> str:
    """Two tables: sets in which claims are false, and as large as in papers."""
    titles = {True: ("the claim is false:", "upper limit"), False: ("it is as large as in its paper:", "lower limit")}
    return "\n\n".join(
        table(
            ("study", title, f"holds in, of {SETS:,}", limit),
            [cells(one, found) for one, found in judged if one.is_false is is_false],
            numbers_from=2,
        )
        for is_false, (title, limit) in titles.items()
    )


def cells(one: DrawnSets, found: Rate) -> tuple[str, ...]:
    """A row of them."""
    return (one.studies, one.drawn, str(found.hits), f"{100 * (found.high if one.is_false else found.low):.2f} %")


def counts(shown: str) -> dict[tuple[str, str], int]:
    """In how many sets claims held, by studies and what was drawn, as the tables of the page say."""
    rows = [line.strip("| ").split(" | ") for line in shown.splitlines()]
    return {(row[0], row[1]): int(row[2]) for row in rows if len(row) == 4 and row[2].isdecimal()}
