"""Welch's t-test of logarithms against its formula and scipy's interval."""

from math import sqrt

import numpy as np
import pytest
from scipy import special, stats

from ictus.stats.welch_test import WELCH, welch


def by_formula(a, b):
    """t, and the two-sided p through the incomplete beta function."""
    n, m = len(a), len(b)
    mean_a, mean_b = sum(a) / n, sum(b) / m
    va = sum((x - mean_a) ** 2 for x in a) / (n - 1) / n
    vb = sum((x - mean_b) ** 2 for x in b) / (m - 1) / m
    t = (mean_a - mean_b) / sqrt(va + vb)
    degrees = (va + vb) ** 2 / (va**2 / (n - 1) + vb**2 / (m - 1))
    return t, float(special.betainc(degrees / 2, 0.5, degrees / (degrees + t * t)))


def test_t_and_p_agree_with_the_formula_to_twelve_digits():
    """Unequal sizes and variances."""
    random = np.random.default_rng(1)
    a, b = random.normal(5, 1, 9).tolist(), random.normal(6, 3, 14).tolist()
    t, p_value = by_formula(a, b)
    a, b = np.exp(a), np.exp(b)
    found = welch(a, b)
    assert found.statistic == pytest.approx(t, rel=1e-12)
    assert found.p_value == pytest.approx(p_value, rel=1e-12)
    assert welch(a, b, "less").p_value == pytest.approx(p_value / 2 if t < 0 else 1 - p_value / 2, rel=1e-12)
    assert welch(a, b, "greater").p_value == pytest.approx(1 - p_value / 2 if t < 0 else p_value / 2, rel=1e-12)


@pytest.mark.parametrize("level", [0.05, 0.01])
def test_its_interval_is_that_of_scipy_to_twelve_digits(level):
    """Of the difference of mean logarithms; nothing is reached by one value a side, and by none that varies."""
    random = np.random.default_rng(2)
    a, b = random.lognormal(0, 0.3, (3, 9)), random.lognormal(0.1, 0.1, (3, 14))
    b[2], a[2] = 2.0, 3.0
    found = WELCH.own_shifts(a, b, level)
    for row in range(2):
        reference = stats.ttest_ind(np.log(a[row]), np.log(b[row]), equal_var=False).confidence_interval(1 - level)
        assert (found.low[row], found.high[row]) == pytest.approx((reference.low, reference.high), rel=1e-12)
    assert (found.estimate[2], found.low[2], found.high[2]) == (pytest.approx(np.log(1.5)), -np.inf, np.inf)
    assert WELCH.own_shifts(a[:, :1], b, level).reached == 0


@pytest.mark.parametrize(("a", "b"), [([1.0], [2.0, 3.0]), ([2.0, 2.0], [2.0, 2.0]), ([1.0, 1.0], [2.0, 2.0])])
def test_no_variance_no_p(a, b):
    """One value, or none that varies, is NaN: not 0, not 1."""
    assert np.isnan(welch(a, b).p_value)


def test_values_that_are_not_normal_are_remarked_on_the_side_they_are():
    """One launch thirty times slower than nine others is not normal; evenly spread quantiles are."""
    normal = special.ndtri((np.arange(10) + 0.5) / 10) + 100
    stray = np.array([1.0, 1.1, 0.9, 1.05, 0.95, 1.02, 0.98, 1.01, 0.99, 30.0])
    assert WELCH.remarks(normal, normal) == ()
    ((side, text),) = WELCH.remarks(normal, stray)
    assert side == 1
    assert "Shapiro-Wilk p = " in text
