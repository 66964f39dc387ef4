"""Why launch medians differ: because launches do, and because each is known from so many repetitions only.

On the log scale the median of a launch with n repetitions scatters about the true value with variance

    between + within / n

`within` is learnt inside launches: the series is cut into consecutive batches, and the variance of batch medians
times the length of a batch is what one repetition contributes. Batches keep what repetitions have in common with their
neighbours (autocorrelation), which a variance of single repetitions would lose. `between` is what is left of the
variance over launches. Negative estimates are 0. For means of equal batches these are the estimates of a one-way
analysis of variance. Source: T. Kalibera, R. Jones, Rigorous benchmarking in reasonable time, ISMM 2013, section 6.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ictus.stats.arrays import as_sample, require_times

MOST_BATCHES = 10
SHORTEST_BATCH = 5
"""A median of fewer is hardly one."""


@dataclass(frozen=True)
class Within:
    """What one launch says of the scatter inside launches, on the log scale."""

    variance: float
    """Contribution of one repetition to the variance of a launch median, times n."""
    degrees: int
    """Degrees of freedom; 0: so few repetitions say nothing."""


@dataclass(frozen=True)
class Components:
    """Variance of log launch medians in its two parts."""

    between: float
    within: float
    """Of a launch with one repetition; a launch with n has within / n."""
    launches: int

    def variance(self, nrep: float) -> float:
        """Variance of the log median of a launch with so many repetitions."""
        return self.between + self.within / nrep


def within_launch(times: ArrayLike) -> Within:
    """The scatter inside one launch of its valid samples, shape (n,), in the order measured.

    `ValueError` for an empty sample, NaN, and times that are not positive and finite.
    """
    series = as_sample(times, "times")
    require_times(series, "times")
    length = max(SHORTEST_BATCH, series.size // MOST_BATCHES)
    batches = series.size // length
    if batches < 2:
        return Within(0.0, 0)
    medians = np.median(np.log(series[: batches * length]).reshape(batches, length), axis=1)
    return Within(length * float(np.var(medians, ddof=1)), batches - 1)


def components(medians: ArrayLike, nreps: ArrayLike, within: Sequence[Within]) -> Components | None:
    """The parts for launches with these `medians` (times), counts of repetitions `nreps`, both of shape (launches,),
    and scatter inside; None for fewer than two launches.

    `ValueError` for empty or unequal series, NaN, and times that are not positive and finite.
    """
    values, counts = as_sample(medians, "medians"), as_sample(nreps, "nreps")
    require_times(values, "medians")
    if not values.size == counts.size == len(within):
        raise ValueError(f"{values.size} medians, {counts.size} counts and {len(within)} launches do not fit")
    if values.size < 2:
        return None
    degrees = sum(one.degrees for one in within)
    inside = sum(one.degrees * one.variance for one in within) / degrees if degrees else 0.0
    between = float(np.var(np.log(values), ddof=1)) - inside * float(np.mean(1 / counts))
    return Components(max(between, 0.0), inside, values.size)
