"""Kolmogorov-Smirnov: do two independent samples come from different distributions, in whatever way they differ?

Offered because papers/pgmpi-performance-guidelines.txt does. Less able to see a shift than the rank-sum test. Mind
the direction: here, as in the whole family, `less` means that `a` tends to be smaller, so that its distribution
function lies **above** that of `b`; scipy names the alternative after the function and calls this `greater`. Exact up
to 10,000 values a side (conservative with ties), else the limiting distribution.
"""

import warnings
from math import comb, log, sqrt
from typing import Literal

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray
from ictus.stats.hypothesis import Alternative, HypothesisTest, TestResult, TestRows

EXACT_SIZE = 10_000
_EXCESS = 0.36
"""Simulated for 8 to 100 launches a side at levels 0.05, 0.005 and 0.0005: 0.21 to 0.40."""


def kolmogorov_smirnov(a: ArrayLike, b: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
    """Kolmogorov-Smirnov test of samples `a` and `b`. `less`: `a` tends to be smaller.

    The statistic is the largest distance of the two distribution functions in the direction of the alternative.
    `ValueError` for an empty sample or NaN.
    """
    return KOLMOGOROV_SMIRNOV.apply(a, b, alternative)


def _rows(a: FloatArray, b: FloatArray, alternative: Alternative) -> TestRows:
    of_function: Alternative = (
        "two-sided" if alternative == "two-sided" else "greater" if alternative == "less" else "less"
    )
    n, m = a.shape[1], b.shape[1]
    method: Literal["exact", "asymp"] = "exact" if max(n, m) <= EXACT_SIZE else "asymp"
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        outcome = scipy.stats.ks_2samp(a, b, alternative=of_function, method=method, axis=1)
    # scipy gives up an exact p that rounding lifts above 1, as for the least distance of 5 against 5 values, and warns.
    statistic, p_value = np.asarray(outcome.statistic), np.asarray(outcome.pvalue)
    certain = (n == m) & (statistic <= (1 + 1e-9) / n) & (alternative == "two-sided")
    exact = np.full(len(a), method == "exact" and not caught)
    return TestRows(statistic, np.where(certain, 1.0, p_value), exact | certain)


def _smallest_p(n: int, m: int) -> float:
    return 1 / comb(n + m, n)


def _critical_effect(n: int, m: int, level: float) -> float:
    """Two normal functions a shift apart have the distance 2 Phi(shift / 2) - 1; the limiting distribution says which
    distance is rejected.

    The largest of many noisy distances exceeds the true one, by `_EXCESS` standard errors at the shift that is found
    half the time.
    """
    if 2 * _smallest_p(n, m) > level:
        return float("inf")
    error = sqrt(1 / n + 1 / m)
    distance = error * (sqrt(-log(level / 2) / 2) - _EXCESS)
    return 2 * float(scipy.special.ndtri((1 + distance) / 2)) if distance < 1 else float("inf")


KOLMOGOROV_SMIRNOV = HypothesisTest(
    name="kolmogorov-smirnov",
    summary="two-sample Kolmogorov-Smirnov: independent launches, any difference in distribution",
    paired=False,
    rows=_rows,
    smallest_p=_smallest_p,
    critical_effect=_critical_effect,
    any_difference=True,
)
