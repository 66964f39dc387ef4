"""Means and medians of bins over the time of one launch. After Fig. 17 and 18 of "MPI benchmarking revisited"."""

import numpy as np

from ictus.render.figures.panel import caption_y, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import even_ticks
from ictus.render.unit import plain, time_unit
from ictus.stats.stationarity import LatencyDrift

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
