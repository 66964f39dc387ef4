"""Q-Q points: ordered values against the quantiles that as many normal values would have. On a line, they are normal.

The k-th of n values stands for the probability (k - a) / (n + 1 - 2a), with a = 3/8 up to 10 values (Blom) and 1/2
beyond, as R's `qqnorm` has it. The line goes through the quartiles of both (R's `qqline`): a long tail bends the ends
away from it and does not tilt it. papers/mpi-benchmarking-revisited, Fig. 13.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from ictus.stats.arrays import FloatArray, finite_sample
from ictus.stats.tukey import quantile_sorted

_FEW = 10


@dataclass(frozen=True)
class NormalQuantiles:
    """Points of a Q-Q plot and the line through their quartiles."""

    normal: FloatArray
    """Quantiles of the standard normal, ascending, shape (n,)."""
    values: FloatArray
    """The values, ascending, shape (n,)."""
    intercept: float
    slope: float
    """The line `intercept + slope * normal`; slope 0 where the quartiles coincide."""

    @property
    def straightness(self) -> float:
        """Correlation of the points, 1 for a straight line; NaN for one value or constant ones."""
        if self.values.size < 2 or self.values[0] == self.values[-1]:
            return float("nan")
        return float(np.corrcoef(self.normal, self.values)[0, 1])


def normal_quantiles(values: ArrayLike) -> NormalQuantiles:
    """Q-Q points of a sample of any order against the standard normal. `ValueError` for an empty sample, NaN or
    infinity.
    """
    ordered = np.sort(finite_sample(values))
    n = ordered.size
    offset = 0.375 if n <= _FEW else 0.5
    normal = np.asarray(special.ndtri((np.arange(1, n + 1) - offset) / (n + 1 - 2 * offset)), dtype=np.float64)
    quarter = float(special.ndtri(0.75))
    q1, q3 = quantile_sorted(ordered, 0.25), quantile_sorted(ordered, 0.75)
    return NormalQuantiles(normal, ordered, (q1 + q3) / 2, (q3 - q1) / (2 * quarter))
