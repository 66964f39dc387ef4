"""Correlation against the lag, with the band that independent samples stay in. After Fig. 16 of "MPI benchmarking
revisited".
"""

import numpy as np

from ictus.render.figures.panel import caption_y, panel
from ictus.render.figures.scheme import drawn, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import even_ticks
from ictus.render.unit import plain
from ictus.stats.correlation import Autocorrelation


def autocorrelation_figure(found: Autocorrelation, *, index: int, label: str) -> str:
    """SVG: a bar for each lag; those that leave the band are drawn in full, the others faintly. ValueError where
    nothing is known.
    """
    values = found.coefficients
    if not np.isfinite(values).all():
        raise ValueError("an autocorrelation figure needs a series that varies")
    with drawing():
        figure, axes = panel()
        colour, lags = drawn(series_name(index)), np.arange(1, values.size + 1)
        axes.axhspan(-found.band, found.band, color=drawn("band"), linewidth=0, zorder=0.5)
        beyond = np.abs(values) > found.band
        width = max(1.0, min(4.0, 200 / values.size))
        axes.vlines(lags[beyond], 0, values[beyond], color=colour, linewidth=width)
        axes.vlines(lags[~beyond], 0, values[~beyond], color=colour, linewidth=width, alpha=0.35)
        axes.axhline(0, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        low, high = min(float(values.min()), -found.band), max(float(values.max()), found.band)
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
