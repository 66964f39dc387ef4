"""Latency against message size; sizes that deserve attention can be shaded."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ictus.model.quantity import format_duration, format_size
from ictus.render.figures.axes import SHORTEST, latency_axis, size_axis
from ictus.render.figures.panel import bars, beside, dot, end_labels, panel, room
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.unit import time_unit
from ictus.stats.median import median_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARKS = 0.14
"""Share of the panel's height that is left for marks."""


@dataclass(frozen=True)
class LatencyPoint:
    """Median of launch medians of one size with its interval over launches, seconds; NaN without a valid sample."""

    size_bytes: int
    median_s: float
    low_s: float
    high_s: float


def launches_point(size_bytes: int, medians_s: Sequence[float]) -> LatencyPoint:
    """The launches of one size; from the smallest to the largest where there are too few for an interval. Seconds."""
    medians = [median for median in medians_s if not math.isnan(median)]
    if not medians:
        return LatencyPoint(size_bytes, math.nan, math.nan, math.nan)
    interval = median_interval(medians)
    low, high = (
        min(medians) if interval.low is None else interval.low,
        max(medians) if interval.high is None else interval.high,
    )
    return LatencyPoint(size_bytes, interval.median, low, high)


@dataclass(frozen=True)
class LatencySeries:
    """One line: a library, or a member of whatever factor is compared. `index` chooses colour and marker."""

    label: str
    index: int
    points: tuple[LatencyPoint, ...]


@dataclass(frozen=True)
class ShadedSize:
    """A size with a ground of its own, and a mark such as stars of significance at its top."""

    size_bytes: int
    mark: str
    tip: str


def latency_figure(
    series: Sequence[LatencySeries], label: str, shaded: Sequence[ShadedSize] = (), what: str = "latency"
) -> str:
    """SVG: latency against size, both logarithmic, one line per series with the interval over launches as a bar; the
    axis is named `what`.
    """
    points = [point for line in series for point in line.points if not math.isnan(point.median_s)]
    if not points:
        raise ValueError("a latency figure needs at least one case with valid samples")
    with drawing():
        figure, axes = panel(right=room(beside(line.label) for line in series))
        unit = time_unit([point.median_s for point in points])
        positions = size_axis(axes, [point.size_bytes for line in series for point in line.points])
        low_s, high_s = min(_seen_s(point.low_s) for point in points), max(_seen_s(point.high_s) for point in points)
        above = max(high_s / low_s, 1.5) ** _MARKS if shaded else 1.0
        latency_axis(axes, low_s, high_s * above, unit, what)
        tips: dict[str, str] = {}
        for size in shaded:
            tips |= _shade(axes, size, positions)
        for line in series:
            tips |= _draw(axes, line, positions, unit.per_second)
        ends = [(line, [point for point in line.points if not math.isnan(point.median_s)]) for line in series]
        end_labels(
            axes,
            max(positions.values()),
            [
                (
                    beside(line.label),
                    _seen_s(drawn_points[-1].median_s) * unit.per_second,
                    drawn(series_name(line.index)),
                )
                for line, drawn_points in ends
                if drawn_points
            ],
        )
        return to_svg(figure, label, tips)


def _seen_s(seconds: float) -> float:
    """Where it is drawn: a time of 0, which a coarse clock or a simulated rank may read, has no logarithm."""
    return seconds if math.isnan(seconds) else max(seconds, SHORTEST)


def _draw(axes: "Axes", line: LatencySeries, positions: dict[int, float], per_second: float) -> dict[str, str]:
    colour = drawn(series_name(line.index))
    x = [positions[point.size_bytes] for point in line.points]
    axes.plot(x, [_seen_s(point.median_s) * per_second for point in line.points], color=colour, linewidth=1.6)
    drawn_points = [
        (x_value, point) for x_value, point in zip(x, line.points, strict=True) if not math.isnan(point.median_s)
    ]
    low, high = (
        [_seen_s(getattr(point, end)) * per_second for _, point in drawn_points] for end in ("low_s", "high_s")
    )
    places = [x_value for x_value, _ in drawn_points]
    bars(axes, list(zip(places, low, high, strict=True)), colors=colour, linewidth=3.2, alpha=0.35)
    tips = {}
    for x_value, point in drawn_points:
        name = f"tip-{line.index}-{point.size_bytes}"
        y = _seen_s(point.median_s) * per_second
        dot(axes, x_value, y, marker(line.index), markersize=4.2, color=colour, markeredgewidth=0, gid=name)
        interval = f"{format_duration(point.low_s)} to {format_duration(point.high_s)}"
        tips[name] = f"{line.label}, {format_size(point.size_bytes)}: {format_duration(point.median_s)} ({interval})"
    return tips


def _shade(axes: "Axes", size: ShadedSize, positions: dict[int, float]) -> dict[str, str]:
    """A ground from halfway to the size before to halfway to the size behind; at an end as far as the other way."""
    ordered = sorted(positions.values())
    here = positions[size.size_bytes]
    at = ordered.index(here)
    below = here - ordered[at - 1] if at else None
    above = ordered[at + 1] - here if at + 1 < len(ordered) else None
    left, right = (step / 2 for step in (below or above or 1.0, above or below or 1.0))
    name = f"shade-{size.size_bytes}"
    axes.axvspan(here - left, here + right, color=drawn("notice"), alpha=0.22, linewidth=0, zorder=0.4, gid=name)
    # Upright, for sizes may stand closer than a mark is wide.
    axes_transform = axes.get_xaxis_transform()
    axes.text(
        here,
        0.99,
        size.mark,
        transform=axes_transform,
        ha="center",
        va="top",
        rotation=90,
        color=drawn("ink"),
        fontsize=9,
    )
    return {name: size.tip}
