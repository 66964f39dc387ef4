"""Do latencies creep up or down during a launch? Means and medians of bins over time, and a straight line through them.

Single samples scatter too much to show a drift, so they are gathered into bins of equally many, in the order measured,
as Fig. 17 and 18 of papers/mpi-benchmarking-revisited do. A line through the bins' medians against time gives the
drift; a few stalls, which move a mean, do not move it.

Neighbouring bins may resemble each other, and then a line through them looks surer than it is. The correlation that is
left between neighbours around the line is estimated and widens the error of the slope by (1 + r) / (1 - r), the factor
of a first-order autoregressive process, with as many fewer degrees of freedom; see `half_shift.py`, which asks the
same of two halves. The p-value is two-sided. A drift matters when p is at most 1 % and the line gains at least 1 % over
the launch.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ictus.stats.arrays import FloatArray, finite_sample

BINS = 40
LEAST_BINS, SMALLEST_BIN = 10, 4
LEVEL, SMALLEST_DRIFT = 0.01, 0.01
_LARGEST_CORRELATION = 0.95
_NAN = float("nan")
_NO_LINE = (_NAN, _NAN, _NAN, _NAN)


@dataclass(frozen=True)
class LatencyDrift:
    """Bins of one launch in time, and the line through their medians. Empty and NaN for fewer than 40 samples."""

    times: FloatArray
    """Mean time of each bin's samples, shape (bins,), in the unit of the times given."""
    means: FloatArray
    medians: FloatArray
    per_bin: int
    """Samples in a bin; where they do not divide evenly, some bins have one more."""
    intercept: float
    slope: float
    """The line `intercept + slope * time`, unit of the values per unit of time."""
    change: float
    """What the line gains from the first sample to the last, relative to its middle."""
    p_value: float
    """Of a slope of 0."""

    @property
    def matters(self) -> bool:
        """Whether the drift is credible and at least 1 %."""
        return self.p_value <= LEVEL and abs(self.change) >= SMALLEST_DRIFT


def latency_drift(times: ArrayLike, values: ArrayLike) -> LatencyDrift:
    """Drift of `values` over `times`, both of shape (samples,), in the order measured.

    `ValueError` for empty or unequal arrays, NaN, infinity, or times that step back.
    """
    time, value = finite_sample(times), finite_sample(values)
    if time.size != value.size:
        raise ValueError(f"{time.size} times do not fit {value.size} values")
    if (np.diff(time) < 0).any():
        raise ValueError("times step back: samples are not in the order measured")
    n_bins = min(BINS, value.size // SMALLEST_BIN)
    if n_bins < LEAST_BINS:
        nothing = np.empty(0)
        return LatencyDrift(nothing, nothing, nothing, 0, *_NO_LINE)
    bins = np.array_split(value, n_bins)
    centres, means = (np.array([part.mean() for part in parts]) for parts in (np.array_split(time, n_bins), bins))
    medians = np.array([np.median(part) for part in bins])
    line = _line(centres, medians, float(time[-1] - time[0]))
    return LatencyDrift(centres, means, medians, value.size // n_bins, *line)


def _line(x: FloatArray, y: FloatArray, length: float) -> tuple[float, float, float, float]:
    """Intercept, slope, relative change over `length` and p-value of the line through bins; NaN for a single time."""
    away = x - x.mean()
    square = float((away**2).sum())
    if square == 0:
        return _NO_LINE
    slope = float((away * (y - y.mean())).sum()) / square
    middle = float(y.mean())
    change = slope * length / middle if middle else float("nan")
    return middle - slope * float(x.mean()), slope, change, _p_value(y - middle - slope * away, slope, square)


def _p_value(residual: FloatArray, slope: float, square: float) -> float:
    """Two-sided p of a slope whose residuals may be correlated; NaN for constant values, 0 for an exact line."""
    scatter = float((residual**2).sum())
    if scatter <= 1e-24 * slope**2 * square or scatter == 0:
        return float("nan") if slope == 0 else 0.0
    n = residual.size
    # Fitting a line pulls the correlation of the residuals down by about (2 + 4 r) / n: put it back before it is used.
    raw = float((residual[1:] * residual[:-1]).sum()) / scatter
    correlation = float(np.clip((raw + 2 / n) / (1 - 4 / n), 0.0, _LARGEST_CORRELATION))
    widening = (1 + correlation) / (1 - correlation)
    degrees = max((n - 2) / widening, 1.0)
    error = np.sqrt(scatter / (n - 2) * widening / square)
    return float(2 * special.stdtr(degrees, -abs(slope) / error))
