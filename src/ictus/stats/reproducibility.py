"""How far apart equal experiments are: normalised results, and their largest difference.

Source: papers/mpi-benchmarking-revisited, section 6.3, Figure 29 (each result divided by the smallest) and Table I
(diff = (max - min) / max). The largest difference grows with the number of trials, so only methods with equally many
trials are compared by it; the relative standard deviation does not grow.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray


@dataclass(frozen=True)
class TrialSpread:
    """Results of equal trials, times in the unit they were given in."""

    n: int
    min: float
    max: float
    diff: float
    """(max - min) / max: 0 where all are equal, 0.5 where the largest is twice the smallest."""
    deviation: float | None
    """Standard deviation over mean; None for a single trial."""
    normalised: tuple[float, ...]
    """Each result over the smallest, in the order given."""


def trial_value(launches: Sequence[float | None]) -> float | None:
    """The result of one campaign for a case: the mean over its launches; None without a result."""
    finite = [value for value in launches if value is not None and np.isfinite(value)]
    return float(np.mean(finite)) if finite else None


def spread(results: ArrayLike) -> TrialSpread:
    """The spread of results of shape (trials,). `ValueError` unless all are positive and finite, and there is one."""
    values: FloatArray = np.asarray(results, dtype=np.float64)
    if values.ndim != 1 or values.size == 0 or not (np.isfinite(values).all() and (values > 0).all()):
        raise ValueError(f"the spread of {results!r}: expected one or more positive times")
    low, high = float(values.min()), float(values.max())
    return TrialSpread(
        n=values.size,
        min=low,
        max=high,
        diff=(high - low) / high,
        deviation=float(values.std(ddof=1) / values.mean()) if values.size > 1 else None,
        normalised=tuple((values / low).tolist()),
    )
