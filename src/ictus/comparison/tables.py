"""The tables of the terminal: cases of each library, and cases compared. Rows in, lines of text out."""

import textwrap
from collections.abc import Iterable, Sequence
from itertools import groupby

from rich.text import Text

from ictus.comparison.case_titles import size_title
from ictus.comparison.clock_mark import NOTE, marked
from ictus.comparison.rows import (
    CaseRow,
    ComparisonRow,
    group_detail,
    group_key,
    grouped,
    operation_title,
    side_names,
    varying,
)
from ictus.model.quantity import format_size
from ictus.render.figures.unit import TimeUnit, time_unit
from ictus.render.text_table import Block, Cell, Column, Row, table
from ictus.stats.stars import stars
from ictus.stats.verdict import percent

_STYLES = {"faster": "green", "slower": "magenta", "same": "cyan", "distributions-differ": "yellow"}
_SHORT = {"undecided": "undecided", "cannot-decide": "cannot decide"}
_HEADING = 12
"""Characters that the name of a side keeps in a narrow table."""


def case_table(rows: Sequence[CaseRow], confidence: float, width: int) -> list[Text]:
    """One block per operation and whatever else varies; the libraries of one size stand below each other. Why samples
    are not valid has columns where some are not.
    """
    names = varying([row.case for row in rows])
    invalid = [why for why in ("late", "long") if any(getattr(row, why) for row in rows)]
    columns = (
        Column("size"),
        Column("library", "left"),
        Column("median", "point"),
        Column(f"{percent(confidence)} interval", "left", 1),
        Column("min … max", "left", 4),
        Column("launches", importance=5),
        Column("valid", importance=2),
        *(Column(why, importance=3) for why in invalid),
        Column("skew, ns", importance=6),
    )
    blocks = []
    for block in grouped(rows, lambda row: group_key(row.case, names)):
        unit = time_unit([row.median_s for row in block])
        detail = f"{group_detail(block[0].case, names)}, times in {unit.name}"
        blocks.append(Block(operation_title(block[0].case), detail, list(_case_rows(block, unit, invalid))))
    return table(columns, blocks, width) + _explained((row.near_clock_bound for row in rows), width)


def _case_rows(rows: Sequence[CaseRow], unit: TimeUnit, invalid: Sequence[str]) -> Iterable[Row]:
    for size, group in groupby(rows, key=lambda row: row.case["size_bytes"]):
        for index, row in enumerate(group):
            yield (
                "" if index else format_size(int(size)),
                row.mpi,
                Cell(marked(unit.number(row.median_s), near=row.near_clock_bound), "bold"),
                _range(row.low_s, row.high_s, unit),
                _range(row.min_s, row.max_s, unit),
                str(row.n_launches),
                _share(row.valid_share),
                *(_share(getattr(row, why) / row.attempted if row.attempted else None) for why in invalid),
                "–" if row.start_skew_s is None else f"{row.start_skew_s * 1e9:.0f}",
            )


def comparison_table(rows: Sequence[ComparisonRow], alternative: str, level: float, width: int) -> list[Text]:
    """One block per operation and whatever else varies, and per pair where several are compared."""
    names = varying([row.case for row in rows])
    pairs = list(dict.fromkeys((row.a, row.b) for row in rows))
    a, b = side_names(rows)
    columns = (
        Column("size"),
        Column(a, "point", 2, short=_shortened(a)),
        Column(b, "point", 2, short=_shortened(b)),
        Column("ratio", "point"),
        Column(f"{percent(1 - level)} interval", "left", 1),
        Column("p", "point", 3),
        Column("", "left"),
        Column("verdict", "left"),
    )
    blocks = []
    for block in grouped(rows, lambda row: (row.a, row.b, *group_key(row.case, names))):
        unit = time_unit([time for row in block for time in (row.result.median_a, row.result.median_b)])
        who = f"{block[0].a} / {block[0].b}, " if len(pairs) > 1 else ""
        detail = who + ", ".join(filter(None, (group_detail(block[0].case, names), f"times in {unit.name}")))
        blocks.append(
            Block(operation_title(block[0].case), detail, [_comparison(row, alternative, unit) for row in block])
        )
    near = (row.near_clock_bound_a or row.near_clock_bound_b for row in rows)
    return table(columns, blocks, width) + _explained(near, width)


def _explained(near: Iterable[bool], width: int) -> list[Text]:
    """What the mark means, under a table that has one."""
    lines = textwrap.wrap(NOTE, width) if any(near) else []
    return [Text(), *(Text(line, "dim") for line in lines)] if lines else []


def _comparison(row: ComparisonRow, alternative: str, unit: TimeUnit) -> Row:
    result, p_value = row.result, row.p_value(alternative)
    style = _STYLES.get(row.outcome, "")
    return (
        size_title(row.case),
        marked(unit.number(result.median_a), near=row.near_clock_bound_a),
        marked(unit.number(result.median_b), near=row.near_clock_bound_b),
        Cell(ratio_text(result.ratio), "bold" if style else ""),
        interval_text(result.ratio_low, result.ratio_high),
        p_text(p_value),
        stars(p_value),
        Cell(verdict_text(row), style or "dim", short=verdict_text(row, short=True)),
    )


def _shortened(name: str) -> str:
    """A heading that leaves room for numbers: `barrier(alg…`."""
    return name if len(name) <= _HEADING else f"{name[: _HEADING - 1]}…"


def verdict_text(row: ComparisonRow, *, short: bool = False) -> str:
    """The verdict short enough for a table: `undecided: about 12 more`; in a narrow one `undecided: ~12 more`."""
    verdict = row.result.verdict
    if row.outcome not in _SHORT:
        return verdict.text if row.outcome != "not-comparable" else "NA"
    about, least = ("~", "≥") if short else ("about ", "at least ")
    over = ">1,000 more" if short else "over 1,000 more"
    more = (
        f"{least if verdict.at_least else about}{verdict.more_launches:,} more"
        if verdict.more_launches is not None
        else over
    )
    return f"{_SHORT[row.outcome]}: {more}"


def ratio_text(ratio: float | None) -> str:
    """Three decimals; a ratio of ten and more has fewer."""
    if ratio is None:
        return "NA"
    return f"{ratio:.3f}" if ratio < 9.9995 else f"{ratio:.3g}"


def interval_text(low: float | None, high: float | None) -> str:
    """`0.751 … 0.795`, or a dash where there is none."""
    return "–" if low is None or high is None else f"{ratio_text(low)} … {ratio_text(high)}"


def p_text(p_value: float | None) -> str:
    """Three or four decimals without an exponent; what is smaller than one in ten thousand is said to be so."""
    if p_value is None:
        return "NA"
    if p_value < 1e-4:
        return "<.0001"
    return f"{p_value:.4f}" if p_value < 0.01 else f"{p_value:.3f}"


def _range(low: float | None, high: float | None, unit: TimeUnit) -> str:
    return "–" if low is None or high is None else f"{unit.number(low)} … {unit.number(high)}"


def _share(share: float | None) -> str:
    return "NA" if share is None else f"{100 * share:.3g} %"
