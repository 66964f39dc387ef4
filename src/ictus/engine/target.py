"""The intervals that a precision goal concerns, and the cases that are measured together.

Cases that differ only in their method, or in the factor of a goal for ratios, are compared launch by launch and stay
together. For a ratio of libraries both sides are measured until the ratio is known; for medians, and for ratios inside
launches, each library is measured until its own are known. Ratios are those within modes of the machine, as
`ictus compare` has them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import combinations

from ictus.engine.launch_times import CaseLaunch, LaunchTimes
from ictus.model.case import Case
from ictus.model.design import Design
from ictus.model.errors import UsageError
from ictus.model.goal import Goal
from ictus.model.launch_factor import as_option, is_launch_factor
from ictus.model.plan_parts import FAMILIES
from ictus.model.unknown import unknown
from ictus.stats.modes import Strata
from ictus.stats.precision import median_half_width, median_reached, ratio_half_width, ratio_reached

Side = tuple[str, str]
"""A library by its label and one of its variants."""
MEDIAN_CONFIDENCE = 0.95
BETWEEN = ("mpi", "algorithm")
"""Factors that have one value per launch and that goals can concern."""
INSIDE = tuple(
    field.name
    for field in fields(Case)
    if field.name not in ("case_id", "block_bytes", "moved_bytes", "n", "clock", "clocksync", "warmup")
)
"""Factors that vary inside a launch."""


@dataclass(frozen=True)
class GoalInterval:
    """One interval: of a case on one side, of its ratio between two, or of two cases in the same launches."""

    case_id: int
    sides: tuple[Side, ...]
    against: int | None = None
    """The other case of a ratio inside launches, on the only side."""

    @property
    def of_ratio(self) -> bool:
        """Whether it is of a ratio."""
        return len(self.sides) > 1 or self.against is not None

    @property
    def compares(self) -> str:
        """What differs between the halves of a ratio: cases of a launch, libraries or algorithms."""
        if self.against is not None:
            return "cases"
        return "mpi" if self.sides[0][0] != self.sides[-1][0] else "algorithm"

    def samples(self, series: "SideLaunches") -> list[Sequence[CaseLaunch]]:
        """The launches of each half; of a ratio inside launches those that have both, in the same order."""
        if self.against is None:
            return [series[self.case_id, side] for side in self.sides]
        both = [
            {launch.slot: launch for launch in series[case_id, self.sides[0]]}
            for case_id in (self.case_id, self.against)
        ]
        shared = [slot for slot in both[0] if slot in both[1]]
        return [[half[slot] for slot in shared] for half in both]

    def half_width(self, series: "SideLaunches", confidence: float, strata: Strata | None = None) -> float | None:
        """By all launches so far, a ratio within `strata`; None where there is no interval."""
        first, *others = map(_times, self.samples(series))
        if not first or not all(others):
            return None
        if not others:
            return median_half_width(first, confidence)
        return ratio_half_width(first, others[0], confidence, paired=self.against is not None, strata=strata)

    def reached(self, series: "SideLaunches", goal: Goal, confidence: float, strata: Strata | None = None) -> bool:
        """Whether it is narrow enough, at two looks in a row."""
        first, *others = map(_times, self.samples(series))
        if not first or not all(others):
            return False
        if not others:
            return median_reached(first, goal.share, confidence)
        paired = self.against is not None
        return ratio_reached(first, others[0], goal.share, confidence, paired=paired, strata=strata)


SideLaunches = Mapping[tuple[int, Side], Sequence[CaseLaunch]]
"""By case and side, its launches in the order measured."""


@dataclass(frozen=True)
class CaseGroup:
    """Cases that are measured together, with the targets that they serve."""

    n: int
    cases: tuple[int, ...]
    targets: tuple[GoalInterval, ...]


def sides_of(design: Design) -> tuple[Side, ...]:
    """All libraries in all their variants."""
    return tuple((library.label, variant.name) for library in design.libraries for variant in design.of(library.label))


def pairs_of(sides: Sequence[Side]) -> tuple[tuple[Side, Side], ...]:
    """The comparisons: libraries with one variant, variants of one library."""
    return tuple((a, b) for a, b in combinations(sides, 2) if (a[0] == b[0]) != (a[1] == b[1]))


def check_goal(design: Design) -> None:
    """UsageError for a goal of ratios where nothing is compared, or whose factor does not vary, and for launches with
    several clocks.
    """
    goal, sides = design.plan.goal, sides_of(design)
    crossed = next((name for name in ("clock", "clocksync") if len(getattr(design.plan, name)) > 1), None)
    if goal is not None and crossed is not None:
        raise UsageError(f"until '{goal}': launches are added with one {crossed}; give one, or a number of launches")
    if goal is None or goal.quantity == "median":
        return
    if goal.by is not None and is_launch_factor(as_option(goal.by)):
        named, without = f"by {as_option(goal.by)}", replace(goal, by=None)
        raise UsageError(
            f"until '{without} {named}': settings of launches are all compared with each other; leave out '{named}'"
        )
    if goal.by is not None and goal.by not in (*BETWEEN, *INSIDE):
        raise unknown(f"until '{goal}': factor '{goal.by}'", goal.by, (*BETWEEN, *INSIDE))
    if any(group.targets for group in case_groups(design, goal)):
        return
    if goal.by is None:
        named = ", ".join(label if variant == "default" else f"{label} {variant}" for label, variant in sides)
        instead = "" if goal.of_verdicts else f", or give the goal of each median, '{100 * goal.share:g} %'"
        raise UsageError(
            f"until '{goal}': there is no ratio of {named} alone; name two libraries (-m) or algorithms "
            f"(--algorithm){instead}"
        )
    raise UsageError(f"until '{goal}': no two cases differ in {goal.by} alone; give two values of it")


def case_groups(design: Design, goal: Goal) -> tuple[CaseGroup, ...]:
    """All groups, in the order of the cases."""
    sides = sides_of(design)
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in design.cases:
        groups.setdefault(_key(case, {*FAMILIES, *_inside(goal)}), []).append(case)
    return tuple(
        CaseGroup(group[0].n, tuple(case.case_id for case in group), tuple(_targets(group, sides, goal)))
        for group in groups.values()
    )


def _targets(group: Sequence[Case], sides: Sequence[Side], goal: Goal) -> Iterator[GoalInterval]:
    """The intervals that a goal has of cases that are measured together."""
    for factor in _inside(goal):
        alike = [pair for pair in combinations(group, 2) if _key(pair[0], {factor}) == _key(pair[1], {factor})]
        yield from (GoalInterval(a.case_id, (side,), b.case_id) for a, b in alike for side in sides)
        return
    chosen = [(side,) for side in sides] if goal.quantity == "median" else _compared(sides, goal.by)
    yield from (GoalInterval(case.case_id, side) for case in group for side in chosen)


def _compared(sides: Sequence[Side], by: str | None) -> list[tuple[Side, ...]]:
    """Pairs of libraries or variants, or of one of both."""
    places = {"mpi": 0, "algorithm": 1}
    return [(a, b) for a, b in pairs_of(sides) if by is None or a[places[by]] != b[places[by]]]


def _inside(goal: Goal) -> tuple[str, ...]:
    """The factor that varies inside launches and is compared, if there is one."""
    return (goal.by,) if goal.by in INSIDE else ()


def launches_by_side(
    groups: Iterable[CaseGroup], sides: Sequence[Side], launches: Sequence[LaunchTimes], *, valid: bool = True
) -> SideLaunches:
    """The launches of every case on every side; those that had a `valid` sample, or all."""
    by_case_and_side: dict[tuple[int, Side], list[CaseLaunch]] = {
        (case_id, side): [] for group in groups for case_id in group.cases for side in sides
    }
    for launch in launches:
        for case_id, case in launch.cases.items():
            if case.median_s is not None or not valid:
                by_case_and_side[case_id, (launch.slot.mpi, launch.slot.algorithm)].append(case)
    return by_case_and_side


def confidence_of(goal: Goal, level: float) -> float:
    """That of the intervals that `ictus show` and `ictus compare` have."""
    return MEDIAN_CONFIDENCE if goal.quantity == "median" else 1 - level


def _key(case: Case, but: set[str]) -> tuple[object, ...]:
    """All factors of a case but some, and without what follows from the rest."""
    left_out = {"case_id", "block_bytes", "moved_bytes", *but}
    return tuple(value for name, value in vars(case).items() if name not in left_out)


def _times(launches: Sequence[CaseLaunch]) -> list[float]:
    return [launch.median_s for launch in launches if launch.median_s is not None]
