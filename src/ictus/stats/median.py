"""The exact median of a large sample in few passes, and the interval of a median over launches.

Every 16th value gives two bounds that almost surely enclose the median. Values below the lower bound are counted, and
only those between the bounds are sorted; if the median is not among them, everything is sorted. The cost is three
branchless sweeps. R. W. Floyd and R. L. Rivest, Expected time bounds for selection, Comm. ACM 18, 1975, choose their
bounds in the same way.

The interval assumes only independence. It reaches from the k-th smallest to the k-th largest value. Each launch median
lies below the true median with chance 1/2, so the number that do is binomial; k is the largest number for which fewer
than k of them has at most half the level. Six launches are the fewest that reach 95 %. Source: Hollander, Wolfe,
Chicken, Nonparametric Statistical Methods, section 3.6.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import floor, sqrt

import numpy as np
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray, as_sample

_SMALL = 4096
"""At most this number of values is sorted at once."""
_STEP = 16
_MARGIN = 4.0
"""Standard deviations of the rank that the median has among every 16th value, sqrt(n) / 2."""


def median_of(values: FloatArray) -> float:
    """Median of a non-empty sample without NaN, shape (n,), as `numpy.median` has it but for its checks."""
    lower, upper = (values.size - 1) // 2, values.size // 2
    low, high = _order_statistics(values, lower, upper)
    return low + (high - low) / 2 if low < high else low


def _order_statistics(values: FloatArray, lower: int, upper: int) -> tuple[float, float]:
    """The values of rank `lower` and `upper`, which are neighbours or the same."""
    if values.size > _SMALL:
        part = np.sort(values[::_STEP])
        reach = int(_MARGIN * sqrt(part.size) / 2) + 1
        floor, ceiling = part[part.size // 2 - reach], part[part.size // 2 + reach]
        below = int(np.count_nonzero(values < floor))
        near = values[(values >= floor) & (values <= ceiling)]
        if below <= lower and upper < below + near.size:
            near.sort()
            return float(near[lower - below]), float(near[upper - below])
    ordered = np.sort(values)
    return float(ordered[lower]), float(ordered[upper])


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
    at_most = floor(Fraction((1 - confidence) / 2) * 2**n)
    below, ways = 0, 1
    for rank in range(n // 2):  # in whole numbers: of 2**n halves, those with at most `rank` launches below
        below += ways
        if below > at_most:
            return rank
        ways = ways * (n - rank) // (rank + 1)
    return n // 2
