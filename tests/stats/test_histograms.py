"""Histogram, bandwidth and kernel density."""

import numpy as np
import pytest
from scipy import stats

from ictus.stats.histograms import bandwidth, density, histogram, peaks


def test_bins_are_those_of_freedman_and_diaconis():
    """As numpy's "fd"; every value is counted once and the bars' areas add up to 1."""
    values = np.random.default_rng(1).lognormal(0, 0.3, 500)
    found = histogram(values)
    counts, edges = np.histogram(values, "fd")
    assert found.counts.tolist() == counts.tolist()
    assert found.edges == pytest.approx(edges, rel=1e-12)
    assert found.counts.sum() == 500


def test_a_long_tail_asks_for_no_more_than_a_hundred_bins():
    """One stall of a thousand times the middle."""
    assert histogram([*np.linspace(1, 2, 999), 2000.0]).counts.size == 100


def test_most_values_equal_still_have_bins():
    """An interquartile range of 0 says nothing of the width: Sturges' log2(n) + 1 does."""
    assert histogram([1.0] * 60 + [2.0, 3.0, 4.0, 5.0]).counts.tolist() == [60, 1, 0, 1, 0, 1, 1]


@pytest.mark.parametrize("value", [3.0, 0.0, -2.0])
def test_constant_values_lie_in_the_middle_of_one_bin(value):
    """No width to divide by."""
    found = histogram([value] * 5)
    assert found.counts.tolist() == [5]
    assert found.edges.mean() == pytest.approx(value, abs=1e-12)
    assert found.edges[0] < value < found.edges[1]


def test_the_bandwidth_is_silvermans():
    """R: bw.nrd0(1:10) = 0.9 min(3.0277, 4.5 / 1.34) 10^-0.2 = 1.719286."""
    assert bandwidth(np.arange(1.0, 11.0)) == pytest.approx(1.719286, abs=1e-6)
    assert bandwidth([2.0, 2.0, 2.0, 2.0, 9.0]) == pytest.approx(0.9 * np.std([2, 2, 2, 2, 9], ddof=1) * 5**-0.2)


def test_the_density_is_that_of_scipy_and_has_area_one():
    """Scipy's gaussian_kde with the same width, to twelve digits."""
    values = np.random.default_rng(2).lognormal(0, 0.5, 300)
    at = np.linspace(-1, 9, 400)
    reference = stats.gaussian_kde(values, bandwidth(values) / values.std(ddof=1))(at)
    found = density(values, at)
    assert found == pytest.approx(reference, rel=1e-12, abs=1e-15)
    assert np.trapezoid(found, at) == pytest.approx(1, abs=1e-3)


def test_many_values_are_gathered_without_a_difference_that_shows():
    """10,000 values at 4,096 places: within a thousandth of the peak."""
    values = np.random.default_rng(3).normal(5, 1, 10_000)
    at = np.linspace(1, 9, 50)
    reference = stats.gaussian_kde(values, bandwidth(values) / values.std(ddof=1))(at)
    assert np.abs(density(values, at) - reference).max() < 1e-3 * reference.max()


@pytest.mark.parametrize("values", [[4.0], [4.0, 4.0, 4.0]])
def test_one_point_has_no_density(values):
    """NaN, not an infinite peak."""
    assert bandwidth(values) == 0
    assert np.isnan(density(values, [3.0, 4.0])).all()


@pytest.mark.parametrize("values", [[], [1.0, np.nan], [1.0, np.inf]])
@pytest.mark.parametrize("function", [histogram, bandwidth, lambda values: density(values, [1.0])])
def test_what_is_no_sample_is_refused(function, values):
    """An error, never an empty picture."""
    with pytest.raises(ValueError, match="the series"):
        function(values)


def test_peaks_are_the_humps_of_a_sample():
    """Where they were drawn; a single hump, skewed or read by a coarse clock, has one, as have constant values."""
    random = np.random.default_rng(4)
    two = np.concatenate((random.normal(10, 0.5, 950), random.normal(15, 0.5, 50)))
    assert peaks(two) == pytest.approx([10, 15], abs=0.3)
    single = (random.normal(10, 0.5, 1000), random.gamma(2, 1, 1000), np.round(random.normal(100, 2, 1000)))
    assert [peaks(values).size for values in single] == [1, 1, 1]
    assert peaks(np.append(single[0], 200.0)).size == 1, "a stall is no hump"
    assert peaks([3.0, 3.0]).tolist() == [3.0]
    far = np.concatenate((random.normal(1, 1e-9, 800), random.normal(2, 1e-9, 200)))
    assert peaks(far) == pytest.approx([1, 2], abs=1e-4), "a gigabyte of bins for each 30 million widths"


def test_one_hump_rarely_has_two_peaks_and_a_second_one_is_mostly_found():
    """As the constant promises: of 200 samples of 1,000 values."""
    random = np.random.default_rng(5)
    single = sum(peaks(random.normal(10, 1, 1000)).size > 1 for _ in range(200))
    double = sum(peaks(random.normal(10, 0.5, 1000) + 5 * (random.random(1000) < 0.05)).size > 1 for _ in range(200))
    assert (single <= 2, double >= 185) == (True, True), (single, double)
