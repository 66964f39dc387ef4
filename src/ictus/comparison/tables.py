"""The tables of a comparison, for every output: cases, compared cases, ranking, shares of variance."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from math import isnan

from ictus.comparison.case_table import marked, note
from ictus.comparison.case_titles import (
    factor_title,
    group_detail,
    group_key,
    grouped,
    operation_title,
    size_title,
    varying,
)
from ictus.comparison.ranking import CaseRanking, RankedValue
from ictus.comparison.rows import ComparisonRow, side_names
from ictus.comparison.strip import common_reach, strip
from ictus.comparison.verdict_texts import apart, interval_text, p_text, ratio_text, row_verdict, verdict_text
from ictus.model.quantity import percent
from ictus.render.page import Legend
from ictus.render.table import NONE, Block, Cell, Column, Output, Table, Times, row_columns
from ictus.stats.variance import VarianceShares

_STYLES = {"faster": "green", "slower": "magenta", "same": "cyan", "distributions-differ": "yellow"}
_LAST = 1e9
"""Sorts what has no value behind everything else."""


def comparison_table(
    rows: Sequence[ComparisonRow],
    alternative: str,
    level: float,
    equivalence: float,
    *,
    legend: Legend | None = None,
    visible: Sequence[ComparisonRow] | None = None,
) -> Table[ComparisonRow]:
    """One block per operation and whatever else varies, and per pair where several are compared.

    On the page the intervals are drawn, in the colours of `legend`. `visible` are the rows to show, where not all are.
    """
    names = varying([row.case for row in rows])
    pairs = list(dict.fromkeys((row.a, row.b) for row in rows))
    a, b = side_names(rows)
    column, reach, several = Column[ComparisonRow], common_reach(rows, equivalence), len(pairs) > 1
    brief_a, brief_b = apart(a, b)
    colours = ("", "") if legend is None or several else (legend.colour(a), legend.colour(b))
    interval = f"{percent(1 - level)} interval"
    markdown: Sequence[Output] = ("markdown",)
    people: Sequence[Output] = ("terminal", "page")
    tested = any(row.outcome not in ("apart", "missing") for row in rows)
    columns = (
        *((column("a", "compared", _pair, "left", only=markdown),) if several else ()),
        column("operation", "operation", lambda row: operation_title(row.case), "left", only=markdown),
        column("", "case", lambda row: group_detail(row.case, names), "left", only=markdown),
        column("size_bytes", "size", _size, sortable=True),
        column("median_a_s", a, _median_a, "point", 2, short=brief_a, colour=colours[0]),
        column("median_b_s", b, _median_b, "point", 2, short=brief_b, colour=colours[1]),
        column("ratio", "ratio", _ratio, "point", sortable=True),
        column(
            "", "", lambda row: Cell("", colour=_winner(row, legend), drawing=strip(row, equivalence, reach)),
            only=("page",), ends=(f"{a} faster", f"{b} faster"),
        ),
        column("ratio_low", interval, _interval, "range", 1),
        *((
            column("p_value", "p", partial(_p, alternative=alternative), "point", 3, only=people, sortable=True),
            column("stars", "", lambda row: row.stars, "left", 3, only=people),
            column("p_adjusted", "adjusted p", lambda row: p_text(row.result.p_adjusted), "point", only=markdown),
        ) if tested else ()),
        column("verdict", "verdict", partial(_verdict, legend=legend), "left", only=people, sortable=True),
        column("verdict_text", "verdict", row_verdict, "left", only=markdown),
    )  # fmt: skip
    visible = rows if visible is None else visible
    blocks = []
    for block in grouped(visible, lambda row: (row.a, row.b, *group_key(row.case, names))):
        who = _pair(block[0]) if several else ""
        detail = ", ".join(filter(None, (who, group_detail(block[0].case, names))))
        blocks.append(Block(operation_title(block[0].case), detail, block))
    near = any(row.near_clock_bound_a or row.near_clock_bound_b for row in visible)
    heap_matters = any(row.heap_matters_a or row.heap_matters_b for row in visible)
    return Table(columns, blocks, note(near, heap_matters), title=f"{a} against {b}", kind="cases")


def _pair(row: ComparisonRow) -> str:
    return f"{row.a} / {row.b}"


def _size(row: ComparisonRow) -> Cell:
    return Cell(size_title(row.case), sort=row.case.get("size_bytes"))


def _median_a(row: ComparisonRow) -> Times:
    return marked(row.result.median_a, near=row.near_clock_bound_a, heap_matters=row.heap_matters_a)


def _median_b(row: ComparisonRow) -> Times:
    return marked(row.result.median_b, near=row.near_clock_bound_b, heap_matters=row.heap_matters_b)


def _ratio(row: ComparisonRow) -> Cell:
    return Cell(ratio_text(row.result.ratio), "bold" if row.outcome in _STYLES else "", sort=_key(row.result.ratio))


def _interval(row: ComparisonRow) -> str:
    return interval_text(row.result.ratio_low, row.result.ratio_high)


def _p(row: ComparisonRow, alternative: str) -> Cell:
    p_value = row.p_value(alternative)
    return Cell(p_text(p_value), sort=_key(p_value))


def _verdict(row: ComparisonRow, legend: Legend | None) -> Cell:
    winner = _winner(row, legend) if row.outcome in ("faster", "slower") else ""
    return Cell(verdict_text(row), _STYLES.get(row.outcome, "dim"), verdict_text(row, short=True), winner)


def _winner(row: ComparisonRow, legend: Legend | None) -> str:
    """Colour of the faster side, grey if none is proven."""
    return "soft" if row.winner is None or legend is None else legend.colour(row.winner)


def _key(value: float | None) -> float:
    return _LAST if value is None else float(f"{value:.6g}")


_Ranked = tuple[CaseRanking, RankedValue]
"""One value of the compared factor in the ranking of its case."""
RANKING_COLUMNS = row_columns(
    "0.case 1.name 1.n_launches 1.median_s 1.place 1.group 0.test 0.statistic 0.p_value 0.p_adjusted",
    "ictus.compare-ranking/1",
)


def ranked(rows: Iterable[CaseRanking]) -> list[_Ranked]:
    """The values of all cases, one after the other."""
    return [(row, value) for row in rows for value in row.standings]


def ranking_table(rows: Sequence[CaseRanking], by: str, summary: str = "median") -> Table[_Ranked]:
    """One block per operation and whatever else varies; the values of one size stand below each other, the fastest
    first. `summary` is what launches stand for.
    """
    names = varying([row.case for row in rows])
    column = Column[_Ranked]
    columns = (
        column("size_bytes", "size", lambda row: size_title(row[0].case), once=True),
        column("name", factor_title(by), lambda row: row[1].name, "left"),
        column("median_s", summary, lambda row: Times(row[1].median_s), "point"),
        column("group", "group", lambda row: Cell(row[1].group, "bold green" if row[1].place == 1 else ""), "left"),
        column("place", "place", lambda row: str(row[1].place), importance=2),
        column("n_launches", "launches", lambda row: str(row[1].n_launches), importance=3),
        column("p_adjusted", "adjusted p", lambda row: p_text(row[0].p_adjusted), "point", 1, once=True),
    )
    blocks = [
        Block(
            operation_title(block[0].case),
            group_detail(block[0].case, names),
            ranked(block),
        )
        for block in grouped(rows, lambda row: group_key(row.case, names))
    ]
    return Table(columns, blocks, kind="ranking")


@dataclass(frozen=True)
class Share:
    """One source of variance, as texts."""

    source: str
    values: str
    alike: str
    by_case: str


def share_rows(shares: VarianceShares) -> list[Share]:
    """One for each factor, what factors do in combination, and launches."""
    rows = [
        Share(factor_title(factor.factor), str(factor.n_values), share_text(factor.alike), share_text(factor.by_case))
        for factor in shares.factors
    ]
    combined = "factors in combination" if shares.balanced else "in combination, or by case"
    if len(rows) > 1 or not shares.balanced:
        rows.append(Share(combined, "", "", share_text(shares.together)))
    return [*rows, Share("launches", "", share_text(shares.launches_shared), share_text(shares.launches_own))]


def share_table(shares: VarianceShares) -> Table[Share]:
    """The sources of variance below each other."""
    column = Column[Share]
    columns = (
        column("factor", "factor", lambda row: Cell(row.source, "" if row.values else "dim"), "left"),
        column("n_values", "values", lambda row: row.values, importance=1),
        column("alike", "all cases alike", lambda row: row.alike),
        column("by_case", "by case", lambda row: row.by_case),
    )
    return Table(columns, [Block("Which factors matter", "", share_rows(shares))])


def share_text(share: float | None) -> str:
    """`12.3 %`; under a thousandth `<0.1 %`; a dash where it is not known."""
    if share is None or isnan(share):
        return NONE
    return "<0.1 %" if share < 0.0005 else f"{100 * share:.1f} %"
