"""The mean with Student's interval, as the papers' figures of process skew show it.

It assumes independent values whose mean is about normal: means of launches, or many repetitions.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ictus.stats.arrays import as_sample


@dataclass(frozen=True)
class MeanInterval:
    """Mean of a sample with its limits, in its unit; the limits are None for fewer than two values."""

    mean: float
    low: float | None
    high: float | None


def mean_interval(values: ArrayLike, confidence: float = 0.95) -> MeanInterval:
    """The mean of `values`, shape (n,), with its interval; `ValueError` for an empty sample, NaN, or a confidence
    outside (0, 1).
    """
    sample = as_sample(values, "values")
    deviation = float(np.std(sample, ddof=1)) if sample.size > 1 else float("nan")
    return from_moments(float(np.mean(sample)), deviation, sample.size, confidence)


def from_moments(mean: float, deviation: float, n: int, confidence: float = 0.95) -> MeanInterval:
    """The same from the mean of `n` values and their standard deviation (that of a sample)."""
    if not 0 < confidence < 1:
        raise ValueError(f"confidence {confidence} is not between 0 and 1")
    if n < 2:
        return MeanInterval(mean, None, None)
    half = float(special.stdtrit(n - 1, (1 + confidence) / 2)) * deviation / sqrt(n)
    return MeanInterval(mean, mean - half, mean + half)
