"""Overlap over launches: each launch gives one number, a median or a mean of its valid repetitions."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ictus.overlap.formulas import imb_overlap, osu_overlap, overlap
from ictus.overlap.record import BLOCKING, CaseRuns, OverlapLaunch, Run
from ictus.stats.median_interval import MedianInterval, median_interval

Reduce = Literal["median", "mean"]
"""How the repetitions of a launch become one number: the median heeds no rare disturbance, the mean pays for each."""


@dataclass(frozen=True)
class Key:
    """What is summarised together."""

    library: str
    n: int
    operation: str
    size_bytes: int
    thread: str
    compute: str
    interval_bytes: int | None


@dataclass(frozen=True)
class RunLaunch:
    """One run in one launch, reduced. Seconds and shares."""

    blocking_s: float
    init_s: float
    test_s: float
    compute_s: float
    wait_s: float
    overhead_s: float
    overlap: float
    osu: float
    imb: float


@dataclass(frozen=True)
class RunSummary:
    """One run over launches."""

    key: Key
    tests: int
    launches: int
    attempted: int
    valid: int
    blocking: MedianInterval
    """T_b in the same launches, seconds."""
    init_s: float
    test_s: float
    compute_s: float
    wait_s: float
    overhead: MedianInterval
    """Seconds."""
    overlap: MedianInterval
    """Unclipped."""
    osu: float
    imb: float


def reduce_run(case: CaseRuns, run: Run, how: Reduce) -> RunLaunch | None:
    """A run of one launch; None where it or the blocking one has no valid repetition."""
    if not run.valid or not case.blocking.valid:
        return None
    point = np.median if how == "median" else np.mean
    blocking = float(point(case.blocking.phases["total"]))
    each = {name: float(point(values)) for name, values in run.phases.items()}
    pure, means = case.blocking.means.total_s, run.means
    return RunLaunch(
        blocking_s=blocking,
        init_s=each["init"],
        test_s=each["test"],
        compute_s=each["compute"],
        wait_s=each["wait"],
        overhead_s=each["overhead"],
        overlap=overlap(each["overhead"], blocking),
        osu=osu_overlap(pure, means.compute_s, means.total_s),
        imb=imb_overlap(pure, run.alone_s, means.total_s),
    )


def summarise(launches: Sequence[OverlapLaunch], how: Reduce = "median") -> tuple[RunSummary, ...]:
    """A summary for each run that has a result, by library, processes, operation, thread, compute, interval, size."""
    found: dict[Key, list[tuple[Run, RunLaunch]]] = defaultdict(list)
    for launch in launches:
        for case in launch.cases:
            for run in case.runs:
                reduced = None if run.compute == BLOCKING else reduce_run(case, run, how)
                if reduced is not None:
                    found[_key(launch, case, run)].append((run, reduced))
    order = {
        key: (key.library, key.n, key.operation, key.thread, key.compute, key.interval_bytes or 2**62) for key in found
    }
    return tuple(_summary(key, found[key]) for key in sorted(found, key=lambda key: (*order[key], key.size_bytes)))


def _key(launch: OverlapLaunch, case: CaseRuns, run: Run) -> Key:
    setting = launch.setting
    library = setting.label or setting.library
    return Key(
        library, setting.n_ranks, case.operation, case.size_bytes, launch.thread, run.compute, run.interval_bytes
    )


def _summary(key: Key, runs: Sequence[tuple[Run, RunLaunch]]) -> RunSummary:
    reduced = [one for _, one in runs]

    def middle(name: str) -> float:
        return float(np.median([getattr(one, name) for one in reduced]))

    return RunSummary(
        key=key,
        tests=runs[0][0].tests,
        launches=len(runs),
        attempted=sum(run.attempted for run, _ in runs),
        valid=sum(run.valid for run, _ in runs),
        blocking=median_interval([one.blocking_s for one in reduced]),
        init_s=middle("init_s"),
        test_s=middle("test_s"),
        compute_s=middle("compute_s"),
        wait_s=middle("wait_s"),
        overhead=median_interval([one.overhead_s for one in reduced]),
        overlap=median_interval([one.overlap for one in reduced]),
        osu=middle("osu"),
        imb=middle("imb"),
    )
