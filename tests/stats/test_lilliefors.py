"""Kolmogorov-Smirnov with estimated mean and spread."""

import numpy as np
import pytest
from scipy import stats

from ictus.stats.binomial_rate import rate
from ictus.stats.normality import lilliefors

SAMPLE = [1.2, 3.4, 2.2, 5.9, 4.1, 2.8, 3.3, 3.0, 7.5, 2.1, 2.6, 3.9]


def test_the_distance_is_that_of_statsmodels_and_scipy():
    """`statsmodels.stats.diagnostic.lilliefors` (0.15) and scipy's `kstest` with the fitted normal."""
    fitted = stats.kstest(SAMPLE, "norm", args=(np.mean(SAMPLE), np.std(SAMPLE, ddof=1)))
    found = lilliefors(SAMPLE)
    assert found.distance == pytest.approx(0.19749422439301223, rel=1e-12)
    assert found.distance == pytest.approx(float(fitted.statistic), rel=1e-12)


def test_p_is_that_of_an_independent_simulation():
    """Scipy's `goodness_of_fit` with 100,000 samples and its own generator gave 0.2169 (seed 1)."""
    assert lilliefors(SAMPLE).p_value == pytest.approx(0.2169, abs=0.01)


@pytest.mark.parametrize("n", [10, 30, 100, 1000])
def test_the_published_critical_values_are_hit(n):
    """Stephens (1974): in his scale 0.819, 0.895, 1.035 are exceeded by 10, 5 and 1 % of normal samples of any size."""
    random = np.random.default_rng(n)
    sample = np.sort(random.standard_normal(n))
    for point, level in ((0.819, 0.10), (0.895, 0.05), (1.035, 0.01)):
        wanted = point / (np.sqrt(n) - 0.01 + 0.85 / np.sqrt(n))
        at = moved_to_distance(sample, wanted)
        found = lilliefors(at)
        assert found.distance == pytest.approx(wanted, rel=1e-6)
        assert found.p_value == pytest.approx(level, abs=0.15 * level + 0.002)


def moved_to_distance(sample: np.ndarray, wanted: float) -> np.ndarray:
    """The sample bent by an exponential (or straightened to exact normal quantiles) until its D is the wanted one."""
    exact = stats.norm.ppf((np.arange(sample.size) + 0.5) / sample.size)
    low, high = 0.0, 5.0
    for _ in range(80):
        bend = (low + high) / 2
        bent = np.exp(bend * exact)
        distance = lilliefors(bent).distance
        low, high = (bend, high) if distance < wanted else (low, bend)
    return np.exp(high * exact)


def test_the_plain_test_would_call_nearly_everything_normal():
    """Of 400 normal samples the plain p rejects none at 5 % where ours rejects about 5 %; of skewed samples it misses
    many that ours finds.
    """
    random = np.random.default_rng(2)
    plain, ours, plain_found, ours_found = 0, 0, 0, 0
    for normal, skewed in zip(random.standard_normal((400, 30)), random.exponential(size=(400, 30)), strict=True):
        plain += plain_p(normal) <= 0.05
        ours += lilliefors(normal).p_value <= 0.05
        plain_found += plain_p(skewed) <= 0.05
        ours_found += lilliefors(skewed).p_value <= 0.05
    assert plain <= 2
    assert rate(ours, 400, "at most", 0.05).holds
    assert ours >= 8
    assert plain_found < 100
    assert ours_found > 260


def plain_p(sample: np.ndarray) -> float:
    """The p-value that forgets that mean and spread were estimated."""
    return float(stats.kstest(sample, "norm", args=(sample.mean(), sample.std(ddof=1))).pvalue)


def test_unit_and_offset_do_not_matter():
    """Microseconds or seconds: the same D, the same p."""
    moved = 1e-6 * np.array(SAMPLE) + 3e-6
    assert lilliefors(moved).distance == pytest.approx(lilliefors(SAMPLE).distance, rel=1e-9)
    assert lilliefors(moved).p_value == lilliefors(SAMPLE).p_value


@pytest.mark.parametrize("values", [[1.0], [1.0, 2.0, 3.0], [5.0] * 30])
def test_undefined_is_nan(values):
    """Fewer than four values, or constant ones."""
    found = lilliefors(values)
    assert np.isnan([found.distance, found.p_value]).all()


def test_ties_and_an_outlier_are_found():
    """Two values only, or one far away: p is at its least but never 0."""
    assert 0 < lilliefors([1.0] * 20 + [2.0] * 10).p_value < 0.001
    assert lilliefors([*np.linspace(0.9, 1.1, 29), 50.0]).p_value == pytest.approx(1 / 20_001, rel=1e-12)


@pytest.mark.parametrize("values", [[], [1.0, 2.0, 3.0, np.nan], [1.0, 2.0, 3.0, np.inf]])
def test_what_is_no_sample_is_refused(values):
    """An error, never a p-value."""
    with pytest.raises(ValueError, match="the series"):
        lilliefors(values)
