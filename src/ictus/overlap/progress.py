"""Whether a library makes progress by itself, and how often it has to be asked: what the runs with and without progress
calls say together. After "Accurately measuring collective operations at massive scale", sec. 4.2.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ictus.overlap.summary import RunSummary

ENOUGH = 0.5
"""Hidden share of the communication from which on a library is said to have made progress."""

Verdict = Literal["yes", "only with tests", "no", "undecided"]


@dataclass(frozen=True)
class Progress:
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


def progress_of(summaries: Iterable[RunSummary]) -> tuple[Progress, ...]:
    """A verdict for each library, number of processes, operation, compute kind and size measured without a thread."""
    groups: dict[tuple[str, int, str, str, int], list[RunSummary]] = {}
    for one in summaries:
        key = one.key
        if key.thread == "none":
            groups.setdefault((key.library, key.n, key.operation, key.compute, key.size_bytes), []).append(one)
    return tuple(_progress(group) for group in groups.values())


def _progress(group: Sequence[RunSummary]) -> Progress:
    best = min(group, key=lambda one: one.overhead.median)
    alone = next((one for one in group if one.key.interval_bytes is None), None)
    tested = [one for one in group if one.key.interval_bytes is not None]
    key = best.key
    return Progress(
        key.library, key.n, key.operation, key.size_bytes, key.compute, verdict_of(alone, tested), alone, best
    )


def verdict_of(alone: RunSummary | None, tested: Sequence[RunSummary]) -> Verdict:
    """`yes`: half and more is hidden without a progress call. `only with tests`: so it is with some interval, and
    without progress calls less. `no`: with none. `undecided` where an interval over launches reaches across the half,
    or nothing was measured without progress calls.
    """
    if alone is None:
        return "undecided"
    by_itself = _enough(alone)
    if by_itself is not False:
        return "yes" if by_itself else "undecided"
    asked = [_enough(one) for one in tested]
    if any(asked):
        return "only with tests"
    return "undecided" if None in asked else "no"


def _enough(one: RunSummary) -> bool | None:
    """Whether enough is hidden; None where the interval says both. Of too few launches the median decides."""
    low, high = one.overlap.low, one.overlap.high
    if low is None or high is None:
        return one.overlap.median >= ENOUGH
    return True if low >= ENOUGH else False if high < ENOUGH else None
