"""Spread of equal trials: the paper's own numbers, and arithmetic by hand."""

from math import sqrt

import pytest

from ictus.stats.reproducibility import spread, trial_value


@pytest.mark.parametrize(
    ("low", "high", "percent"), [(2.93, 3.12, 6.09), (2.83, 3.20, 11.56), (4.34, 4.90, 11.43), (53.57, 54.47, 1.65)]
)
def test_the_largest_difference_is_that_of_table_1(low: float, high: float, percent: float) -> None:
    """Rows of the paper's Table I: (max - min) / max, two decimals of a percentage."""
    found = spread([high, low, (low + high) / 2])
    assert (found.min, found.max) == (low, high)
    assert 100 * found.diff == pytest.approx(percent, abs=0.005)


def test_results_are_divided_by_the_smallest_in_their_order() -> None:
    """4, 2, 3: 2, 1, 1.5; mean 3, standard deviation 1."""
    found = spread([4.0, 2.0, 3.0])
    assert found.normalised == (2.0, 1.0, 1.5)
    assert (found.n, found.diff) == (3, 0.5)
    assert found.deviation == pytest.approx(1 / 3, rel=1e-15)


def test_one_trial_differs_from_nothing() -> None:
    """No standard deviation, no difference."""
    found = spread([5e-6])
    assert (found.diff, found.deviation, found.normalised) == (0.0, None, (1.0,))


def test_the_mean_of_more_launches_spreads_less() -> None:
    """Launch values 1 and 3 in turn: single launches differ by two thirds, means of two by nothing."""
    launches = [1.0, 3.0] * 4
    singles = spread(launches)
    pairs = spread([trial_value(launches[i : i + 2]) for i in range(0, 8, 2)])  # type: ignore[arg-type]
    assert (singles.diff, pairs.diff) == (2 / 3, 0.0)
    assert singles.deviation == pytest.approx(sqrt(8 / 7) / 2, rel=1e-15)


def test_launches_without_a_value_are_left_out() -> None:
    """NaN and None are no times; without any time there is no result."""
    assert trial_value([2.0, None, float("nan"), 4.0]) == 3.0
    assert trial_value([None]) is None


@pytest.mark.parametrize("wrong", [[], [1.0, 0.0], [1.0, -2.0], [1.0, float("nan")], [float("inf")], [[1.0]]])
def test_what_is_no_list_of_times_is_refused(wrong: list[float]) -> None:
    """Nothing, zero, negative, NaN, infinity, two dimensions."""
    with pytest.raises(ValueError, match="positive times"):
        spread(wrong)
