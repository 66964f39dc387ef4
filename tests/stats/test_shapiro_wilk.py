"""The Shapiro-Wilk test of normality."""

import numpy as np
import pytest
from scipy import stats

from ictus.stats.binomial_rate import rate
from ictus.stats.normality import shapiro_wilk


def test_the_published_example():
    """Shapiro and Wilk (1965), weights of eleven men: W = 0.79; R's shapiro.test says p = 0.006704."""
    weights = [148, 154, 158, 160, 161, 162, 166, 170, 182, 195, 236]
    assert shapiro_wilk(weights) == pytest.approx(0.006704, abs=5e-7)


@pytest.mark.parametrize("n", [3, 11, 12, 50, 5000])
def test_p_is_that_of_scipy_to_twelve_digits(n):
    """Of normal and of skewed samples, on both sides of the sizes at which Royston's formulas change."""
    for sample in (np.random.default_rng(n).normal(5, 1, n), np.random.default_rng(n).lognormal(0, 0.5, n)):
        assert shapiro_wilk(sample) == pytest.approx(float(stats.shapiro(sample).pvalue), rel=1e-12)


def test_normal_samples_are_rejected_at_the_level_and_skewed_ones_nearly_always():
    """5 % of 1,000 normal samples of 30; nearly all of those from an exponential."""
    random = np.random.default_rng(3)
    false = sum(shapiro_wilk(row) <= 0.05 for row in random.standard_normal((1000, 30)))
    found = sum(shapiro_wilk(row) <= 0.05 for row in random.exponential(size=(200, 30)))
    assert rate(false, 1000, "at most", 0.05).holds
    assert rate(found, 200, "at least", 0.9).holds


@pytest.mark.parametrize("values", [[1.0], [1.0, 2.0], [4.0] * 9, np.arange(5001.0)])
def test_undefined_is_nan(values):
    """Fewer than three values, constant ones, or more than the p-value is good for."""
    assert np.isnan(shapiro_wilk(values))


def test_ties_are_tested_like_other_values():
    """Rounded clocks tie: a defined p, and many ties are not normal."""
    assert 0 < shapiro_wilk([1, 1, 2, 2, 3, 3, 4, 4]) <= 1
    assert shapiro_wilk([1.0] * 20 + [2.0] * 10) < 0.001


@pytest.mark.parametrize("values", [[], [1.0, 2.0, np.nan], [1.0, 2.0, np.inf]])
def test_what_is_no_sample_is_refused(values):
    """An error, never a p-value."""
    with pytest.raises(ValueError, match="the series"):
        shapiro_wilk(values)
