"""Modes of the machine, from probes alone."""

import itertools
from math import comb

import numpy as np
import pytest

from ictus.stats.modes import depends_on_side, find_modes

NAN = float("nan")


def lines(*groups):
    """Probes of one kind: (value, count) each, with 3 % of scatter, in a fixed mixed order."""
    rng = np.random.default_rng(1)
    values = np.concatenate([value * np.exp(0.03 * rng.uniform(-1, 1, count)) for value, count in groups])
    return rng.permutation(values)[:, np.newaxis]


def test_a_gap_of_a_fifth_makes_two_modes_and_less_makes_none():
    """The boundary lies in the middle of the gap, of logarithms."""
    found = find_modes(lines((43e-9, 12), (124e-9, 8)))
    assert found.n_modes == 2
    assert sorted(np.bincount(found.of_launch)) == [8, 12]
    ((boundary,),) = found.boundaries
    assert boundary == pytest.approx(np.sqrt(43e-9 * 124e-9), rel=0.05)
    assert find_modes(lines((100e-9, 10), (115e-9, 10))).n_modes == 1


def test_a_single_launch_far_away_is_no_mode():
    """An interrupt in its probes; two are a state."""
    assert find_modes(lines((43e-9, 12), (548e-9, 1))).n_modes == 1
    assert find_modes(lines((43e-9, 12), (548e-9, 2))).n_modes == 2


def test_at_most_four_modes_by_the_widest_gaps():
    """Of five groups the two that are nearest stay together."""
    found = find_modes(lines((10.0, 4), (20.0, 4), (26.0, 4), (60.0, 4), (150.0, 4)))
    assert found.n_modes == 4
    assert sorted(np.bincount(found.of_launch)) == [4, 4, 4, 8]


def test_a_later_launch_merges_nothing():
    """Twenty launches in two modes; sixty later ones fill the gap, and each lies on a side of it."""
    first = lines((43e-9, 10), (124e-9, 10))
    between = np.geomspace(43e-9, 124e-9, 60)[:, np.newaxis]
    before, after = find_modes(first), find_modes(np.concatenate((first, between)))
    assert after.boundaries == before.boundaries
    assert list(after.of_launch[:20]) == list(before.of_launch)
    assert find_modes(between).n_modes == 1, "alone they have no gap"


def test_a_mode_that_comes_late_is_found():
    """After the first forty launches."""
    probes = np.concatenate((lines((43e-9, 40)), lines((124e-9, 40))))
    found = find_modes(probes)
    assert (set(found.of_launch[:40]), set(found.of_launch[40:])) == ({0}, {1})


def test_two_probes_make_modes_together_and_unknown_launches_none():
    """Near or far, fast or slow, of which one combination never happens; a launch without probes is -1."""
    rng = np.random.default_rng(2)
    apart, speed = np.repeat([43e-9, 124e-9, 43e-9], 6), np.repeat([1e9, 1e9, 2e9], 6)
    probes = np.stack((apart, speed), axis=1) * np.exp(0.02 * rng.uniform(-1, 1, (18, 2)))
    probes = np.concatenate((probes, [[NAN, 1e9]]))
    found = find_modes(probes)
    assert found.n_modes == 3
    assert found.of_launch[-1] == -1
    assert [len(set(found.of_launch[i : i + 6])) for i in (0, 6, 12)] == [1, 1, 1]


def test_no_launches_have_no_modes():
    """Nor launches without any probe."""
    assert find_modes(np.empty((0, 2))).n_modes == 0
    assert find_modes(np.full((5, 2), NAN)).n_modes == 0


def test_modes_that_follow_the_side_are_noticed():
    """Ten against ten: 9 + 1 and 1 + 9 have p = 0.001, 7 + 3 and 3 + 7 have 0.18."""
    near, far = [0] * 9 + [1], [1] * 9 + [0]
    assert depends_on_side(np.array(near), np.array(far))
    assert not depends_on_side(np.array([0] * 7 + [1] * 3), np.array([0] * 3 + [1] * 7))
    assert not depends_on_side(np.array([0] * 10), np.array([0] * 10))


@pytest.mark.parametrize("level", [0.05, 0.2, 0.5])
def test_three_modes_are_tested_by_all_tables(level):
    """Against the chance of every way to choose A's five launches of ten."""
    modes = np.array([0, 0, 0, 0, 1, 1, 1, 2, 2, 2])
    own = np.array([0, 0, 0, 0, 1])
    rest = np.array([1, 1, 2, 2, 2])

    def table(chosen):
        return tuple(np.bincount(modes[list(chosen)], minlength=3))

    ways = [table(chosen) for chosen in itertools.combinations(range(10), 5)]
    chance = {one: ways.count(one) / comb(10, 5) for one in ways}
    exact = sum(each for each in chance.values() if each <= chance[(4, 1, 0)] * (1 + 1e-9))
    assert depends_on_side(own, rest, level) is (exact <= level)
    assert 0.02 < exact < 0.5, "so that the levels lie on both sides"
