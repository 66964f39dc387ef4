"""Forecasts what a precision goal needs, from the launches so far: launches, repetitions, time, and the precision that
a budget allows.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, log10, sqrt
from statistics import median

import numpy as np

from ictus.engine.launch_times import CaseLaunch, LaunchTimes
from ictus.engine.target import CaseGroup, GoalInterval, Side, SideLaunches
from ictus.model.goal import Goal
from ictus.stats.modes import Strata
from ictus.stats.precision import (
    EFFICIENCY,
    Aim,
    Allocation,
    Demand,
    allocate,
    allowed_variance,
    cheap_nrep,
    seen_efficiency,
)
from ictus.stats.stratum_effects import without_strata
from ictus.stats.variance import Components, Within, components

_ROUNDS = 16
"""Bisections of the share that a budget allows."""
_WIDEST = 0.999


@dataclass(frozen=True)
class TargetState:
    """The state of one target."""

    target: GoalInterval
    half_width: float | None
    reached: bool
    lost: bool
    """No launch had a valid sample on one of its sides: it can never be reached."""
    parts: Components | None
    """Variance components of the estimate; of a ratio, both sides' sums."""
    inverse_nreps: float
    """Sum over launches of one over their repetitions, weighed by each side's part."""

    @property
    def open(self) -> bool:
        """Whether it still needs launches."""
        return not (self.reached or self.lost)


def target_state(
    target: GoalInterval,
    series: SideLaunches,
    goal: Goal,
    confidence: float,
    strata: Strata | None = None,
    *,
    enough: bool,
) -> TargetState:
    """Look at one target, a ratio within `strata`; `enough`: whether it has had the launches that every case gets at
    least.
    """
    launches = target.samples(series)
    if target.against is not None:
        launches = [_ratios(*launches)]
    if strata is not None:
        launches = _aligned(launches, strata)
    parts = [_parts(side_launches) for side_launches in launches]
    known_parts = [part for part in parts if part is not None]
    both, spent = None, 0.0
    if len(known_parts) == len(parts):
        shares = [sum(1 / launch.kept for launch in side_launches) for side_launches in launches]
        spent = sum(part.within * share for part, share in zip(known_parts, shares, strict=True))
        both = Components(
            sum(part.between for part in known_parts),
            sum(part.within for part in known_parts),
            min(part.launches for part in known_parts),
        )
    return TargetState(
        target,
        target.half_width(series, confidence, strata),
        enough and target.reached(series, goal, confidence, strata),
        not all(launches),
        both,
        spent / both.within if both is not None and both.within > 0 else 0.0,
    )


def _ratios(a: Sequence[CaseLaunch], b: Sequence[CaseLaunch]) -> list[CaseLaunch]:
    """Pairs as launches of their own, whose times are ratios: what a launch has in common for both is not part of their
    scatter.
    """
    return [
        replace(
            left,
            median_s=None if left.median_s is None or right.median_s is None else left.median_s / right.median_s,
            kept=min(left.kept, right.kept),
            within=Within(left.within.variance + right.within.variance, min(left.within.degrees, right.within.degrees)),
        )
        for left, right in zip(a, b, strict=True)
    ]


def _aligned(launches: Sequence[Sequence[CaseLaunch]], strata: Strata) -> list[Sequence[CaseLaunch]]:
    """The launches of each half as if all were of one stratum: what strata differ by is not part of their scatter."""
    numbered = [(side, launch) for side, half in enumerate(launches) for launch in half]
    times = np.array([launch.median_s for _, launch in numbered], dtype=np.float64)
    # Of pairs, both halves have one stratum, and there is one list of launches.
    of = [stratum for half in strata[: len(launches)] for stratum in half]
    aligned = without_strata(times, of, [side for side, _ in numbered])
    alike = [replace(launch, median_s=float(time)) for (_, launch), time in zip(numbered, aligned, strict=True)]
    return [alike[: len(launches[0])], *([alike[len(launches[0]) :]] if len(launches) > 1 else [])]


def _parts(launches: Sequence[CaseLaunch]) -> Components | None:
    times = [launch.median_s for launch in launches if launch.median_s is not None]
    kept, within = [launch.kept for launch in launches], [launch.within for launch in launches]
    return components(times, kept, within) if times else None


@dataclass(frozen=True)
class LaunchCosts:
    """Times of a launch's parts, in seconds; medians over launches, so that one disturbed launch does not count."""

    overhead_s: Mapping[tuple[int, Side], float]
    """Seconds of a launch without its cases, by number of processes and side."""
    launch_s: Mapping[int, float]
    """Seconds of each case, in all launches of a block that measure it together."""
    repetition_s: Mapping[int, float]

    @staticmethod
    def of(launches: Sequence[LaunchTimes], series: SideLaunches, kept: Collection[tuple[int, Side]]) -> "LaunchCosts":
        """From the launches so far, for blocks that measure the cases in `kept`, by their sides."""
        overhead: dict[tuple[int, Side], list[float]] = {}
        for launch in launches:
            slot, side = launch.slot, (launch.slot.mpi, launch.slot.algorithm)
            if any((case_id, side) in kept for case_id in slot.cases):
                overhead.setdefault((slot.n, side), []).append(launch.overhead_s)
        each: dict[int, list[Sequence[CaseLaunch]]] = {}
        for (case_id, side), of_side in series.items():
            each.setdefault(case_id, []).extend([of_side] if (case_id, side) in kept else [])
        halves = {case_id: [half for half in sides if half] for case_id, sides in each.items()}
        return LaunchCosts(
            {key: median(values) for key, values in overhead.items()},
            {case: sum(median(launch.launch_s for launch in half) for half in of) for case, of in halves.items()},
            {case: sum(median(launch.repetition_s for launch in half) for half in of) for case, of in halves.items()},
        )

    def block_s(self, n: int) -> float:
        """The time of all launches with n processes of a block, without their cases."""
        return sum(seconds for (processes, _), seconds in self.overhead_s.items() if processes == n)


@dataclass(frozen=True)
class OpenGroup:
    """A group that needs more launches, and between what its repetitions are planned."""

    group: CaseGroup
    targets: tuple[TargetState, ...]
    least: int
    most: int

    def from_nothing(self, share: float, confidence: float, costs: LaunchCosts, fewest: int) -> Demand:
        """The launches for a precision of `share` without any present launch, and their cost."""
        aims = tuple(replace(aim, launches=0, inverse_nreps=0.0) for aim in self._aims(share, confidence))
        return self._demand(aims, costs, self.least, self.most, fewest)

    def onward(self, nrep: int, share: float, confidence: float, costs: LaunchCosts, fewest: int) -> Demand:
        """The time in addition to its launches, with this number of repetitions in each."""
        return self._demand(self._aims(share, confidence), costs, nrep, nrep, fewest)

    def _aims(self, share: float, confidence: float) -> tuple[Aim, ...]:
        attainable = (state for state in self.targets if state.parts is not None and not state.lost)
        return tuple(_aim(state, share, confidence) for state in attainable)

    def _demand(self, aims: tuple[Aim, ...], costs: LaunchCosts, least: int, most: int, fewest: int) -> Demand:
        return Demand(
            aims,
            sum(costs.launch_s.get(case_id, 0.0) for case_id in self.group.cases),
            sum(costs.repetition_s.get(case_id, 0.0) for case_id in self.group.cases),
            most=most,
            least=least,
            fewest=fewest,
        )


def _aim(state: TargetState, share: float, confidence: float) -> Aim:
    assert state.parts is not None
    quantity = "ratio" if state.target.of_ratio else "median"
    parts, efficiency = state.parts, EFFICIENCY[quantity]
    if state.half_width is not None:
        variance = (parts.between + parts.within * state.inverse_nreps / parts.launches) / parts.launches
        efficiency = seen_efficiency(quantity, state.half_width, variance, parts.launches, confidence)
    allowed = allowed_variance(share, efficiency, confidence)
    return Aim(parts.between, parts.within, allowed, parts.launches, state.inverse_nreps)


@dataclass(frozen=True)
class GoalPlan:
    """The cheapest plan for one precision, by case id, for all cases that could be planned."""

    total_s: float
    further_launches: int
    """Further launches of each library."""
    launches: Mapping[int, int]
    nreps: Mapping[int, int]


@dataclass(frozen=True)
class Outlook:
    """The needs of the goal, and what a budget allows instead."""

    goal: GoalPlan | None
    """None where it takes more than 100,000 launches."""
    share: float | None
    """The half-width that the budget allows; None where the goal is within it, there is none, or nothing is."""
    chosen: GoalPlan | None
    """What the next launches follow."""


class Planner:
    """Plans the launches for a goal of any precision."""

    def __init__(self, open_groups: Sequence[OpenGroup], confidence: float, costs: LaunchCosts) -> None:
        self._open_groups, self._confidence, self._costs = open_groups, confidence, costs

    def outlook(self, share: float, least: int, accepted: int, left_s: float | None) -> Outlook:
        """Towards `share` with `least` launches of each case at least, after `accepted`, within `left_s` if it can."""
        plan = self.plan(share, least, max(1, least - accepted))
        if left_s is None or (plan is not None and plan.total_s <= left_s):
            return Outlook(plan, None, plan)
        best = self._reachable(share, least, left_s)
        return Outlook(plan, best, plan if best is None else self.plan(best, least, max(1, least - accepted)))

    def plan(self, share: float, least: int, fewest: int) -> GoalPlan | None:
        """The cheapest plan with `least` launches in all and `fewest` further ones; numbers of processes share no
        launches, so each has its own plan.

        Repetitions are the optimum of a campaign that starts from nothing, which the last of many launches hardly
        changes; launches are those needed with that many repetitions in addition to the present ones.
        """
        total_s, further = 0.0, 0
        launches: dict[int, int] = {}
        nreps: dict[int, int] = {}
        for n in dict.fromkeys(group.group.n for group in self._open_groups):
            groups = [group for group in self._open_groups if group.group.n == n]
            planned = self._plan_one(groups, share, least, fewest)
            if planned is None:
                return None
            counts, allocation = planned
            total_s, further = total_s + allocation.total_s, max(further, allocation.further_launches)
            for group, number, count in zip(groups, allocation.launches, counts, strict=True):
                launches |= dict.fromkeys(group.group.cases, number)
                nreps |= dict.fromkeys(group.group.cases, count)
        return GoalPlan(total_s, further, launches, nreps)

    def _plan_one(
        self, groups: Sequence[OpenGroup], share: float, least: int, fewest: int
    ) -> tuple[list[int], Allocation] | None:
        """Repetitions and launches of the groups of one number of processes."""
        overhead_s, confidence, costs = self._costs.block_s(groups[0].group.n), self._confidence, self._costs
        scratch = [group.from_nothing(share, confidence, costs, least) for group in groups]
        best = allocate(scratch, overhead_s)
        if best is None:
            return None
        cheap = [cheap_nrep(demand, overhead_s / len(groups)) for demand in scratch]
        counts = [
            min(_two_digits(max(needed, affordable)), group.most)
            for group, needed, affordable in zip(groups, best.nreps, cheap, strict=True)
        ]
        planned = zip(groups, counts, strict=True)
        demands = [group.onward(count, share, confidence, costs, fewest) for group, count in planned]
        allocation = allocate(demands, overhead_s)
        return None if allocation is None else (counts, allocation)

    def _reachable(self, share: float, least: int, left_s: float) -> float | None:
        """The narrowest share, wider than `share`, that takes no longer than `left_s`, by bisection."""

        def within(wider: float) -> bool:
            plan = self.plan(wider, least, 0)
            return plan is not None and plan.total_s <= left_s

        low, high = share, _WIDEST
        if not within(high):
            return None
        for _ in range(_ROUNDS):
            middle = sqrt(low * high)
            low, high = (low, middle) if within(middle) else (middle, high)
        return high


def _two_digits(count: int) -> int:
    """Rounded up: an estimate promises no more."""
    unit: int = 10 ** max(0, int(log10(max(count, 1))) - 1)
    return ceil(count / unit) * unit
