"""The ratio of two sums over all calls, from some of them that were drawn by chance."""

import math
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray


@dataclass(frozen=True)
class SampledRatio:
    """An estimate and half the width of its interval; infinite where a single draw tells nothing of the others."""

    ratio: float
    half_width: float


def ratio_of_sums(
    parts: NDArray[np.float64], wholes: NDArray[np.float64], drawn_share: float, level: float = 0.95
) -> SampledRatio:
    """Sum of `parts` to sum of `wholes` (positive in sum), each element one drawn unit; `drawn_share` of all units were
    drawn, and where that is 1 nothing is estimated.

    The ratio estimator's linearised variance with the correction for finite populations (Cochran, Sampling Techniques,
    1977, section 6.4), and Student's quantile of n - 1 degrees of freedom.
    """
    ratio = float(parts.sum() / wholes.sum())
    n = parts.size
    left_out = max(0.0, 1.0 - drawn_share)
    if left_out == 0.0:
        return SampledRatio(ratio, 0.0)
    if n < 2:
        return SampledRatio(ratio, math.inf)
    residuals = parts - ratio * wholes
    error = math.sqrt(left_out * float(residuals @ residuals) / (n - 1) / n) / float(wholes.mean())
    return SampledRatio(ratio, error * float(scipy.special.stdtrit(n - 1, (1 + level) / 2)))
