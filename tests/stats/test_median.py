"""The median of large samples by looking only near it."""

import numpy as np
import pytest

from ictus.stats.median import median_of


@pytest.mark.parametrize("size", [1, 2, 3, 10, 11, 4096, 4097, 20_000, 60_001])
def test_it_is_the_median(size):
    """Selection instead of sorting changes the cost, not the value: of one mode, two modes apart, and of ties."""
    random = np.random.default_rng(size)
    for sample in (random.lognormal(0, 1, size), random.normal(0, 0.1, size) + 5 * (np.arange(size) % 2),
                   np.round(random.normal(0, 3, size)), np.arange(size, dtype=float), np.full(size, 7.0)):  # fmt: skip
        assert median_of(sample) == pytest.approx(np.median(sample), rel=1e-15, abs=1e-300)


def test_a_pattern_as_long_as_the_steps_does_not_mislead_it():
    """Every 16th value is a hundred times the others: what was looked at first says nothing of the rest."""
    sample = np.random.default_rng(1).lognormal(0, 0.1, 20_000)
    sample[::16] *= 100
    assert median_of(sample) == np.median(sample)


def test_infinite_values_are_the_largest():
    """A sample that is half infinite, and one that is wholly."""
    sample = np.random.default_rng(1).random(10_001)
    sample[:6000] = np.inf
    assert median_of(sample) == np.inf
    sample[:6000] = 3.0
    sample[:1000] = np.inf
    assert median_of(sample) == np.median(sample)
