"""Tukey's fences: what lies far outside the middle half of the samples is an outlier.

            Q1 - f IQR        Q1   median   Q3        Q3 + f IQR
    o  o        |--------------[=====|=======]--------------|      o
    outliers  fence                 IQR                   fence  outlier

Quartiles are of type 7 (linear interpolation between order statistics at position 1 + (n - 1) q), the default of
NumPy and R. The factor f is 1.5 unless told otherwise. Values on a fence are kept. Source: J. W. Tukey, Exploratory
Data Analysis, 1977; papers/mpi-benchmarking-revisited, section 6.1, uses the rule per launch.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ictus.model.reduction import USUAL_FACTOR
from ictus.stats.arrays import BoolArray, FloatArray

DEFAULT_FACTOR = USUAL_FACTOR


@dataclass(frozen=True)
class Fences:
    """Quartiles of a sample and the fences around them, in the sample's unit."""

    q1: float
    q3: float
    low: float
    high: float


def quantile_sorted(ordered: FloatArray, share: float) -> float:
    """Type-7 quantile of an ascending, non-empty sample. Cost: two reads."""
    position = (ordered.size - 1) * share
    below = int(position)
    above = min(below + 1, ordered.size - 1)
    start = float(ordered[below])
    return start + (position - below) * (float(ordered[above]) - start)


def fences_sorted(ordered: FloatArray, factor: float = DEFAULT_FACTOR) -> Fences:
    """Fences of an ascending, non-empty sample. Cost: four reads."""
    q1 = quantile_sorted(ordered, 0.25)
    q3 = quantile_sorted(ordered, 0.75)
    reach = factor * (q3 - q1)
    return Fences(q1=q1, q3=q3, low=q1 - reach, high=q3 + reach)


def fences(values: ArrayLike, factor: float = DEFAULT_FACTOR) -> Fences:
    """Quartiles and fences of a sample of any order; `ValueError` when it is empty, holds NaN, or the factor is
    negative.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0 or np.isnan(sample).any():
        raise ValueError("quartiles need at least one value and no NaN")
    if factor < 0:
        raise ValueError(f"outlier factor {factor} is negative")
    return fences_sorted(np.sort(sample), factor)


def inside(values: ArrayLike, factor: float = DEFAULT_FACTOR) -> BoolArray:
    """Mask of the values between the fences, both included, in the order given. Errors as in `fences`."""
    sample = np.asarray(values, dtype=np.float64)
    limits = fences(sample, factor)
    return (sample >= limits.low) & (sample <= limits.high)
