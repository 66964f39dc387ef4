"""The shift between the halves of a launch, and whether it is more than autocorrelated noise."""

import numpy as np
import pytest
from scipy.signal import lfilter

from ictus.stats.binomial_rate import rate
from ictus.stats.stationarity import batch_means, half_shift, shift_matters


def autocorrelated(correlation, launches, repetitions, seed):
    """Stationary latencies with 10 % scatter whose neighbours correlate, shape (launches, repetitions)."""
    noise = np.random.default_rng(seed).standard_normal((launches, repetitions + 2000))
    process = lfilter([1], [1, -correlation], noise, axis=1)[:, 2000:] * np.sqrt(1 - correlation**2)
    return 1e-5 * np.exp(0.1 * process)


def judge(launches):
    """Flags of all launches, taking every shift as large enough, so that only the test decides."""
    return shift_matters(np.array([batch_means(row) for row in launches]), np.ones(len(launches)))


def test_shift_is_the_ratio_of_the_medians_of_the_halves():
    """The middle of five belongs to neither half: median(4, 4) / median(1, 3) - 1 = 1."""
    assert half_shift(np.array([1.0, 3.0, 99.0, 4.0, 4.0])) == 1.0


def test_one_sample_has_no_shift():
    """NaN, not zero."""
    assert np.isnan(half_shift(np.array([1.0])))


@pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9, 0.98, 0.995])
def test_autocorrelation_alone_is_rarely_taken_for_a_shift(correlation):
    """Steady launches are flagged in at most 3 % whatever their correlation; a test on the samples would flag most."""
    flagged = judge(autocorrelated(correlation, 1000, 1000, seed=7))
    assert rate(int(flagged.sum()), flagged.size, "at most", 0.03).holds


def test_a_test_that_ignores_autocorrelation_would_flag_most_steady_launches():
    """The reason for batches: at correlation 0.98 a plain t-test at 1 % flags more than half of the steady launches."""
    launches = autocorrelated(0.98, 300, 1000, seed=7)
    first, second = launches[:, :500], launches[:, 500:]
    error = np.sqrt((first.var(axis=1, ddof=1) + second.var(axis=1, ddof=1)) / 500)
    naive = np.abs(second.mean(axis=1) - first.mean(axis=1)) / error > 2.58
    assert naive.mean() > 0.5
    assert judge(launches).mean() < 0.05


def test_a_warm_up_that_is_not_over_is_found():
    """A first half slower by 10 %, with correlated noise of the same size, is flagged nearly always."""
    launches = autocorrelated(0.5, 200, 1000, seed=3)
    launches[:, :500] *= 1.1
    flagged = shift_matters(
        np.array([batch_means(row) for row in launches]), np.array([half_shift(row) for row in launches])
    )
    assert rate(int(flagged.sum()), 200, "at least", 0.9).holds


def test_a_certain_shift_of_half_a_percent_does_not_matter():
    """Credible is not enough: it decides no comparison."""
    launch = np.concatenate((np.full(500, 1.0), np.full(500, 1.005))) + np.tile([0.0, 1e-4], 500)
    assert half_shift(launch) == pytest.approx(0.005, rel=0.02)
    assert not shift_matters(batch_means(launch)[np.newaxis], np.array([half_shift(launch)]))[0]


def test_too_few_samples_show_nothing():
    """Batches of fewer than four samples are NaN, and NaN is no shift."""
    batches = batch_means(np.concatenate((np.ones(39), np.full(39, 2.0))))
    assert np.isnan(batches).all()
    assert not shift_matters(batches[np.newaxis], np.array([1.0]))[0]


def test_no_batch_spans_the_boundary_of_the_halves():
    """With 10 samples of 1 too many in each half, batches hold ones or twos only."""
    means = batch_means(np.concatenate((np.ones(105), np.full(105, 2.0))))
    assert means.tolist() == [1.0] * 10 + [2.0] * 10
