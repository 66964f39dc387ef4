"""Whether a library makes progress by itself, and how often it must be called otherwise: judged from the runs with and
without progress calls. After "Accurately measuring collective operations at massive scale", sec. 4.2.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ictus.studies.overlap.analysis import NO_THREAD, RunSummary

ENOUGH = 0.5
"""Hidden share of the communication from which on a library counts as making progress."""

Verdict = Literal[
    "by itself",
    "only with tests",
    "less than half",
    "less than half without tests",
    "less than half with tests",
    "undecided",
]


@dataclass(frozen=True)
class LibraryProgress:
    """One library, operation and size, for one compute kind, without any thread."""

    library: str
    n: int
    operation: str
    size_bytes: int
    compute: str
    verdict: Verdict
    alone: RunSummary | None
    """Without progress calls; None where that was not measured."""
    best: RunSummary
    """With the interval, or without one, that leaves the least overhead."""
    alike: tuple[RunSummary, ...]
    """Summaries that are not distinguished from the best: intervals of the overhead overlap, or there are none."""
    launches: int

    @property
    def has_interval(self) -> bool:
        """Whether the launches are enough for an interval; else medians decided."""
        return self.best.overlap.low is not None


def progress_of(summaries: Iterable[RunSummary]) -> tuple[LibraryProgress, ...]:
    """A verdict for each library, number of processes, operation, compute kind and size measured without a thread."""
    groups: dict[tuple[str, int, str, str, int], list[RunSummary]] = {}
    for summary in summaries:
        key = summary.key
        if key.thread == NO_THREAD:
            groups.setdefault((key.library, key.n, key.operation, key.compute, key.size_bytes), []).append(summary)
    return tuple(_progress(group) for group in groups.values())


def _progress(group: Sequence[RunSummary]) -> LibraryProgress:
    best = min(group, key=lambda summary: summary.overhead.median)
    alone = next((run_summary for run_summary in group if not run_summary.key.intervals_bytes), None)
    tested = [summary for summary in group if summary.key.intervals_bytes]
    key = best.key
    return LibraryProgress(
        library=key.library,
        n=key.n,
        operation=key.operation,
        size_bytes=key.size_bytes,
        compute=key.compute,
        verdict=verdict_of(alone, tested),
        alone=alone,
        best=best,
        alike=tuple(summary for summary in group if summary is not best and not _apart(best, summary)),
        launches=min(summary.launches for summary in group),
    )


def verdict_of(alone: RunSummary | None, tested: Sequence[RunSummary]) -> Verdict:
    """`by itself`: half or more is hidden without a progress call. `only with tests`: so it is with some interval, and
    less is without progress calls. `less than half`: with none and without; `... without tests` and `... with tests`
    where only that was measured. `undecided` where an interval over launches includes the half, or much is hidden with
    tests and the case without them was not measured.
    """
    by_itself = None if alone is None else _enough(alone)
    if by_itself:
        return "by itself"
    hidden_enough = [_enough(summary) for summary in tested]
    if alone is None:
        return (
            "less than half with tests"
            if hidden_enough and not any(is_enough is not False for is_enough in hidden_enough)
            else "undecided"
        )
    if by_itself is None:
        return "undecided"
    if any(hidden_enough):
        return "only with tests"
    if not hidden_enough:
        return "less than half without tests"
    return "undecided" if None in hidden_enough else "less than half"


def _enough(summary: RunSummary) -> bool | None:
    """Whether enough is hidden; None where the interval says both. Of too few launches the median decides."""
    low, high = summary.overlap.low, summary.overlap.high
    if low is None or high is None:
        return summary.overlap.median >= ENOUGH
    return True if low >= ENOUGH else False if high < ENOUGH else None


def _apart(best: RunSummary, second: RunSummary) -> bool:
    """Whether the intervals of both overheads do not meet."""
    high, low = best.overhead.high, second.overhead.low
    return high is not None and low is not None and high < low
