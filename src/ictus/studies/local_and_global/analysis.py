"""Local against global times: the same samples reduced as the longest local duration and as the makespan.

After Fig. 9 of "MPI benchmarking revisited". A launch gives one median of each kind; the ratio is paired within
launches, because both come from the same samples. One row for each library and case.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from ictus.comparison.case_titles import IDENTITY
from ictus.comparison.matching import medians
from ictus.model.errors import UsageError
from ictus.model.spec import parse_spec
from ictus.stats.interval import RatioInterval, hodges_lehmann
from ictus.stats.median import MedianInterval, median_interval
from ictus.store.campaign import Campaign


@dataclass(frozen=True)
class TimesLaunch:
    """Medians over the valid samples of one launch, seconds."""

    local_s: float
    """Median of the longest duration over ranks, each on its own clock."""
    global_s: float
    """Median of the makespan: first start to last end on the global clock."""
    skew_s: float
    """Median of the start skew."""


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
    columns = [np.asarray(numbers, dtype=np.float64) for numbers in (local_s, global_s, skew_s)]
    good = (np.asarray(flags) == 0) & np.isfinite(columns[0]) & np.isfinite(columns[1])
    if not good.any():
        return None
    return TimesLaunch(*(float(np.median(column[good])) for column in columns))


def summarise(launches: Sequence[TimesLaunch]) -> TimesSummary:
    """Over launches; `ValueError` for none."""
    local, makespan = [launch.local_s for launch in launches], [times_launch.global_s for times_launch in launches]
    return TimesSummary(
        launches=len(launches),
        local=median_interval(local),
        global_=median_interval(makespan),
        skew_s=float(np.median([launch.skew_s for launch in launches])),
        ratio=hodges_lehmann(makespan, local, paired=True),
    )


_SINGLE_CALLS = "per-call"
"""The scheme of which both kinds are known: of a loop of calls they are not those of a call."""


MATTERS = 0.01
"""A smaller difference is none, however sure it is: a makespan is never below the longest local time."""


@dataclass(frozen=True)
class TimesRow:
    """One case of one library, by both kinds of times."""

    mpi: str
    case: Mapping[str, Any]
    launches: Mapping[int, TimesLaunch]
    """Those with a valid sample, by slot."""
    summary: TimesSummary

    @property
    def differs(self) -> bool:
        """Whether the two differ and it matters: the ratio's whole interval is further than 1 % from 1."""
        low, high = self.summary.ratio.low, self.summary.ratio.high
        return low is not None and high is not None and (low > 1 + MATTERS or high < 1 / (1 + MATTERS))


def times_rows(campaign: Campaign) -> tuple[TimesRow, ...]:
    """A row for each library and case of which single calls were timed on synchronised clocks.

    UsageError where there is none.
    """
    cases: dict[tuple[str, int], Mapping[str, Any]] = {}
    for row in medians(campaign).iter_rows(named=True):
        cases.setdefault((row["mpi"], row["case_id"]), {name: row[name] for name in IDENTITY})
    launches: dict[tuple[str, int, str], dict[int, TimesLaunch]] = {}
    for launch, source in zip(campaign.launches, campaign.sources, strict=True):
        columns = ("case_id", "local_max", "makespan", "start_skew", "flags")
        frame: pl.DataFrame = source.lazy().select(columns).collect()
        for (case_id,), case_frame in frame.partition_by("case_id", as_dict=True, maintain_order=True).items():
            reduced = reduce_launch(*(case_frame[name].to_numpy() for name in columns[1:]))
            if reduced is not None:
                own_launches = launches.setdefault((launch.mpi, int(str(case_id)), launch.algorithm), {})
                own_launches[launch.slot.slot] = reduced
    rows = [
        TimesRow(mpi, {**cases[mpi, case_id], "algorithm": algorithm}, by_slot, summarise(list(by_slot.values())))
        for (mpi, case_id, algorithm), by_slot in sorted(launches.items(), key=lambda pair: _place(campaign, pair[0]))
        if (mpi, case_id) in cases and parse_spec(str(cases[mpi, case_id]["scheme"])).name == _SINGLE_CALLS
    ]
    if not rows:
        raise UsageError(
            f"'{campaign.folder}' has no global times: they need synchronised clocks (--clocksync) and --scheme "
            f"per-call"
        )
    return tuple(rows)


def _place(campaign: Campaign, key: tuple[str, int, str]) -> tuple[int, int, str]:
    """Cases in the order of the plan, libraries within."""
    mpi, case_id, algorithm = key
    return case_id, campaign.labels.index(mpi), algorithm
