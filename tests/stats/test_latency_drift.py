"""Binned means over time and the drift in them."""

import numpy as np
import pytest
from scipy import stats
from scipy.signal import lfilter

from ictus.stats.binomial_rate import rate
from ictus.stats.stationarity import latency_drift


def correlated(correlation, launches, repetitions, seed):
    """Stationary latencies with 10 % scatter whose neighbours correlate, shape (launches, repetitions)."""
    noise = np.random.default_rng(seed).standard_normal((launches, repetitions + 2000))
    process = lfilter([1], [1, -correlation], noise, axis=1)[:, 2000:] * np.sqrt(1 - correlation**2)
    return 1e-5 * np.exp(0.1 * process)


def test_bins_hold_equally_many_and_none_is_left_out():
    """83 samples: 3 bins of 5, then 17 of 4; means, medians and times as written out."""
    values = np.arange(83.0) ** 2
    found = latency_drift(np.arange(83.0), values)
    assert (found.per_bin, found.means.size) == (4, 20)
    assert found.means[0] == (0 + 1 + 4 + 9 + 16) / 5
    assert found.medians[0] == 4
    assert found.times[-1] == (79 + 80 + 81 + 82) / 4


def test_the_line_is_the_least_squares_line_of_the_medians():
    """Scipy's `linregress`, to twelve digits; the change is what the line gains over its middle."""
    times = np.cumsum(np.random.default_rng(1).exponential(size=1000))
    found = latency_drift(times, correlated(0.0, 1, 1000, seed=1)[0] * (1 + times / 5000))
    line = stats.linregress(found.times, found.medians)
    assert found.slope == pytest.approx(line.slope, rel=1e-10)
    assert found.intercept == pytest.approx(line.intercept, rel=1e-12)
    gained = line.slope * (times[-1] - times[0]) / found.medians.mean()
    assert found.change == pytest.approx(gained, rel=1e-10)


def test_a_planted_drift_is_found_and_its_size_is_right():
    """10 % over the launch under as much scatter, correlated or not: found nearly always, 10 % on average."""
    ramp = 1 + 0.1 * np.linspace(-0.5, 0.5, 1000)
    for correlation in (0.0, 0.5):
        found = [latency_drift(np.arange(1000.0), row * ramp) for row in correlated(correlation, 100, 1000, seed=4)]
        assert rate(sum(one.matters for one in found), 100, "at least", 0.9).holds
        assert np.mean([one.change for one in found]) == pytest.approx(0.1, abs=0.005)


@pytest.mark.few(2)
@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9, 0.98])
def test_steady_launches_rarely_drift_whatever_their_correlation(correlation):
    """At most 3 % of 500, although the test ignores how samples correlate beyond neighbouring bins."""
    found = [latency_drift(np.arange(1000.0), row) for row in correlated(correlation, 500, 1000, seed=7)]
    assert rate(sum(one.matters for one in found), 500, "at most", 0.03).holds


def test_a_line_that_ignores_correlation_would_see_drifts_everywhere():
    """The reason for widening: at correlation 0.98 the plain test at 1 % flags one of five steady launches."""
    found = [latency_drift(np.arange(1000.0), row) for row in correlated(0.98, 200, 1000, seed=7)]
    plain = [stats.linregress(one.times, one.medians).pvalue <= 0.01 for one in found]
    assert np.mean(plain) > 0.15


def test_a_few_stalls_do_not_make_a_drift():
    """Ten calls of a hundred times the latency near the end move means, not medians."""
    values = correlated(0.0, 1, 1000, seed=9)[0]
    values[950:960] *= 100
    found = latency_drift(np.arange(1000.0), values)
    assert found.means[-2:].max() > 5 * found.medians[-2:].max()
    assert not found.matters


def test_a_credible_drift_of_half_a_percent_does_not_matter():
    """Credible is not enough."""
    found = latency_drift(np.arange(1000.0), 1 + 0.005 * np.linspace(0, 1, 1000))
    assert found.p_value < 1e-6
    assert found.change == pytest.approx(0.005, rel=0.05)
    assert not found.matters


def test_constant_values_have_no_drift_and_no_p():
    """A flat line without scatter: slope 0, p undefined."""
    found = latency_drift(np.arange(100.0), np.ones(100))
    assert (found.slope, found.change, found.matters) == (0, 0, False)
    assert np.isnan(found.p_value)


@pytest.mark.parametrize("n", [1, 39])
def test_too_few_samples_say_nothing(n):
    """Fewer than ten bins of four: empty and NaN."""
    found = latency_drift(np.arange(float(n)), np.arange(float(n)))
    assert found.means.size == 0
    assert np.isnan([found.slope, found.change, found.p_value]).all()
    assert not found.matters


def test_one_instant_has_no_slope():
    """All times equal: NaN."""
    found = latency_drift(np.zeros(100), np.arange(100.0))
    assert np.isnan([found.slope, found.p_value]).all()


@pytest.mark.parametrize(
    ("times", "values", "words"),
    [
        ([], [], "empty"),
        ([1.0, 2.0], [1.0], "2 times do not fit 1 values"),
        ([2.0, 1.0], [1.0, 1.0], "step back"),
        ([1.0, 2.0], [1.0, np.nan], "NaN"),
        ([1.0, np.inf], [1.0, 1.0], "infinite"),
    ],
)
def test_what_is_no_series_is_refused(times, values, words):
    """An error that says why."""
    with pytest.raises(ValueError, match=words):
        latency_drift(times, values)
