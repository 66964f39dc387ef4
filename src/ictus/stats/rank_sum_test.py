"""Wilcoxon-Mann-Whitney rank-sum: does one of two independent samples tend to be smaller?

The default for two libraries, whose launches are different launches. Exact where no value occurs twice and n m <=
2,500; else the normal approximation with tie and continuity correction. On few, tied launches that approximation can
undercut what any exact test of these sizes could give (3 against 3 equal values: 0.047, where 0.1 is the smallest
possible), so an approximate p is never below 1 / C(n + m, n) a side. Source: papers/mpi-benchmarking-revisited,
section 6.2.
"""

from math import comb, sqrt
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import BoolArray, FloatArray
from ictus.stats.hypothesis import Alternative, HypothesisTest, TestResult, TestRows
from ictus.stats.null_distribution import EXACT_PAIRS, rank_sum_count


def rank_sum(a: ArrayLike, b: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Rank-sum test of samples `a` and `b` (launch medians, any one unit). `less`: `a` tends to be smaller.

    The statistic is Mann and Whitney's U of `a`: how many pairs have a > b, ties counting one half.
    `ValueError` for an empty sample or NaN.
    """
    return RANK_SUM.apply(a, b, alternative)


def _rows(a: FloatArray, b: FloatArray, alternative: Alternative) -> TestRows:
    n, m = a.shape[1], b.shape[1]
    exact = ~_has_ties(np.concatenate((a, b), axis=1)) & (n * m <= EXACT_PAIRS)
    statistic, p_value = np.empty(a.shape[0]), np.empty(a.shape[0])
    methods: tuple[tuple[BoolArray, Literal["exact", "asymptotic"]], ...] = ((exact, "exact"), (~exact, "asymptotic"))
    for chosen, method in methods:
        if chosen.any():
            with np.errstate(divide="ignore", invalid="ignore"):
                outcome = scipy.stats.mannwhitneyu(a[chosen], b[chosen], alternative=alternative, method=method, axis=1)
            statistic[chosen], p_value[chosen] = outcome.statistic, outcome.pvalue
    sides = 2 if alternative == "two-sided" else 1
    return TestRows(statistic, np.maximum(p_value, min(1.0, sides * _smallest_p(n, m))), exact)


def _has_ties(rows: FloatArray) -> BoolArray:
    ordered = np.sort(rows, axis=1)
    return np.asarray((ordered[:, 1:] == ordered[:, :-1]).any(axis=1), dtype=np.bool_)


def _smallest_p(n: int, m: int) -> float:
    return 1 / comb(n + m, n)


def _critical_effect(n: int, m: int, level: float) -> float:
    """The shift whose expected U is the largest one rejected: n m P(a > b) = k - 1/2, where P(a > b) = Phi(shift /
    sqrt 2).
    """
    count = rank_sum_count(n, m, level / 2)
    return sqrt(2) * float(scipy.special.ndtri(1 - (count - 0.5) / (n * m))) if count else float("inf")


RANK_SUM = HypothesisTest(
    name="rank-sum",
    summary="Wilcoxon-Mann-Whitney: independent launches, no assumption on the distribution",
    paired=False,
    rows=_rows,
    smallest_p=_smallest_p,
    critical_effect=_critical_effect,
)
