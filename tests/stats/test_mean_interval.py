"""Student's interval of a mean, against values that tables print."""

import math

import pytest

from ictus.stats.mean import from_moments, mean_interval


def test_an_interval_by_hand() -> None:
    """1, 2, 3: mean 2, deviation 1, t(2 degrees of freedom, 97.5 %) = 4.302653 (any table), over the root of 3."""
    found = mean_interval([1.0, 2.0, 3.0])
    half = 4.302652729911275 / math.sqrt(3)
    assert (found.mean, found.low, found.high) == pytest.approx((2.0, 2.0 - half, 2.0 + half))
    assert mean_interval([1.0, 2.0, 3.0], 0.5).high != found.high


def test_moments_say_the_same_as_the_values() -> None:
    """The mean and the deviation are all that the interval needs."""
    assert from_moments(2.0, 1.0, 3) == pytest.approx(mean_interval([1.0, 2.0, 3.0]))


def test_one_value_has_no_interval() -> None:
    """Nothing is known of its spread: no limits, not limits of width 0."""
    found = mean_interval([5.0])
    assert (found.mean, found.low, found.high) == (5.0, None, None)


def test_bad_input_is_refused() -> None:
    """No values, a NaN, a confidence of 1."""
    for values, confidence in (([], 0.95), ([1.0, math.nan], 0.95), ([1.0, 2.0], 1.0)):
        with pytest.raises(ValueError, match=r"values|confidence"):
            mean_interval(values, confidence)
