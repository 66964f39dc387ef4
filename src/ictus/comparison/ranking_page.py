"""More than two, and which factors matter, on the page."""

from collections.abc import Sequence

from ictus.comparison.case_titles import size_title
from ictus.comparison.ranking_rows import CaseRanking
from ictus.comparison.ranking_tables import first_places, ranking_note, share_lines, share_note
from ictus.comparison.rows import group_detail, group_key, grouped, operation_title, varying
from ictus.comparison.tables import p_text
from ictus.render.content import Section, Sheet
from ictus.render.figures.unit import time_unit
from ictus.render.prose import paragraphs
from ictus.stats.variance_share import VarianceShares

_LETTERS = """\
“Not told apart” is not transitive: A may differ from C though B differs from neither. Then A has the letter a, B has a
and b, and C has b.
"""
_SHARES = """\
“All cases alike” is a factor's effect averaged over all cases; “by case” is how its effect differs from case to case.
What is left varies from launch to launch: in part all cases of a launch alike, in part each for itself.

Shares describe. Whether a difference is more than chance is for the comparison to say.
"""


def ranking_section(rows: Sequence[CaseRanking], by: str) -> Section | None:
    """The ranking of three or more values; None where there are no more than two."""
    if not rows:
        return None
    names = varying([row.case for row in rows])
    head = ("size", "library" if by == "mpi" else by, "median", "group", "place", "launches", "p over all")
    sheets = []
    for block in grouped(rows, lambda row: group_key(row.case, names)):
        unit = time_unit([standing.median_s for row in block for standing in row.standings])
        lines = tuple(
            (
                "" if index else size_title(row.case),
                one.name,
                unit.number(one.median_s),
                one.group,
                str(one.place),
                str(one.n_launches),
                "" if index else p_text(row.p_adjusted),
            )
            for row in block
            for index, one in enumerate(row.standings)
        )
        detail = f"{group_detail(block[0].case, names)}, times in {unit.name}"
        sheets.append(Sheet(operation_title(block[0].case), detail, head, lines))
    about = (ranking_note(rows, by), *paragraphs(_LETTERS))
    return Section("ranking", "Ranking", about, sheets=tuple(sheets), note=first_places(rows))


def share_section(shares: VarianceShares | None) -> Section | None:
    """Which factors matter; None where none varies."""
    if shares is None:
        return None
    sheet = Sheet(
        "Shares of variance", "", ("factor", "values", "all cases alike", "by case"), tuple(share_lines(shares))
    )
    return Section("shares", "Which factors matter", (share_note(shares), *paragraphs(_SHARES)), sheets=(sheet,))
