"""False alarms of a series that is tested after every value: the formula, its constant, and simulated series."""

import numpy as np
import pytest
import scipy
from scipy import special
from tests.history.steady_store import changes_seen

from ictus.histories.false_alarms import FalseAlarms
from ictus.stats.false_alarms import OVERSHOOT, alarms_per_value, largest_p


def nu(x: float) -> float:
    """Siegmund's correction for the excess over a threshold."""
    n = np.arange(1, 20_000)
    return float(2 / x**2 * np.exp(-2 * np.sum(special.ndtr(-x * np.sqrt(n) / 2) / n)))


def test_the_constant_is_the_integral() -> None:
    """Of x nu(x)^2, by quadrature; near 0 nu is exp(-0.583 x), so that the part below 0.1 is 0.1^2 / 2 - 0.583 2 / 3
    0.1^3.
    """
    integral, _ = scipy.integrate.quad(lambda x: x * nu(x) ** 2, 0.1, 30, limit=200, epsrel=1e-4)
    assert integral + 0.1**2 / 2 - 0.583 * 2 / 3 * 0.1**3 == pytest.approx(OVERSHOOT, rel=1e-3)


@pytest.mark.parametrize("alarms", [1e-2, 1e-4, 1e-7, 1e-12])
def test_a_limit_has_the_alarms_that_it_was_made_for(alarms: float) -> None:
    """There and back; the rarer, the fewer."""
    assert alarms_per_value(largest_p(alarms)) == pytest.approx(alarms, rel=1e-6)
    assert largest_p(alarms / 10) < largest_p(alarms)


def test_the_most_and_the_least() -> None:
    """From a deviate of 3 on; and a number above 0 is needed."""
    assert largest_p(0.5) == largest_p(0.012) == pytest.approx(0.0027, rel=1e-2)
    with pytest.raises(ValueError, match="expected a number above 0"):
        largest_p(0.0)


@pytest.mark.parametrize("alarms", [3e-3, 6e-4])
def test_steady_series_raise_them_no_more_often(alarms: float) -> None:
    """Alarms of 1,500 series of 150 values, until each has one. At most as many as stated, within 3 deviations of a
    count, and at least half of them: a limit that is never reached would find nothing either.
    """
    values = np.random.default_rng(11).standard_normal((1500, 150))
    seen = changes_seen(values, FalseAlarms(2 * alarms, {"one": 1.0}, {"one": 1}))
    at_risk = (~seen.cumsum(axis=1).astype(bool)).sum()
    expected = alarms * at_risk
    assert expected / 2 < seen.sum() < expected + 3 * np.sqrt(expected)
