"""Claims about nonblocking collectives: what a computation hides of them, and who makes their progress."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ictus.model.quantity import format_duration, format_size
from ictus.render.page import Legend, Panel
from ictus.render.table import Table, records
from ictus.stats.claim_rules import Ruling, sign_rule, together
from ictus.studies.claim import MASSIVE_SCALE, Claim, ClaimResult, quick_or
from ictus.studies.overlap.analysis import NO_THREAD, Reduce, RunSummary, blocking_s, overhead_s, summarise
from ictus.studies.overlap.figures import COMPUTE, compute_panels, helpers_of, interval_panels, overhead_panels
from ictus.studies.overlap.record import BLOCKING, CaseRuns, OverlapLaunch, OverlapRun, OverlapStudy
from ictus.studies.overlap.tables import COLUMNS, libraries_of, overlap_table, progress_table

HOW: Reduce = "median"
"""Of its repetitions a launch gives one number."""
OWN_THREAD = "own"


@dataclass(frozen=True)
class Versus:
    """Two times of each launch of one case, of which the first is to be the longer. Seconds."""

    library: str
    operation: str
    size_bytes: int
    compute: str
    intervals_bytes: tuple[int, ...]
    longer_s: tuple[float, ...]
    shorter_s: tuple[float, ...]

    @property
    def ruling(self) -> Ruling:
        """Launch by launch; launches that are equal are left out."""
        pairs = list(zip(self.longer_s, self.shorter_s, strict=True))
        return sign_rule(sum(a > b for a, b in pairs), sum(a < b for a, b in pairs))

    @property
    def ratio(self) -> float:
        """Of the shorter one to the longer one, in the median of the launches."""
        return float(np.median(np.array(self.shorter_s) / np.array(self.longer_s)))


Times = Callable[[CaseRuns, OverlapRun], tuple[float, float] | None]
"""From a run that computes: the two times of its launch; None where it is another run, or one is unknown."""


def against_blocking(case: CaseRuns, run: OverlapRun) -> tuple[float, float] | None:
    """The blocking call, and the overhead of the one with tests."""
    if not run.intervals_bytes:
        return None
    blocking, tested = blocking_s(case, HOW), overhead_s(case, run, HOW)
    return None if blocking is None or tested is None else (blocking, tested)


def against_no_tests(case: CaseRuns, run: OverlapRun) -> tuple[float, float] | None:
    """The overhead without tests, and with them, of the same way to compute."""
    return _overheads(case, run.compute, run, HOW) if run.intervals_bytes else None


def work_against_time(case: CaseRuns, run: OverlapRun) -> tuple[float, float] | None:
    """The overhead by work, and by time, without tests: means, as a scheduler takes the core seldom and for long."""
    return _overheads(case, "work", run, "mean") if run.compute == "time" and not run.intervals_bytes else None


def _overheads(case: CaseRuns, compute: str, run: OverlapRun, how: Reduce) -> tuple[float, float] | None:
    """That of the case without tests that computes so, and that of the run."""
    untested = next(
        (candidate for candidate in case.runs if candidate.compute == compute and not candidate.intervals_bytes), None
    )
    overheads = [
        overhead
        for overlap_run in (untested, run)
        if overlap_run is not None and (overhead := overhead_s(case, overlap_run, how)) is not None
    ]
    return (overheads[0], overheads[1]) if len(overheads) == 2 else None


def versus(launches: Iterable[OverlapLaunch], times: Times, thread: str = NO_THREAD) -> tuple[Versus, ...]:
    """One for each library, operation, size, way to compute and interval of tests, in launches with that thread."""
    pairs_by_key: dict[tuple[str, str, int, str, tuple[int, ...]], list[tuple[float, float]]] = {}
    for launch in launches:
        library = launch.setting.label or launch.setting.library
        for case in launch.cases if launch.thread == thread else ():
            for run in case.runs:
                pair = None if run.compute == BLOCKING else times(case, run)
                if pair is not None:
                    key = (library, case.operation, case.size_bytes, run.compute, run.intervals_bytes)
                    pairs_by_key.setdefault(key, []).append(pair)
    return tuple(
        Versus(*key, tuple(a for a, _ in pairs), tuple(b for _, b in pairs)) for key, pairs in pairs_by_key.items()
    )


def with_thread(launches: Sequence[OverlapLaunch]) -> tuple[Versus, ...]:
    """What computing by work tells beyond computing by time: with our thread, and without it in the launches that lie
    beside those. Whatever else interrupts a computation is in both.
    """
    beyond: dict[tuple[str, str, int], dict[str, dict[tuple[int, int], float]]] = {}
    for launch in launches:
        beside = launch.setting.n_ranks, launch.number
        for case in versus([launch], work_against_time, launch.thread):
            ((work_s, time_s),) = zip(case.longer_s, case.shorter_s, strict=True)
            key = case.library, case.operation, case.size_bytes
            beyond.setdefault(key, {}).setdefault(launch.thread, {})[beside] = work_s - time_s
    versuses = []
    for key, threads in beyond.items():
        with_ours, without = threads.get(OWN_THREAD, {}), threads.get(NO_THREAD, {})
        if shared := [beside for beside in with_ours if beside in without]:
            sides = (tuple(thread[beside] for beside in shared) for thread in (with_ours, without))
            versuses.append(Versus(*key, "work", (), *sides))
    return tuple(versuses)


def _because_stolen(versuses: Sequence[Versus]) -> str:
    """Of the case in which the thread takes most."""
    if not versuses:
        return "no launch with the thread has one without it beside it, with valid repetitions of both"
    most = max(versuses, key=lambda case: np.median(np.subtract(case.longer_s, case.shorter_s)))
    with_ours, without = (format_duration(float(np.median(values))) for values in (most.longer_s, most.shorter_s))
    which = f", the most of {len(versuses)} cases" if len(versuses) > 1 else ""
    return (
        f"computing by work tells {with_ours} more overhead than computing by time with the thread, and {without} more "
        f"without it ({most.operation} of {format_size(most.size_bytes)} in {most.library}{which})"
    )


def because(versuses: Sequence[Versus], shorter: str, longer: str) -> str:
    """In how many cases it is so, and the clearest of them."""
    if not versuses:
        return "no launch has valid repetitions of both"
    best = min(versuses, key=lambda pair: pair.ratio)
    ups = sum(pair.ratio < 1 for pair in versuses)
    where = f"{best.operation} of {format_size(best.size_bytes)} in {best.library}, compute {best.compute}"
    if best.intervals_bytes:
        where += f", tests every {' or '.join(format_size(each) for each in best.intervals_bytes)}"
    return (
        f"{shorter} less than {longer} in the median of {ups} of {len(versuses)} cases; the least, {where}: "
        f"{best.ratio:.3g} times as long"
    )


def _overlap(study: OverlapStudy) -> ClaimResult:
    versuses = versus(study.launches, against_blocking)
    summaries = summarise(study.launches, HOW)
    helpers = helpers_of(summaries)
    sentence = because(versuses, "nonblocking calls with tests leave an overhead of", "the blocking call takes")
    return _result(versuses, sentence, summaries, overhead_panels(summaries, helpers), helpers)


def _progress(study: OverlapStudy) -> ClaimResult:
    versuses = versus(study.launches, against_no_tests)
    summaries = summarise(study.launches, HOW)
    libraries = Legend(libraries_of(summaries))
    sentence = because(versuses, "tests leave an overhead of", "there is without them")
    return _result(versuses, sentence, summaries, interval_panels(summaries, libraries), libraries)


def _stolen(study: OverlapStudy) -> ClaimResult:
    versuses = with_thread(study.launches)
    summaries = summarise(study.launches, "mean")
    return _result(versuses, _because_stolen(versuses), summaries, compute_panels(summaries), COMPUTE)


def _result(
    versuses: Sequence[Versus],
    sentence: str,
    summaries: Sequence[RunSummary],
    panels: tuple[Panel, ...],
    legend: Legend,
) -> ClaimResult:
    tables: tuple[Table[Any], ...] = tuple(
        table for table in (progress_table(summaries), overlap_table(summaries)) if table.blocks
    )
    rows = records(summaries, COLUMNS)
    return ClaimResult(together([pair.ruling for pair in versuses]), sentence, tables, rows, panels, legend)


RULE = "sign test over launches of every size, way to compute and interval of tests (Holm, 5 %): {}"
_COMMON = {"n": 2, "op": "iallreduce", "compute": "time,work"}

CLAIMS = (
    Claim(
        "overlap",
        "A nonblocking allreduce that is tested while the program computes costs it less than a blocking one.",
        f"{MASSIVE_SCALE}, Fig. 11",
        RULE.format(
            "the overhead with tests is shorter than the blocking call; refuted where it is shown to be longer in all"
        ),
        quick_or(
            {"sizes": "1Ki,128Ki", "launches": 10, "nrep": 30, "intervals": "16Ki", "threads": "none"},
            {"sizes": "8..1Mi*8", "launches": 30, "nrep": 200, "intervals": "1Ki", "threads": "none,library,own"},
            **_COMMON,
        ),
        _overlap,
    ),
    Claim(
        "progress",
        "A nonblocking collective makes progress only while the library is called: with tests its overhead is less.",
        f"{MASSIVE_SCALE}, sec. 4.2, after its Fig. 10",
        RULE.format("the overhead is shorter with tests than without; refuted where it is shown to be longer in all"),
        quick_or(
            {"sizes": "32Ki,512Ki", "launches": 10, "nrep": 30, "intervals": "none,128Ki,16Ki"},
            {"sizes": "1Ki..4Mi*8", "launches": 30, "nrep": 200, "intervals": "none,256Ki,64Ki,16Ki,4Ki,1Ki"},
            **_COMMON,
            threads="none",
        ),
        _progress,
    ),
    Claim(
        "stolen-core",
        "Computing for a fixed time hides what a progress thread takes from its rank's core; a fixed amount of work "
        "shows it.",
        f"{MASSIVE_SCALE}, Fig. 11",
        RULE.format(
            "the overhead by work exceeds that by time, without tests, in the mean of the repetitions, by more with "
            "the thread than in the launch without it beside; refuted where it is shown to do so by less in all"
        ),
        quick_or(
            {"sizes": "128Ki", "launches": 6, "nrep": 20},
            {"sizes": "32Ki,1Mi", "launches": 30, "nrep": 100},
            **_COMMON,
            threads="none,own",
            intervals="none",
            core="same",
            pause_s=20e-6,
            compute_factor=4.0,
        ),
        _stolen,
    ),
)
