"""What a precision goal is about: the intervals that must become narrow, and the cases that are measured together.

Cases that differ in nothing but how they are measured (methods) are compared launch by launch, and so stay together.
All libraries measure what any of them still needs, so that blocks stay balanced.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ictus.campaign.measured import CaseLaunch, Measured
from ictus.model.case import Case
from ictus.model.design import Design
from ictus.model.errors import UsageError
from ictus.model.goal import Goal
from ictus.model.method import FAMILIES
from ictus.stats.precision import median_half_width, median_reached, ratio_half_width, ratio_reached

Side = tuple[str, str]
"""A library by its label and one of its variants."""
MEDIAN_CONFIDENCE = 0.95


@dataclass(frozen=True)
class Target:
    """One interval: of a case on one side, or of its ratio between two."""

    case_id: int
    sides: tuple[Side, ...]

    def half_width(self, series: "Series", confidence: float) -> float | None:
        """By all launches so far; None where there is no interval."""
        first, *others = (_times(series[self.case_id, side]) for side in self.sides)
        if not first or not all(others):
            return None
        if not others:
            return median_half_width(first, confidence)
        return ratio_half_width(first, others[0], confidence)

    def reached(self, series: "Series", goal: Goal, confidence: float) -> bool:
        """Whether it is narrow enough, at two looks in a row."""
        first, *others = (_times(series[self.case_id, side]) for side in self.sides)
        if not first or not all(others):
            return False
        if not others:
            return median_reached(first, goal.share, confidence)
        return ratio_reached(first, others[0], goal.share, confidence)


Series = Mapping[tuple[int, Side], Sequence[CaseLaunch]]
"""By case and side, its launches in the order measured."""


@dataclass(frozen=True)
class Unit:
    """Cases that are measured together, with the targets that they serve."""

    n: int
    cases: tuple[int, ...]
    targets: tuple[Target, ...]


def sides_of(design: Design) -> tuple[Side, ...]:
    """All libraries in all their variants."""
    return tuple((library.label, variant.name) for library in design.libraries for variant in design.of(library.label))


def pairs_of(sides: Sequence[Side]) -> tuple[tuple[Side, Side], ...]:
    """The comparisons: libraries with one variant, variants of one library."""
    return tuple((a, b) for a, b in combinations(sides, 2) if (a[0] == b[0]) != (a[1] == b[1]))


def check_goal(design: Design) -> None:
    """UsageError for a goal of ratios where nothing is compared."""
    goal, sides = design.plan.goal, sides_of(design)
    if goal is not None and goal.quantity == "ratio" and not pairs_of(sides):
        named = ", ".join(label if variant == "default" else f"{label} {variant}" for label, variant in sides)
        raise UsageError(
            f"until '{goal}': there is no ratio of {named} alone; name two libraries (-m) or algorithms "
            f"(--algorithm), or give the goal of each median, '{100 * goal.share:g} %'"
        )


def units_of(design: Design, goal: Goal) -> tuple[Unit, ...]:
    """All units, in the order of the cases."""
    sides = sides_of(design)
    chosen: tuple[tuple[Side, ...], ...] = (
        tuple((side,) for side in sides) if goal.quantity == "median" else pairs_of(sides)
    )
    groups: dict[tuple[object, ...], list[Case]] = {}
    for case in design.cases:
        groups.setdefault(_together(case), []).append(case)
    return tuple(
        Unit(
            group[0].n,
            tuple(case.case_id for case in group),
            tuple(Target(case.case_id, one) for case in group for one in chosen),
        )
        for group in groups.values()
    )


def series_of(units: Iterable[Unit], sides: Sequence[Side], launches: Sequence[Measured]) -> Series:
    """The launches of every case on every side that had a valid sample."""
    found: dict[tuple[int, Side], list[CaseLaunch]] = {
        (case_id, side): [] for unit in units for case_id in unit.cases for side in sides
    }
    for launch in launches:
        for case_id, case in launch.cases.items():
            if case.median_s is not None:
                found[case_id, (launch.slot.mpi, launch.slot.algorithm)].append(case)
    return found


def confidence_of(goal: Goal, level: float) -> float:
    """That of the intervals that `ictus show` and `ictus compare` have."""
    return MEDIAN_CONFIDENCE if goal.quantity == "median" else 1 - level


def _together(case: Case) -> tuple[object, ...]:
    values = vars(case)
    return tuple(value for name, value in values.items() if name not in ("case_id", *FAMILIES))


def _times(launches: Sequence[CaseLaunch]) -> list[float]:
    return [launch.median_s for launch in launches if launch.median_s is not None]
