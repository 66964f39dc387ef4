"""Latencies relative to something against message size: a line a series, an interval and single launches at each point.

After Fig. 6b of "MPI process synchronization in space and time" (ratio of latencies under two process synchronisations)
and Fig. 11 of "MPI benchmarking revisited" (normalised medians of launches).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from ictus.model.quantity import format_size
from ictus.render.figures.panel import caption_y, end_labels, panel, ratio_axis, size_axis
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg


@dataclass(frozen=True)
class RelativePoint:
    """One size: the ratio with its interval (equal to it where there is none) and single values, all above 0."""

    size_bytes: int
    ratio: float
    low: float
    high: float
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class RelativeLine:
    """One series; `index` chooses colour and marker."""

    label: str
    index: int
    points: tuple[RelativePoint, ...]


def relative_figure(lines: Sequence[RelativeLine], what: str, label: str) -> str:
    """SVG: ratios named `what` on a logarithmic axis around 1 against size."""
    points = [point for line in lines for point in line.points]
    if not points:
        raise ValueError("a figure of ratios needs at least one point")
    with drawing():
        figure, axes = panel(left=50, right=min(130, 16 + 7 * max(len(line.label) for line in lines)))
        positions = size_axis(axes, [point.size_bytes for point in points])
        values = [value for point in points for value in (point.low, point.high, *point.values)]
        ratio_axis(axes, max(1.1, *(max(value, 1 / value) for value in values)) ** 1.15)
        axes.axhline(1, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        tips: dict[str, str] = {}
        for place, line in enumerate(lines):
            tips |= _draw(axes, line, positions, 0.3 * ((place + 0.5) / len(lines) - 0.5))
        ends = [(line.label, line.points[-1].ratio, drawn(series_name(line.index))) for line in lines if line.points]
        end_labels(axes, axes.get_xlim()[1], ends)
        caption_y(axes, what)
        return to_svg(figure, label, tips)


def _draw(axes: Axes, line: RelativeLine, positions: dict[int, float], aside: float) -> dict[str, str]:
    colour, tips = drawn(series_name(line.index)), {}
    x = [positions[point.size_bytes] + aside for point in line.points]
    axes.plot(x, [point.ratio for point in line.points], color=colour, linewidth=1.4)
    for at, point in zip(x, line.points, strict=True):
        axes.vlines(at, point.low, point.high, color=colour, linewidth=3, alpha=0.35)
        axes.plot([at] * len(point.values), point.values, ".", color=colour, markersize=3, alpha=0.4, markeredgewidth=0)
        name = f"tip-{line.index}-{point.size_bytes}"
        axes.plot([at], [point.ratio], marker(line.index), color=colour, markersize=4.6, markeredgewidth=0, gid=name)
        interval = f"{point.low:.3f} to {point.high:.3f}"
        tips[name] = f"{line.label}, {format_size(point.size_bytes)}: {point.ratio:.3f} ({interval})"
    return tips
