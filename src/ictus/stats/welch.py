"""Welch's t-test: do the means of two independent samples differ, their variances being free to differ too?

It assumes normal launch means, which the papers found often but not always (papers/mpi-benchmarking-revisited,
section 6.2), so a Shapiro-Wilk test looks at each side and a remark says where normality is rejected at 5 %. Needs
two values a side that vary.
"""

from math import sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy import special

from ictus.stats.arrays import FloatArray
from ictus.stats.hypothesis import Alternative, HypothesisTest, TestResult, TestRows
from ictus.stats.shapiro_wilk import shapiro_wilk

NORMALITY_LEVEL = 0.05


def welch(a: ArrayLike, b: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Welch's t-test of samples `a` and `b`. `less`: the mean of `a` is smaller. The statistic is t.

    p is NaN where a side has one value, neither side varies, or a value is infinite. `ValueError` for an empty sample
    or NaN.
    """
    return WELCH.apply(a, b, alternative)


def _rows(a: FloatArray, b: FloatArray, alternative: Alternative) -> TestRows:
    varying = (a.min(axis=1) < a.max(axis=1)) | (b.min(axis=1) < b.max(axis=1))
    varying &= np.isfinite(a).all(axis=1) & np.isfinite(b).all(axis=1)
    statistic, p_value = np.full(len(a), np.nan), np.full(len(a), np.nan)
    if min(a.shape[1], b.shape[1]) >= 2 and varying.any():
        found = scipy.stats.ttest_ind(a[varying], b[varying], equal_var=False, alternative=alternative, axis=1)
        statistic[varying], p_value[varying] = found.statistic, found.pvalue
    return TestRows(statistic, p_value, np.ones(len(a), dtype=np.bool_))


def _remarks(a: FloatArray, b: FloatArray) -> tuple[tuple[int, str], ...]:
    p_values = [shapiro_wilk(side) if np.isfinite(side).all() else float("nan") for side in (a, b)]
    return tuple(
        (side, f"values are not normal, as Welch's test assumes (Shapiro-Wilk p = {p_value:.2g}); prefer rank-sum")
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
    return float(special.stdtrit(n + m - 2, 1 - level / 2)) * sqrt(1 / n + 1 / m)


WELCH = HypothesisTest(
    name="welch",
    summary="Welch's t-test on means: independent launches, normal values",
    paired=False,
    rows=_rows,
    smallest_p=_smallest_p,
    critical_effect=_critical_effect,
    remarks=_remarks,
)
