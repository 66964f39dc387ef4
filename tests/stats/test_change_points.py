"""Change points: found where they were planted, rarely where there are none, whatever the scale; the last value."""

from math import comb

import numpy as np
import pytest
import scipy.stats

from ictus.stats.change_points import change_points, deviation, fewest_values
from ictus.stats.false_alarms import largest_p


def series(seed: int, *levels: tuple[int, float], scatter: float = 0.01) -> np.ndarray:
    """Values of a level each, with lognormal scatter."""
    random = np.random.default_rng(seed)
    return np.concatenate([1e-6 * level * np.exp(random.normal(0, scatter, n)) for n, level in levels])


def test_with_fewer_values_no_change_can_be_found() -> None:
    """Of all orders of n values, only those are as extreme in which the lower half lies on one side: 2 of C(n, n/2)."""
    limit = largest_p(0.001)
    assert 2 / comb(17, 8) < limit < 2 / comb(16, 8)
    assert fewest_values(0.001) == 17
    assert change_points(np.arange(1.0, 17)) == ()
    (found,) = change_points(np.arange(1.0, 18))
    assert found.index in (8, 9)
    assert found.p_value == pytest.approx(2 / comb(17, 8))


def test_the_p_value_is_that_of_the_rank_sum_at_the_change() -> None:
    """By scipy, exact, of what is before against what is after."""
    values = series(9, (20, 1.0), (12, 1.02))
    (found,) = change_points(values)
    expected = scipy.stats.mannwhitneyu(values[: found.index], values[found.index :], method="exact").pvalue
    assert found.p_value == pytest.approx(expected)


def test_a_large_change_of_a_long_series_is_seen_after_three_or_four_values() -> None:
    """Three of 403 can be the largest in 1 of C(403, 3) orders, 1e-7: a normal approximation needs ten for that."""
    values = series(8, (400, 1.0), (4, 1.2))
    assert [one.index for one in change_points(values, alarms=1e-6)] == [400]
    assert change_points(values[:402], alarms=1e-6) == ()


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


def test_ties_are_no_change() -> None:
    """A coarse clock gives the same number many times; half of the ranks' ties on each side are nothing."""
    assert change_points(np.tile([1.0, 1.0, 2.0], 20)) == ()
    assert [one.index for one in change_points(np.repeat([1.0, 2.0], 15))] == [15]


def test_too_few_values_show_nothing() -> None:
    """Six values allow a split, but none that is rare enough."""
    assert change_points(series(4, (3, 1.0), (3, 2.0))) == ()
    assert change_points([]) == ()
    assert len(change_points(series(4, (10, 1.0), (10, 2.0)))) == 1


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
