"""The figures of overlap. Summaries in, panels out.

Overhead against size as in Fig. 11 of "Accurately measuring collective operations at massive scale", time against work,
and overhead against the interval between tests: on a logarithmic axis with "no tests" at its right end, one line per
library, and a thin level at its blocking time.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ictus.comparison.case_titles import processes
from ictus.model.quantity import format_duration, format_size
from ictus.render.figures.axes import latency_axis, size_positions, size_ticks
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure
from ictus.render.figures.panel import end_labels, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.page import Legend, Panel
from ictus.render.unit import TimeUnit, time_unit
from ictus.stats.median import MedianInterval
from ictus.studies.overlap.analysis import NO_THREAD, RunSummary

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class IntervalPoint:
    """The overhead at one interval, None being no tests; seconds, all above 0."""

    interval_bytes: int | None
    median_s: float
    low_s: float
    high_s: float


@dataclass(frozen=True)
class IntervalLine:
    """One library. `index` chooses colour and marker."""

    label: str
    index: int
    blocking_s: float
    points: tuple[IntervalPoint, ...]


def interval_figure(lines: Sequence[IntervalLine], label: str) -> str:
    """SVG: overheads against intervals."""
    points = [point for line in lines for point in line.points]
    if not points:
        raise ValueError("a figure of test intervals needs at least one overhead")
    with drawing():
        figure, axes = panel(right=min(120, 14 + 7 * max(len(line.label) for line in lines)))
        every = [*(point.median_s for point in points), *(line.blocking_s for line in lines)]
        unit = time_unit(every)
        low, high = min(*every, *(p.low_s for p in points)), max(*every, *(p.high_s for p in points))
        latency_axis(axes, low, high, unit, "overhead")
        at = _interval_axis(axes, points)
        tips: dict[str, str] = {}
        for line in lines:
            tips |= _draw(axes, line, at, unit)
        ends = [(line, max(line.points, key=lambda point: at[point.interval_bytes])) for line in lines if line.points]
        end_labels(
            axes,
            axes.get_xlim()[1],
            [
                (line.label, last.median_s * unit.per_second, drawn(series_name(line.index)))
                for line, last in ends
            ],
        )  # fmt: skip
        return to_svg(figure, label, tips)


def _interval_axis(axes: "Axes", points: Sequence[IntervalPoint]) -> dict[int | None, float]:
    """The position of each interval; no tests stand one step and a half behind the longest."""
    sizes = sorted({point.interval_bytes for point in points if point.interval_bytes is not None})
    positions = size_positions(sizes)
    at: dict[int | None, float] = {size: positions[size] for size in sizes}
    if any(point.interval_bytes is None for point in points):
        at[None] = max(at.values(), default=0.0) + 1.5
    ticks: list[int | None] = [*size_ticks(sizes, 4), *([None] if None in at else [])]
    axes.set_xticks(
        [at[interval] for interval in ticks],
        ["no tests" if interval is None else format_size(interval) for interval in ticks],
    )
    axes.set_xlim(min(at.values()) - 0.5, max(at.values()) + 0.5)
    axes.set_xlabel("bytes of the message from test to test")
    return at


def _draw(axes: "Axes", line: IntervalLine, at: dict[int | None, float], unit: TimeUnit) -> dict[str, str]:
    colour = drawn(series_name(line.index))
    axes.axhline(line.blocking_s * unit.per_second, color=colour, linewidth=0.9, linestyle=(0, (4, 3)), alpha=0.7)
    ordered = sorted(line.points, key=lambda point: at[point.interval_bytes])
    tested = [point for point in ordered if point.interval_bytes is not None]
    axes.plot(
        [at[point.interval_bytes] for point in tested],
        [point.median_s * unit.per_second for point in tested],
        color=colour,
        linewidth=1.6,
    )
    tips = {}
    for point in ordered:
        x_position = at[point.interval_bytes]
        axes.vlines(
            x_position,
            point.low_s * unit.per_second,
            point.high_s * unit.per_second,
            color=colour,
            linewidth=3.2,
            alpha=0.35,
        )
        name = f"tip-{line.index}-{point.interval_bytes or 0}"
        mark, median = marker(line.index), point.median_s * unit.per_second
        axes.plot([x_position], [median], mark, color=colour, markersize=4.2, markeredgewidth=0, gid=name)
        where = "no tests" if point.interval_bytes is None else f"every {format_size(point.interval_bytes)}"
        tips[name] = (
            f"{line.label}, {where}: {format_duration(point.median_s)}; blocking {format_duration(line.blocking_s)}"
        )
    return tips


BLOCKING = "blocking"
COMPUTE = Legend((BLOCKING, "time", "work"))
"""The series of `compute_panels`."""

OVERHEAD, TIME_AND_WORK, INTERVAL = "Overhead", "Time and work", "Test interval"


def helpers_of(summaries: Iterable[RunSummary]) -> Legend:
    """The series of `overhead_panels`: what makes progress, by the requested interval at all sizes."""
    return Legend((BLOCKING, *dict.fromkeys(name for summary in summaries for name in _names(summary))))


def overhead_panels(summaries: Sequence[RunSummary], legend: Legend) -> tuple[Panel, ...]:
    """Overhead against size, a panel for each library, number of processes, operation and compute kind."""
    panels = []
    for panel_key in dict.fromkeys(
        (summary.key.library, summary.key.n, summary.key.operation, summary.key.compute) for summary in summaries
    ):
        run_summaries = [
            run_summary
            for run_summary in summaries
            if (run_summary.key.library, run_summary.key.n, run_summary.key.operation, run_summary.key.compute)
            == panel_key
        ]
        series = [_blocking(run_summaries, legend)]
        series += [
            _line(
                name,
                {summary.key.size_bytes: summary.overhead for summary in run_summaries if name in _names(summary)},
                legend,
            )
            for name in legend.labels
        ]
        library, n, operation, compute = panel_key
        panels += _panel(OVERHEAD, f"{operation}, {library}, {processes(n)}, compute {compute}", series)
    return tuple(panels)


def compute_panels(summaries: Sequence[RunSummary]) -> tuple[Panel, ...]:
    """Computing by time and by work beside each other, without tests: a panel for each library, number of processes,
    operation and thread that has both.
    """
    untested = [summary for summary in summaries if not summary.key.intervals_bytes]
    panels = []
    for panel_key in dict.fromkeys(
        (run_summary.key.library, run_summary.key.n, run_summary.key.operation, run_summary.key.thread)
        for run_summary in untested
    ):
        run_summaries = [
            summary
            for summary in untested
            if (summary.key.library, summary.key.n, summary.key.operation, summary.key.thread) == panel_key
        ]
        kinds = dict.fromkeys(summary.key.compute for summary in run_summaries)
        if len(kinds) < 2:
            continue
        series = [_line(BLOCKING, {summary.key.size_bytes: summary.blocking for summary in run_summaries}, COMPUTE)]
        series += [
            _line(
                kind,
                {summary.key.size_bytes: summary.overhead for summary in run_summaries if summary.key.compute == kind},
                COMPUTE,
            )
            for kind in kinds
        ]
        library, n, operation, thread = panel_key
        helper = "no thread" if thread == NO_THREAD else f"{thread} thread"
        panels += _panel(TIME_AND_WORK, f"{operation}, {library}, {processes(n)}, {helper}", series)
    return tuple(panels)


def interval_panels(summaries: Sequence[RunSummary], libraries: Legend) -> tuple[Panel, ...]:
    """Overhead against the interval, all libraries in one: a panel for each number of processes, operation, compute
    kind and size that was measured with tests.
    """
    alone = [summary for summary in summaries if summary.key.thread == NO_THREAD]
    panels = []
    for panel_key in dict.fromkeys(
        (run_summary.key.n, run_summary.key.operation, run_summary.key.compute, run_summary.key.size_bytes)
        for run_summary in alone
    ):
        run_summaries = [
            summary
            for summary in alone
            if (summary.key.n, summary.key.operation, summary.key.compute, summary.key.size_bytes) == panel_key
        ]
        lines = [
            _intervals(name, [summary for summary in run_summaries if summary.key.library == name], libraries)
            for name in _present(run_summaries)
        ]
        n, operation, compute, size = panel_key
        detail = f"{operation} of {format_size(size)}, {processes(n)}, compute {compute}"
        if any(summary.key.intervals_bytes for summary in run_summaries) and any(line.points for line in lines):
            svg = interval_figure([line for line in lines if line.points], f"Overhead against test interval, {detail}")
            panels.append(Panel(INTERVAL, detail, svg))
    return tuple(panels)


def _present(summaries: Iterable[RunSummary]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(summary.key.library for summary in summaries))


def _intervals(name: str, summaries: Sequence[RunSummary], libraries: Legend) -> IntervalLine:
    points = []
    for summary in summaries:
        interval = summary.overhead
        if interval.median <= 0:  # has no place on a logarithmic axis
            continue
        low = interval.median if interval.low is None else max(interval.low, interval.median / 100)
        high = interval.median if interval.high is None else interval.high
        points += [IntervalPoint(each, interval.median, low, high) for each in summary.key.intervals_bytes or (None,)]
    return IntervalLine(name, libraries.index(name), summaries[0].blocking.median, tuple(points))


def _names(summary: RunSummary) -> tuple[str, ...]:
    """The lines that a run belongs to: intervals that come to the same tests at a small size part at a larger one."""
    if summary.key.thread != NO_THREAD:
        return (f"{summary.key.thread} thread",)
    return tuple(f"test every {format_size(each)}" for each in summary.key.intervals_bytes) or ("no tests",)


def _blocking(summaries: Sequence[RunSummary], legend: Legend) -> LatencySeries:
    undisturbed = [summary for summary in summaries if summary.key.thread == NO_THREAD] or summaries
    return _line(BLOCKING, {run_summary.key.size_bytes: run_summary.blocking for run_summary in undisturbed}, legend)


def _panel(title: str, detail: str, series: Sequence[LatencySeries]) -> list[Panel]:
    """The panel of the lines that have a point; none without such a line."""
    drawn_series = [line for line in series if any(not math.isnan(point.median_s) for point in line.points)]
    if not drawn_series:
        return []
    svg = latency_figure(drawn_series, f"{title} against message size, {detail}", what="overhead")
    return [Panel(title, detail, svg)]


def _line(name: str, times: dict[int, MedianInterval], legend: Legend) -> LatencySeries:
    points = []
    for size, interval in sorted(times.items()):
        median = interval.median if interval.median > 0 else math.nan
        low = median if interval.low is None else max(interval.low, median / 100)
        points.append(LatencyPoint(size, median, low, median if interval.high is None else interval.high))
    return LatencySeries(name, legend.index(name), tuple(points))
