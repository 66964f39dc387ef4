"""Rank-sum against enumeration, published values and the formula of its approximation."""

from math import erfc, sqrt

import numpy as np
import pytest

import ictus.stats
from ictus.stats.hypothesis import ALTERNATIVES
from ictus.stats.rank_sum_test import RANK_SUM, rank_sum

from .enumeration import exact_rank_sum, mann_whitney


def approximate(a, b, alternative):
    """Normal approximation with tie and continuity correction, written out."""
    n, m = len(a), len(b)
    pooled = [*a, *b]
    ties = sum(pooled.count(x) ** 3 - pooled.count(x) for x in set(pooled))
    deviation = sqrt(n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1))))
    u = float(mann_whitney(a, b))
    distance = {"greater": u - n * m / 2, "less": n * m / 2 - u, "two-sided": abs(u - n * m / 2)}[alternative]
    tail = erfc((distance - 0.5) / deviation / sqrt(2)) / 2
    return min(1.0, 2 * tail) if alternative == "two-sided" else tail


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("n", "m", "seed"), [(1, 4, 1), (3, 3, 2), (4, 5, 3), (5, 5, 4), (6, 4, 5), (2, 9, 6)])
def test_exact_p_agrees_with_enumeration_to_twelve_digits(n, m, seed, alternative):
    """All C(n + m, n) arrangements are listed and counted."""
    random = np.random.default_rng(seed)
    a, b = random.lognormal(0.5, 1, n).tolist(), random.lognormal(0, 1, m).tolist()
    found = rank_sum(a, b, alternative)
    assert found.method == "exact"
    assert found.statistic == float(mann_whitney(a, b))
    assert found.p_value == pytest.approx(float(exact_rank_sum(a, b, alternative)), rel=1e-12)


def test_permeability_data_give_the_published_p():
    """Hollander and Wolfe's placental membranes: W = 35, and 382 of the 3,003 arrangements are as extreme, 0.1272."""
    term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46]
    early = [1.15, 0.88, 0.90, 0.74, 1.21]
    found = rank_sum(term, early, "greater")
    assert (found.statistic, found.method) == (35.0, "exact")
    assert found.p_value == pytest.approx(382 / 3003, rel=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_ties_take_the_approximation_with_both_corrections(alternative):
    """Rounded latencies, ten launches a side, against the formula written out."""
    random = np.random.default_rng(4)
    a, b = np.round(random.normal(5.3, 1, 10)).tolist(), np.round(random.normal(5, 1, 10)).tolist()
    found = rank_sum(a, b, alternative)
    assert found.method == "asymptotic"
    assert found.p_value == pytest.approx(approximate(a, b, alternative), rel=1e-12)


def test_more_than_2500_pairs_take_the_approximation():
    """50 against 50 is exact, 50 against 51 is not."""
    random = np.random.default_rng(5)
    a, b = random.random(50).tolist(), (random.random(51) + 0.1).tolist()
    assert rank_sum(a, b[:50]).method == "exact"
    assert rank_sum(a, b).method == "asymptotic"
    assert rank_sum(a, b).p_value == pytest.approx(approximate(a, b, "two-sided"), rel=1e-12)


def test_less_means_that_a_is_smaller():
    """A direction that is easily swapped."""
    assert rank_sum([1, 2, 3, 4], [5, 6, 7, 8], "less").p_value == pytest.approx(1 / 70, rel=1e-12)
    assert rank_sum([1, 2, 3, 4], [5, 6, 7, 8], "greater").p_value == 1.0


def test_tied_p_never_undercuts_what_so_few_launches_can_show():
    """3 against 3 equal values: the formula says 0.047, but no exact test of 3 against 3 can go below 2 / 20."""
    assert approximate([1.0] * 3, [2.0] * 3, "two-sided") < 0.05
    assert rank_sum([1.0] * 3, [2.0] * 3).p_value == pytest.approx(0.1, rel=1e-12)
    assert rank_sum([1.0] * 3, [2.0] * 3, "less").p_value == pytest.approx(0.05, rel=1e-12)


def test_equal_constants_show_no_difference():
    """All values the same: p is 1, not NaN."""
    for alternative in ALTERNATIVES:
        assert rank_sum([2.0] * 5, [2.0] * 4, alternative).p_value == 1.0


def test_infinite_values_have_ranks():
    """A launch that never ended is the slowest, not an error."""
    assert rank_sum([1.0, 2.0, 3.0], [4.0, 5.0, float("inf")], "less").p_value == pytest.approx(1 / 20, rel=1e-12)


def test_many_cases_at_once_give_what_each_gives_alone():
    """Rows with and without ties go different ways and come back in their places."""
    random = np.random.default_rng(6)
    a, b = random.random((20, 6)), random.random((20, 7))
    a[::3] = np.round(a[::3], 1)
    b[::3] = np.round(b[::3], 1)
    rows = RANK_SUM.rows(a, b, "two-sided")
    assert 0 < rows.exact.sum() < 20
    for index in range(20):
        alone = rank_sum(a[index], b[index])
        assert (rows.p_value[index], rows.statistic[index]) == (alone.p_value, alone.statistic)
        assert rows.exact[index] == (alone.method == "exact")


def test_the_name_scripts_rely_on():
    """`ictus.stats.rank_sum(a, b).p_value` is a promise of the documentation."""
    assert ictus.stats.rank_sum([1, 2], [3, 4]).p_value == pytest.approx(1 / 3, rel=1e-12)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        ([], [1.0], "a is empty"),
        ([1.0], [float("nan"), 2.0], "b holds 1 NaN of 2 values"),
        ([[1.0]], [1.0], "a has 2 dimensions"),
    ],
)
def test_samples_that_cannot_be_tested_are_named(a, b, message):
    """An error says which side and why."""
    with pytest.raises(ValueError, match=message):
        rank_sum(a, b)


def test_unknown_alternative_lists_the_known_ones():
    """A typing error must not become a two-sided test."""
    with pytest.raises(ValueError, match="'smaller' is unknown; known: two-sided, less, greater"):
        rank_sum([1.0], [2.0], "smaller")
