"""The figures of the page: which cases and launches go into which panel. Frames and rows in, panels out."""

from collections.abc import Callable, Iterator, Sequence

from ictus.comparison.case_titles import group_detail, group_key, grouped, label_of, operation_title, varying
from ictus.comparison.matching import LIBRARY
from ictus.comparison.rows import OPEN, CaseRow, ComparisonRow
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure
from ictus.render.figures.ratio import RatioPair, RatioPoint, ratio_figure
from ictus.render.legend import Legend
from ictus.render.page import Panel

Series = Callable[[CaseRow], str]
"""The series that a case belongs to: its library, or its value of the compared factor."""


def series_by(by: str) -> Series:
    """The series of a page that compares by that factor."""
    return lambda row: row.mpi if by == LIBRARY else label_of(by, row.case[by], row.case.get("cache_bytes"))


def case_groups(rows: Sequence[CaseRow], by: str) -> Iterator[tuple[str, str, list[CaseRow]]]:
    """Title, detail and rows of each group that is one panel: all factors equal but the size and the compared one."""
    names = [name for name in varying([_factors(row) for row in rows]) if name != by]
    for group in grouped(rows, lambda row: group_key(_factors(row), names)):
        yield operation_title(group[0].case), group_detail(_factors(group[0]), names), group


def latency_panels(rows: Sequence[CaseRow], legend: Legend, by: str) -> tuple[Panel, ...]:
    """One panel for each group that has any valid sample."""
    panels = []
    for title, detail, group in case_groups(rows, by):
        lines = _lines(group, legend, series_by(by))
        if any(row.median_s is not None for row in group):
            svg = latency_figure(lines, f"Latency against message size, {title}, {detail}")
            panels.append(Panel(title, detail, svg))
    return tuple(panels)


def ratio_panels(rows: Sequence[ComparisonRow], legend: Legend, equivalence: float) -> tuple[Panel, ...]:
    """One panel for each pair and group that both sides measured."""
    names = varying([row.case for row in rows])
    panels = []
    for group in grouped(rows, lambda row: (row.a, row.b, *group_key(row.case, names))):
        a, b = group[0].a, group[0].b
        if all(row.result.ratio is None for row in group):
            continue
        points = [_ratio_point(row) for row in group]
        title, detail = operation_title(group[0].case), group_detail(group[0].case, names)
        svg = ratio_figure(
            points,
            RatioPair(a, b, legend.index(a), legend.index(b)),
            equivalence,
            f"Ratio {a} to {b} against message size, {title}, {detail}",
        )
        panels.append(Panel(title, detail, svg))
    return tuple(panels)


def _factors(row: CaseRow) -> dict[str, object]:
    return {LIBRARY: row.mpi, **row.case}


def _lines(group: Sequence[CaseRow], legend: Legend, series: Series) -> list[LatencySeries]:
    """A line for each series of the group; where there are too few launches for an interval, from the smallest to
    the largest.
    """
    lines = []
    for label in legend.labels:
        points = tuple(_latency_point(row) for row in group if series(row) == label)
        if points:
            lines.append(LatencySeries(label, legend.index(label), points))
    return lines


def _latency_point(row: CaseRow) -> LatencyPoint:
    low, high = (row.min_s, row.max_s) if row.low_s is None else (row.low_s, row.high_s)
    return LatencyPoint(int(row.case["size_bytes"]), _number(row.median_s), _number(low), _number(high))


def _ratio_point(row: ComparisonRow) -> RatioPoint:
    result = row.result
    outcome = "undecided" if row.outcome in OPEN else row.outcome
    low, high = (
        _number(limit if limit is not None else result.ratio) for limit in (result.ratio_low, result.ratio_high)
    )
    return RatioPoint(int(row.case["size_bytes"]), row.ratio, low, high, outcome, result.verdict.text)


def _number(value: float | None) -> float:
    return float("nan") if value is None else value
