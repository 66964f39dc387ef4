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
    parts = [_parts(one) for one in launches]
    whole = [part for part in parts if part is not None]
    both, spent = None, 0.0
    if len(whole) == len(parts):
        spent = sum(part.within * sum(1 / one.kept for one in own) for part, own in zip(whole, launches, strict=True))
        both = Components(
            sum(part.between for part in whole),
            sum(part.within for part in whole),
            min(part.launches for part in whole),
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
            one,
            median_s=None if one.median_s is None or two.median_s is None else one.median_s / two.median_s,
            kept=min(one.kept, two.kept),
            within=Within(one.within.variance + two.within.variance, min(one.within.degrees, two.within.degrees)),
        )
        for one, two in zip(a, b, strict=True)
    ]


def _aligned(launches: Sequence[Sequence[CaseLaunch]], strata: Strata) -> list[Sequence[CaseLaunch]]:
    """The launches of each half as if all were of one stratum: what strata differ by is not part of their scatter."""
    known = [(side, one) for side, half in enumerate(launches) for one in half]
    times = np.array([one.median_s for _, one in known], dtype=np.float64)
    # Of pairs, both halves have one stratum, and there is one list of launches.
    of = [stratum for half in strata[: len(launches)] for stratum in half]
    aligned = without_strata(times, of, [side for side, _ in known])
    alike = [replace(one, median_s=float(time)) for (_, one), time in zip(known, aligned, strict=True)]
    return [alike[: len(launches[0])], *([alike[len(launches[0]) :]] if len(launches) > 1 else [])]


def _parts(launches: Sequence[CaseLaunch]) -> Components | None:
    times = [one.median_s for one in launches if one.median_s is not None]
    return components(times, [one.kept for one in launches], [one.within for one in launches]) if times else None


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
        for (case_id, side), own in series.items():
            each.setdefault(case_id, []).extend([own] if (case_id, side) in kept else [])
        return LaunchCosts(
            {key: median(values) for key, values in overhead.items()},
            {case_id: sum(median(x.launch_s for x in own) for own in sides if own) for case_id, sides in each.items()},
            {
                case_id: sum(median(x.repetition_s for x in own) for own in sides if own)
                for case_id, sides in each.items()
            },
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
        return tuple(_aim(one, share, confidence) for one in self.targets if one.parts is not None and not one.lost)

    def _demand(self, aims: tuple[Aim, ...], costs: LaunchCosts, least: int, most: int, fewest: int) -> Demand:
        return Demand(
            aims,
            sum(costs.launch_s.get(case_id, 0.0) for case_id in self.group.cases),
            sum(costs.repetition_s.get(case_id, 0.0) for case_id in self.group.cases),
            most=most,
            least=least,
            fewest=fewest,
        )


def _aim(one: TargetState, share: float, confidence: float) -> Aim:
    assert one.parts is not None
    quantity = "ratio" if one.target.of_ratio else "median"
    parts, efficiency = one.parts, EFFICIENCY[quantity]
    if one.half_width is not None:
        variance = (parts.between + parts.within * one.inverse_nreps / parts.launches) / parts.launches
        efficiency = seen_efficiency(quantity, one.half_width, variance, parts.launches, confidence)
    allowed = allowed_variance(share, efficiency, confidence)
    return Aim(parts.between, parts.within, allowed, parts.launches, one.inverse_nreps)


@dataclass(frozen=True)
class GoalPlan:
    """The cheapest plan for one precision, by case id, for all cases that could be planned."""

    total_s: float
    more: int
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

    def outlook(self, share: float, least: int, done: int, left_s: float | None) -> Outlook:
        """Towards `share` with `least` launches of each case at least, after `done`, within `left_s` if that can be."""
        plan = self.plan(share, least, max(1, least - done))
        if left_s is None or (plan is not None and plan.total_s <= left_s):
            return Outlook(plan, None, plan)
        best = self._reachable(share, least, left_s)
        return Outlook(plan, best, plan if best is None else self.plan(best, least, max(1, least - done)))

    def plan(self, share: float, least: int, fewest: int) -> GoalPlan | None:
        """The cheapest plan with `least` launches in all and `fewest` further ones; numbers of processes share no
        launches, so each has its own plan.

        Repetitions are the optimum of a campaign that starts from nothing, which the last of many launches hardly
        changes; launches are those needed with that many repetitions in addition to the present ones.
        """
        total_s, more = 0.0, 0
        launches: dict[int, int] = {}
        nreps: dict[int, int] = {}
        for n in dict.fromkeys(one.group.n for one in self._open_groups):
            own = [one for one in self._open_groups if one.group.n == n]
            found = self._plan_one(own, share, least, fewest)
            if found is None:
                return None
            counts, allocation = found
            total_s, more = total_s + allocation.total_s, max(more, allocation.more)
            for one, number, count in zip(own, allocation.launches, counts, strict=True):
                launches |= dict.fromkeys(one.group.cases, number)
                nreps |= dict.fromkeys(one.group.cases, count)
        return GoalPlan(total_s, more, launches, nreps)

    def _plan_one(
        self, own: Sequence[OpenGroup], share: float, least: int, fewest: int
    ) -> tuple[list[int], Allocation] | None:
        """Repetitions and launches of the groups of one number of processes."""
        overhead_s, confidence, costs = self._costs.block_s(own[0].group.n), self._confidence, self._costs
        scratch = [one.from_nothing(share, confidence, costs, least) for one in own]
        best = allocate(scratch, overhead_s)
        if best is None:
            return None
        cheap = [cheap_nrep(demand, overhead_s / len(own)) for demand in scratch]
        counts = [
            min(_two_digits(max(needed, affordable)), one.most)
            for one, needed, affordable in zip(own, best.nreps, cheap, strict=True)
        ]
        demands = [one.onward(count, share, confidence, costs, fewest) for one, count in zip(own, counts, strict=True)]
        found = allocate(demands, overhead_s)
        return None if found is None else (counts, found)

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
