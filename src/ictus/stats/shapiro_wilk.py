"""Shapiro-Wilk: are values normal? The most able test of it for few values; scipy's (Royston's algorithm AS R94).

Its p-value is good up to 5,000 values, and of more no test of normality says anything useful: any real sample fails.
"""

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import finite_sample

LEAST, MOST = 3, 5000


def shapiro_wilk(values: ArrayLike) -> float:
    """p-value of the Shapiro-Wilk test; NaN for fewer than 3 or more than 5,000 values, or constant ones.

    `ValueError` for an empty sample, NaN or infinity.
    """
    sample = finite_sample(values)
    if not LEAST <= sample.size <= MOST or np.ptp(sample) == 0:
        return float("nan")
    return float(scipy.stats.shapiro(sample).pvalue)
