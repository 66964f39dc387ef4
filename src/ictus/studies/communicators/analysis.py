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
    found: dict[tuple[str, int, str, int], list[tuple[CommunicatorsAnswer, CreationTimes]]] = {}
    for launch in launches:
        for times in launch.creations:
            place = (_library(launch), launch.n_ranks, times.call, times.groups)
            found.setdefault(place, []).append((launch, times))
    order = list(dict.fromkeys(times.call for launch in launches for times in launch.creations))
    places = sorted(found, key=lambda place: (place[1], place[0], order.index(place[2]), place[3]))
    return tuple(_summary(place[0], found[place]) for place in places)


def _library(launch: CommunicatorsAnswer) -> str:
    """Its name; the first word of its version where the core was started by hand."""
    return launch.setting.label or launch.setting.library.split()[0].lower()


def _summary(mpi: str, measured: Sequence[tuple[CommunicatorsAnswer, CreationTimes]]) -> CreationSummary:
    known = [times.makespan_s for _, times in measured if times.valid]
    bounds = [launch.clock_bound_s for launch, _ in measured]
    proven = [bound for bound in bounds if bound is not None]
    launch, one = measured[0]
    return CreationSummary(
        mpi=mpi,
        n=launch.n_ranks,
        call=one.call,
        mpi_name=one.mpi_name,
        groups=one.groups,
        largest=one.largest,
        launches=len(known),
        attempted=sum(times.attempted for _, times in measured),
        valid=sum(times.valid for _, times in measured),
        cost_s=median_interval([float(np.median(times)) for times in known]) if known else None,
        p95_s=float(np.median([np.quantile(times, 0.95) for times in known])) if known else None,
        clock_bound_s=max(proven) if len(proven) == len(bounds) else None,
    )
