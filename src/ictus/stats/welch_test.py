"""Welch's t-test: do the means of two independent samples with possibly different variances differ?

It tests the logarithms of times, so that it agrees with the ratio of geometric means shown beside it: the interval of
this ratio holds 1 exactly where the test does not reject. It assumes normal logarithms. The papers found this for
launch means often but not always (papers/mpi-benchmarking-revisited, section 6.2), so a Shapiro-Wilk test of each side
adds a remark where it rejects normality at 5 %. Each side needs two values that differ.
"""

from math import sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import BoolArray, FloatArray
from ictus.stats.hypothesis import Alternative, HypothesisTest, Shifts, TestResult, TestRows
from ictus.stats.normality import shapiro_wilk

NORMALITY_LEVEL = 0.05


def welch(a: ArrayLike, b: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Welch's t-test of the logarithms of times `a` and `b`. `less`: the mean of `a` is smaller. The statistic is t.

    p is NaN where a side has one value, neither side varies, or a value is infinite or not positive. `ValueError` for
    an empty sample or NaN.
    """
    return WELCH.apply(a, b, alternative)


def _rows(a: FloatArray, b: FloatArray, alternative: Alternative) -> TestRows:
    varying = _testable(a, b)
    statistic, p_value = np.full(len(a), np.nan), np.full(len(a), np.nan)
    if varying.any():
        first, second = np.log(a[varying]), np.log(b[varying])
        # From the moments: of launches that are nearly identical ttest_ind itself warns, on the terminal.
        of_a, of_b = ((side.mean(axis=1), side.std(axis=1, ddof=1), side.shape[1]) for side in (first, second))
        outcome = scipy.stats.ttest_ind_from_stats(*of_a, *of_b, equal_var=False, alternative=alternative)
        statistic[varying], p_value[varying] = outcome.statistic, outcome.pvalue
    return TestRows(statistic, p_value, np.ones(len(a), dtype=np.bool_))


def _testable(a: FloatArray, b: FloatArray) -> BoolArray:
    """Which cases have a test: two times a side or more, all positive and finite, that vary on one side at least."""
    if min(a.shape[1], b.shape[1]) < 2:
        return np.zeros(len(a), dtype=np.bool_)
    varying = (a.min(axis=1) < a.max(axis=1)) | (b.min(axis=1) < b.max(axis=1))
    for side in (a, b):
        varying &= (np.isfinite(side) & (side > 0)).all(axis=1)
    return np.asarray(varying, dtype=np.bool_)


def _own_shifts(a: FloatArray, b: FloatArray, level: float) -> Shifts:
    """Ratios of geometric means with Welch's intervals, by Satterthwaite's degrees of freedom."""
    n, m, testable = a.shape[1], b.shape[1], _testable(a, b)
    first, second = np.log(a), np.log(b)
    estimate = first.mean(axis=1) - second.mean(axis=1)
    low, high = np.full(len(a), -np.inf), np.full(len(a), np.inf)
    if testable.any():
        of_a, of_b = first[testable].var(axis=1, ddof=1) / n, second[testable].var(axis=1, ddof=1) / m
        degrees = (of_a + of_b) ** 2 / (of_a**2 / (n - 1) + of_b**2 / (m - 1))
        reach = scipy.special.stdtrit(degrees, 1 - level / 2) * np.sqrt(of_a + of_b)
        low[testable], high[testable] = estimate[testable] - reach, estimate[testable] + reach
    return Shifts(estimate, low, high, 1.0 if min(n, m) >= 2 else 0.0)


def _remarks(a: FloatArray, b: FloatArray) -> tuple[tuple[int, str], ...]:
    fit = [bool((np.isfinite(side) & (side > 0)).all()) for side in (a, b)]
    p_values = [shapiro_wilk(np.log(side)) if good else float("nan") for side, good in zip((a, b), fit, strict=True)]
    return tuple(
        (side, f"logarithms are not normal, as Welch's test assumes (Shapiro-Wilk p = {p_value:.2g}); prefer rank-sum")
        for side, p_value in enumerate(p_values)
        if p_value <= NORMALITY_LEVEL
    )


def _smallest_p(n: int, m: int) -> float:
    """Two values a side can lie as close together as they like: no p is too small to reach. One value cannot be
    tested.
    """
    return 0.0 if min(n, m) >= 2 else 1.0


def _critical_effect(n: int, m: int, level: float) -> float:
    if min(n, m) < 2:
        return float("inf")
    return float(scipy.special.stdtrit(n + m - 2, 1 - level / 2)) * sqrt(1 / n + 1 / m)


WELCH = HypothesisTest(
    name="welch",
    summary="Welch's t-test on means of logarithms: independent launches, normal values",
    paired=False,
    rows=_rows,
    smallest_p=_smallest_p,
    critical_effect=_critical_effect,
    own_shifts=_own_shifts,
    remarks=_remarks,
)
