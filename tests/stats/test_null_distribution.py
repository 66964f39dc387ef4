"""Null distributions and the order statistics taken from them."""

from itertools import combinations, product
from math import comb

import numpy as np
import pytest

from ictus.stats.null_distribution import (
    rank_sum_count,
    rank_sum_distribution,
    signed_rank_count,
    signed_rank_distribution,
)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 6), (3, 4), (5, 3), (5, 6)])
def test_rank_sum_distribution_is_the_share_of_arrangements(n, m):
    """Listed one by one; exact down to the last digit."""
    sums = [sum(chosen) - n * (n + 1) // 2 for chosen in combinations(range(1, n + m + 1), n)]
    expected = [sums.count(u) / comb(n + m, n) for u in range(n * m + 1)]
    assert rank_sum_distribution(n, m).tolist() == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(("n", "m"), [(50, 50), (7, 43), (30, 31), (20, 60)])
def test_large_tables_are_the_whole_numbers_counted_exactly(n, m):
    """By the product of (1 - q^(m + i)) / (1 - q^i), i = 1 to n, in whole numbers of any length."""
    ways = [1] + [0] * (n * m)
    for i in range(1, n + 1):
        for u in range(n * m, m + i - 1, -1):
            ways[u] -= ways[u - m - i]
        for u in range(i, n * m + 1):
            ways[u] += ways[u - i]
    expected = [count / comb(n + m, n) for count in ways]
    assert rank_sum_distribution(n, m).tolist() == pytest.approx(expected, rel=1e-12, abs=0)


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_signed_rank_distribution_is_the_share_of_sign_patterns(n):
    """Listed one by one."""
    sums = [sum(r * s for r, s in zip(range(1, n + 1), signs, strict=True)) for signs in product((0, 1), repeat=n)]
    expected = [sums.count(t) / 2**n for t in range(n * (n + 1) // 2 + 1)]
    assert signed_rank_distribution(n).tolist() == expected


def test_largest_tables_sum_to_one_and_are_symmetric():
    """No digit is lost at 50 against 50."""
    for table in (rank_sum_distribution(50, 50), signed_rank_distribution(50)):
        assert table.sum() == pytest.approx(1, rel=1e-13)
        assert table == pytest.approx(table[::-1], rel=1e-11)


@pytest.mark.parametrize(("n", "m", "count"), [(3, 3, 0), (4, 4, 1), (5, 5, 3), (10, 10, 24), (8, 10, 18)])
def test_rank_sum_counts_are_the_published_critical_values(n, m, count):
    """Mann and Whitney's table rejects U <= 0, 2, 23, 17 at 2.5 % a side for 4-4, 5-5, 10-10, 8-10: one less."""
    assert rank_sum_count(n, m, 0.025) == count


@pytest.mark.parametrize(("n", "count"), [(5, 0), (6, 1), (8, 4), (10, 9), (20, 53)])
def test_signed_rank_counts_are_the_published_critical_values(n, count):
    """Wilcoxon's table at 2.5 % a side rejects T <= 0, 3, 8, 52 for 6, 8, 10, 20 pairs."""
    assert signed_rank_count(n, 0.025) == count


def test_a_tail_that_is_met_exactly_is_reached():
    """2 / C(6, 3) is 0.1: at level 0.1 three against three can just reject, whatever the last bit of 0.1 says."""
    assert rank_sum_count(3, 3, 0.1 / 2) == 1
    assert rank_sum_count(3, 3, (1 - 0.9) / 2) == 1


@pytest.mark.parametrize("tail", [0.025, 0.005])
def test_normal_counts_continue_the_exact_ones(tail):
    """At the border of the exact tables the approximation is off by less than 1 %, on the careful side."""
    pairs = int(np.searchsorted(np.cumsum(rank_sum_distribution(51, 50)), tail, side="right"))
    signs = int(np.searchsorted(np.cumsum(signed_rank_distribution(51)), tail, side="right"))
    assert 0.99 * pairs < rank_sum_count(51, 50, tail) <= pairs
    assert 0.99 * signs < signed_rank_count(51, tail) <= signs
