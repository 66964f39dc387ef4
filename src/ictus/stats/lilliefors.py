"""Kolmogorov-Smirnov against a normal whose mean and spread are those of the sample itself: Lilliefors' test.

The normal is fitted to the values that it is compared with, so it lies nearer to them than the true one would, and the
p-value of the plain Kolmogorov-Smirnov test is far too large: it would call nearly everything normal. H. W. Lilliefors,
On the Kolmogorov-Smirnov test for normality with mean and variance unknown, JASA 62 (1967), therefore simulated the
distribution of the distance D, which does not depend on mean and spread. We do the same: p is the share of 20,000
simulated normal samples that lie at least as far from their own normal. The seed is fixed, so that equal samples have
equal p. In Stephens' scale, D (sqrt(n) - 0.01 + 0.85 / sqrt(n)), the distribution hardly depends on n either (M. A.
Stephens, EDF statistics for goodness of fit, JASA 69, 1974): more than 200 values are judged by samples of 200.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ictus.stats.arrays import FloatArray, finite_sample

LEAST = 4
"""Of three values D takes hardly more than a point."""
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
    if sample.size < LEAST or np.ptp(sample) == 0:
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
    fitted = special.ndtr((ordered - ordered.mean(axis=1, keepdims=True)) / spread)
    steps = np.arange(n + 1) / n
    return np.asarray(np.maximum(steps[1:] - fitted, fitted - steps[:-1]).max(axis=1), dtype=np.float64)


def _scale(n: int) -> float:
    return sqrt(n) - 0.01 + 0.85 / sqrt(n)


@lru_cache(maxsize=64)
def _null(n: int) -> FloatArray:
    """What normal samples of `n` give, in Stephens' scale, ascending, shape (20,000,)."""
    random = np.random.default_rng((_SEED, n))
    blocks = [_distances(random.standard_normal((_BLOCK, n))) for _ in range(_SIMULATED // _BLOCK)]
    return np.asarray(np.sort(np.concatenate(blocks)) * _scale(n), dtype=np.float64)
