"""Empirical distributions as cumulative curves, one thin line a launch: modes, tails and shifts, with no bins to
choose.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ictus.render.figures.panel import caption_y, panel
from ictus.render.figures.scheme import drawn, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import log_ticks
from ictus.render.unit import plain, time_unit

LEVELS = np.round(np.concatenate(([0.0, 0.005], np.arange(0.02, 0.97, 0.03), [0.98, 0.99, 0.995])), 4)
"""Probabilities at which a curve is kept, shape (37,): enough for the eye, and 10,000 samples shrink to 37 numbers."""

_TAIL = int(np.searchsorted(LEVELS, 0.95))


@dataclass(frozen=True)
class Curve:
    """One launch's distribution: `quantiles` in seconds at `LEVELS`; `index` is its series."""

    index: int
    quantiles: tuple[float, ...]


def curve(index: int, samples_s: ArrayLike) -> Curve | None:
    """The curve of one launch's samples (seconds, NaN left out), None where nothing is left."""
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
        unit = time_unit([one.quantiles[len(LEVELS) // 2] for one in curves])
        scale = unit.per_second
        positive = [value for one in curves for value in one.quantiles if value > 0]
        low, high = (min(positive) * scale, max(positive) * scale) if positive else (1.0, 1.0)
        high = min(high, 1.3 * scale * max(one.quantiles[_TAIL] for one in curves) or high)
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
        for one in curves:
            x = np.maximum(np.asarray(one.quantiles) * scale, low)
            axes.plot(x, LEVELS, color=drawn(series_name(one.index)), linewidth=width, alpha=0.65)
        return to_svg(figure, label)
