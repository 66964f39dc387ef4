"""How the samples of a launch settle: a running metric with its threshold (after Fig. 1 of "Self-consistent performance
guidelines"), bins over the time of the launch, and the correlation against the lag with the band of independent samples
(after Fig. 16 to 18 of "MPI benchmarking revisited").
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ictus.render.figures.axes import even_ticks, log_ticks
from ictus.render.figures.panel import caption_y, dot, end_labels, panel, room
from ictus.render.figures.scheme import dashes, drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.unit import plain, time_unit
from ictus.stats.arrays import FloatArray
from ictus.stats.correlation import Autocorrelation
from ictus.stats.stationarity import LatencyDrift

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LEAST = 1e-6
"""A metric below is drawn here: an axis to zero has no logarithm."""


@dataclass(frozen=True)
class MetricLine:
    """One metric of one launch."""

    name: str
    index: int
    """Chooses the colour."""
    totals: Sequence[int]
    values: FloatArray
    """At `totals`, shape (looks,); NaN where it is undefined."""
    threshold: float
    curve_totals: Sequence[int]
    curve: FloatArray
    """The same between the looks, for the line; marks show the looks."""


def running_metric_figure(lines: Sequence[MetricLine], nrep: int, converged: bool, label: str) -> str:
    """SVG: each metric against the number of samples (logarithmic values), its threshold dashed, a line at `nrep`.

    ValueError where no metric is known anywhere.
    """
    values = [float(v) for line in lines for v in (*line.values, *line.curve) if math.isfinite(v)]
    if not values:
        raise ValueError("a figure of metrics needs a value")
    with drawing():
        figure, axes = panel(left=62, right=16)  # room for "0.0001 %"
        spans = [max(value, _LEAST) for value in (*values, *(line.threshold for line in lines))]
        low, high = min(spans) / 1.5, max(spans) * 1.5
        axes.set_yscale("log")
        axes.set_ylim(low, high)
        ticks = log_ticks(low, high)
        axes.set_yticks(ticks, [_share(tick) for tick in ticks])
        axes.set_yticks([], minor=True)
        totals = [total for line in lines for total in (*line.totals, *line.curve_totals)]
        first, last = min(totals), max(totals)
        axes.set_xlim(*_x_limits(first, last))
        steps = even_ticks(*_x_limits(first, last), 6)
        axes.set_xticks(steps, [plain(step) for step in steps])
        axes.set_xlabel("valid samples")
        caption_y(axes, "metric")
        axes.axvline(nrep, color=drawn("ink" if converged else "notice"), linewidth=1.0, zorder=0.9, gid="tip-nrep")
        tips = {"tip-nrep": f"{nrep} repetitions{'' if converged else ', not converged'}"}
        for line in lines:
            tips |= _draw(axes, line)
        return to_svg(figure, label, tips)


def _x_limits(first: int, last: int) -> tuple[float, float]:
    margin = max(0.03 * (last - first), 1.0)
    return first - margin, last + margin


def _share(value: float) -> str:
    return f"{float(f'{100 * value:.3g}'):g} %"


def _draw(axes: "Axes", line: MetricLine) -> dict[str, str]:
    colour = drawn(series_name(line.index))
    is_finite = np.isfinite(line.values)
    x, y = np.asarray(line.totals)[is_finite], np.maximum(line.values[is_finite], _LEAST)
    axes.axhline(line.threshold, color=colour, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.plot(line.curve_totals, np.maximum(line.curve, _LEAST), color=colour, linewidth=1.3)
    tips = {}
    every = max(1, math.ceil(x.size / 40))
    for at in range(0, x.size, every):
        name = f"tip-{line.index}-{at}"
        dot(axes, x[at], y[at], marker(line.index), color=colour, markersize=3.4, markeredgewidth=0, gid=name)
        tips[name] = f"{line.name} after {x[at]} samples: {100 * float(line.values[is_finite][at]):.3g} %"
    return tips


MEDIAN, MEAN = 0, 1
"""The series of the two: which marker and colour they have."""


def binned_figure(drift: LatencyDrift, *, timed: bool, label: str) -> str:
    """SVG: bins' means and medians over time (`timed`: seconds, else repetitions) and the line through the medians.

    ValueError for a drift without bins.
    """
    if drift.means.size == 0:
        raise ValueError("a figure of bins needs at least ten of them")
    with drawing():
        figure, axes = panel()
        unit = time_unit(drift.medians)
        along = time_unit([float(drift.times[-1])])
        x = drift.times * (along.per_second if timed else 1.0)
        for index, values in ((MEAN, drift.means), (MEDIAN, drift.medians)):
            colour = drawn(series_name(index))
            y = values * unit.per_second
            axes.plot(x, y, marker=marker(index), color=colour, markersize=3.4, linewidth=0.8, alpha=0.8, mew=0)
        line = (drift.intercept + drift.slope * drift.times) * unit.per_second
        axes.plot(x, line, color=drawn("ink"), linewidth=1, dashes=(4, 3))
        both = np.concatenate((drift.means, drift.medians)) * unit.per_second
        low, high = float(both.min()), float(both.max())
        # At least 2 % of the latency are shown: what is less is no drift, and would fill the panel.
        lacking = max(0.02 * float(np.median(both)) - (high - low), 0.1 * (high - low)) / 2 or 1.0
        axes.set_ylim(low - lacking, high + lacking)
        levels = even_ticks(low - lacking, high + lacking, 6)
        axes.set_yticks(levels, [plain(float(f"{level:.6g}")) for level in levels])
        ticks = even_ticks(0, float(x[-1]), 6)
        axes.set_xticks(ticks, [plain(tick) for tick in ticks])
        axes.set_xlabel(f"time in the launch, {along.name}" if timed else "kept sample")
        caption_y(axes, f"latency, {unit.name}")
        return to_svg(figure, label)


@dataclass(frozen=True)
class BinnedLine:
    """How long calls take in the course of launches, for one way to measure them."""

    label: str
    index: int
    """Chooses colour and dashes."""
    repetitions: FloatArray
    """The middle of each bin, shape (bins,)."""
    latencies_s: FloatArray
    """At `repetitions`."""


def bins_figure(lines: Sequence[BinnedLine], label: str) -> str:
    """SVG: several lines of bins over the repetitions of a launch. ValueError where there is none."""
    if not lines:
        raise ValueError("a figure of bins needs a line")
    with drawing():
        figure, axes = panel(right=room(line.label for line in lines))
        every = np.concatenate([line.latencies_s for line in lines])
        unit = time_unit(every)
        last = max(float(line.repetitions[-1]) for line in lines)
        axes.set_xlim(0, last)
        steps = even_ticks(0, last, 6)
        axes.set_xticks(steps, [plain(step) for step in steps])
        axes.set_xlabel("repetition")
        low, high = float(every.min()) * unit.per_second, float(every.max()) * unit.per_second
        margin = max(0.05 * (high - low), 0.01 * high)
        axes.set_ylim(low - margin, high + margin)
        levels = even_ticks(low - margin, high + margin, 6)
        axes.set_yticks(levels, [plain(float(f"{level:.6g}")) for level in levels])
        caption_y(axes, f"latency, {unit.name}")
        ends = []
        for line in lines:
            colour, y = drawn(series_name(line.index)), line.latencies_s * unit.per_second
            axes.plot(line.repetitions, y, color=colour, linewidth=1.4, linestyle=dashes(line.index))
            ends.append((line.label, float(y[-1]), colour))
        end_labels(axes, last, ends)
        return to_svg(figure, label)


def autocorrelation_figure(autocorrelation: Autocorrelation, *, index: int, label: str) -> str:
    """SVG: a bar for each lag; those that leave the band are drawn in full, the others faintly. ValueError where
    nothing is known.
    """
    values = autocorrelation.coefficients
    if not np.isfinite(values).all():
        raise ValueError("an autocorrelation figure needs a series that varies")
    with drawing():
        figure, axes = panel()
        colour, lags = drawn(series_name(index)), np.arange(1, values.size + 1)
        axes.axhspan(-autocorrelation.band, autocorrelation.band, color=drawn("band"), linewidth=0, zorder=0.5)
        beyond = np.abs(values) > autocorrelation.band
        width = max(1.0, min(4.0, 200 / values.size))
        axes.vlines(lags[beyond], 0, values[beyond], color=colour, linewidth=width)
        axes.vlines(lags[~beyond], 0, values[~beyond], color=colour, linewidth=width, alpha=0.35)
        axes.axhline(0, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        low, high = min(float(values.min()), -autocorrelation.band), max(float(values.max()), autocorrelation.band)
        margin = 0.08 * (high - low)
        axes.set_ylim(low - margin, high + margin)
        axes.set_xlim(0, values.size + 1)
        ticks = even_ticks(low - margin, high + margin, 6)
        axes.set_yticks(ticks, [plain(tick) for tick in ticks])
        steps = [int(tick) for tick in even_ticks(0, values.size, 6) if tick == int(tick)]
        axes.set_xticks(steps, [str(step) for step in steps])
        axes.set_xlabel("lag, repetitions")
        caption_y(axes, "autocorrelation")
        return to_svg(figure, label)
