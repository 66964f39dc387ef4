"""Did a launch settle? The shift between its first and its second half, and whether it is more than noise.

The shift is median(second half) / median(first half) - 1 of the kept samples in the order measured. A large one says
that the warm-up was not over or that the library switched its algorithm.

Whether it matters cannot be asked of the samples themselves: neighbours within a launch resemble each other
(papers/mpi-benchmarking-revisited, section 5.3), so a test that takes 1,000 samples for 1,000 witnesses finds a shift
nearly everywhere. The samples are therefore cut into batches, ten a half, whose means are nearly independent once a
batch is longer than the correlation. What correlation is left between neighbouring batches is estimated from the
batch means and widens the error of the halves' difference by (1 + r) / (1 - r), the factor of a first-order
autoregressive process. A shift matters when that t-test rejects at 1 % **and** the shift is at least 1 %: what is
smaller decides no comparison. Method: batch means, as in A. M. Law, Simulation Modeling and Analysis, chapter 9.
"""

import numpy as np
from scipy import special

from ictus.stats.arrays import BoolArray, FloatArray
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
    """Means of ten batches from the start and ten from the end, shape (20,); NaN where a batch would be too short to
    tell.
    """
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
        credible = 2 * special.stdtr(degrees, -t_value) <= LEVEL
    return np.asarray(credible & (np.abs(shifts) >= SMALLEST_SHIFT), dtype=np.bool_)
