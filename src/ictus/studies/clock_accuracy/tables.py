"""Tables of the errors of synchronised clocks, for every output, and the result in sentences."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ictus.comparison.case_titles import processes
from ictus.model.errors import GateHit, MeasurementError
from ictus.model.quantity import format_duration, typed_duration
from ictus.render.table import NONE, Block, Cell, Column, Table, Times
from ictus.render.unit import time_unit
from ictus.studies.clocks.accuracy import AccuracyLaunches, SynchronisationRun
from ictus.studies.clocks.errors import SINGLE, AlgorithmSummary, ErrorSummary
from ictus.studies.clocks.label import label, seconds
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.clocks.tables import beyond_cell, unit_of

_error = Column[ErrorSummary]
_ERRORS = (
    _error("wait_s", "after", lambda summary: seconds(summary.wait_s)),
    _error("max_s", "max", lambda error_summary: Cell(Times(error_summary.max_s), "bold"), "point"),
    _error("mean_s", "mean", lambda row: Times(row.mean_s), "point", 1),
    _error("p95_s", "p95", lambda row: Times(row.p95_s), "point"),
    _error("bound_s", "bound", lambda row: NONE if row.bound_s is None else Times(row.bound_s), "point"),
    _error("beyond", "beyond", lambda row: beyond_cell(row.beyond, row.bounded)),
)


def error_table(summaries: Sequence[AlgorithmSummary], waits_s: Sequence[float]) -> Table[ErrorSummary]:
    """A block for each algorithm with its errors at the waits `waits_s`."""
    unit = unit_of(summaries, waits_s)
    several = len({summary.n_ranks for summary in summaries}) > 1
    blocks = [
        Block(
            f"{label(summary.algorithm)}, {processes(summary.n_ranks)}" if several else label(summary.algorithm),
            spent(summary),
            [error for error in summary.errors if error.wait_s in waits_s],
            unit,
            "errors",
        )
        for summary in summaries
        if summary.errors
    ]
    return Table(_ERRORS, blocks)


def spent(summary: AlgorithmSummary) -> str:
    """`12.3 ms, 800 messages, 3 repeats`: what the synchronisation cost."""
    repeats = f", median of {summary.repeats} repeats" if summary.repeats > 1 else ""
    return f"{format_duration(summary.elapsed_s)}, {summary.messages:,.0f} messages{repeats}"


@dataclass(frozen=True)
class RankErrors:
    """One checked rank after one synchronisation."""

    rank: int
    error_s: tuple[float, ...]
    """Signed, at each wait that is shown."""


def rank_table(runs: Sequence[SynchronisationRun], waits_s: Sequence[float]) -> Table[RankErrors]:
    """The signed error of every checked rank at the waits `waits_s`: a block a synchronisation."""
    unit = time_unit([error for run in runs for step in run.steps for error in step.error_s])
    columns = (
        Column[RankErrors]("rank", "rank", lambda errors: str(errors.rank)),
        *(
            Column[RankErrors]("error_s", seconds(wait), partial(_error_at, index=index), "point", int(index > 0))
            for index, wait in enumerate(waits_s)
        ),
    )
    blocks = []
    for run in runs:
        steps = [step for step in run.steps if step.wait_s in waits_s]
        again = f", repeat {run.repeat}" if run.repeat else ""
        rows = [
            RankErrors(rank, tuple(step.error_s[index] for step in steps))
            for index, rank in enumerate(steps[0].ranks if steps else ())
        ]
        blocks.append(Block(label(run.algorithm), f"{processes(run.n_ranks)}{again}, signed", rows, unit, ""))
    return Table(columns, blocks)


def _error_at(errors: RankErrors, index: int) -> Times:
    return Times(errors.error_s[index])


def accuracy_sentence(summaries: Sequence[AlgorithmSummary], launches: Sequence[AccuracyLaunches]) -> str:
    """Who errs least at the last wait, what a barrier takes, whether a bound was broken; per number of processes."""
    least: dict[float, list[str]] = {}
    for launch in launches:
        n_ranks = launch.setting.n_ranks
        synchronising = [
            summary for summary in summaries if summary.n_ranks == n_ranks and summary.errors and summary.synchronises
        ]
        if synchronising:
            best = min(synchronising, key=lambda summary: summary.errors[-1].max_s)
            best_text = f"{format_duration(best.errors[-1].max_s)} of {label(best.algorithm)}"
            least.setdefault(best.errors[-1].wait_s, []).append(_among(best_text, n_ranks, launches))
    parts = [f"Smallest error {seconds(wait)} after synchronising: {', '.join(of)}." for wait, of in least.items()]
    barriers = [
        _among(format_duration(answer.barrier_s), answer.setting.n_ranks, launches)
        for answer in launches
        if answer.barrier_s is not None
    ]
    if barriers:
        parts.append(f"Mean MPI_Barrier: {', '.join(barriers)}.")
    return " ".join([*parts, *bound_sentence(summaries), *_unjudged(summaries)])


def _unjudged(summaries: Sequence[AlgorithmSummary]) -> tuple[str, ...]:
    """Settings where an error of 0 means nothing: a single process, and clocks without synchronisation."""
    alone = any(not summary.errors for summary in summaries if summary.n_ranks == 1)
    left = dict.fromkeys(
        label(summary.algorithm) for summary in summaries if summary.errors and not summary.synchronises
    )
    return (
        *([SINGLE] if alone else []),
        *([f"{', '.join(left)}: nothing is synchronised, clocks are as they are."] if left else []),
    )


def _among(text: str, n_ranks: int, launches: Sequence[AccuracyLaunches]) -> str:
    """The text, with the number of processes where there are several."""
    return text if len(launches) == 1 else f"{text} ({processes(n_ranks)})"


def bound_sentence(summaries: Sequence[AlgorithmSummary]) -> tuple[str, ...]:
    """`All 63 proven bounds held.`, or how many did not and whose."""
    bounded, beyond = sum(summary.bounded for summary in summaries), sum(summary.beyond for summary in summaries)
    if not bounded:
        return ()
    if not beyond:
        return (f"All {bounded:,} proven bounds held.",)
    whose = dict.fromkeys(label(summary.algorithm) for summary in summaries if summary.beyond)
    return (f"{beyond:,} of {bounded:,} proven bounds were broken, by {', '.join(whose)}.",)


def study_rows(
    study: ClocksStudy, summaries: Sequence[AlgorithmSummary], *, per_rank: bool
) -> Iterator[dict[str, Any]]:
    """One row for each number of processes, algorithm and wait; with `per_rank` one for each rank and repeat."""
    if per_rank:
        for run in study.runs:
            for step in run.steps:
                about = {"n": run.n_ranks, "algorithm": label(run.algorithm), "spec": run.algorithm}
                about |= {"repeat": run.repeat, "wait_s": step.wait_s}
                for rank, error_s, bound_s in zip(step.ranks, step.error_s, step.bound_s, strict=True):
                    yield {**about, "rank": rank, "error_s": error_s, "bound_s": bound_s}
        return
    truths = {launch.setting.n_ranks: launch.truth for launch in study.accuracy}
    for summary in summaries:
        about = {
            "n": summary.n_ranks,
            "algorithm": label(summary.algorithm),
            "spec": summary.algorithm,
            "repeats": summary.repeats,
        }
        about |= {"elapsed_s": summary.elapsed_s, "messages": summary.messages, "truth": truths[summary.n_ranks]}
        for error in summary.errors:
            yield {**about, **vars(error)}


def check_gate(summaries: Sequence[AlgorithmSummary], limit_s: float) -> str:
    """GateHit where an algorithm errs by more than the limit at its last wait; else that none does."""
    text = typed_duration(limit_s)
    last = [(summary, summary.errors[-1]) for summary in summaries if summary.errors]
    if not last:
        raise MeasurementError(f"gate '--fail-above {text}' has nothing to judge: no error was measured")
    above = [(summary, error) for summary, error in last if error.max_s > limit_s]
    if above:
        worst, error = max(above, key=lambda pair: pair[1].max_s)
        count_text = f"{len(above)} of {len(last)} algorithms err by more"
        raise GateHit(
            f"gate '--fail-above {text}' is hit: {count_text}; the worst is {label(worst.algorithm)} with "
            f"{format_duration(error.max_s)} {seconds(error.wait_s)} after synchronising"
        )
    return f"gate '--fail-above {text}' is not hit"
