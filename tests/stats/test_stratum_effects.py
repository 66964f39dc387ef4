"""What modes add is taken out, what groups differ by is not."""

import numpy as np
import pytest

from ictus.stats.stratum_effects import without_strata


def test_an_additive_world_is_taken_apart_exactly():
    """Two groups 10 % apart, three modes, unbalanced: what is left differs by the groups alone."""
    groups = ["a"] * 7 + ["b"] * 5
    strata = [0, 0, 1, 1, 1, 2, 0, 0, 1, 2, 2, 2]
    times = [(1.1 if group == "a" else 1.0) * (1.0, 2.5, 7.0)[one] for group, one in zip(groups, strata, strict=True)]
    left = without_strata(times, strata, groups)
    assert left[:7] == pytest.approx([left[0]] * 7, rel=1e-12)
    assert left[7:] == pytest.approx([left[7]] * 5, rel=1e-12)
    assert left[0] / left[7] == pytest.approx(1.1, rel=1e-12)
    assert np.log(left).mean() == pytest.approx(np.log(times).mean(), rel=1e-12), "the geometric mean stays"


def test_without_groups_each_stratum_has_one_middle():
    """The spread within modes is left."""
    left = without_strata([1.0, 2.0, 10.0, 20.0], [0, 0, 1, 1])
    assert left == pytest.approx([np.sqrt(10), np.sqrt(40)] * 2, rel=1e-12)


@pytest.mark.parametrize(("strata", "groups"), [([3, 3, 3, 3], "aabb"), ([0, 0, 1, 1], "aabb"), ([0, 1, 2, 3], "abcd")])
def test_what_cannot_be_told_apart_stays(strata, groups):
    """One stratum; each group in a stratum of its own."""
    times = [1.0, 2.0, 3.0, 4.0]
    assert without_strata(times, strata, list(groups)).tolist() == times


def test_columns_must_fit():
    """And times be times."""
    with pytest.raises(ValueError, match="do not fit"):
        without_strata([1.0, 2.0], [0])
    with pytest.raises(ValueError, match="positive"):
        without_strata([1.0, -2.0], [0, 1])
