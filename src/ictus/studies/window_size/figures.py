"""Figures of a sweep of windows: the share of invalid samples, and the latency of the valid ones, against the size.

After Fig. 19 and 20 of "MPI benchmarking revisited".
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ictus.comparison.case_titles import grouped, operation_title, processes
from ictus.model.quantity import format_duration, format_size
from ictus.render.figures.axes import SHORTEST, log_durations
from ictus.render.figures.panel import caption_y, end_labels, panel, room
from ictus.render.figures.scheme import dashes, drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.page import Legend, Panel
from ictus.render.table import short
from ictus.studies.window_size.analysis import WindowPoint, WindowSweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class SweepPoint:
    """One window size, seconds: a value and how far it reaches (its interval, or the least and most of any launch)."""

    window_s: float
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class SweepLine:
    """One operation, sizes ascending. `chosen_s` is the recommended window; `index` chooses the colour."""

    label: str
    index: int
    points: tuple[SweepPoint, ...]
    chosen_s: float | None = None


def invalid_share_figure(lines: Sequence[SweepLine], label: str) -> str:
    """SVG: shares (0 to 1) against the window, the recommended one ringed."""
    with drawing():
        figure, axes = panel(left=46, right=room(short(line.label) for line in lines))
        _window_axis(axes, lines)
        top = max((point.high for line in lines for point in line.points), default=0.0)
        reach = next((step for step in (0.02, 0.05, 0.1, 0.2, 0.5, 1.0) if top <= step), 1.0)
        axes.set_ylim(-0.04 * reach, 1.06 * reach)
        ticks = [reach * part / 4 for part in range(5)]
        axes.set_yticks(ticks, [f"{100 * tick:.3g} %" for tick in ticks])
        caption_y(axes, "invalid samples")
        tips: dict[str, str] = {}
        for line in lines:
            tips |= _draw(axes, line, lambda point: f"{100 * point.value:.3g} % invalid")
        _name_ends(axes, lines, linear=True)
        return to_svg(figure, label, tips)


def window_latency_figure(lines: Sequence[SweepLine], label: str) -> str:
    """SVG: latencies (seconds) against the window, the recommended one ringed; bands are the intervals."""
    with drawing():
        figure, axes = panel(left=54, right=room(short(line.label) for line in lines))
        _window_axis(axes, lines)
        log_durations(axes, "y", [v for line in lines for p in line.points for v in (p.low, p.high)])
        caption_y(axes, "latency of valid samples")
        tips: dict[str, str] = {}
        for line in lines:
            tips |= _draw(axes, line, lambda point: format_duration(point.value))
        _name_ends(axes, lines, linear=False)
        return to_svg(figure, label, tips)


def _window_axis(axes: "Axes", lines: Sequence[SweepLine]) -> None:
    windows = [point.window_s for line in lines for point in line.points]
    if not windows:
        raise ValueError("a figure of windows needs at least one size")
    log_durations(axes, "x", windows, at_most=5)
    axes.set_xlabel("window")


def _draw(axes: "Axes", line: SweepLine, text: Callable[[SweepPoint], str]) -> dict[str, str]:
    colour = drawn(series_name(line.index))
    x, y = [point.window_s for point in line.points], [point.value for point in line.points]
    low, high = [max(p.low, 0.0) for p in line.points], [p.high for p in line.points]
    axes.fill_between(x, low, high, color=colour, alpha=0.14, linewidth=0)
    axes.plot(x, y, color=colour, linewidth=1.4, linestyle=dashes(line.index))
    tips = {}
    for index, point in enumerate(line.points):
        name = f"tip-{line.index}-{index}"
        at = [point.window_s], [point.value]
        axes.plot(*at, marker(line.index), color=colour, markersize=4.4, markeredgewidth=0, gid=name)
        if line.chosen_s is not None and math.isclose(point.window_s, line.chosen_s):
            axes.plot([point.window_s], [point.value], "o", color=drawn("ink"), markersize=9, markerfacecolor="none")
        tips[name] = f"{line.label}, window {format_duration(point.window_s)}: {text(point)}"
    return tips


def _name_ends(axes: "Axes", lines: Sequence[SweepLine], *, linear: bool) -> None:
    least = -math.inf if linear else SHORTEST
    ends = [
        (short(line.label), max(line.points[-1].value, least), drawn(series_name(line.index)))
        for line in lines
        if line.points
    ]
    end_labels(axes, axes.get_xlim()[1], ends)


def label_of(sweep: WindowSweep) -> str:
    """`Alltoall 8 KiB`: its series."""
    name = operation_title(sweep.case).removeprefix("MPI_")
    return f"{name} {format_size(int(sweep.case['size_bytes']))}"


def place_of(sweep: WindowSweep) -> str:
    """`mpich, 2 processes`."""
    return f"{sweep.mpi}, {processes(int(sweep.case['n']))}"


def window_panels(
    sweeps: Sequence[WindowSweep],
    legend: Legend,
    panel_of: Callable[[WindowSweep], str] = place_of,
    series_of: Callable[[WindowSweep], str] = label_of,
) -> tuple[Panel, ...]:
    """Two panels for all sweeps of which `panel_of` says the same, with a line for each; its name is in the legend."""
    panels = []
    for group in grouped(sweeps, panel_of):
        where, names = panel_of(group[0]), [series_of(sweep) for sweep in group]
        shares = [_line(*line, legend, [_share(p) for p in line[1].points]) for line in zip(names, group, strict=True)]
        panels.append(Panel("Invalid samples", where, invalid_share_figure(shares, f"Invalid samples, {where}")))
        latencies = [
            _line(name, sweep, legend, [latency for p in sweep.points if (latency := _latency(p))])
            for name, sweep in zip(names, group, strict=True)
        ]
        if any(line.points for line in latencies):
            svg = window_latency_figure(latencies, f"Latency against the window, {where}")
            panels.append(Panel("Latency", where, svg))
    return tuple(panels)


def _line(name: str, sweep: WindowSweep, legend: Legend, points: Sequence[SweepPoint]) -> SweepLine:
    return SweepLine(name, legend.index(name), tuple(points), sweep.advice.window_s)


def _share(point: WindowPoint) -> SweepPoint:
    return SweepPoint(point.window_s, point.share, point.least_share, point.most_share)


def _latency(point: WindowPoint) -> SweepPoint | None:
    interval = point.latency
    if interval is None:
        return None
    low, high = (
        (interval.median, interval.median)
        if interval.low is None or interval.high is None
        else (interval.low, interval.high)
    )
    return SweepPoint(point.window_s, interval.median, low, high)
