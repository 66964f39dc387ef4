"""False alarms of a series that is tested again after every further value, and the p-value from which on to speak.

After each value all splits of the series are tested, each with the p-value of its rank-sum. Whoever speaks at a fixed
p-value speaks falsely at a steady rate, which the deviate z of that p-value gives: about C z phi(z) false alarms a
value (D. Siegmund and E. S. Venkatraman 1995, Using the generalized likelihood ratio statistic for sequential detection
of a change-point, Annals of Statistics 23, 255-271), where C is the integral of x nu(x)^2 over all x > 0 and nu their
correction for an excess over the threshold. It holds for normal values and high thresholds. Of rank-sums with exact
p-values the rate is somewhat lower: tests/history/test_steady_store.py measures it.
"""

from functools import lru_cache
from math import exp, pi, sqrt

import scipy

OVERSHOOT = 0.857
"""C, integrated numerically from nu(x) = 2 / x^2 exp(-2 sum of Phi(-x sqrt(n) / 2) / n)."""
_LOWEST, _HIGHEST = 3.0, 38.0
"""Deviates: below 3 the formula says too much; beyond 38 a p-value is no number any more."""


def alarms_per_value(p_value: float) -> float:
    """Expected false alarms for each further value of one steady series, if every two-sided p-value of a split that is
    at most `p_value` is one.
    """
    return _alarms(min(max(-float(scipy.special.ndtri(p_value / 2)), _LOWEST), _HIGHEST))


@lru_cache
def largest_p(alarms: float) -> float:
    """The two-sided p-value of a split from which on to speak, so that `alarms` false ones a value are expected. At
    most 0.0027, which is about one in a hundred values.

    `ValueError` unless `alarms` is above 0.
    """
    if not alarms > 0:
        raise ValueError(f"{alarms} false alarms a value: expected a number above 0")
    if alarms >= _alarms(_LOWEST):
        deviate = _LOWEST
    elif alarms <= _alarms(_HIGHEST):
        deviate = _HIGHEST
    else:
        deviate = float(scipy.optimize.brentq(lambda z: _alarms(z) / alarms - 1, _LOWEST, _HIGHEST))
    return 2 * float(scipy.special.ndtr(-deviate))


def _alarms(deviate: float) -> float:
    return OVERSHOOT * deviate * exp(-deviate * deviate / 2) / sqrt(2 * pi)
