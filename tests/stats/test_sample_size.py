"""Launches drawn finer."""

import numpy as np
import pytest

from ictus.stats.registry import find_test
from ictus.stats.sample_size import enough_launches, stretched

RANK_SUM, SIGNED_RANK = find_test("rank-sum", paired=False), find_test("signed-rank", paired=True)


def test_at_today_s_number_the_launches_are_as_they_are():
    """Hazen's quantiles at the middles are the order statistics."""
    sample = np.array([3.0, 1.0, 2.0, 7.0])
    assert stretched(sample, 4) == pytest.approx(sorted(sample), rel=1e-12)


def test_twice_as_many_keep_median_and_extremes():
    """Nothing is drawn beyond what was seen."""
    sample = np.array([1.0, 2.0, 4.0, 8.0])
    finer = stretched(sample, 8)
    assert (finer.min(), finer.max()) == pytest.approx((1.0, 8.0), rel=1e-12)
    assert np.median(np.log(finer)) == pytest.approx(np.log(8) / 2, rel=1e-12)


def test_separated_launches_need_what_their_number_needs():
    """3 against 3: p = 2 / C(2 n, n) is 0.1, at 4 it is 0.029, at 5 it is 0.008."""
    a, b = np.array([1.0, 1.1, 1.2]), np.array([2.0, 2.1, 2.2])
    assert enough_launches(1, a, b, RANK_SUM, 0.05) == 1
    assert enough_launches(1, a, b, RANK_SUM, 0.01) == 2


def test_two_launches_far_off_cost_more_than_the_shift_says():
    """Eight of ten are twice as fast, two slower than the other side: some more such launches are clear, one is not."""
    a = np.array([1.0, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 3.1, 3.2])
    b = np.linspace(2.0, 2.3, 10)
    more = enough_launches(1, a, b, RANK_SUM, 0.001)
    assert more is not None
    assert 4 <= more <= 40
    assert enough_launches(1, a, a * 1.0001, RANK_SUM, 0.001) is None


def test_pairs_are_stretched_by_their_ratios():
    """Five pairs all the same way: 2 / 2^n goes below 0.01 at 8."""
    a, b = np.array([1.0, 5.0, 9.0, 2.0, 4.0]), np.array([2.0, 11.0, 20.0, 5.0, 9.0])
    assert enough_launches(1, a, b, SIGNED_RANK, 0.01) == 3
