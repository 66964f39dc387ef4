"""More than two, and which factors matter, as tables of the terminal. Rows in, lines of text out."""

from collections.abc import Sequence
from math import isnan

from rich.text import Text

from ictus.comparison.case_titles import size_title
from ictus.comparison.ranking_rows import CaseRanking
from ictus.comparison.rows import group_detail, group_key, grouped, operation_title, varying
from ictus.comparison.tables import p_text
from ictus.render.figures.unit import time_unit
from ictus.render.text_table import Block, Cell, Column, Row, table
from ictus.stats.variance_share import VarianceShares

_TESTS = {"kruskal-wallis": "Kruskal-Wallis", "friedman": "Friedman, launch by launch"}
NOTHING_VARIES = "All launch medians of a case are equal: there is no variance to share."


def ranking_note(rows: Sequence[CaseRanking], by: str) -> str:
    """How to read the ranking."""
    return (
        f"{_TESTS[rows[0].test]} over all values of {_named(by)}; p is adjusted over the cases. Two share a letter "
        f"where they are not told apart by the pairs, adjusted over all pairs and cases; a has the fastest."
    )


def first_places(rows: Sequence[CaseRanking]) -> str:
    """`Nothing is proven faster than mpich in 8 of 8 cases, openmpi in 2 and mvapich in none.`, the most first."""
    count = {standing.name: 0 for row in rows for standing in row.standings}
    for row in rows:
        for standing in row.standings:
            count[standing.name] += standing.place == 1
    ordered = sorted(count.items(), key=lambda item: -item[1])
    total = f" of {len(rows)} case{'' if len(rows) == 1 else 's'}"
    parts = [f"{name} in {number or 'none'}{'' if index else total}" for index, (name, number) in enumerate(ordered)]
    return f"Nothing is proven faster than {', '.join(parts[:-1])} and {parts[-1]}."


def _named(factor: str) -> str:
    return "library" if factor == "mpi" else factor


def ranking_table(rows: Sequence[CaseRanking], by: str, width: int) -> list[Text]:
    """One block per operation and whatever else varies; the values of one size stand below each other, the fastest
    first.
    """
    names = varying([row.case for row in rows])
    columns = (
        Column("size"),
        Column(_named(by), "left"),
        Column("median", "point"),
        Column("group", "left"),
        Column("place", importance=2),
        Column("launches", importance=3),
        Column("p over all", "point", 1),
    )
    blocks = []
    for block in grouped(rows, lambda row: group_key(row.case, names)):
        unit = time_unit([standing.median_s for row in block for standing in row.standings])
        lines: list[Row] = []
        for row in block:
            for index, one in enumerate(row.standings):
                lines.append(
                    (
                        "" if index else size_title(row.case),
                        one.name,
                        unit.number(one.median_s),
                        Cell(one.group, "bold green" if one.place == 1 else ""),
                        str(one.place),
                        str(one.n_launches),
                        "" if index else p_text(row.p_adjusted),
                    )
                )
        detail = f"{group_detail(block[0].case, names)}, times in {unit.name}"
        blocks.append(Block(operation_title(block[0].case), detail, lines))
    return table(columns, blocks, width)


def share_note(shares: VarianceShares) -> str:
    """What the shares are shares of, and how they were worked out."""
    if any(isnan(factor.alike) for factor in shares.factors):
        return NOTHING_VARIES
    what = (
        f"Shares of the variance of the logarithms of {shares.n_values:,} launch medians, around the mean of their "
        f"operation, size and number of processes ({shares.n_blocks} "
        f"{'combination' if shares.n_blocks == 1 else 'combinations'})"
    )
    if shares.balanced:
        return f"{what}: sums of squares of a crossed, balanced design; they sum to 100 %."
    return (
        f"{what}. The factors are not crossed and balanced: a factor's share is what it explains beyond all others "
        f"(least squares, type II), so that shares need not sum to 100 %."
    )


def share_lines(shares: VarianceShares) -> list[tuple[str, str, str, str]]:
    """(source, values, alike, by case) as texts, one line for each source of variance."""
    lines = [
        (_named(one.factor), str(one.n_values), share_text(one.alike), share_text(one.by_case))
        for one in shares.factors
    ]
    combined = "factors in combination" if shares.balanced else "in combination, or by case"
    if len(lines) > 1 or not shares.balanced:
        lines.append((combined, "", "", share_text(shares.together)))
    lines.append(("launches", "", share_text(shares.launches_shared), share_text(shares.launches_own)))
    return lines


def share_table(shares: VarianceShares, width: int) -> list[Text]:
    """A line for each factor, what factors do in combination, and launches."""
    columns = (Column("factor", "left"), Column("values", importance=1), Column("all cases alike"), Column("by case"))
    rows = [
        (Cell(source, "" if values else "dim"), values, alike, by_case)
        for source, values, alike, by_case in share_lines(shares)
    ]
    return table(columns, [Block("Which factors matter", "", rows)], width)


def share_text(share: float | None) -> str:
    """`12.3 %`; under a thousandth `<0.1 %`; a dash where it is not known."""
    if share is None or isnan(share):
        return "–"
    return "<0.1 %" if share < 0.0005 else f"{100 * share:.1f} %"
