"""The share of a communication that a computation hides, by our definition and by those of other suites; and its
summary over launches, each of which gives one median or mean of its valid repetitions.

Ours is not clipped: below 0 the overlapped operation costs more than the blocking one.
Source: T. Hoefler, T. Schneider, A. Lumsdaine, "Accurately measuring collective operations at massive scale", sec. 4;
OSU micro-benchmarks, osu_iallreduce; Intel MPI Benchmarks, IMB-NBC.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ictus.stats.median import MedianInterval, median_interval
from ictus.studies.overlap.record import BLOCKING, CaseRuns, OverlapLaunch, OverlapRun


def overlap(overhead_s: float, blocking_s: float) -> float:
    """1 - overhead / T_b: 1 where the communication is hidden completely, 0 where nothing is hidden, below 0 where it
    costs more than the blocking one. The overhead is the total less the computation. ValueError unless T_b is positive.
    """
    if not blocking_s > 0:
        raise ValueError(f"a blocking time of {blocking_s} s hides nothing")
    return 1 - overhead_s / blocking_s


def osu_overlap(pure_s: ArrayLike, compute_s: ArrayLike, total_s: ArrayLike) -> float:
    """OSU's overlap, 0 to 1, from what each rank measures on average, shape (ranks,): the average over ranks of the
    whole less that of the computation, over that of the pure communication; never below 0.
    """
    pure, compute, total = (
        float(np.asarray(times_s, dtype=np.float64).mean()) for times_s in (pure_s, compute_s, total_s)
    )
    return max(0.0, 1 - (total - compute) / pure)


def imb_overlap(pure_s: ArrayLike, cpu_s: ArrayLike, total_s: ArrayLike) -> float:
    """IMB-NBC's overlap, 0 to 1, from what each rank measures on average, shape (ranks,): of the rank with the largest
    whole, what was saved against one after the other, over the longer of the two; never outside 0 to 1.
    """
    totals = np.asarray(total_s, dtype=np.float64)
    rank = int(np.argmax(totals))
    pure, cpu = float(np.asarray(pure_s)[rank]), float(np.asarray(cpu_s)[rank])
    return min(1.0, max(0.0, (pure + cpu - float(totals[rank])) / max(pure, cpu)))


Reduce = Literal["median", "mean"]
"""How the repetitions of a launch become one number: the median heeds no rare disturbance, the mean pays for each."""

NO_THREAD = "none"


@dataclass(frozen=True)
class Key:
    """What identifies a summary."""

    library: str
    n: int
    operation: str
    size_bytes: int
    thread: str
    compute: str
    intervals_bytes: tuple[int, ...]


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
    computed: float
    """How long was computed, in T_b."""
    plain_blocking_s: float | None
    """T_b in the launch without a thread that was measured beside this one; None where there is none."""


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
    least_computed: float
    """The shortest computation of all launches, in T_b. Below 1 the computation could not hide everything."""
    plain_blocking: MedianInterval | None = None
    """For a run with a thread: T_b without one, seconds."""
    plain_overlap: MedianInterval | None = None
    """For a run with a thread: the share of T_b without a thread that its overhead leaves hidden."""


def reduce_run(case: CaseRuns, run: OverlapRun, how: Reduce, plain_s: float | None = None) -> RunLaunch | None:
    """A run of one launch; None where it or the blocking one has no valid repetition. `plain_s` is T_b without a
    thread.
    """
    blocking = blocking_s(case, how)
    if not run.valid or blocking is None:
        return None
    each = {name: _point(values, how) for name, values in run.phases.items()}
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
        computed=case.target_s / blocking,
        plain_blocking_s=plain_s,
    )


def blocking_s(case: CaseRuns, how: Reduce) -> float | None:
    """T_b of a case in one launch; None where no repetition of it is valid."""
    return _point(case.blocking.phases["total"], how) if case.blocking.valid else None


def overhead_s(case: CaseRuns, run: OverlapRun, how: Reduce) -> float | None:
    """The overhead of a run in one launch; None where it or the blocking one has no valid repetition."""
    return _point(run.phases["overhead"], how) if run.valid and case.blocking.valid else None


def summarise(launches: Sequence[OverlapLaunch], how: Reduce = "median") -> tuple[RunSummary, ...]:
    """A summary for each run that has a result, by library, processes, operation, thread, compute, interval, size."""
    plain = _plain(launches, how)
    runs_by_key: dict[Key, list[tuple[OverlapRun, RunLaunch]]] = defaultdict(list)
    for launch in launches:
        for case in launch.cases:
            beside = None if launch.thread == NO_THREAD else plain.get(_place(launch, case))
            for run in case.runs:
                reduced = None if run.compute == BLOCKING else reduce_run(case, run, how, beside)
                if reduced is not None:
                    runs_by_key[_key(launch, case, run)].append((run, reduced))

    def order(key: Key) -> tuple[object, ...]:
        interval = key.intervals_bytes or (2**62,)
        return key.library, key.n, key.operation, key.thread, key.compute, interval, key.size_bytes

    return tuple(_summary(key, runs_by_key[key]) for key in sorted(runs_by_key, key=order))


def _place(launch: OverlapLaunch, case: CaseRuns) -> tuple[object, ...]:
    return _library(launch), launch.setting.n_ranks, launch.number, case.operation, case.size_bytes


def _plain(launches: Sequence[OverlapLaunch], how: Reduce) -> Mapping[tuple[object, ...], float]:
    """T_b of every case that was measured without a thread."""
    blocking_by_case = {}
    for launch in launches:
        for case in launch.cases if launch.thread == NO_THREAD else ():
            blocking = blocking_s(case, how)
            if blocking is not None:
                blocking_by_case[_place(launch, case)] = blocking
    return blocking_by_case


def _point(values: np.typing.NDArray[np.float64], how: Reduce) -> float:
    return float(np.median(values) if how == "median" else np.mean(values))


def _library(launch: OverlapLaunch) -> str:
    return launch.setting.label or launch.setting.library


def _key(launch: OverlapLaunch, case: CaseRuns, run: OverlapRun) -> Key:
    return Key(
        _library(launch),
        launch.setting.n_ranks,
        case.operation,
        case.size_bytes,
        launch.thread,
        run.compute,
        run.intervals_bytes,
    )


def _summary(key: Key, runs: Sequence[tuple[OverlapRun, RunLaunch]]) -> RunSummary:
    reduced = [launch for _, launch in runs]
    beside = [
        (run_launch.overhead_s, run_launch.plain_blocking_s)
        for run_launch in reduced
        if run_launch.plain_blocking_s is not None
    ]

    def middle(name: str) -> float:
        return float(np.median([getattr(launch, name) for launch in reduced]))

    return RunSummary(
        key=key,
        tests=runs[0][0].tests,
        launches=len(runs),
        attempted=sum(run.attempted for run, _ in runs),
        valid=sum(run.valid for run, _ in runs),
        blocking=median_interval([launch.blocking_s for launch in reduced]),
        init_s=middle("init_s"),
        test_s=middle("test_s"),
        compute_s=middle("compute_s"),
        wait_s=middle("wait_s"),
        overhead=median_interval([launch.overhead_s for launch in reduced]),
        overlap=median_interval([launch.overlap for launch in reduced]),
        osu=middle("osu"),
        imb=middle("imb"),
        least_computed=min(launch.computed for launch in reduced),
        plain_blocking=median_interval([plain for _, plain in beside]) if beside else None,
        plain_overlap=median_interval([overlap(overhead, plain) for overhead, plain in beside]) if beside else None,
    )
