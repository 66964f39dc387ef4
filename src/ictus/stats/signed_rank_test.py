"""Wilcoxon signed-rank on the log ratios of pairs: is one of two measured in the same launches faster?

The default for a call and its mock-up, two process synchronisations, adjacent sizes. Both sides of a pair share the
factor (0.7 to 1.4) by which their launch was fast or slow, and the ratio cancels it. Equal pairs are dropped, as in
Wilcoxon's paper and in R. The test is exact where no pair is dropped, no two log ratios have the same size, and there
are at most 50 pairs; else it is the normal approximation with tie and continuity correction, never below 2^-n a side
for the n remaining pairs. If all pairs are equal, p = 1.
"""

from math import sqrt
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import BoolArray, FloatArray, require_times
from ictus.stats.hypothesis import Alternative, HypothesisTest, TestResult, TestRows
from ictus.stats.null_distribution import EXACT_SIZE, signed_rank_count

_Method = Literal["exact", "asymptotic"]


def signed_rank(a: ArrayLike, b: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Signed-rank test of log(a / b); `a[i]` and `b[i]` are times of launch i. `less`: `a` tends to be smaller.

    The statistic is T+: the ranks of |log(a / b)|, summed over the pairs with a > b.
    `ValueError` for empty samples, NaN, unequal sizes, or times that are not positive and finite.
    """
    return SIGNED_RANK.apply(a, b, alternative)


def log_ratios(a: FloatArray, b: FloatArray) -> FloatArray:
    """log(a / b), element by element, in the shape that they have together.

    `ValueError` unless all times are positive and finite.
    """
    require_times(a, "a")
    require_times(b, "b")
    with np.errstate(over="ignore", under="ignore", divide="ignore"):
        ratios = np.log(a / b)
    too_large = ~np.isfinite(ratios)  # or too small: the quotient is not a number, its logarithm is one
    return np.asarray(np.where(too_large, np.log(a) - np.log(b), ratios) if too_large.any() else ratios)


def _rows(a: FloatArray, b: FloatArray, alternative: Alternative) -> TestRows:
    # A ratio and its inverse are a tie, though their logarithms may differ in the last bit: no clock has twelve digits.
    ratios = np.round(log_ratios(a, b), 12)
    ordered = np.sort(np.abs(ratios), axis=1)
    n = ratios.shape[1]
    exact = (ordered[:, 0] > 0) & ~(ordered[:, 1:] == ordered[:, :-1]).any(axis=1) & (n <= EXACT_SIZE)
    approximate = ~exact & (ordered[:, -1] > 0)
    statistic, p_value = np.zeros(ratios.shape[0]), np.ones(ratios.shape[0])
    methods: tuple[tuple[BoolArray, _Method], ...] = ((exact, "exact"), (approximate, "asymptotic"))
    for chosen, method in methods:
        if chosen.any():
            rows = _scipy(ratios[chosen], alternative, method)
            statistic[chosen], p_value[chosen] = rows.statistic, rows.p_value
    left = np.count_nonzero(ordered, axis=1)
    sides = 2.0 if alternative == "two-sided" else 1.0
    return TestRows(statistic, np.maximum(p_value, np.minimum(1.0, sides * 0.5**left)), exact)


def _scipy(ratios: FloatArray, alternative: Alternative, method: _Method) -> TestRows:
    # Wilcoxon's zero_method leaves pairs that are equal out of the ranks.
    outcome = scipy.stats.wilcoxon(
        ratios, alternative=alternative, method=method, correction=True, zero_method="wilcox", axis=1, keepdims=True
    )
    # For two sides scipy reports the smaller of T+ and T-: it is T+ here, so that it means one thing.
    zeros = np.count_nonzero(ratios == 0, axis=1, keepdims=True)
    ranks = scipy.stats.rankdata(np.abs(ratios), axis=1) - zeros
    positive = np.where(ratios > 0, ranks, 0.0).sum(axis=1)
    return TestRows(positive, outcome.pvalue.ravel(), np.full(len(ratios), method == "exact"))


def _smallest_p(n: int, m: int) -> float:
    return 0.5 ** min(n, m)


def _critical_effect(n: int, _m: int, level: float) -> float:
    """The mean of normal log ratios, in their standard deviations, whose expected T- is the largest one rejected."""
    count = signed_rank_count(n, level / 2)
    if count == 0:
        return float("inf")
    return float(scipy.optimize.brentq(lambda effect: _mean_below(n, effect) - (count - 0.5), -40.0, 40.0))


def _mean_below(n: int, effect: float) -> float:
    """Expected T-: single ratios below 0, and pairs of ratios whose sum is."""
    return float(n * scipy.special.ndtr(-effect) + n * (n - 1) / 2 * scipy.special.ndtr(-sqrt(2) * effect))


SIGNED_RANK = HypothesisTest(
    name="signed-rank",
    summary="Wilcoxon signed-rank on log ratios: both measured in the same launches",
    paired=True,
    rows=_rows,
    smallest_p=_smallest_p,
    critical_effect=_critical_effect,
)
