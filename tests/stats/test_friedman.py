"""Friedman against its formula, published values, and its promise."""

import numpy as np
import pytest
from scipy import special

from ictus.stats.binomial_rate import rate
from ictus.stats.ranking import friedman


def by_formula(samples):
    """The statistic with the correction for ties, and p through the incomplete gamma function, written out."""
    rows = np.column_stack(samples)
    n, k = rows.shape
    ranks = np.array([[np.sum(row < x) + (np.sum(row == x) + 1) / 2 for x in row] for row in rows])
    ties = sum(count**3 - count for row in rows for count in np.unique(row, return_counts=True)[1])
    sums = ranks.sum(axis=0)
    raw = 12 / (n * k * (k + 1)) * (sums**2).sum() - 3 * n * (k + 1)
    statistic = raw / (1 - ties / (n * k * (k * k - 1)))
    return statistic, float(special.gammaincc((k - 1) / 2, statistic / 2))


@pytest.mark.parametrize("digits", [6, 1, 0])
@pytest.mark.parametrize("k", [3, 5])
def test_statistic_and_p_agree_with_the_formula_to_twelve_digits(k, digits):
    """Ties within launches: none, some, many."""
    random = np.random.default_rng(1)
    samples = [np.round(random.normal(5 + 0.4 * index, 1, 11), digits) for index in range(k)]
    found = friedman(samples)
    assert (found.statistic, found.p_value) == pytest.approx(by_formula(samples), rel=1e-12)


def test_the_published_example():
    """R's documentation of friedman.test (Hollander and Wolfe, 1973, rounding first base): 11.143, p = 0.003805."""
    round_out = [5.40, 5.85, 5.20, 5.55, 5.90, 5.45, 5.40, 5.45, 5.25, 5.85, 5.25, 5.65, 5.60, 5.05, 5.50, 5.45, 5.55]
    narrow = [5.50, 5.70, 5.60, 5.50, 5.85, 5.55, 5.40, 5.50, 5.15, 5.80, 5.20, 5.55, 5.35, 5.00, 5.50, 5.55, 5.55]
    wide = [5.55, 5.75, 5.50, 5.40, 5.70, 5.60, 5.35, 5.35, 5.00, 5.70, 5.10, 5.45, 5.45, 4.95, 5.40, 5.50, 5.35]
    samples = [[*round_out, 5.45, 5.50, 5.65, 5.70, 6.30], [*narrow, 5.50, 5.45, 5.60, 5.65, 6.30]]
    found = friedman([*samples, [*wide, 5.55, 5.25, 5.40, 5.55, 6.25]])
    assert found.statistic == pytest.approx(11.143, abs=5e-4)
    assert found.p_value == pytest.approx(0.003805, abs=5e-7)


def test_what_a_launch_shares_cancels():
    """Launches that differ tenfold, and 1 % between three treatments in each of them."""
    launch = np.random.default_rng(2).lognormal(0, 1, 10)
    assert friedman([launch, 1.01 * launch, 1.02 * launch]).p_value < 1e-4


def test_equal_treatments_are_rarely_told_apart():
    """Four in 10 launches each: at most 5 % false alarms of 2,000."""
    random = np.random.default_rng(3)
    false = sum(friedman(list(one)).p_value <= 0.05 for one in random.standard_normal((2000, 4, 10)))
    assert rate(false, 2000, "at most", 0.05).holds


def test_equal_values_say_nothing_and_infinity_is_the_largest():
    """NaN, not a p-value of 1; an infinite latency ranks like any that is larger than all others."""
    assert np.isnan(friedman([[1.0, 2.0]] * 3).p_value)
    infinite = friedman([[1.0, 2.0], [3.0, 3.0], [np.inf, 4.0]])
    assert infinite == friedman([[1.0, 2.0], [3.0, 3.0], [9.0, 4.0]])


@pytest.mark.parametrize(
    ("samples", "said"),
    [
        ([[1.0], [2.0]], "2 samples"),
        ([[1.0], [], [1.0]], "sample 1 is empty"),
        ([[np.nan], [1.0], [1.0]], "sample 0"),
        ([[1.0, 2.0], [1.0], [1.0]], r"\[2, 1, 1\] values"),
    ],
)
def test_what_cannot_be_compared_is_refused(samples, said):
    """The error says which sample."""
    with pytest.raises(ValueError, match=said):
        friedman(samples)
