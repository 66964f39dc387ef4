"""Judging at equal time: for each budget the best setting that keeps to it."""

import statistics
from dataclasses import dataclass
from pathlib import Path

from .contenders import OURS, within
from .simulate import run
from .worlds import Row

BUDGETS_S = (0.005, 0.01, 0.02, 0.05, 0.1)
#: Below this a best other algorithm is as good as can be told.
TIE_S = 10e-9
JUDGED_AT = 2  #: index of the wait of 5 s among the program's waits


@dataclass(frozen=True)
class Point:
    """A setting in a world, over all seeds. Seconds; medians but for what is said."""

    family: str
    spec: str
    elapsed_s: float
    messages: float
    max_s: tuple[float, ...]  #: largest error over ranks, at each wait
    p95_s: tuple[float, ...]  #: over ranks and seeds together
    bound_s: tuple[float | None, ...]  #: median over ranks and seeds
    violated: tuple[int, ...]  #: ranks whose error was above the bound, of all seeds together
    oracle_s: float  #: at 5 s: of a clock known exactly when learning ended


def points(program: Path, row: Row, longest_s: float = BUDGETS_S[-1]) -> tuple[Point, ...]:
    """All settings that keep to the longest budget, run over all seeds."""
    contenders = within(row.size, BUDGETS_S[0], longest_s)
    pairs = [(row.world(seed), one.spec) for one in contenders for seed in row.seeds]
    results = list(run(program, row.name.replace(" ", "-").replace(",", ""), pairs))
    found = []
    for i, one in enumerate(contenders):
        mine = results[i * len(row.seeds) : (i + 1) * len(row.seeds)]
        found.append(point(one.family, one.spec, mine))
    return tuple(found)


def point(family: str, spec: str, runs: list[dict]) -> Point:  # type: ignore[type-arg]
    """The runs of one setting together."""
    waits = range(len(runs[0]["waits"]))

    def median(key: str, wait: int) -> float:
        return float(statistics.median(run["waits"][wait][key] for run in runs))

    def bound(wait: int) -> float | None:
        values = [run["waits"][wait]["bound_median_s"] for run in runs]
        return None if None in values else statistics.median(values)

    return Point(
        family=family,
        spec=spec,
        elapsed_s=statistics.median(run["elapsed_s"] for run in runs),
        messages=statistics.median(run["messages"] for run in runs),
        max_s=tuple(median("max_s", wait) for wait in waits),
        p95_s=tuple(_quantile([run["waits"][wait]["p95_s"] for run in runs], 0.95) for wait in waits),
        bound_s=tuple(bound(wait) for wait in waits),
        violated=tuple(sum(run["waits"][wait]["violated"] for run in runs) for wait in waits),
        oracle_s=median("oracle_s", JUDGED_AT),
    )


def _quantile(values: list[float], p: float) -> float:
    ordered = sorted(values)
    place = p * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


@dataclass(frozen=True)
class Match:
    """Ours against the best other at one budget."""

    budget_s: float
    ours: Point
    other: Point

    @property
    def ratio(self) -> float:
        """How many times smaller our error is, 5 s after synchronising."""
        return self.other.max_s[JUDGED_AT] / self.ours.max_s[JUDGED_AT]

    @property
    def tie(self) -> bool:
        """Whether the best other is below what can be told."""
        return self.other.max_s[JUDGED_AT] <= TIE_S

    @property
    def limited(self) -> bool:
        """Whether wander alone, which nobody can predict, forbids a third of the other's error."""
        return self.ours.oracle_s > self.other.max_s[JUDGED_AT] / 3


def match(found: tuple[Point, ...], budget_s: float) -> Match | None:
    """None where nothing keeps to the budget."""
    ours = [one for one in found if one.family == OURS and one.elapsed_s <= budget_s]
    others = [one for one in found if one.family != OURS and one.elapsed_s <= budget_s]
    if not ours or not others:
        return None

    def error(one: Point) -> float:
        return one.max_s[JUDGED_AT]

    return Match(budget_s, min(ours, key=error), min(others, key=error))


def speed_up(found: tuple[Point, ...], other: Point) -> float | None:
    """How many times faster the quickest of ours is that errs no more than `other`; None where none does."""
    error = other.max_s[JUDGED_AT]
    ours = [one.elapsed_s for one in found if one.family == OURS and one.max_s[JUDGED_AT] <= error]
    return other.elapsed_s / min(ours) if ours else None
