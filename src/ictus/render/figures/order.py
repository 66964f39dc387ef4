"""One value per launch in the order of the campaign: shows drift, outlying launches, and effects that all cases of a
launch share.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ictus.render.figures.axes import even_ticks, latency_axis, ratio_axis
from ictus.render.figures.panel import bars, caption_y, clipped, dot, end_labels, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.unit import time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class OrderPoint:
    """One launch: its middle, the thick bar (quartiles) and the thin one (extremes), in seconds or as ratios.

    `hollow` marks a launch that was contended. A bar that does not exist has both ends equal to the middle.
    """

    position: int
    index: int
    """The series: chooses colour and marker."""
    middle: float
    inner: tuple[float, float]
    outer: tuple[float, float]
    tip: str
    hollow: bool = False
    mode: int = 0
    """Of the machine, from 1: the height of a grey tick below; 0 draws none."""


@dataclass(frozen=True)
class Level:
    """A horizontal line for one series, named at its right end: the median over its launches."""

    label: str
    index: int
    value: float


_LAUNCHES = "launch, in the order measured"


def time_order_figure(
    points: Sequence[OrderPoint], levels: Sequence[Level], what: str, label: str, along: str = _LAUNCHES
) -> str:
    """SVG: a time per launch, or what else stands `along` the other axis, on a logarithmic axis; `what` names it at the
    axis.
    """
    drawn_points = _known(points)
    with drawing():
        figure, axes = panel(right=_room(levels))
        unit = time_unit([point.middle for point in drawn_points])
        scale = unit.per_second
        low = min(min(point.inner[0], point.middle) for point in drawn_points)
        limits = latency_axis(axes, low, max(max(point.inner[1], point.middle) for point in drawn_points), unit, what)
        axes.autoscale(enable=False)
        tips = _draw(axes, drawn_points, scale, along, limits)
        _levels(axes, levels, scale)
        return to_svg(figure, label, tips)


def ratio_order_figure(points: Sequence[OrderPoint], levels: Sequence[Level], what: str, label: str) -> str:
    """SVG: a ratio per launch on a logarithmic axis around 1; `what` names it at the axis."""
    drawn_points = _known(points)
    with drawing():
        figure, axes = panel(right=_room(levels))
        limits = ratio_axis(
            axes, [value for point in drawn_points for value in (*point.inner, point.middle)], 1.05, 0.05
        )
        axes.autoscale(enable=False)
        axes.axhline(1, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        tips = _draw(axes, drawn_points, 1.0, _LAUNCHES, limits)
        caption_y(axes, what)
        return to_svg(figure, label, tips)


def _draw(
    axes: "Axes", points: Sequence[OrderPoint], scale: float, along: str, limits: tuple[float, float]
) -> dict[str, str]:
    last = max(point.position for point in points)
    axes.set_xlim(-0.7, last + 0.7)
    ticks = [int(tick) for tick in even_ticks(0, max(last, 1), 7) if tick == int(tick)]
    axes.set_xticks(ticks, [str(tick) for tick in ticks])
    axes.set_xlabel(along)
    size = max(2.4, min(4.6, 150 / (last + 1)))
    colours = [drawn(series_name(point.index)) for point in points]
    for share, width, alpha in (("outer", 0.8, 0.6), ("inner", size, 0.3)):
        ends = [(point.position, *getattr(point, share)) for point in points]
        spans = [(at, low * scale, high * scale) for at, low, high in ends]
        bars(axes, spans, colors=colours, linewidth=width, alpha=alpha)
    for point, colour in zip(points, colours, strict=True):
        low, high = (end * scale for end in point.outer)
        for shape, limit, beyond in (("v", limits[0], low < limits[0]), ("^", limits[1], high > limits[1])):
            if beyond:
                clipped(axes, point.position, limit, shape, colour)
    modes = [(point.position, 0.012, 0.012 + 0.018 * point.mode) for point in points if point.mode]
    bars(axes, modes, colors=drawn("soft"), linewidth=size / 2, transform=axes.get_xaxis_transform())
    for point, colour in zip(points, colours, strict=True):
        dot(
            axes,
            point.position,
            point.middle * scale,
            marker(point.index),
            markersize=size,
            color=colour,
            markerfacecolor=drawn("card") if point.hollow else colour,
            markeredgewidth=1.2 if point.hollow else 0,
            gid=f"tip-{point.position}-{point.index}",
            zorder=3,
        )
    return {f"tip-{point.position}-{point.index}": point.tip for point in points}


def _levels(axes: "Axes", levels: Sequence[Level], scale: float) -> None:
    for level in levels:
        colour = drawn(series_name(level.index))
        axes.axhline(level.value * scale, color=colour, linewidth=0.9, alpha=0.7, dashes=(4, 3), zorder=0.8)
    labels = [(level.label, level.value * scale, drawn(series_name(level.index))) for level in levels]
    end_labels(axes, axes.get_xlim()[1], labels)


def _known(points: Sequence[OrderPoint]) -> list[OrderPoint]:
    drawn_points = [point for point in points if not math.isnan(point.middle)]
    if not drawn_points:
        raise ValueError("a figure in launch order needs at least one launch with a value")
    return drawn_points


def _room(levels: Sequence[Level]) -> int:
    return min(120, 14 + 7 * max((len(level.label) for level in levels), default=0))
