"""Signed-rank on log ratios against enumeration, published values and the formula of its approximation."""

from math import erfc, exp, sqrt

import numpy as np
import pytest

from ictus.stats.hypothesis import ALTERNATIVES
from ictus.stats.signed_rank_test import SIGNED_RANK, signed_rank

from .enumeration import exact_signed_rank, positive_ranks


def times(differences):
    """Pairs of times whose log ratios are `differences`."""
    return [exp(d) for d in differences], [1.0] * len(differences)


def approximate(differences, alternative):
    """Normal approximation with mid-ranks, tie and continuity correction; zeros dropped."""
    left = [d for d in differences if d]
    sizes = sorted(abs(d) for d in left)
    rank = {size: sum(i + 1 for i, s in enumerate(sizes) if s == size) / sizes.count(size) for size in sizes}
    n = len(left)
    ties = sum(sizes.count(s) ** 3 - sizes.count(s) for s in set(sizes))
    deviation = sqrt(n * (n + 1) * (2 * n + 1) / 24 - ties / 48)
    above = sum(rank[abs(d)] for d in left if d > 0) - n * (n + 1) / 4
    distance = {"greater": above, "less": -above, "two-sided": abs(above)}[alternative]
    tail = erfc((distance - 0.5) / deviation / sqrt(2)) / 2
    return min(1.0, 2 * tail) if alternative == "two-sided" else tail


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("n", [1, 2, 3, 5, 8, 11])
def test_exact_p_agrees_with_enumeration_to_twelve_digits(n, alternative):
    """All 2^n patterns of signs are listed and counted."""
    differences = np.random.default_rng(n).normal(0.4, 1, n).tolist()
    found = signed_rank(*times(differences), alternative)
    assert (found.method, found.statistic) == ("exact", positive_ranks(differences))
    assert found.p_value == pytest.approx(float(exact_signed_rank(differences, alternative)), rel=1e-12)


def test_depression_scores_give_the_published_p():
    """Hollander and Wolfe's nine patients, given as differences: V = 40, 10 of 512 patterns, p = 0.01953."""
    first = [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30]
    second = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    found = signed_rank(*times([x - y for x, y in zip(first, second, strict=True)]), "greater")
    assert (found.statistic, found.method) == (40.0, "exact")
    assert found.p_value == pytest.approx(10 / 512, rel=1e-12)


def test_log_ratios_not_differences_are_ranked():
    """-1 ms of 100 ms is a smaller ratio than +1 us of 2 us; by differences it would weigh the most."""
    a, b = [99e-3, 3e-6, 4.5e-6], [100e-3, 2e-6, 3e-6]
    assert signed_rank(a, b).statistic == 5.0


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_equal_pairs_are_dropped_and_ties_corrected(alternative):
    """Two zeros and a threefold tie, one of them an inverse: the formula for the twelve that are left."""
    differences = [0.0, 0.0, 0.25, 0.25, -0.25, 1.0, 2.0, -3.0, 4.0, 5.0, -6.0, 7.0, 8.0, 9.0]
    a, b = [2.0**d for d in differences], [1.0] * 14
    found = signed_rank(a, b, alternative)
    assert found.method == "asymptotic"
    assert found.p_value == pytest.approx(approximate(differences, alternative), rel=1e-12)


def test_more_than_fifty_pairs_take_the_approximation():
    """Exact up to 50."""
    differences = np.random.default_rng(1).normal(0.2, 1, 51).tolist()
    assert signed_rank(*times(differences[:50])).method == "exact"
    found = signed_rank(*times(differences))
    assert found.method == "asymptotic"
    assert found.p_value == pytest.approx(approximate(differences, "two-sided"), rel=1e-9)


def test_pairs_without_any_difference_give_one():
    """A against itself, number for number."""
    for alternative in ALTERNATIVES:
        assert signed_rank([1.0, 2.0, 3.0], [1.0, 2.0, 3.0], alternative).p_value == 1.0


def test_tied_p_never_undercuts_what_so_few_pairs_can_show():
    """Twice as fast in each of 4 launches is worth 2^-4 a side, however the approximation falls."""
    differences = [1.0] * 4
    assert approximate(differences, "greater") < 1 / 16
    assert signed_rank([2.0] * 4, [1.0] * 4, "greater").p_value == 1 / 16
    assert signed_rank([2.0] * 4, [1.0] * 4).p_value == 1 / 8


def test_a_shared_launch_factor_cancels():
    """5 % in ten launches that scatter by a factor of two: signed-rank sees it in every launch."""
    factor = np.random.default_rng(2).uniform(0.7, 1.4, 10)
    noise = np.random.default_rng(3).normal(0, 0.002, 10)
    assert signed_rank(1.05 * factor * np.exp(noise), factor).p_value == 2 / 1024


def test_many_cases_at_once_give_what_each_gives_alone():
    """Exact rows, tied rows and all-equal rows come back in their places."""
    random = np.random.default_rng(6)
    a = np.exp(random.normal(0, 1, (12, 8)))
    a[1::4] = 2.0 ** random.integers(-2, 3, (3, 8))
    a[2::4] = 1.0
    rows = SIGNED_RANK.rows(a, np.ones((12, 8)), "two-sided")
    assert 0 < rows.exact.sum() < 12
    for index in range(12):
        alone = signed_rank(a[index], np.ones(8))
        assert (rows.p_value[index], rows.statistic[index]) == (alone.p_value, alone.statistic)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([1.0, 2.0], [1.0], "needs pairs, but a has 2 values and b has 1"),
        ([1.0, 0.0], [1.0, 1.0], "a holds a time that is not positive and finite"),
        ([1.0, 1.0], [1.0, float("inf")], "b holds a time that is not positive and finite"),
    ],
)
def test_pairs_without_a_ratio_are_refused(a, b, message):
    """The error names the side."""
    with pytest.raises(ValueError, match=message):
        signed_rank(a, b)
