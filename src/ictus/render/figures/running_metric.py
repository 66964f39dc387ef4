"""How a metric falls while samples come in, with its threshold and where it is enough. After Fig. 1 of "Self-consistent
performance guidelines".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from ictus.render.figures.panel import caption_y, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import even_ticks, log_ticks
from ictus.render.unit import plain
from ictus.stats.arrays import FloatArray

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
    """The same between the looks, for the line; the looks are marked."""


def running_metric_figure(lines: Sequence[MetricLine], nrep: int, converged: bool, label: str) -> str:
    """SVG: each metric against the number of samples (logarithmic values), its threshold dashed, a line at `nrep`.

    ValueError where no metric is known anywhere.
    """
    known = [float(v) for line in lines for v in (*line.values, *line.curve) if math.isfinite(v)]
    if not known:
        raise ValueError("a figure of metrics needs a value")
    with drawing():
        figure, axes = panel(left=52, right=16)
        spans = [max(value, _LEAST) for value in (*known, *(line.threshold for line in lines))]
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


def _draw(axes: Axes, line: MetricLine) -> dict[str, str]:
    colour = drawn(series_name(line.index))
    known = np.isfinite(line.values)
    x, y = np.asarray(line.totals)[known], np.maximum(line.values[known], _LEAST)
    axes.axhline(line.threshold, color=colour, linewidth=0.9, linestyle=(0, (4, 3)))
    axes.plot(line.curve_totals, np.maximum(line.curve, _LEAST), color=colour, linewidth=1.3)
    tips = {}
    every = max(1, math.ceil(x.size / 40))
    for place in range(0, x.size, every):
        name = f"tip-{line.index}-{place}"
        axes.plot([x[place]], [y[place]], marker(line.index), color=colour, markersize=3.4, markeredgewidth=0, gid=name)
        tips[name] = f"{line.name} after {x[place]} samples: {100 * float(line.values[known][place]):.3g} %"
    return tips
