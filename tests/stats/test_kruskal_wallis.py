"""Kruskal-Wallis against its formula, and its promise."""

import numpy as np
import pytest
from scipy import special, stats

from ictus.stats.binomial_rate import rate
from ictus.stats.ranking import kruskal_wallis


def by_formula(samples):
    """H with the correction for ties, and p through the incomplete gamma function, written out."""
    values = np.concatenate(samples)
    n = values.size
    ranks = np.array([np.sum(values < value) + (np.sum(values == value) + 1) / 2 for value in values])
    begin, sums = 0, 0.0
    for sample in samples:
        sums += ranks[begin : begin + len(sample)].sum() ** 2 / len(sample)
        begin += len(sample)
    ties = sum(count**3 - count for count in np.unique(values, return_counts=True)[1])
    h = (12 / (n * (n + 1)) * sums - 3 * (n + 1)) / (1 - ties / (n**3 - n))
    return h, float(special.gammaincc((len(samples) - 1) / 2, h / 2))


@pytest.mark.parametrize("digits", [6, 1, 0])
def test_statistic_and_p_agree_with_the_formula_to_twelve_digits(digits):
    """Unequal sizes, and ties: none, some, many."""
    random = np.random.default_rng(1)
    samples = [np.round(random.normal(shift, 1, size), digits) for shift, size in ((5, 9), (5.5, 14), (6, 7), (5, 1))]
    found = kruskal_wallis(samples)
    h, p_value = by_formula(samples)
    assert found.statistic == pytest.approx(h, rel=1e-12)
    assert found.p_value == pytest.approx(p_value, rel=1e-12)


def test_the_published_example():
    """R's documentation of kruskal.test (Hollander and Wolfe, 1973, p. 116): H = 0.77143, p = 0.68."""
    normal, obstructive, asbestosis = [2.9, 3.0, 2.5, 2.6, 3.2], [3.8, 2.7, 4.0, 2.4], [2.8, 3.4, 3.7, 2.2, 2.0]
    found = kruskal_wallis([normal, obstructive, asbestosis])
    assert found.statistic == pytest.approx(0.77143, abs=5e-6)
    assert found.p_value == pytest.approx(0.68, abs=5e-4)


def test_of_two_samples_it_is_the_rank_sum_test():
    """Without the correction for continuity."""
    random = np.random.default_rng(2)
    a, b = random.normal(size=12), random.normal(0.5, 1, 15)
    asymptotic = stats.mannwhitneyu(a, b, use_continuity=False, method="asymptotic")
    assert kruskal_wallis([a, b]).p_value == pytest.approx(float(asymptotic.pvalue), rel=1e-10)


def test_equal_libraries_are_rarely_told_apart_and_a_slower_one_is_found():
    """Three of 10 launches each: at most 5 % false alarms of 2,000; one that is two spreads slower nearly always."""
    random = np.random.default_rng(3)
    equal = random.standard_normal((2000, 3, 10))
    false = sum(kruskal_wallis(list(one)).p_value <= 0.05 for one in equal)
    assert rate(false, 2000, "at most", 0.05).holds
    found = sum(kruskal_wallis([one[0] + 2, one[1], one[2]]).p_value <= 0.05 for one in equal[:200])
    assert rate(found, 200, "at least", 0.95).holds


def test_equal_values_say_nothing_and_infinity_is_the_largest():
    """NaN, not a p-value of 1; an infinite latency ranks like any that is larger than all others."""
    assert np.isnan(kruskal_wallis([[1.0, 1.0], [1.0], [1.0]]).p_value)
    infinite = kruskal_wallis([[1.0, 2.0, 3.0], [4.0, 5.0, np.inf]])
    assert infinite == kruskal_wallis([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@pytest.mark.parametrize(
    ("samples", "said"), [([[1.0]], "1 samples"), ([[1.0], []], "sample 1 is empty"), ([[np.nan], [1.0]], "sample 0")]
)
def test_what_cannot_be_compared_is_refused(samples, said):
    """The error says which sample."""
    with pytest.raises(ValueError, match=said):
        kruskal_wallis(samples)


def test_one_stratum_is_the_ordinary_test():
    """With ties."""
    random = np.random.default_rng(4)
    samples = [np.round(random.normal(shift, 1, 9), 1) for shift in (0, 0.5, 0.2)]
    found, expected = kruskal_wallis(samples, [[7] * 9] * 3), kruskal_wallis(samples)
    assert (found.statistic, found.p_value) == pytest.approx((expected.statistic, expected.p_value), rel=1e-10)


def test_of_two_samples_within_strata_it_is_van_elteren_s_test():
    """The statistic by its definition: rank sums weighed by 1 / (N + 1), over their variance."""
    random = np.random.default_rng(5)
    parts = [(random.normal(0, 1, n), random.normal(0.5, 1, m)) for n, m in ((6, 9), (5, 3))]
    deviation = variance = 0.0
    for a, b in parts:
        n, m, total = a.size, b.size, a.size + b.size + 1
        deviation += (stats.rankdata(np.concatenate((a, b)))[:n].sum() - n * total / 2) / total
        variance += n * m * total / 12 / total**2
    sides = [np.concatenate([pair[side] for pair in parts]) for side in (0, 1)]
    strata = [[0] * parts[0][side].size + [1] * parts[1][side].size for side in (0, 1)]
    assert kruskal_wallis(sides, strata).statistic == pytest.approx(deviation**2 / variance, rel=1e-10)


@pytest.mark.long
def test_strata_hide_nothing_and_invent_nothing():
    """Three libraries on a machine of two modes, one of them three times as slow. Equal ones: at most 5 % false alarms
    of 2,000; one that is 10 % slower is found within modes, and in less than half of campaigns without.
    """
    random = np.random.default_rng(6)
    false = found = hidden = 0
    for campaign in range(2000):
        modes = random.random((3, 10)) < 0.5
        times = np.exp(0.03 * random.standard_normal((3, 10)) + np.log(3) * modes)
        false += kruskal_wallis(list(times), modes.astype(int).tolist()).p_value <= 0.05
        if campaign < 200:
            times[0] *= 1.1
            found += kruskal_wallis(list(times), modes.astype(int).tolist()).p_value <= 0.05
            hidden += kruskal_wallis(list(times)).p_value <= 0.05
    assert rate(false, 2000, "at most", 0.05).holds
    assert found >= 190
    assert hidden < 100


def test_strata_must_fit_and_may_say_nothing():
    """A value without a stratum is an error; strata of one value each compare nothing."""
    with pytest.raises(ValueError, match="one stratum"):
        kruskal_wallis([[1.0, 2.0], [3.0]], [[0, 0], []])
    assert np.isnan(kruskal_wallis([[1.0, 2.0], [3.0]], [[0, 1], [2]]).p_value)
