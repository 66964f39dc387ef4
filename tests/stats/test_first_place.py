"""First launches of several series: who is found, by an exact count, and how often nothing is found."""

import numpy as np
import pytest

from ictus.stats.arrays import FloatArray
from ictus.stats.first_place import LEVEL, can_decide, first_places


def series(lengths: list[int], n_cases: int, seed: int, slow: float = 1.0) -> list[FloatArray]:
    """Launches with a scatter of 1 %; the first of each is slower by a factor in case 0."""
    random = np.random.default_rng(seed)
    found = [random.lognormal(0, 0.01, (length, n_cases)) for length in lengths]
    for one in found:
        one[0, 0] *= slow
    return found


def test_the_p_value_is_the_share_of_places_as_extreme() -> None:
    """Of five series of three, one of 3^5 = 243 combinations has all first places last in rank, and one all first: with
    a single case p is 2 / 243.
    """
    (found,) = first_places(series([3] * 5, 1, seed=1, slow=1.5))
    assert found.p_value == pytest.approx(2 / 243)
    assert found.ratio == pytest.approx(1.5, rel=0.03)


def test_one_case_of_many_is_found_alone() -> None:
    """Eight files of three launches, 20 cases, one of them slow at first by 20 %."""
    assert [one.case for one in first_places(series([3] * 8, 20, seed=2, slow=1.2))] == [0]


def test_too_few_launches_say_nothing() -> None:
    """Three starts in one file are always in one of three orders; five files of three are 243."""
    assert not can_decide([3])
    assert not can_decide([1] * 50)
    assert can_decide([3] * 5)
    assert first_places(series([3], 4, seed=3, slow=9.0)) == []


def test_launches_that_are_alike_are_seldom_told_of() -> None:
    """400 worlds without an effect, 30 cases each that share half of their scatter: at most the level, which 400 draws
    know to 1.96 standard errors of 0.5 %.
    """
    alarms = 0
    for seed in range(400):
        shared = series([3] * 6, 1, seed=1000 + seed)
        own = series([3] * 6, 30, seed=5000 + seed)
        alarms += bool(first_places([a * b for a, b in zip(shared, own, strict=True)]))
    assert alarms / 400 <= LEVEL + 1.96 * np.sqrt(LEVEL * (1 - LEVEL) / 400)


def test_a_case_that_a_launch_lacks_says_nothing_in_its_series() -> None:
    """The others count all the same."""
    launches = series([3] * 8, 2, seed=5, slow=1.5)
    launches[0][1, 0] = np.nan
    (found,) = first_places(launches)
    assert found.case == 0
    assert found.p_value < LEVEL
