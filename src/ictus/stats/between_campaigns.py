"""The usual spread between campaigns: by how much two campaigns of one library differ when nothing has changed.

Campaigns of one level are taken as equal but for chance, normal in the logarithm: the difference of two further ones
has twice their variance, and divided by its estimate it follows Student's distribution. So 95 % of pairs differ by less
than exp(t s sqrt 2). Where the level changed (`change_points`), scatter about each level is pooled.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import exp, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ictus.stats.change_points import change_points

FEWEST_CAMPAIGNS = 3
"""Fewer say nothing of their own spread."""


@dataclass(frozen=True)
class UsualSpread:
    """What is usual between two campaigns of a case."""

    ratio: float
    """At least 1: of the larger to the smaller."""
    n_campaigns: int


def usual_spread(values: ArrayLike, level: float = 0.05) -> UsualSpread | None:
    """The ratio that two campaigns without a change stay within, but for a chance of `level`.

    `values` has one positive number for each campaign, in the order of time, shape (campaigns,); None where fewer than
    three campaigns, or too few of one level, say anything. `ValueError` for a value that is not positive or finite.
    """
    series = np.asarray(values, dtype=np.float64)
    if series.size < FEWEST_CAMPAIGNS:
        return None
    bounds = (0, *(one.index for one in change_points(series)), series.size)
    levels = [np.log(series[begin:end]) for begin, end in pairwise(bounds)]
    degrees = series.size - len(levels)
    if degrees < FEWEST_CAMPAIGNS - 1:
        return None
    variance = sum(float(((part - part.mean()) ** 2).sum()) for part in levels) / degrees
    return UsualSpread(exp(float(special.stdtrit(degrees, 1 - level / 2)) * sqrt(2 * variance)), int(series.size))
