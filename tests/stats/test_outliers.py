"""Tukey's fences and type-7 quartiles."""

import numpy as np
import pytest

from ictus.stats.summary import fences, inside, quantile_sorted


def test_quartiles_of_one_to_four_are_interpolated_as_type_seven_does():
    """Position 1 + 3/4 lies three quarters of the way from 1 to 2; fences are 1.5 * (3.25 - 1.75) = 2.25 further."""
    found = fences([4.0, 1.0, 3.0, 2.0])
    assert (found.q1, found.q3, found.low, found.high) == (1.75, 3.25, -0.5, 5.5)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 8, 100, 1001])
def test_quantiles_agree_with_numpy_to_twelve_digits(size):
    """NumPy's default kind is type 7 too."""
    sample = np.sort(np.random.default_rng(size).lognormal(-11, 0.5, size))
    for share in (0.0, 0.1, 0.25, 0.5, 0.75, 1.0):
        assert quantile_sorted(sample, share) == pytest.approx(np.quantile(sample, share), rel=1e-12)


def test_values_on_a_fence_are_kept_and_beyond_it_are_not():
    """Eight values with Q1 = 0 and Q3 = 1 by construction put the fences at -1.5 and 2.5."""
    sample = [0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 2.5, 2.5000001, 0.5]
    found = fences(sample)
    assert (found.q1, found.q3, found.high) == (0.0, 1.0, 2.5)
    assert inside(sample).tolist() == [True] * 7 + [False, True]


def test_a_larger_factor_keeps_more():
    """The same value is an outlier at 1.5 and none at 3."""
    sample = [1.0, 2.0, 3.0, 4.0, 9.0]
    assert inside(sample, 1.5).tolist() == [True, True, True, True, False]
    assert inside(sample, 3.0).all()


@pytest.mark.parametrize("values", [[], [1.0, float("nan")]])
def test_quartiles_of_nothing_or_of_nan_are_refused(values):
    """A missing value must not pass for an outlier."""
    with pytest.raises(ValueError, match="at least one value and no NaN"):
        fences(values)


def test_a_negative_factor_is_refused():
    """It would put the fences inside the box."""
    with pytest.raises(ValueError, match=r"-1 is negative"):
        fences([1.0, 2.0], -1)
