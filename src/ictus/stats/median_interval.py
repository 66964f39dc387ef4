"""The median over launches with an interval that assumes nothing about the distribution but independence.

The interval reaches from the k-th smallest to the k-th largest value. Each launch median lies below the true median
with chance 1/2, so the number that do is binomial, and k is the largest number for which fewer than k of them has at
most half the level. Six launches are the fewest that reach 95 %. Source: Hollander, Wolfe, Chicken, Nonparametric
Statistical Methods, section 3.6.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ictus.stats.arrays import as_sample


@dataclass(frozen=True)
class MedianInterval:
    """Median of a sample with its limits, in its unit; the limits are None where so few values cannot reach the
    confidence.
    """

    median: float
    low: float | None
    high: float | None


def median_interval(values: ArrayLike, confidence: float = 0.95) -> MedianInterval:
    """The median of `values`, shape (launches,), with its interval; `ValueError` for an empty sample, NaN, or a
    confidence outside (0, 1).
    """
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    ordered = np.sort(as_sample(values, "values"))
    rank = order_rank(ordered.size, confidence)
    median = float(ordered[(ordered.size - 1) // 2] + ordered[ordered.size // 2]) / 2
    if rank == 0:
        return MedianInterval(median, None, None)
    return MedianInterval(median, float(ordered[rank - 1]), float(ordered[-rank]))


@lru_cache(maxsize=4096)
def order_rank(n: int, confidence: float) -> int:
    """The largest k for which P(Binomial(n, 1/2) < k) <= (1 - confidence) / 2; 0 where there is none."""
    half = (1 - confidence) / 2
    below = special.bdtr(np.arange(n // 2), n, 0.5)
    return int(np.count_nonzero(below <= half))
