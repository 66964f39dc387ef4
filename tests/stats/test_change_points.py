"""Change points: found where they were planted, rarely where there are none, whatever the scale; the last value."""

import itertools
from math import comb

import numpy as np
import pytest
import scipy.stats

from ictus.stats.change_points import FEWEST, _null, change_points, deviation, fewest_values


def series(seed: int, *levels: tuple[int, float], scatter: float = 0.01) -> np.ndarray:
    """Values of a level each, with lognormal scatter."""
    random = np.random.default_rng(seed)
    return np.concatenate([1e-6 * level * np.exp(random.normal(0, scatter, n)) for n, level in levels])


def test_the_null_distribution_is_that_of_all_orders() -> None:
    """All 5,040 orders of 7 values, their statistics by scipy's rank-sum: the simulated quantiles agree."""
    n = 7
    every = []
    for order in itertools.permutations(range(1, n + 1)):
        standard = []
        for k in range(FEWEST, n - FEWEST + 1):
            u = scipy.stats.mannwhitneyu(order[:k], order[k:], method="asymptotic", use_continuity=False).statistic
            standard.append(abs(u - k * (n - k) / 2) / np.sqrt(k * (n - k) * (n + 1) / 12))
        every.append(max(standard))
    for share in (0.5, 0.9, 0.97):
        limit = float(np.quantile(every, share)) - 1e-9
        exact = float(np.mean(np.array(every) >= limit))
        assert np.mean(_null(n) >= limit) == pytest.approx(exact, abs=4 * np.sqrt(exact * (1 - exact) / 10_000))


def test_with_fewer_values_no_change_can_be_significant() -> None:
    """Of all orders of 14 values, only those are as extreme in which the lower seven lie on one side: 2 of C(14, 7). Of
    13 values already 2 of C(13, 6) are more than one in a thousand.
    """
    assert 2 / comb(14, 7) < 0.001 < 2 / comb(13, 6)
    assert fewest_values(0.001) == 14
    assert change_points(np.arange(1.0, 14)) == ()
    assert [one.index for one in change_points(np.arange(1.0, 15))] == [7]


def test_changes_are_where_they_were_planted() -> None:
    """Both of two changes, with sizes whose intervals hold the truth; the scale does not matter."""
    values = series(1, (30, 1.0), (25, 1.05), (20, 0.95))
    found = change_points(values)
    assert [one.index for one in found] == [30, 55]
    for one, truth in zip(found, (1.05, 0.95 / 1.05), strict=True):
        assert one.ratio_low is not None
        assert one.ratio_high is not None
        assert one.ratio_low < truth < one.ratio_high < one.ratio_low * 1.03
    assert change_points(values * 1024) == found


def test_a_change_is_placed_between_its_neighbours() -> None:
    """In the whole of four levels the first split lies one value late; between its neighbours it does not."""
    values = series(5, (12, 1.0), (12, 1.03), (12, 1.06), (12, 1.0))
    assert [one.index for one in change_points(values)] == [12, 24, 36]


def test_an_outlier_is_no_change() -> None:
    """One or two values that are ten times as large are no level."""
    values = series(2, (40, 1.0))
    values[[20, 21]] *= 10
    assert change_points(values) == ()


def test_false_alarms_stay_below_their_level() -> None:
    """200 series without a change at 5 %: at most 5 %, and 3 standard deviations more; also with long tails."""
    random = np.random.default_rng(3)
    for draw in (random.standard_normal, lambda n: random.standard_t(2, n)):
        alarms = sum(bool(change_points(np.exp(0.02 * draw(25)), level=0.05)) for _ in range(200))
        assert 1 <= alarms <= 0.05 * 200 + 3 * np.sqrt(0.05 * 0.95 * 200)


def test_too_few_values_show_nothing() -> None:
    """Six values allow a split, but no p-value of a thousandth."""
    assert change_points(series(4, (3, 1.0), (3, 2.0))) == ()
    assert change_points([]) == ()
    assert len(change_points(series(4, (9, 1.0), (9, 2.0)))) == 1


def test_the_last_value_against_its_level() -> None:
    """As in a t-test of one value against the others; one that is 5 % off with 1 % scatter is found."""
    steady = np.log(series(4, (7, 1.0)))
    expected = scipy.stats.ttest_ind(steady[:-1], steady[-1:]).pvalue
    assert deviation(np.exp(steady), ()).p_value == pytest.approx(expected)
    values = series(5, (20, 1.2), (15, 1.0))
    values[-1] = 1.05e-6
    found = deviation(values, change_points(values))
    assert found.n_before == 14
    assert found.p_value is not None
    assert found.p_value < 0.002
    assert found.ratio_low is not None
    assert 1.01 < found.ratio_low < found.ratio < 1.07
    assert deviation(series(6, (4, 1.0)), ()).p_value is None


def test_what_is_no_time_is_refused() -> None:
    """Zero, negative and unknown values have no logarithm."""
    for bad in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="positive"):
            change_points([1.0, bad, 1.0])
