"""Kolmogorov-Smirnov against enumeration, and its direction, which scipy names the other way round."""

import numpy as np
import pytest

from ictus.stats.hypothesis import ALTERNATIVES
from ictus.stats.kolmogorov_smirnov_test import kolmogorov_smirnov

from .enumeration import distance, exact_kolmogorov_smirnov


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize(("n", "m"), [(1, 3), (4, 4), (5, 5), (3, 6), (5, 4)])
def test_exact_p_agrees_with_enumeration_to_twelve_digits(n, m, alternative):
    """All C(n + m, n) arrangements are listed and their distances counted."""
    random = np.random.default_rng(n * m)
    a, b = random.normal(0.3, 1, n).tolist(), random.normal(0, 1, m).tolist()
    found = kolmogorov_smirnov(a, b, alternative)
    assert found.method == "exact"
    assert found.statistic == pytest.approx(float(distance(a, b, alternative)), rel=1e-12)
    assert found.p_value == pytest.approx(float(exact_kolmogorov_smirnov(a, b, alternative)), rel=1e-12)


def test_less_means_that_a_is_smaller():
    """As in the whole family; scipy's `less` speaks of the distribution function."""
    assert kolmogorov_smirnov([1, 2, 3, 4], [5, 6, 7, 8], "less").p_value == pytest.approx(1 / 70, rel=1e-12)
    assert kolmogorov_smirnov([1, 2, 3, 4], [5, 6, 7, 8], "greater").p_value == 1.0


def test_the_least_distance_of_five_against_five_is_certain():
    """The exact p of scipy rounds to just above 1 here, warns and gives up; it is 1."""
    found = kolmogorov_smirnov([1, 3, 5, 7, 9], [2, 4, 6, 8, 10])
    assert (found.p_value, found.method) == (1.0, "exact")


def test_more_than_ten_thousand_values_take_the_limit():
    """And say so."""
    random = np.random.default_rng(1)
    assert kolmogorov_smirnov(random.random(10_001), random.random(20)).method == "asymptotic"
