"""Local against global times: the same samples reduced as the longest local duration and as the makespan.

After Fig. 9 of "MPI benchmarking revisited". A launch gives one median of each kind; the ratio is paired within
launches, for both come from the same samples.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ictus.stats.interval import RatioInterval, hodges_lehmann
from ictus.stats.median import MedianInterval, median_interval


@dataclass(frozen=True)
class TimesLaunch:
    """Medians over the valid samples of one launch, seconds."""

    local_s: float
    """Of the longest duration over ranks, each on its own clock."""
    global_s: float
    """Of the makespan: first start to last end on the global clock."""
    skew_s: float
    """Of the start skew."""


@dataclass(frozen=True)
class TimesSummary:
    """Both kinds over launches, seconds."""

    launches: int
    local: MedianInterval
    global_: MedianInterval
    skew_s: float
    ratio: RatioInterval
    """Global over local, paired."""


def reduce_launch(local_s: ArrayLike, global_s: ArrayLike, skew_s: ArrayLike, flags: ArrayLike) -> TimesLaunch | None:
    """One launch from its samples, each of shape (repetitions,); flagged ones are left out.

    None where no sample is valid, or where there is no global time (NaN).
    """
    columns = [np.asarray(one, dtype=np.float64) for one in (local_s, global_s, skew_s)]
    good = (np.asarray(flags) == 0) & np.isfinite(columns[0]) & np.isfinite(columns[1])
    if not good.any():
        return None
    return TimesLaunch(*(float(np.median(one[good])) for one in columns))


def summarise(launches: Sequence[TimesLaunch]) -> TimesSummary:
    """Over launches; `ValueError` for none."""
    local, makespan = [one.local_s for one in launches], [one.global_s for one in launches]
    return TimesSummary(
        launches=len(launches),
        local=median_interval(local),
        global_=median_interval(makespan),
        skew_s=float(np.median([one.skew_s for one in launches])),
        ratio=hodges_lehmann(makespan, local, paired=True),
    )
