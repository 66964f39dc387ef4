"""Q-Q points against the normal."""

import numpy as np
import pytest
from scipy import stats

from ictus.stats.normality import NormalQuantiles, normal_quantiles


def straightness(found: NormalQuantiles) -> float:
    """Correlation of the points: 1 for a straight line, NaN for one value or constant ones."""
    if found.values.size < 2 or found.values[0] == found.values[-1]:
        return float("nan")
    return float(np.corrcoef(found.normal, found.values)[0, 1])


def test_positions_are_those_of_qqnorm():
    """R: qnorm(ppoints(5)) with a = 3/8, qnorm(ppoints(20)) with a = 1/2."""
    few = normal_quantiles([5.0, 1.0, 4.0, 2.0, 3.0])
    assert few.normal == pytest.approx([-1.1797611, -0.4972006, 0.0, 0.4972006, 1.1797611], abs=1e-7)
    assert few.values.tolist() == [1, 2, 3, 4, 5]
    many = normal_quantiles(np.arange(20.0))
    assert many.normal == pytest.approx(stats.norm.ppf((np.arange(20) + 0.5) / 20), rel=1e-12)


def test_normal_values_lie_on_their_line():
    """Exact normal quantiles with mean 3 and spread 2: the points are straight, the line is 3 + 2 z."""
    exact = 3 + 2 * stats.norm.ppf((np.arange(1001) + 0.5) / 1001)
    found = normal_quantiles(exact[::-1])
    assert (found.intercept, found.slope) == (pytest.approx(3, abs=1e-12), pytest.approx(2, rel=2e-3))
    assert straightness(found) == pytest.approx(1, abs=1e-12)


def test_the_line_goes_through_the_quartiles_and_a_tail_does_not_tilt_it():
    """One value a thousand times as large changes neither quartile of 20."""
    values = np.arange(1.0, 21.0)
    line = normal_quantiles(values)
    quarter = stats.norm.ppf(0.75)
    assert line.intercept - quarter * line.slope == pytest.approx(np.quantile(values, 0.25), rel=1e-12)
    assert line.intercept + quarter * line.slope == pytest.approx(np.quantile(values, 0.75), rel=1e-12)
    values[-1] = 20_000
    tailed = normal_quantiles(values)
    assert (tailed.intercept, tailed.slope) == (line.intercept, line.slope)
    assert straightness(tailed) < 0.5 < straightness(line)


@pytest.mark.parametrize("values", [[7.0], [7.0] * 12])
def test_one_value_and_constant_values_are_a_point_or_a_flat_line(values):
    """Slope 0 through the value, straightness undefined."""
    found = normal_quantiles(values)
    assert (found.intercept, found.slope) == (7, 0)
    assert np.isnan(straightness(found))


@pytest.mark.parametrize("values", [[], [1.0, np.nan], [1.0, np.inf]])
def test_what_is_no_sample_is_refused(values):
    """An error, never a point."""
    with pytest.raises(ValueError, match="the series"):
        normal_quantiles(values)
