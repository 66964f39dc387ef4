"""Are values normal? Shapiro-Wilk, Lilliefors, and the points of a Q-Q plot.

Shapiro-Wilk is the most powerful test for few values; it is scipy's (Royston's algorithm AS R94), good up to 5,000.

Lilliefors' test is Kolmogorov-Smirnov against a normal with the mean and spread of the sample itself. Such a normal is
closer to the values than the true one, so the plain p-value would be far too large. H. W. Lilliefors, On the
Kolmogorov-Smirnov test for normality with mean and variance unknown, JASA 62 (1967), simulated the distribution of the
distance D, which does not depend on mean and spread. We do the same: p is the share of 20,000 simulated normal samples
with at least the same D; the seed is fixed. In Stephens' scale, D (sqrt(n) - 0.01 + 0.85 / sqrt(n)), the distribution
hardly depends on n (M. A. Stephens, JASA 69, 1974), so samples of 200 judge larger ones too.

The k-th of n values of a Q-Q plot stands for the probability (k - a) / (n + 1 - 2a), with a = 3/8 up to 10 values
(Blom) and 1/2 beyond, as in R's `qqnorm`. The line goes through both quartiles (R's `qqline`): a long tail bends the
ends away from it and does not tilt it. papers/mpi-benchmarking-revisited, Fig. 13.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray, finite_sample
from ictus.stats.summary import quantile_sorted

FEWEST, MOST = 3, 5000


def shapiro_wilk(values: ArrayLike) -> float:
    """p-value of the Shapiro-Wilk test; NaN for fewer than 3 or more than 5,000 values, or constant ones.

    `ValueError` for an empty sample, NaN or infinity.
    """
    sample = finite_sample(values)
    if not FEWEST <= sample.size <= MOST or np.ptp(sample) == 0:
        return float("nan")
    return float(scipy.stats.shapiro(sample).pvalue)


LEAST_VALUES = 4
"""With three values D hardly has more than one possible value."""
_SIMULATED, _LARGEST, _BLOCK, _SEED = 20_000, 200, 2_000, 1


@dataclass(frozen=True)
class Lilliefors:
    """`distance` D and its p-value, which is a multiple of 1 / 20,001 and never 0; NaN where it is undefined."""

    distance: float
    p_value: float


def lilliefors(values: ArrayLike) -> Lilliefors:
    """Lilliefors' test of normality; both NaN for fewer than 4 values or constant ones.

    `ValueError` for an empty sample, NaN or infinity. Standard error of p: at most 0.0035, 0.0016 at 0.05.
    """
    sample = finite_sample(values)
    if sample.size < LEAST_VALUES or np.ptp(sample) == 0:
        return Lilliefors(float("nan"), float("nan"))
    distance = float(_distances(sample[np.newaxis])[0])
    chance = _null(min(sample.size, _LARGEST))
    at_least = chance.size - int(np.searchsorted(chance, distance * _scale(sample.size) * (1 - 1e-12)))
    return Lilliefors(distance, (1 + at_least) / (1 + chance.size))


def _distances(samples: FloatArray) -> FloatArray:
    """D of each row of `samples`, shape (rows, n): the largest distance of the step function from the fitted normal."""
    n = samples.shape[1]
    ordered = np.sort(samples, axis=1)
    spread = ordered.std(axis=1, ddof=1, keepdims=True)
    fitted = scipy.special.ndtr((ordered - ordered.mean(axis=1, keepdims=True)) / spread)
    steps = np.arange(n + 1) / n
    return np.asarray(np.maximum(steps[1:] - fitted, fitted - steps[:-1]).max(axis=1), dtype=np.float64)


def _scale(n: int) -> float:
    return sqrt(n) - 0.01 + 0.85 / sqrt(n)


@lru_cache(maxsize=64)
def _null(n: int) -> FloatArray:
    """The distances of normal samples of `n`, in Stephens' scale, ascending, shape (20,000,)."""
    random = np.random.default_rng((_SEED, n))
    blocks = [_distances(random.standard_normal((_BLOCK, n))) for _ in range(_SIMULATED // _BLOCK)]
    return np.asarray(np.sort(np.concatenate(blocks)) * _scale(n), dtype=np.float64)


_FEW = 10


@dataclass(frozen=True)
class NormalQuantiles:
    """Points of a Q-Q plot and the line through their quartiles."""

    normal: FloatArray
    """Quantiles of the standard normal, ascending, shape (n,)."""
    values: FloatArray
    """The values, ascending, shape (n,)."""
    intercept: float
    slope: float
    """The line `intercept + slope * normal`; slope 0 where the quartiles coincide."""


def normal_quantiles(values: ArrayLike) -> NormalQuantiles:
    """Q-Q points of a sample of any order against the standard normal. `ValueError` for an empty sample, NaN or
    infinity.
    """
    ordered = np.sort(finite_sample(values))
    n = ordered.size
    offset = 0.375 if n <= _FEW else 0.5
    normal = np.asarray(scipy.special.ndtri((np.arange(1, n + 1) - offset) / (n + 1 - 2 * offset)), dtype=np.float64)
    quarter = float(scipy.special.ndtri(0.75))
    q1, q3 = quantile_sorted(ordered, 0.25), quantile_sorted(ordered, 0.75)
    return NormalQuantiles(normal, ordered, (q1 + q3) / 2, (q3 - q1) / (2 * quarter))
