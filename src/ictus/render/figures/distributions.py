"""The distribution of samples: cumulative curves, one thin line per launch; densities, histograms and Q-Q plots after
Fig. 12, 13, 15 and 16 of "MPI benchmarking revisited".
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ictus.render.figures.axes import even_ticks, log_ticks
from ictus.render.figures.panel import caption_y, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.unit import plain, time_unit
from ictus.stats.arrays import FloatArray
from ictus.stats.histograms import Histogram
from ictus.stats.normality import NormalQuantiles

LEVELS = np.round(np.concatenate(([0.0, 0.005], np.arange(0.02, 0.97, 0.03), [0.98, 0.99, 0.995])), 4)
"""Probabilities at which a curve is kept, shape (37,): enough for the eye, and 10,000 samples shrink to 37 numbers."""

_TAIL = int(np.searchsorted(LEVELS, 0.95))


@dataclass(frozen=True)
class Curve:
    """One launch's distribution: `quantiles` in seconds at `LEVELS`; `index` is its series."""

    index: int
    quantiles: tuple[float, ...]


def curve(index: int, samples_s: ArrayLike) -> Curve | None:
    """The curve of one launch's samples (seconds, without NaN), None for no samples."""
    values: NDArray[np.float64] = np.asarray(samples_s, dtype=np.float64)
    values = values[np.isfinite(values)]
    if values.size == 0:
        return None
    return Curve(index, tuple(float(value) for value in np.quantile(values, LEVELS)))


def cumulative_figure(curves: Sequence[Curve], what: str, label: str) -> str:
    """SVG: share of samples at or below a time, the time on a logarithmic axis named `what`.

    The axis ends a little behind the last curve's 95th percentile: a few stalls would squeeze everything else.
    """
    if not curves:
        raise ValueError("a cumulative figure needs at least one launch with valid samples")
    with drawing():
        figure, axes = panel(left=50)
        unit = time_unit([each_curve.quantiles[len(LEVELS) // 2] for each_curve in curves])
        scale = unit.per_second
        positive = [value for each_curve in curves for value in each_curve.quantiles if value > 0]
        low, high = (min(positive) * scale, max(positive) * scale) if positive else (1.0, 1.0)
        high = min(high, 1.3 * scale * max(each_curve.quantiles[_TAIL] for each_curve in curves) or high)
        low, high = min(low, high / 1.3), max(high, low * 1.3)
        axes.set_xscale("log")
        axes.set_xlim(low / 1.03, high * 1.03)
        ticks = log_ticks(low / 1.03, high * 1.03, 6)
        axes.set_xticks(ticks, [plain(tick) for tick in ticks])
        axes.set_xticks([], minor=True)
        axes.set_xlabel(f"{what}, {unit.name}")
        axes.set_ylim(-0.02, 1.02)
        axes.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
        caption_y(axes, "share of samples at or below")
        width = 1.4 if len(curves) <= 4 else 0.9
        for each_curve in curves:
            x = np.maximum(np.asarray(each_curve.quantiles) * scale, low)
            axes.plot(x, LEVELS, color=drawn(series_name(each_curve.index)), linewidth=width, alpha=0.65)
        return to_svg(figure, label)


@dataclass(frozen=True)
class DensityCurve:
    """One distribution: places in seconds, heights in 1 / seconds; `index` is its series."""

    index: int
    at_s: FloatArray
    heights: FloatArray


def density_figure(curves: Sequence[DensityCurve], what: str, label: str) -> str:
    """SVG: every curve over a time axis named `what`; ValueError for none."""
    if not curves:
        raise ValueError("a figure of densities needs at least one")
    with drawing():
        figure, axes = panel()
        unit = time_unit([float(np.median(curve.at_s)) for curve in curves])
        for curve in curves:
            colour = drawn(series_name(curve.index))
            x, y = curve.at_s * unit.per_second, curve.heights / unit.per_second
            axes.plot(x, y, color=colour, linewidth=1.4)
            axes.fill_between(x, y, color=colour, alpha=0.1, linewidth=0)
        low = min(float(curve.at_s.min()) for curve in curves) * unit.per_second
        high = max(float(curve.at_s.max()) for curve in curves) * unit.per_second
        top = max(float(curve.heights.max()) for curve in curves) / unit.per_second
        axes.set_xlim(low, high)
        axes.set_ylim(0, 1.06 * top)
        ticks = even_ticks(low, high, 6)
        axes.set_xticks(ticks, [plain(float(f"{tick:.6g}")) for tick in ticks])
        levels = even_ticks(0, 1.06 * top, 5)
        axes.set_yticks(levels, [plain(float(f"{level:.6g}")) for level in levels])
        axes.set_xlabel(f"{what}, {unit.name}")
        caption_y(axes, f"density, 1/{unit.name}")
        return to_svg(figure, label)


@dataclass(frozen=True)
class Mark:
    """A vertical line at a time (seconds), named in its tip."""

    name: str
    at_s: float
    dashed: bool = False


def histogram_figure(
    bars: Histogram,
    curve: tuple[FloatArray, FloatArray] | None,
    marks: Sequence[Mark],
    *,
    index: int,
    what: str,
    label: str,
    x_label: str = "latency",
) -> str:
    """SVG: counts over time (edges in seconds), the density `curve` (seconds, 1 / seconds) scaled to them, and marks.

    `what` names the counted values; `index` selects the series colour.
    """
    with drawing():
        figure, axes = panel()
        unit = time_unit([float(bars.edges.mean())])
        edges = bars.edges * unit.per_second
        colour = drawn(series_name(index))
        axes.bar(edges[:-1], bars.counts, np.diff(edges), align="edge", color=colour, alpha=0.3, linewidth=0)
        top = float(bars.counts.max())
        if curve is not None:
            width = float(bars.edges[1] - bars.edges[0])
            heights = curve[1] * width * bars.counts.sum()
            axes.plot(curve[0] * unit.per_second, heights, color=colour, linewidth=1.4)
            top = max(top, float(heights.max()))
        tips = {}
        for number, mark in enumerate(marks):
            style = (0, (4, 3)) if mark.dashed else "-"
            axes.axvline(
                mark.at_s * unit.per_second, color=drawn("ink"), linewidth=1, linestyle=style, gid=f"mark-{number}"
            )
            tips[f"mark-{number}"] = f"{mark.name}: {unit.number(mark.at_s)} {unit.name}"
        low, high = float(edges[0]), float(edges[-1])
        axes.set_xlim(low - 0.02 * (high - low), high + 0.02 * (high - low))
        axes.set_ylim(0, 1.06 * top)
        ticks = even_ticks(low, high, 6)
        axes.set_xticks(ticks, [plain(tick) for tick in ticks])
        levels = [tick for tick in even_ticks(0, top, 6) if tick == int(tick)]
        axes.set_yticks(levels, [plain(tick) for tick in levels])
        axes.set_xlabel(f"{x_label}, {unit.name}")
        caption_y(axes, f"{what} per bin")
        return to_svg(figure, label, tips)


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
        for quantiles in series:
            colour, points = drawn(series_name(quantiles.index)), quantiles.points
            ends = np.array([points.normal[0], points.normal[-1]])
            axes.plot(ends, (points.intercept + points.slope * ends) * scale, color=colour, linewidth=0.9, alpha=0.7)
            drawn_indices = _shown(points.values.size)
            y = points.values[drawn_indices] * scale
            axes.plot(
                points.normal[drawn_indices], y, marker(quantiles.index), color=colour, markersize=3.4, alpha=0.7, mew=0
            )
            low, high = min(low, float(y.min())), max(high, float(y.max()))
        margin = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
        axes.set_ylim(low - margin, high + margin)
        levels = even_ticks(low - margin, high + margin, 6)
        axes.set_yticks(levels, [plain(level) for level in levels])
        reach = max(1.0, *(float(drawn_series.points.normal[-1]) for drawn_series in series)) * 1.06
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
