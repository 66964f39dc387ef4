"""How narrow the interval of a median over launches, or of a ratio of two, is, and when it is narrow enough.

The half-width of an interval from low to high is sqrt(high / low) - 1: half its width on the log scale. Intervals are
those that are shown: order statistics for a median, the inversion of the rank-sum test for a ratio.

Whoever looks after every launch and stops at the first narrow interval catches it at a moment at which it is narrow by
chance too: then a 95 % interval of a median covers 91 to 93 %. So the goal has to be met at two looks in a row, the
last and the one before. What the coverage then is, tests/stats/test_stopping.py simulates (docs/statistics.md has the
numbers). The p-value has no part in it.
"""

from collections.abc import Callable
from math import exp, log, log1p, pi

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ictus.stats.arrays import FloatArray, as_sample
from ictus.stats.interval import hodges_lehmann
from ictus.stats.median_interval import median_interval

EFFICIENCY = {"median": pi / 2, "ratio": pi / 3}
"""Variance of each estimate relative to that of a mean, for normal log medians."""
_TRUSTED = 10
"""Launches that weigh as much as the normal distribution's word."""
_FURTHEST = 5.0
LOOKS = 2
"""So many looks in a row must meet the goal."""


def half_width(low: float | None, high: float | None) -> float | None:
    """Half-width of an interval of times or ratios, as a share; None where a limit is missing or not positive."""
    if low is None or high is None or not (low > 0 and np.isfinite(high)):
        return None
    return exp(log(high / low) / 2) - 1


def median_half_width(values: ArrayLike, confidence: float = 0.95) -> float | None:
    """Half-width of the interval of the median of `values` (times), shape (launches,), as a share; None where so few
    have no interval.

    `ValueError` for an empty sample or NaN.
    """
    return half_width(*_limits(as_sample(values, "values"), confidence))


def ratio_half_width(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> float | None:
    """The same of the ratio of two independent samples of times, A/B."""
    found = hodges_lehmann(a, b, paired=False, confidence=confidence)
    return half_width(found.low, found.high)


def pairs_half_width(a: ArrayLike, b: ArrayLike, confidence: float = 0.95) -> float | None:
    """The same of the ratio of pairs, measured in the same launches: a and b have shape (launches,)."""
    found = hodges_lehmann(a, b, paired=True, confidence=confidence)
    return half_width(found.low, found.high)


def median_reached(values: ArrayLike, share: float, confidence: float = 0.95) -> bool:
    """Whether the median of `values`, in the order measured, is as precise as `share` at the last looks."""
    known = as_sample(values, "values")
    return _reached(lambda n: median_half_width(known[:n], confidence), known.size, share)


def ratio_reached(a: ArrayLike, b: ArrayLike, share: float, confidence: float = 0.95) -> bool:
    """The same of the ratio of two samples; a look takes one more launch of each."""
    first, second = as_sample(a, "a"), as_sample(b, "b")

    def width(n: int) -> float | None:
        back = max(first.size, second.size) - n
        left, right = first[: first.size - back], second[: second.size - back]
        return ratio_half_width(left, right, confidence) if left.size and right.size else None

    return _reached(width, max(first.size, second.size), share)


def pairs_reached(a: ArrayLike, b: ArrayLike, share: float, confidence: float = 0.95) -> bool:
    """The same of the ratio of pairs; a look takes one more launch, which has both."""
    first, second = as_sample(a, "a"), as_sample(b, "b")
    return _reached(lambda n: pairs_half_width(first[:n], second[:n], confidence), first.size, share)


def allowed_variance(share: float, efficiency: float, confidence: float = 0.95) -> float:
    """The variance that the mean of log launch medians may have for the interval to be as narrow as `share`; for a
    ratio, the sum of both sides' variances. `efficiency` is that of the estimate, as in EFFICIENCY.
    """
    return (log1p(share) / float(special.ndtri((1 + confidence) / 2))) ** 2 / efficiency


def seen_efficiency(
    quantity: str, half_width: float, variance: float, launches: int, confidence: float = 0.95
) -> float:
    """EFFICIENCY, corrected by what an interval really was where the `variance` of the mean would explain another one:
    launch medians are hardly normal. The more launches, the more their word counts.
    """
    expected = EFFICIENCY[quantity]
    if not variance > 0:
        return expected
    seen = (log1p(half_width) / float(special.ndtri((1 + confidence) / 2))) ** 2 / variance
    seen = min(max(seen, expected / _FURTHEST), expected * _FURTHEST)
    return (_TRUSTED * expected + launches * seen) / (_TRUSTED + launches)


def _reached(width: Callable[[int], float | None], n: int, share: float) -> bool:
    looks = (width(n - back) for back in range(LOOKS))  # the last first: mostly it is the one that is too wide
    return n >= LOOKS and all(one is not None and one <= share for one in looks)


def _limits(values: FloatArray, confidence: float) -> tuple[float | None, float | None]:
    found = median_interval(values, confidence)
    return found.low, found.high
