"""The mean with Student's interval, and how the mean of a few samples scatters.

The interval assumes independent values whose mean is about normal: means of launches, or many repetitions. The
sampling distribution shows how soon that holds: the means of k samples become normal as k grows (central limit
theorem), more slowly for the long tail of latencies. As in Fig. 13 of papers/mpi-benchmarking-revisited, k of the
measured samples are drawn with replacement, many times, from a given seed. Such draws are independent, neighbouring
repetitions need not be: means of k successive samples scatter more, by the factor of the effective sample size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray, as_sample, finite_sample
from ictus.stats.normality import lilliefors


@dataclass(frozen=True)
class MeanInterval:
    """Mean of a sample with its limits, in its unit; the limits are None for fewer than two values."""

    mean: float
    low: float | None
    high: float | None


def mean_interval(values: ArrayLike, confidence: float = 0.95) -> MeanInterval:
    """The mean of `values`, shape (n,), with its interval; `ValueError` for an empty sample, NaN, or a confidence
    outside (0, 1).
    """
    sample = as_sample(values, "values")
    deviation = float(np.std(sample, ddof=1)) if sample.size > 1 else float("nan")
    return from_moments(float(np.mean(sample)), deviation, sample.size, confidence)


def from_moments(mean: float, deviation: float, n: int, confidence: float = 0.95) -> MeanInterval:
    """The same from the mean of `n` values and their standard deviation (that of a sample)."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    if n < 2:
        return MeanInterval(mean, None, None)
    half = float(scipy.special.stdtrit(n - 1, (1 + confidence) / 2)) * deviation / sqrt(n)
    return MeanInterval(mean, mean - half, mean + half)


SIZES = (10, 30, 100, 300, 1000)
DRAWS = 1000
LEVEL = 0.05
_BLOCK = 4_000_000


@dataclass(frozen=True)
class MeanDistribution:
    """Means of `size` samples, drawn again and again."""

    size: int
    means: FloatArray
    """Shape (draws,), in the unit of the samples, in the order drawn."""

    @property
    def spread(self) -> float:
        """Standard deviation of the means, relative to their mean; NaN where that is 0."""
        middle = float(self.means.mean())
        return float(self.means.std(ddof=1)) / middle if middle and self.means.size > 1 else float("nan")

    @property
    def skewness(self) -> float:
        """Third standardised moment: 0 for a normal, positive where the right tail is longer; NaN for equal means."""
        away = self.means - self.means.mean()
        variance = float((away**2).mean())
        return float((away**3).mean()) / variance**1.5 if np.ptp(self.means) > 0 else float("nan")

    @property
    def normality_p(self) -> float:
        """Lilliefors' p-value of the means; NaN where they are equal."""
        return lilliefors(self.means).p_value


def mean_distributions(
    values: ArrayLike, sizes: Sequence[int] = SIZES, *, seed: int, draws: int = DRAWS
) -> tuple[MeanDistribution, ...]:
    """The distribution of the mean for each size, `draws` means each. A size's means do not depend on the others.

    `ValueError` for an empty sample, NaN or infinity, and for sizes or draws below 1.
    """
    sample = finite_sample(values)
    if draws < 1 or any(size < 1 for size in sizes):
        raise ValueError(f"sizes {tuple(sizes)} and draws {draws} must be at least 1")
    return tuple(MeanDistribution(size, _means(sample, size, draws, seed)) for size in sizes)


def _means(sample: FloatArray, size: int, draws: int, seed: int) -> FloatArray:
    """Means of `size` values drawn from the sample with replacement, in blocks that bound the memory."""
    random = np.random.default_rng((seed, size))
    rows = max(1, _BLOCK // size)
    blocks = [
        sample[random.integers(0, sample.size, (min(rows, draws - begin), size))].mean(axis=1)
        for begin in range(0, draws, rows)
    ]
    return np.asarray(np.concatenate(blocks), dtype=np.float64)
