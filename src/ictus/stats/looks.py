"""When a growing campaign is looked at, and how much of the error each look may spend.

Whoever tests after every launch and stops at the first small p-value finds differences that are not there. So the looks
are fixed before the first launch, each has `growth` times the launches of the one before, and each spends a share of
the error that the earlier ones left: the level holds over all looks together, however many there will be, and a
campaign can always be continued (error spending: K. K. G. Lan and D. L. DeMets 1983, Discrete sequential boundaries for
clinical trials). Without a difference, the rank statistics of successive looks have the joint distribution of a
Brownian motion at the times n_1, n_2, ...; the chance to cross at each look is found by numerical integration (P.
Armitage, C. K. McPherson, B. C. Rowe 1969). It gives the nominal level of each look, which the exact p-value of the
rank test is held against. Turned round, a p-value at a look becomes one that is valid over all looks: Holm's adjustment
of such p-values holds at any look, under any dependence, and never takes a rejection back.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np
import scipy

from ictus.model.looks import Looks
from ictus.stats.arrays import FloatArray

_POINTS = 201
"""Of the density between the boundaries; odd, for Simpson's rule."""
_FURTHEST = 30.0
"""Standard deviations beyond which no boundary is sought."""
_QUANTILES = np.linspace(-6.5, -0.6745, 61)
"""Of half the levels, from 8e-11 to one half, between which valid p-values are interpolated; above, they are 1."""


def nominal_level(looks: Looks, look: int, level: float) -> float:
    """What a p-value at the `look`-th look (from 1) is held against, so that all looks together keep `level`."""
    return _motion(looks.times(look), looks.share, level).nominal


def valid_p(looks: Looks, look: int, p_value: FloatArray) -> FloatArray:
    """For p-values at the `look`-th look the smallest levels of all looks at which they are rejected; NaN stays."""
    nominal, level = _table(looks.times(look), looks.share)
    quantiles = scipy.special.ndtri(np.maximum(p_value, 1e-300) / 2)
    p_valid = 2 * scipy.special.ndtr(np.interp(quantiles, nominal, level))
    return np.where(np.isnan(p_value), np.nan, np.where(quantiles > nominal[-1], 1.0, p_valid))


@dataclass(frozen=True)
class InterimLook:
    """One look at the cases of a campaign that are still open."""

    looks: Looks
    number: int
    """From 1."""
    decided: tuple[float, ...] = ()
    """Valid p-values of the cases of the same family that earlier looks decided."""

    def nominal_level(self, level: float) -> float:
        """What a p-value at this look is held against."""
        return nominal_level(self.looks, self.number, level)

    def valid_p(self, p_value: FloatArray) -> FloatArray:
        """Valid over all looks."""
        return valid_p(self.looks, self.number, p_value)

    def valid_one_sided(self, p_value: FloatArray) -> FloatArray:
        """The same for one-sided p-values: by symmetry, half of what is spent is spent on either side."""
        both = valid_p(self.looks, self.number, 2 * p_value)
        return np.where(both < 1, both / 2, both)


@dataclass(frozen=True)
class _Motion:
    """The motion after a look, where it crossed no boundary."""

    nominal: float
    """The two-sided nominal level of the look."""
    left: float
    """The error that later looks may spend."""
    points: FloatArray
    mass: FloatArray
    """Density times the weight of each point in an integral."""


@lru_cache(maxsize=16_384)
def _motion(times: tuple[int, ...], share: float, level: float) -> _Motion:
    """After the last of the looks at `times`, each with its share of what the earlier ones left of `level`."""
    last_at, unit = times[-1], sqrt(times[-1])
    before = _motion(times[:-1], share, level) if len(times) > 1 else None
    spent = share * (level if before is None else before.left)
    if before is None:
        bound = -float(scipy.special.ndtri(spent / 2)) * unit
    else:
        bound = _bound(before, sqrt(last_at - times[-2]), spent, unit)
    points = np.linspace(-bound, bound, _POINTS)
    if before is None:
        density = _normal(points / unit) / unit
    else:
        step = sqrt(last_at - times[-2])
        density = _normal((points[:, np.newaxis] - before.points) / step) / step @ before.mass
    left = (level if before is None else before.left) - spent
    return _Motion(2 * float(scipy.special.ndtr(-bound / unit)), left, points, density * _simpson(points))


def _bound(before: _Motion, step: float, spent: float, unit: float) -> float:
    """What the motion lies beyond after a `step` with the chance `spent`, on either side."""

    def excess(bound: float) -> float:
        beyond = scipy.special.ndtr((before.points - bound) / step) + scipy.special.ndtr(
            (-before.points - bound) / step
        )
        return float(beyond @ before.mass) - spent

    return float(scipy.optimize.brentq(excess, 0.0, _FURTHEST * unit, xtol=1e-9 * unit))


def _normal(z: FloatArray) -> FloatArray:
    return np.exp(-(z**2) / 2) / sqrt(2 * np.pi)


def _simpson(points: FloatArray) -> FloatArray:
    weights = np.full(points.size, 2.0)
    weights[1::2] = 4.0
    weights[0] = weights[-1] = 1.0
    return weights * float(points[1] - points[0]) / 3


@lru_cache(maxsize=256)
def _table(times: tuple[int, ...], share: float) -> tuple[FloatArray, FloatArray]:
    """Normal quantiles of half the nominal level at the last look, ascending, and of half the level of all looks."""
    levels = scipy.special.ndtr(_QUANTILES) * 2
    nominal = np.array([_motion(times, share, float(level)).nominal for level in levels])
    return scipy.special.ndtri(nominal / 2), scipy.special.ndtri(levels / 2)
