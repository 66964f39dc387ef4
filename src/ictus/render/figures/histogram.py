"""A histogram with its smooth density, after Fig. 12, 15 and 16 of "MPI benchmarking revisited"."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ictus.render.figures.panel import caption_y, panel
from ictus.render.figures.scheme import drawn, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import even_ticks
from ictus.render.unit import plain, time_unit
from ictus.stats.arrays import FloatArray
from ictus.stats.histograms import Histogram


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
) -> str:
    """SVG: counts over time (edges in seconds), the density `curve` (seconds, 1 / seconds) scaled to them, and marks.

    `what` names what is counted, `index` is the series whose colour it takes.
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
        axes.set_xlabel(f"latency, {unit.name}")
        caption_y(axes, f"{what} per bin")
        return to_svg(figure, label, tips)
