"""Exit skew summarised over repetitions and launches.

The launch is the unit of replication: with two launches or more, intervals are over the means of launches. Intervals of
a single launch are over its repetitions, as in Fig. 10 of "MPI benchmarking revisited", and say nothing about another
launch. Limits are not below 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ictus.comparison.case_titles import processes
from ictus.model.quantity import format_duration
from ictus.stats.mean import MeanInterval, from_moments, mean_interval
from ictus.studies.exit_skew.record import Account, ExitProfile, SkewLaunch, StartRun

BASELINE = "barrier(algorithm=library)"
"""The reference of the others: MPI_Barrier."""


@dataclass(frozen=True, order=True)
class SkewPlace:
    """What starts are compared within."""

    n_ranks: int
    library: str
    wait_s: float
    """Since the clocks were synchronised."""

    @property
    def text(self) -> str:
        """`mpich, 2 processes, 30.0 s after synchronising`; most studies measure at once, and need not say so."""
        later = f", {format_duration(self.wait_s)} after synchronising" if self.wait_s else ""
        return f"{self.library}, {processes(self.n_ranks)}{later}"


@dataclass(frozen=True)
class Skews:
    """How far apart ranks are, seconds: over repetitions."""

    mean: MeanInterval
    median_s: float
    """Median over launches, each of which has the median over its repetitions; likewise the percentile and the largest.
    """
    p95_s: float
    max_s: float


@dataclass(frozen=True)
class StartSummary:
    """One start at one place, over all launches. Seconds."""

    place: SkewPlace
    start: str
    """The spec in full form."""
    launches: int
    """Those with a valid repetition."""
    attempted: int
    late_entry: int
    missed: int
    valid: int
    clock_bound_s: float | None
    """The largest of the launches; None where one has none."""
    entry: Skews | None
    """None where no repetition is valid; so are the others."""
    skew: Skews | None
    true_skew: Skews | None
    """None also where the truth is not known."""
    duration_s: float | None
    """First entry to last exit, median."""
    exits: tuple[MeanInterval, ...]
    """For each rank: its exit after the first one. Empty without a valid repetition."""
    true_exits: tuple[MeanInterval, ...]

    @property
    def best_skew(self) -> Skews | None:
        """The true one where it is known, else what was measured."""
        return self.true_skew or self.skew


def summarise(launches: Sequence[SkewLaunch]) -> tuple[StartSummary, ...]:
    """A summary for each place and start: the least skew first, what has none last."""
    groups: dict[tuple[SkewPlace, str], list[StartRun]] = {}
    for launch in launches:
        for run in launch.runs:
            skew_place = SkewPlace(launch.setting.n_ranks, launch.library, run.wait_s)
            groups.setdefault((skew_place, run.start), []).append(run)
    return tuple(sorted((_summary(*key, runs) for key, runs in groups.items()), key=_order))


def _order(summary: StartSummary) -> tuple[SkewPlace, float, str]:
    skew_s = float("inf") if summary.best_skew is None else summary.best_skew.median_s
    return summary.place, skew_s, summary.start


def _summary(skew_place: SkewPlace, start: str, runs: Sequence[StartRun]) -> StartSummary:
    with_valid = [run for run in runs if run.valid]
    measured = [run.measured for run in with_valid]
    truths = [run.truth for run in with_valid if run.truth is not None]
    truths = truths if len(truths) == len(with_valid) else []
    bounds = [run.clock_bound_s for run in runs if run.clock_bound_s is not None]
    return StartSummary(
        place=skew_place,
        start=start,
        launches=len(with_valid),
        attempted=sum(run.attempted for run in runs),
        late_entry=sum(run.late_entry for run in runs),
        missed=sum(run.missed for run in runs),
        valid=sum(run.valid for run in runs),
        clock_bound_s=max(bounds) if bounds and len(bounds) == len(runs) else None,
        entry=_skews([account.entry.skew_s for account in truths or measured]),
        skew=_skews([account.exit.skew_s for account in measured]),
        true_skew=_skews([account.exit.skew_s for account in truths]),
        duration_s=_middle([account.duration_s for account in truths or measured]),
        exits=_profile(measured),
        true_exits=_profile(truths),
    )


def _skews(launches: Sequence[Sequence[float]]) -> Skews | None:
    if not launches:
        return None
    means = [float(np.mean(launch)) for launch in launches]
    return Skews(
        mean=_not_below_0(mean_interval(means if len(means) > 1 else launches[0])),
        median_s=float(np.median([np.median(skews_s) for skews_s in launches])),
        p95_s=float(np.median([np.quantile(skews_s, 0.95) for skews_s in launches])),
        max_s=max(max(skews_s) for skews_s in launches),
    )


def _middle(launches: Sequence[Sequence[float]]) -> float | None:
    return float(np.median([np.median(launch) for launch in launches])) if launches else None


def _profile(accounts: Sequence[Account]) -> tuple[MeanInterval, ...]:
    """Each rank's exit; of one launch with the interval over its repetitions."""
    exits = [account.exit for account in accounts]
    if len(exits) == 1:
        return _of_repetitions(exits[0])
    return tuple(
        _not_below_0(mean_interval(means)) for means in zip(*(profile.mean_s for profile in exits), strict=True)
    )


def _of_repetitions(profile: ExitProfile) -> tuple[MeanInterval, ...]:
    n = len(profile.skew_s)
    moments = zip(profile.mean_s, profile.sd_s, strict=True)
    return tuple(_not_below_0(from_moments(mean, deviation, n)) for mean, deviation in moments)


def _not_below_0(interval: MeanInterval) -> MeanInterval:
    """No skew is below 0, but the interval by Student's t may be, of few launches that differ much."""
    return interval if interval.low is None else replace(interval, low=max(interval.low, 0.0))


def times_further(summary: StartSummary, baseline: StartSummary) -> float | None:
    """How many times further apart the baseline's ranks are, by medians; None where either is not known or 0."""
    if summary.best_skew is None or baseline.best_skew is None or summary.best_skew.median_s <= 0:
        return None
    return baseline.best_skew.median_s / summary.best_skew.median_s
