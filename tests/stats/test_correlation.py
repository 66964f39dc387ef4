"""Autocorrelation, its band, its test and the effective sample size."""

from math import sqrt

import numpy as np
import pytest
from scipy.signal import lfilter

from ictus.stats.correlation import autocorrelation

SERIES = [1.2, 3.4, 2.2, 5.9, 4.1, 2.8, 3.3, 3.0, 7.5, 2.1, 2.6, 3.9]


def correlated(correlation: float, n: int, seed: int) -> np.ndarray:
    """A stationary first-order autoregressive series."""
    noise = np.random.default_rng(seed).standard_normal(n + 2000)
    return lfilter([1], [1, -correlation], noise)[2000:]


def test_coefficients_are_those_of_the_definition():
    """Against sums written out, and against statsmodels' `acf` (values of its version 0.15)."""
    x = np.array(SERIES) - np.mean(SERIES)
    written_out = [float(x[h:] @ x[: x.size - h] / (x @ x)) for h in (1, 2, 3)]
    found = autocorrelation(SERIES).coefficients
    assert found == pytest.approx(written_out, rel=1e-12)
    assert found == pytest.approx([-0.24984765, -0.11395491, -0.18037782], abs=1e-8)


def test_the_test_of_ljung_and_box_is_that_of_statsmodels():
    """`acorr_ljungbox` with 3 lags, a quarter of the series: 0.6195407268935222."""
    assert autocorrelation(SERIES).p_value == pytest.approx(0.6195407268935222, rel=1e-12)


def test_times_of_nanoseconds_lose_no_digits():
    """The coefficients do not depend on unit and offset."""
    shifted = 1e-3 + 1e-9 * np.array(SERIES)
    assert autocorrelation(shifted).coefficients == pytest.approx(autocorrelation(SERIES).coefficients, rel=1e-6)


def test_the_band_holds_95_percent_of_independent_coefficients():
    """1.96 / sqrt(n); of 200 independent series 5 % of the coefficients leave it, and about 1 % are significant."""
    found = [autocorrelation(correlated(0, 1000, seed), lags=20) for seed in range(200)]
    assert found[0].band == pytest.approx(1.959963984540054 / sqrt(1000), rel=1e-12)
    beyond = np.mean([np.abs(one.coefficients) > one.band for one in found])
    assert 0.04 < beyond < 0.06
    assert sum(one.significant for one in found) <= 6


@pytest.mark.parametrize("correlation", [0.3, 0.6, 0.9])
def test_the_effective_size_of_an_autoregressive_series_is_known(correlation):
    """N (1 - r) / (1 + r): found within a tenth by the median of 100 series of 4,000; all are significant."""
    found = [autocorrelation(correlated(correlation, 4000, seed)) for seed in range(100)]
    expected = 4000 * (1 - correlation) / (1 + correlation)
    assert np.median([one.effective for one in found]) == pytest.approx(expected, rel=0.1)
    assert all(one.significant for one in found)
    assert found[0].spacing == int(np.ceil(4000 / found[0].effective))


def test_samples_taken_that_far_apart_are_independent():
    """The papers' sub-sampling: every `spacing`-th value of a correlated series is no longer correlated."""
    series = correlated(0.8, 20_000, seed=5)
    whole = autocorrelation(series)
    assert whole.significant
    assert not autocorrelation(series[:: 3 * whole.spacing]).significant


def test_alternating_values_are_worth_no_more_than_all_of_them():
    """Negative correlation would promise more than n."""
    found = autocorrelation(np.tile([1.0, 2.0], 100))
    assert found.coefficients[0] == pytest.approx(-0.995, abs=1e-9)
    assert (found.effective, found.spacing) == (200, 1)


@pytest.mark.parametrize("values", [[1.0], [1.0, 2.0], [3.0] * 100, list(range(9))])
def test_too_few_or_constant_values_say_nothing(values):
    """NaN and not significant: neither 0 nor 1."""
    found = autocorrelation(values)
    assert np.isnan(found.coefficients).all()
    assert np.isnan(found.effective)
    assert (found.significant, found.spacing, found.n) == (False, 0, len(values))


def test_ties_are_values_like_others():
    """Two values that take turns in pairs: r_1 = 0 but for the ends, r_2 = -1."""
    found = autocorrelation(np.tile([0.0, 0.0, 1.0, 1.0], 50))
    assert found.coefficients[:2] == pytest.approx([0.5 / 100, -0.99], abs=1e-9)


@pytest.mark.parametrize("values", [[], [1.0, np.nan] * 10, [1.0, np.inf] * 10, [[1.0] * 20]])
def test_what_is_no_series_is_refused(values):
    """Empty, NaN, infinity, two dimensions: an error, never a number."""
    with pytest.raises(ValueError, match="the series"):
        autocorrelation(values)


def test_lags_below_one_are_refused():
    """Lag 0 is always 1."""
    with pytest.raises(ValueError, match="lags 0"):
        autocorrelation(SERIES, lags=0)
