"""Errors of synchronised clocks, summarised over ranks and repeats.

The error of rank r at time t is the value of its global clock minus that of rank 0 at the same instant, signed. Rank 0
is the reference and left out. Over ranks: the largest, the mean and the 95th percentile (type 7) of the absolute
errors; over repeats: the median of each of these.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ictus.studies.clocks.accuracy import SynchronisationRun, SynchronisationStep
from ictus.studies.clocks.record import ClocksStudy

SINGLE = "A single process has no other clock to compare with: there is nothing to measure."


@dataclass(frozen=True)
class ErrorSummary:
    """The errors of one algorithm at one time after synchronising, seconds; each a median over repeats."""

    wait_s: float
    max_s: float
    mean_s: float
    p95_s: float
    bound_s: float | None
    """The largest proven bound over ranks; None where the algorithm proves none."""
    bounded: int
    """Checks (rank by repeat) for which there was a bound."""
    beyond: int
    """How many of these lay beyond their bound by more than the check itself may err."""


@dataclass(frozen=True)
class AlgorithmSummary:
    """One algorithm with one number of ranks over all repeats."""

    algorithm: str
    """The spec in full form."""
    n_ranks: int
    repeats: int
    elapsed_s: float
    """Time spent synchronising, the largest over ranks; median over repeats."""
    messages: float
    """Messages of all ranks together; median over repeats."""
    errors: tuple[ErrorSummary, ...]
    """One for each wait, ascending; none where there was no other clock to err against."""
    synchronises: bool = True
    """False for an algorithm that leaves clocks alone."""

    def at(self, wait_s: float) -> ErrorSummary | None:
        """The errors at that wait, None where it was not measured."""
        return next((error for error in self.errors if error.wait_s == wait_s), None)

    @property
    def bounded(self) -> int:
        """Checks with a bound, at all waits."""
        return sum(error.bounded for error in self.errors)

    @property
    def beyond(self) -> int:
        """Checks beyond their bound, at all waits."""
        return sum(error.beyond for error in self.errors)


def summarise(runs: Sequence[SynchronisationRun]) -> tuple[AlgorithmSummary, ...]:
    """A summary for each number of ranks and algorithm, in the order in which they come in `runs`."""
    groups: dict[tuple[int, str], list[SynchronisationRun]] = {}
    for run in runs:
        groups.setdefault((run.n_ranks, run.algorithm), []).append(run)
    return tuple(_summary(algorithm, n_ranks, group) for (n_ranks, algorithm), group in groups.items())


def _summary(algorithm: str, n_ranks: int, runs: Sequence[SynchronisationRun]) -> AlgorithmSummary:
    waits = sorted({step.wait_s for run in runs for step in run.steps})
    return AlgorithmSummary(
        algorithm=algorithm,
        n_ranks=n_ranks,
        repeats=len(runs),
        elapsed_s=_median([run.elapsed_s for run in runs]),
        messages=_median([run.messages for run in runs]),
        errors=tuple(_at([step for run in runs for step in run.steps if step.wait_s == wait]) for wait in waits),
        synchronises=runs[0].synchronises,
    )


def _at(steps: Sequence[SynchronisationStep]) -> ErrorSummary:
    """The steps of all repeats at one wait."""
    bounds = [bound for step in steps if (bound := largest_bound(step)) is not None]
    return ErrorSummary(
        wait_s=steps[0].wait_s,
        max_s=_median([largest(step.error_s) for step in steps]),
        mean_s=_median([mean(step.error_s) for step in steps]),
        p95_s=_median([percentile_95(step.error_s) for step in steps]),
        bound_s=_median(bounds) if bounds else None,
        bounded=sum(bound is not None for step in steps for bound in step.bound_s),
        beyond=sum(beyond(step) for step in steps),
    )


def largest(error_s: ArrayLike) -> float:
    """The largest absolute error; 0 of none (a single rank has nothing to err against)."""
    return float(np.max(np.abs(error_s), initial=0.0))


def mean(error_s: Sequence[float]) -> float:
    """The mean absolute error; 0 of none."""
    return float(np.mean(np.abs(error_s))) if len(error_s) else 0.0


def percentile_95(error_s: Sequence[float]) -> float:
    """The 95th percentile of the absolute errors, interpolated between ranks (type 7); 0 of none."""
    return float(np.quantile(np.abs(error_s), 0.95)) if len(error_s) else 0.0


def largest_bound(step: SynchronisationStep) -> float | None:
    """The largest bound over ranks, None where any rank has none: a clock as a whole is as good as its worst rank."""
    bounds_s = [bound for bound in step.bound_s if bound is not None]
    return max(bounds_s) if bounds_s and len(bounds_s) == len(step.bound_s) else None


def beyond(step: SynchronisationStep) -> int:
    """Ranks whose error is proven to lie beyond their bound: by more than the check of the error may itself err."""
    triples = zip(step.error_s, step.bound_s, step.doubt_s, strict=True)
    return sum(bound is not None and abs(error) > bound + doubt for error, bound, doubt in triples)


def _median(values: Sequence[float]) -> float:
    return float(np.median(values))


def shown_waits(waits_s: Sequence[float], at_most: int = 5) -> tuple[float, ...]:
    """Which of many waits a table shows: 0, 1, 5, 10 and 20 s where all of them are there, else evenly chosen ones.

    The first and the last are always among them.
    """
    ordered = sorted(set(waits_s))
    if len(ordered) <= at_most:
        return tuple(ordered)
    round_waits = [wait for wait in (0.0, 1.0, 5.0, 10.0, 20.0) if wait in ordered]
    if len(round_waits) == at_most and (round_waits[0], round_waits[-1]) == (ordered[0], ordered[-1]):
        return tuple(round_waits)
    places = np.unique(np.round(np.linspace(0, len(ordered) - 1, at_most)).astype(int))
    return tuple(ordered[index] for index in places)


def clock_errors(study: ClocksStudy) -> tuple[AlgorithmSummary, ...]:
    """For each number of ranks and algorithm: time spent, messages, and the errors at each wait, seconds."""
    return summarise(study.runs)
