"""Tests of three samples and more at once.

Friedman: of several treatments measured in the same launches, does at least one tend to be larger than the others?

The question before any pair is looked at, where launches are shared (several procsyncs, several methods): values are
ranked within each launch, so that what makes a whole launch slow cancels. The statistic is corrected for ties; its
p-value is that of the chi-squared distribution with k - 1 degrees of freedom, which holds the level, cautiously, from
a handful of launches on (M. Friedman, The use of ranks to avoid the assumption of normality implicit in the analysis
of variance, JASA 32, 1937). Independent launches take Kruskal-Wallis (below).

Kruskal-Wallis: do several independent samples come from one distribution, or does at least one tend to be larger?

The question before any pair is looked at: with k libraries there are k (k - 1) / 2 pairs, and some pair always looks
different. The statistic H compares the mean ranks, corrected for ties; its p-value is that of the chi-squared
distribution with k - 1 degrees of freedom, good from about five launches a side on (W. H. Kruskal and W. A. Wallis, Use
of ranks in one-criterion variance analysis, JASA 47, 1952). Of two samples it is the rank-sum test without its
correction for continuity.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import as_sample


@dataclass(frozen=True)
class Friedman:
    """The statistic and its p-value; both NaN where all values of every launch are equal, for then ranks say
    nothing.
    """

    statistic: float
    p_value: float


def friedman(samples: Sequence[ArrayLike]) -> Friedman:
    """The test over three or more samples of shape (launches,), entry k of each from launch k. Infinite values are the
    largest of all.

    `ValueError` for fewer than three samples, an empty one, unequal sizes, or NaN.
    """
    if len(samples) < 3:
        raise ValueError(f"{len(samples)} samples: Friedman's test compares three or more; for two take signed-rank")
    known = [as_sample(values, f"sample {index}") for index, values in enumerate(samples)]
    sizes = [values.size for values in known]
    if len(set(sizes)) > 1:
        raise ValueError(f"Friedman's test needs every launch in every sample, but they have {sizes} values")
    ranks = scipy.stats.rankdata(np.column_stack(known), axis=1)
    if (ranks.min(axis=1) == ranks.max(axis=1)).all():
        return Friedman(float("nan"), float("nan"))
    found = scipy.stats.friedmanchisquare(*ranks.T)
    return Friedman(float(found.statistic), float(found.pvalue))


@dataclass(frozen=True)
class KruskalWallis:
    """H and its p-value; both NaN where all values are equal, for then ranks say nothing."""

    statistic: float
    p_value: float


def kruskal_wallis(samples: Sequence[ArrayLike]) -> KruskalWallis:
    """The test over two or more samples, each of shape (launches,). Infinite values are the largest of all.

    `ValueError` for fewer than two samples, an empty one, or NaN.
    """
    if len(samples) < 2:
        raise ValueError(f"{len(samples)} samples: Kruskal-Wallis compares two or more")
    known = [as_sample(values, f"sample {index}") for index, values in enumerate(samples)]
    ranks = scipy.stats.rankdata(np.concatenate(known))
    if ranks.min() == ranks.max():
        return KruskalWallis(float("nan"), float("nan"))
    parts = np.split(ranks, np.cumsum([values.size for values in known])[:-1])
    found = scipy.stats.kruskal(*parts)
    return KruskalWallis(float(found.statistic), float(found.pvalue))
