"""How campaigns of one library differ when nothing has changed: the usual spread between two of them, and the share
that campaigns have in the variance of all launches.

The usual spread: campaigns of one level are taken as equal but for chance, normal in the logarithm. The difference of
two further ones has twice their variance, and divided by its estimate it follows Student's distribution. So 95 % of
pairs differ by less than exp(t s sqrt 2). Where the level changed (`change_points`), scatter about each level is
pooled.

The share: a one-way analysis of variance with random effects. With n launches in each of k campaigns, of whose variance
the share r is between campaigns, the mean square between campaigns over that inside, divided by 1 + n r / (1 - r),
follows the F distribution of k - 1 and k (n - 1) degrees (Searle, Casella and McCulloch, Variance Components).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, isfinite, sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike

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
    bounds = (0, *(change_point.index for change_point in change_points(series)), series.size)
    levels = [np.log(series[begin:end]) for begin, end in pairwise(bounds)]
    degrees = series.size - len(levels)
    if degrees < FEWEST_CAMPAIGNS - 1:
        return None
    variance = sum(float(((part - part.mean()) ** 2).sum()) for part in levels) / degrees
    return UsualSpread(exp(float(scipy.special.stdtrit(degrees, 1 - level / 2)) * sqrt(2 * variance)), int(series.size))


@dataclass(frozen=True)
class CampaignVariance:
    """How the variance of launches is parted."""

    between: float
    """Between campaigns, what chance adds taken off; at least 0."""
    inside: float
    """Among the launches of one campaign."""
    f_ratio: float
    """The mean square between campaigns over that inside; infinite where nothing scatters inside."""
    launches: float
    """In a campaign; an average where campaigns have different numbers."""
    degrees: tuple[int, int]

    @property
    def share(self) -> float:
        """Of the variance that is between campaigns, 0 to 1; NaN where nothing scatters."""
        total = self.between + self.inside
        return self.between / total if total else float("nan")

    def p_share_at_most(self, share: float) -> float:
        """The chance of so small a ratio where campaigns have this share."""
        expected = 1 + self.launches * share / (1 - share)
        return float(scipy.special.fdtr(*self.degrees, self.f_ratio / expected)) if isfinite(self.f_ratio) else 1.0


def campaign_variance(campaigns: Sequence[ArrayLike]) -> CampaignVariance:
    """The variance between campaigns and inside them: `campaigns` has each one's launches, shape (launches,), any unit.
    ValueError for fewer than two campaigns, or where none has two launches.
    """
    groups = [np.asarray(campaign, dtype=np.float64) for campaign in campaigns]
    sizes = np.array([group.size for group in groups])
    total, degrees = int(sizes.sum()), (len(groups) - 1, int(sizes.sum()) - len(groups))
    if min(degrees) < 1 or not sizes.all():
        raise ValueError(f"{len(groups)} campaigns of {sizes.tolist()} launches: nothing is known of both variances")
    means, mean = np.array([group.mean() for group in groups]), np.concatenate(groups).mean()
    square_between = float((sizes * (means - mean) ** 2).sum()) / degrees[0]
    inside = sum(float(((group - group.mean()) ** 2).sum()) for group in groups) / degrees[1]
    launches = (total - float((sizes**2).sum()) / total) / degrees[0]
    ratio = square_between / inside if inside else float("inf")
    return CampaignVariance(max(square_between - inside, 0.0) / launches, inside, ratio, launches, degrees)
