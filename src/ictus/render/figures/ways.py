"""A ratio for each way of measuring the same call, one below the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ictus.render.figures.axes import ratio_ticks
from ictus.render.figures.panel import panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.unit import plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW = 19
"""Points between two ways."""
_LETTER = 5.7
"""Points that a letter of a way's name takes, about."""
_HALF_TICK = 18
"""Points at the right for half of the number at the end of the axis."""
_BEYOND = 2.0
"""The axis ends at this multiple of the outermost ratio, however long its bar is."""
_APART = 0.22
"""Series of one way are drawn this far apart, in rows."""


@dataclass(frozen=True)
class WayPoint:
    """The ratio that one series has by one way, with its interval; `index` chooses colour and marker."""

    way: str
    index: int
    ratio: float
    low: float
    high: float
    tip: str


def ways_figure(points: Sequence[WayPoint], reference: str, label: str, what: str = "reported") -> str:
    """SVG: a row for each way in the order of `points`, `what` over `reference` on a logarithmic axis around 1."""
    if not points:
        raise ValueError("a figure of ways needs at least one ratio")
    ways = list(dict.fromkeys(point.way for point in points))
    series = sorted({point.index for point in points})
    with drawing():
        room = 14 + round(_LETTER * max(map(len, ways)))
        figure, axes = panel(height=64 + _ROW * len(ways), left=room, right=_HALF_TICK)
        _axis(axes, points, f"{what} / {reference}")
        axes.set_ylim(len(ways) - 0.4, -0.6)
        axes.set_yticks(range(len(ways)), ways)
        axes.axvline(1, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        tips = {}
        for point in points:
            aside = _APART * (series.index(point.index) - (len(series) - 1) / 2)
            name = f"tip-{point.index}-{ways.index(point.way)}"
            _draw(axes, point, ways.index(point.way) + aside, name)
            tips[name] = point.tip
        return to_svg(figure, label, tips)


def _axis(axes: "Axes", points: Sequence[WayPoint], name: str) -> None:
    """All ratios and 1 are in sight, twice and half equally far apart; a bar that is much longer leaves the panel."""
    least, most = min(1.0, *(point.ratio for point in points)), max(1.0, *(point.ratio for point in points))
    low = max(min(least, *(point.low for point in points)), least / _BEYOND)
    high = min(max(most, *(point.high for point in points)), most * _BEYOND)
    begin, end = min(low / 1.06, 1 / 1.05), max(high * 1.06, 1.05)
    axes.set_xscale("log")
    axes.set_xlim(begin, end)
    ticks = [tick for tick in ratio_ticks(max(end, 1 / begin)) if begin <= tick <= end]
    axes.set_xticks(ticks, [plain(tick) for tick in ticks])
    axes.set_xticks([], minor=True)
    axes.grid(visible=True, axis="x")
    axes.set_xlabel(name)


def _draw(axes: "Axes", point: WayPoint, y: float, name: str) -> None:
    colour = drawn(series_name(point.index))
    axes.hlines(y, point.low, point.high, color=colour, linewidth=1.6)
    axes.plot(
        [point.ratio],
        [y],
        marker=marker(point.index),
        markersize=5,
        color=colour,
        markeredgewidth=0,
        gid=name,
        zorder=3,
    )
