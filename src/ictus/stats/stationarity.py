"""Does latency stay constant during a launch? The shift between its halves, and a line through bins over time.

The shift is median(second half) / median(first half) - 1 of the kept samples in the order measured. A large one means
that the warm-up was too short or that the library switched its algorithm. The drift is a line through the medians of
bins of equally many samples against time, as in Fig. 17 and 18 of papers/mpi-benchmarking-revisited; a few stalls,
which move a mean, do not move it.

Neighbouring samples resemble each other (section 5.3 there), so a test on single samples finds a shift nearly
everywhere. Samples are therefore cut into batches (ten a half, or the bins), whose values are nearly independent once
a batch is longer than the correlation. The remaining correlation r between neighbouring batches widens the error by
(1 + r) / (1 - r), the factor of a first-order autoregressive process, and reduces the degrees of freedom of the slope.
A change matters when its two-sided test rejects at 1 % **and** it is at least 1 %: less decides no comparison. Method:
batch means, as in A. M. Law, Simulation Modeling and Analysis, chapter 9.
"""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import BoolArray, FloatArray, finite_sample
from ictus.stats.median import median_of

BATCHES_PER_HALF = 10
SMALLEST_BATCH = 4
LEVEL = 0.01
SMALLEST_SHIFT = 0.01
_LARGEST_CORRELATION = 0.95


def half_shift(values: FloatArray) -> float:
    """Relative shift from the first to the second half of samples in the order measured; the middle one of an odd
    number belongs to neither. NaN for fewer than two samples or a first half whose median is 0.
    """
    half = values.size // 2
    if half == 0:
        return float("nan")
    first = median_of(values[:half])
    return median_of(values[-half:]) / first - 1 if first else float("nan")


def batch_means(values: FloatArray) -> FloatArray:
    """Means of ten batches from the start and ten from the end, shape (20,); NaN where a batch would be too short."""
    half = values.size // 2
    length = half // BATCHES_PER_HALF
    if length < SMALLEST_BATCH:
        return np.full(2 * BATCHES_PER_HALF, np.nan)
    used = length * BATCHES_PER_HALF
    # Batches grow from the two ends, so that none spans the boundary between the halves.
    ends = np.concatenate((values[:used], values[-used:]))
    return np.asarray(ends.reshape(2 * BATCHES_PER_HALF, length).mean(axis=1), dtype=np.float64)


def shift_matters(batches: FloatArray, shifts: FloatArray) -> BoolArray:
    """Whether each launch's shift is credible and large enough; `batches` has shape (cases, 20), `shifts` (cases,).
    False where the batches are NaN: too few samples show nothing.
    """
    halves = batches.reshape(-1, 2, BATCHES_PER_HALF)
    centre = halves.mean(axis=2)
    residual = halves - centre[:, :, np.newaxis]
    square = (residual**2).sum(axis=(1, 2))
    neighbours = (residual[:, :, 1:] * residual[:, :, :-1]).sum(axis=(1, 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        # Subtracting a mean of ten pulls the estimate down by about (1 + 3 r) / 10: put it back before it is used.
        raw = neighbours / square
        correlation = np.clip((raw + 0.1) / 0.7, 0.0, _LARGEST_CORRELATION)
        widening = (1 + correlation) / (1 - correlation)
        degrees = np.maximum(2 * (BATCHES_PER_HALF - 1) / widening, 1.0)
        variance = square / (2 * (BATCHES_PER_HALF - 1)) * widening
        t_value = np.abs(centre[:, 1] - centre[:, 0]) / np.sqrt(variance * 2 / BATCHES_PER_HALF)
        credible = 2 * scipy.special.stdtr(degrees, -t_value) <= LEVEL
    return np.asarray(credible & (np.abs(shifts) >= SMALLEST_SHIFT), dtype=np.bool_)


BINS = 40
LEAST_BINS, SMALLEST_BIN = 10, 4
SMALLEST_DRIFT = 0.01
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
    """p-value of a slope of 0."""

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
    return float(2 * scipy.special.stdtr(degrees, -abs(slope) / error))
