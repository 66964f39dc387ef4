"""Several densities over one time axis. After Fig. 13 of "MPI benchmarking revisited"."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ictus.render.figures.panel import caption_y, panel
from ictus.render.figures.scheme import drawn, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import even_ticks
from ictus.render.unit import plain, time_unit
from ictus.stats.arrays import FloatArray


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
