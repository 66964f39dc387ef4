"""Local and global times of the same samples."""

import math

import pytest

from ictus.studies.local_and_global.analysis import reduce_launch, summarise


def test_flagged_samples_are_in_neither_kind() -> None:
    """Of three samples the middle one is late; with it, both medians would be others."""
    local, makespan, skew = [1.0, 90.0, 3.0], [2.0, 95.0, 5.0], [1.0, 5.0, 2.0]
    found = reduce_launch(local, makespan, skew, [0, 1, 0])
    assert found is not None
    assert (found.local_s, found.global_s, found.skew_s) == (2.0, 3.5, 1.5)
    every = reduce_launch(local, makespan, skew, [0, 0, 0])
    assert every is not None
    assert every.local_s == 3.0


def test_without_a_global_time_there_is_nothing_to_hold_against_it() -> None:
    """Clocks that are not synchronised, and no valid sample."""
    assert reduce_launch([1.0], [math.nan], [math.nan], [0]) is None
    assert reduce_launch([1.0], [2.0], [0.0], [2]) is None


def test_the_ratio_is_paired_within_launches() -> None:
    """Launches differ by a factor of 8, the ratio in each is 1.25: so it is 1.25, and certain."""
    launches = [reduce_launch([scale], [1.25 * scale], [0.0], [0]) for scale in (1, 2, 3, 4, 6, 8)]
    found = summarise([one for one in launches if one is not None])
    assert found.ratio.ratio == pytest.approx(1.25)
    assert (found.ratio.low, found.ratio.high) == pytest.approx((1.25, 1.25))
    assert (found.local.median, found.global_.median) == pytest.approx((3.5, 4.375))
