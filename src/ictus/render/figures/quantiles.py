"""Q-Q plots: ordered values against normal quantiles. After Fig. 13 of "MPI benchmarking revisited"."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ictus.render.figures.panel import caption_y, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import even_ticks
from ictus.render.unit import plain
from ictus.stats.normality import NormalQuantiles

_MOST_POINTS = 120


@dataclass(frozen=True)
class QuantileSeries:
    """One sample; `index` is its series."""

    index: int
    points: NormalQuantiles


def quantile_figure(series: Sequence[QuantileSeries], what: str, scale: float, label: str) -> str:
    """SVG: every series with the line through its quartiles; values times `scale` on an axis named `what`.

    Of many points evenly many are drawn, the outermost always. ValueError for no series.
    """
    if not series:
        raise ValueError("a Q-Q figure needs at least one sample")
    with drawing():
        figure, axes = panel()
        low, high = np.inf, -np.inf
        for one in series:
            colour, points = drawn(series_name(one.index)), one.points
            ends = np.array([points.normal[0], points.normal[-1]])
            axes.plot(ends, (points.intercept + points.slope * ends) * scale, color=colour, linewidth=0.9, alpha=0.7)
            shown = _shown(points.values.size)
            y = points.values[shown] * scale
            axes.plot(points.normal[shown], y, marker(one.index), color=colour, markersize=3.4, alpha=0.7, mew=0)
            low, high = min(low, float(y.min())), max(high, float(y.max()))
        margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
        axes.set_ylim(low - margin, high + margin)
        levels = even_ticks(low - margin, high + margin, 6)
        axes.set_yticks(levels, [plain(level) for level in levels])
        reach = max(1.0, *(float(one.points.normal[-1]) for one in series)) * 1.06
        axes.set_xlim(-reach, reach)
        ticks = even_ticks(-reach, reach, 7)
        axes.set_xticks(ticks, [plain(tick) for tick in ticks])
        axes.set_xlabel("quantile of the normal")
        caption_y(axes, what)
        return to_svg(figure, label)


def _shown(n: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Indices of the points drawn: all of few, else evenly many with both ends' ten outermost."""
    if n <= _MOST_POINTS:
        return np.arange(n)
    even = np.rint(np.linspace(0, n - 1, _MOST_POINTS - 20)).astype(np.intp)
    return np.unique(np.concatenate((np.arange(10), even, np.arange(n - 10, n))))
