"""What making communicators costs, summarised over repetitions and launches.

A launch's number is the median over its valid repetitions. The launch is the unit of replication: the cost is the
median of the launches' numbers, so that one disturbed launch does not decide, with its interval (stats/median.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ictus.stats.median import MedianInterval, median_interval
from ictus.studies.communicators.record import CommunicatorsAnswer, CreationTimes


@dataclass(frozen=True)
class CreationSummary:
    """One call with one number of groups, over the launches of a library with so many processes."""

    mpi: str
    n: int
    call: str
    mpi_name: str
    groups: int
    largest: int
    """Ranks of the largest new communicator."""
    launches: int
    """Those with a valid repetition."""
    attempted: int
    valid: int
    cost_s: MedianInterval | None
    """None where no repetition is valid."""
    p95_s: float | None
    """Median over launches of their 95th percentiles."""
    clock_bound_s: float | None
    """The largest of the launches; None where one has none."""


def summarise(launches: Sequence[CommunicatorsAnswer]) -> tuple[CreationSummary, ...]:
    """A summary for each library, number of processes, call and number of groups."""
    times_by_case: dict[tuple[str, int, str, int], list[tuple[CommunicatorsAnswer, CreationTimes]]] = {}
    for launch in launches:
        for times in launch.creations:
            case = (_library(launch), launch.n_ranks, times.call, times.groups)
            times_by_case.setdefault(case, []).append((launch, times))
    order = list(dict.fromkeys(times.call for launch in launches for times in launch.creations))
    cases = sorted(times_by_case, key=lambda case: (case[1], case[0], order.index(case[2]), case[3]))
    return tuple(_summary(case[0], times_by_case[case]) for case in cases)


def _library(launch: CommunicatorsAnswer) -> str:
    """Its name; the first word of its version where the core was started by hand."""
    return launch.setting.label or launch.setting.library.split()[0].lower()


def _summary(mpi: str, measured: Sequence[tuple[CommunicatorsAnswer, CreationTimes]]) -> CreationSummary:
    makespans = [times.makespan_s for _, times in measured if times.valid]
    bounds = [launch.clock_bound_s for launch, _ in measured]
    proven = [bound for bound in bounds if bound is not None]
    launch, creation = measured[0]
    return CreationSummary(
        mpi=mpi,
        n=launch.n_ranks,
        call=creation.call,
        mpi_name=creation.mpi_name,
        groups=creation.groups,
        largest=creation.largest,
        launches=len(makespans),
        attempted=sum(times.attempted for _, times in measured),
        valid=sum(times.valid for _, times in measured),
        cost_s=median_interval([float(np.median(times)) for times in makespans]) if makespans else None,
        p95_s=float(np.median([np.quantile(times, 0.95) for times in makespans])) if makespans else None,
        clock_bound_s=max(proven) if len(proven) == len(bounds) else None,
    )
