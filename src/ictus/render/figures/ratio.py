"""The ratio of two latencies against message size, with its interval; and latencies relative to a reference, one line
per series, with the single launches at each point.

After Fig. 6b of "MPI process synchronization in space and time" (ratio of latencies under two process synchronisations)
and Fig. 11 of "MPI benchmarking revisited" (normalised medians of launches).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ictus.model.quantity import format_size
from ictus.render.figures.axes import ratio_axis, size_axis
from ictus.render.figures.panel import bars, beside, caption_y, dot, end_labels, panel, room
from ictus.render.figures.scheme import drawn, line_colour, marker, series_name
from ictus.render.figures.svg import drawing, to_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class RatioPoint:
    """Ratio A/B of one size with its interval; `outcome` is `faster` (A), `slower`, `same`, `undecided`, `apart`
    or `distributions-differ`.
    """

    size_bytes: int
    ratio: float
    low: float
    high: float
    outcome: str
    verdict: str
    """The verdict in full words, for the pointer."""


@dataclass(frozen=True)
class RatioPair:
    """The two that are compared and the series (colours) that they have in the other figures."""

    a: str
    b: str
    index_a: int
    index_b: int


_MARKERS = {"faster": "v", "slower": "^", "same": "D", "undecided": "o", "distributions-differ": "s", "apart": "o"}

_OPEN = ("undecided", "apart")


def ratio_figure(points: Sequence[RatioPoint], pair: RatioPair, equivalence: float, label: str) -> str:
    """SVG: ratio A/B with interval against size on a logarithmic axis around 1; the band is +-`equivalence` (0.05 =
    5 %).

    A point below 1 means that A is faster. Decided points are filled with the colour of the faster one; `same` is a
    filled diamond, `distributions-differ` a filled square, `undecided` and `apart` a hollow ring, all in grey.
    """
    drawn_points = [point for point in points if not math.isnan(point.ratio)]
    if not drawn_points:
        raise ValueError("a ratio figure needs at least one case that both sides measured")
    with drawing():
        figure, axes = panel(left=50)
        positions = size_axis(axes, [point.size_bytes for point in points])
        ends = [end for point in drawn_points for end in (point.low, point.high)]
        ratio_axis(axes, ends, (1 + equivalence) ** 1.6, 0.11)
        axes.axhspan(1 / (1 + equivalence), 1 + equivalence, color=drawn("band"), linewidth=0, zorder=0.5)
        axes.axhline(1, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        tips = {f"tip-{point.size_bytes}": _tip(point) for point in drawn_points}
        for point in drawn_points:
            _draw(axes, point, pair, positions[point.size_bytes])
        caption_y(axes, f"{pair.a} / {pair.b}")
        _sides(axes, pair)
        return to_svg(figure, label, tips)


def _draw(axes: "Axes", point: RatioPoint, pair: RatioPair, x: float) -> None:
    winner = {"faster": pair.index_a, "slower": pair.index_b}.get(point.outcome)
    colour = drawn("soft") if winner is None else drawn(series_name(winner))
    bars(axes, [(x, point.low, point.high)], colors=colour, linewidth=1.6)
    dot(
        axes,
        x,
        point.ratio,
        _MARKERS[point.outcome],
        markersize=6,
        color=colour,
        markerfacecolor=drawn("card") if point.outcome in _OPEN else colour,
        markeredgewidth=1.4 if point.outcome in _OPEN else 0,
        gid=f"tip-{point.size_bytes}",
        zorder=3,
    )


def _sides(axes: "Axes", pair: RatioPair) -> None:
    """Write into the panel which side is faster above and below 1."""
    for y_share, va, name, index in ((0.015, "bottom", pair.a, pair.index_a), (0.985, "top", pair.b, pair.index_b)):
        axes.text(
            0.995,
            y_share,
            f"{name} faster",
            transform=axes.transAxes,
            ha="right",
            va=va,
            color=drawn(series_name(index)),
        )


def _tip(point: RatioPoint) -> str:
    return f"{format_size(point.size_bytes)}: {point.ratio:.3f} ({point.low:.3f} to {point.high:.3f}), {point.verdict}"


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
    """One series; `index` chooses colour and marker, None is grey: one of many that do not matter."""

    label: str
    index: int | None
    points: tuple[RelativePoint, ...]


def relative_figure(lines: Sequence[RelativeLine], what: str, label: str) -> str:
    """SVG: ratios named `what` on a logarithmic axis around 1 against size."""
    points = [point for line in lines for point in line.points]
    if not points:
        raise ValueError("a figure of ratios needs at least one point")
    with drawing():
        figure, axes = panel(left=50, right=room(beside(line.label) for line in lines if line.index is not None))
        positions = size_axis(axes, [point.size_bytes for point in points])
        values = [value for point in points for value in (point.low, point.high, *point.values)]
        ratio_axis(axes, values, 1.05, 0.07)
        axes.axhline(1, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        tips: dict[str, str] = {}
        for index, line in enumerate(sorted(lines, key=lambda line: line.index is not None)):
            tips |= _draw_line(axes, line, positions, 0.3 * ((index + 0.5) / len(lines) - 0.5))
        named = [line for line in lines if line.points and line.index is not None]
        ends = [(beside(line.label), line.points[-1].ratio, line_colour(line.index)) for line in named]
        end_labels(axes, axes.get_xlim()[1], ends)
        caption_y(axes, what)
        return to_svg(figure, label, tips)


def _draw_line(axes: "Axes", line: RelativeLine, positions: dict[int, float], aside: float) -> dict[str, str]:
    colour, tips = line_colour(line.index), {}
    shape, size = ("o", 3.0) if line.index is None else (marker(line.index), 4.6)
    x = [positions[point.size_bytes] + aside for point in line.points]
    axes.plot(x, [point.ratio for point in line.points], color=colour, linewidth=1.4)
    spans = [(at, point.low, point.high) for at, point in zip(x, line.points, strict=True)]
    bars(axes, spans, colors=colour, linewidth=3, alpha=0.35)
    for at, point in zip(x, line.points, strict=True):
        axes.plot([at] * len(point.values), point.values, ".", color=colour, markersize=3, alpha=0.4, markeredgewidth=0)
        name = f"tip-{line.label}-{point.size_bytes}"
        dot(axes, at, point.ratio, shape, color=colour, markersize=size, markeredgewidth=0, gid=name)
        interval = f"{point.low:.3f} to {point.high:.3f}"
        tips[name] = f"{line.label}, {format_size(point.size_bytes)}: {point.ratio:.3f} ({interval})"
    return tips
