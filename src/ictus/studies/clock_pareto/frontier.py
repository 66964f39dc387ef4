"""The Pareto frontier of time spent against error: the settings that no other one beats in both."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ictus.studies.clocks.errors import AlgorithmSummary


@dataclass(frozen=True)
class Point:
    """One algorithm in one setting: what it costs and what it gives, seconds; medians over repeats."""

    algorithm: str
    """The spec in full form."""
    n_ranks: int
    elapsed_s: float
    messages: float
    error_s: float
    """The largest absolute error over ranks at the chosen wait."""
    repeats: int
    on_frontier: bool = False
    over_budget: bool = False
    """Whether it took longer than it was foretold to and than was wanted."""


def points(summaries: Iterable[AlgorithmSummary], wait_s: float, budget_s: float | None = None) -> tuple[Point, ...]:
    """The points at that wait, ascending by time, marked where they are on the frontier and where they took longer than
    `budget_s`; numbers of ranks are kept apart.
    """
    known = [
        Point(
            one.algorithm,
            one.n_ranks,
            one.elapsed_s,
            one.messages,
            error.max_s,
            one.repeats,
            over_budget=budget_s is not None and one.elapsed_s > budget_s,
        )
        for one in summaries
        if (error := one.at(wait_s)) is not None
    ]
    marked: list[Point] = []
    for n_ranks in dict.fromkeys(point.n_ranks for point in known):
        own = [point for point in known if point.n_ranks == n_ranks]
        flags = frontier([(point.elapsed_s, point.error_s) for point in own])
        marked += [Point(**{**vars(point), "on_frontier": flag}) for point, flag in zip(own, flags, strict=True)]
    return tuple(sorted(marked, key=lambda point: (point.n_ranks, point.elapsed_s, point.error_s)))


def frontier(pairs: Sequence[tuple[float, float]]) -> tuple[bool, ...]:
    """For each (time, error) whether no other pair is at most equal in both and smaller in one. Equal pairs share it.

    Cost: one sort.
    """
    order = sorted(range(len(pairs)), key=lambda index: pairs[index])
    marks = [False] * len(pairs)
    best = float("inf")
    last: tuple[float, float] | None = None
    for index in order:
        if pairs[index][1] < best or pairs[index] == last:
            marks[index] = True
            best, last = pairs[index][1], pairs[index]
    return tuple(marks)
