"""The launches for a precision goal, block by block: which cases are measured again, with how many repetitions, and
when the campaign is complete.

A pilot of three launches per library with few repetitions comes first. After every block, both variance components and
all costs are estimated again from the files, and the next block has the cases whose intervals are still too wide. All
decisions follow from the plan, its seed and the accepted launches: a campaign that was killed continues as if it had
not been.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ictus.engine.decision_progress import DecisionProgress
from ictus.engine.forecast import GoalPlan, LaunchCosts, OpenGroup, Outlook, Planner, TargetState, target_state
from ictus.engine.launch_modes import strata_of_ratios
from ictus.engine.launch_times import LaunchTimes, read_launch_times
from ictus.engine.schedule import block_of
from ictus.engine.target import (
    CaseGroup,
    GoalInterval,
    Side,
    SideLaunches,
    case_groups,
    check_goal,
    confidence_of,
    launches_by_side,
    sides_of,
)
from ictus.model.design import Design, Slot
from ictus.model.spec import Number, Spec
from ictus.stats.modes import Strata
from ictus.store.journal import CampaignState

PILOT = 3
"""Launches of each library before anything is planned."""
PILOT_NREP = 100
LEAST_NREP = 20
"""Fewer repetitions make no median that later tests could trust, and say nothing of their scatter."""


@dataclass(frozen=True)
class Forecast:
    """The expectation after a number of blocks."""

    goal: str
    launches: int
    """Launches of each library so far."""
    least: bool
    """Whether these are just those that every case gets at least: from now on cases are left out."""
    open_cases: int
    """Cases of the campaign that need more of them."""
    cases: int
    further_launches: int | None
    """Further launches of each library; None for more than 100,000."""
    needed_s: float | None
    left_s: float | None
    """Seconds left of the budget; None without one."""
    reachable: float | None
    """Half-width that the budget allows; None where the goal itself is within it, or nothing is."""
    lines: tuple[Mapping[str, Any], ...]
    """Facts and plans about each open case, for the journal."""

    def blocks_to_come(self) -> int:
        """As far as they are known, and the budget has room for them."""
        if self.further_launches is None or self.needed_s is None:
            return 0
        part = 1.0 if self.left_s is None or self.needed_s <= self.left_s else self.left_s / self.needed_s
        return round(self.further_launches * part)

    def expected_s(self, since_s: float) -> float | None:
        """Time until the end, `since_s` after this plan; None where it is unknown."""
        times_s = [seconds for seconds in (self.needed_s, self.left_s) if seconds is not None]
        return max(min(times_s) - since_s, 0.0) if times_s else None

    def record(self) -> dict[str, Any]:
        """All of it, for the journal."""
        names = ("launches", "open_cases", "further_launches", "needed_s", "left_s", "reachable")
        values = {"more" if name == "further_launches" else name: getattr(self, name) for name in names}
        return {**values, "cases": list(self.lines)}


@dataclass(frozen=True)
class NextBlock:
    """The next block; no slots: it is over, because of `ended`."""

    slots: tuple[Slot, ...]
    ended: str | None
    """`goal` or `budget`; where verdicts are sought `decided`, `launches` or `budget`."""
    forecast: Forecast | DecisionProgress


class AdaptiveSchedule:
    """Plans the blocks of one campaign; launches that were read are kept in mind."""

    def __init__(self, design: Design, folder: Path) -> None:
        check_goal(design)
        goal = design.plan.goal
        assert goal is not None, "an adaptive schedule needs a precision goal"
        self._design, self._folder, self._goal = design, folder, goal
        self._confidence = confidence_of(goal, design.plan.level)
        self._groups, self._sides = case_groups(design, goal), sides_of(design)
        self._most = {case.case_id: _most(case.repetition) for case in design.cases}
        self._read: dict[str, LaunchTimes] = {}
        self._known: dict[GoalInterval, tuple[tuple[object, ...], TargetState]] = {}
        """The state of each target at these numbers of launches in these strata: one without news is not computed
        again.
        """

    def pilot(self) -> tuple[Slot, ...]:
        """The first blocks: all cases."""
        nreps = {case_id: _at_most(most, PILOT_NREP) for case_id, most in self._most.items()}
        slots: list[Slot] = []
        for number in range(PILOT):
            slots += block_of(self._design, number, len(slots), nreps)
        return tuple(slots)

    def next(self, slots: Sequence[Slot], state: CampaignState, spent_s: float) -> NextBlock:
        """The block after `slots`, all of which have their launch."""
        launches = [self._measured(slot, state) for slot in slots]
        series = launches_by_side(self._groups, self._sides, launches)
        strata = strata_of_ratios(self._groups, self._sides, launches)
        blocks, least = 1 + max(slot.block for slot in slots), self._design.plan.launches
        enough = blocks >= least
        open_groups = []
        for group in self._groups:
            states = [self._look(target, series, strata.get(target), enough=enough) for target in group.targets]
            if not enough or any(earlier.open for earlier in states):
                open_groups.append(self._open_group(group, states, series))
        kept = {pair for open_group in open_groups for pair in self._kept(open_group, enough=enough)}
        costs = LaunchCosts.of(launches, series, kept)
        budget_s = self._design.plan.time_budget_s
        left_s = None if budget_s is None else max(budget_s - spent_s, 0.0)
        planner = Planner(open_groups, self._confidence, costs)
        outlook = planner.outlook(self._goal.share, least, blocks, left_s)
        nreps = self._nreps(open_groups, outlook.chosen)
        forecast = self._forecast(blocks, open_groups, outlook, nreps, left_s)
        if not open_groups:
            return NextBlock((), "goal", forecast)
        if left_s is not None and _block_s(open_groups, nreps, costs) > left_s:
            return NextBlock((), "budget", forecast)
        return NextBlock(block_of(self._design, blocks, len(slots), nreps, kept), None, forecast)

    def _look(self, target: GoalInterval, series: SideLaunches, strata: Strata | None, *, enough: bool) -> TargetState:
        inputs = (enough, strata, *map(len, target.samples(series)))
        if target not in self._known or self._known[target][0] != inputs:
            state = target_state(target, series, self._goal, self._confidence, strata, enough=enough)
            self._known[target] = inputs, state
        return self._known[target][1]

    def _kept(self, group: OpenGroup, *, enough: bool) -> Iterator[tuple[int, Side]]:
        """Who measures a group's cases in the next block. A ratio of libraries needs both of its sides as often; a
        library whose medians, or ratios inside its launches, are precise is left alone, where another's are not.
        """
        by_side = enough and all(len(each.target.sides) == 1 for each in group.targets)
        sides = {side for each in group.targets if each.open for side in each.target.sides} if by_side else self._sides
        return ((case_id, side) for case_id in group.group.cases for side in sides)

    def _forecast(
        self,
        blocks: int,
        open_groups: Sequence[OpenGroup],
        outlook: Outlook,
        nreps: Mapping[int, int | None],
        left_s: float | None,
    ) -> Forecast:
        plan = outlook.goal
        return Forecast(
            goal=str(self._goal),
            launches=blocks,
            least=blocks == max(self._design.plan.launches, PILOT),
            open_cases=sum(len(open_group.group.cases) for open_group in open_groups),
            cases=len(self._design.cases),
            further_launches=None if plan is None else plan.further_launches,
            needed_s=None if plan is None else plan.total_s,
            left_s=left_s,
            reachable=outlook.share,
            lines=tuple(_line(group, nreps, plan) for group in open_groups),
        )

    def _measured(self, slot: Slot, state: CampaignState) -> LaunchTimes:
        name = state.accepted[slot.slot]
        if name not in self._read:
            self._read[name] = read_launch_times(self._folder / name, slot, state.checksums_of(name))
        return self._read[name]

    def _open_group(self, group: CaseGroup, targets: Sequence[TargetState], series: SideLaunches) -> OpenGroup:
        """Where the plan leaves the number of repetitions to another rule, it is what that took."""
        most_counts = [count for case_id in group.cases if (count := self._most[case_id]) is not None]
        if most_counts:
            return OpenGroup(group, tuple(targets), min(LEAST_NREP, *most_counts), max(most_counts))
        kept = [launch.kept for case_id in group.cases for side in self._sides for launch in series[case_id, side]]
        mean_kept = max(round(sum(kept) / len(kept)), 1) if kept else LEAST_NREP
        return OpenGroup(group, tuple(targets), mean_kept, mean_kept)

    def _nreps(self, open_groups: Sequence[OpenGroup], plan: GoalPlan | None) -> dict[int, int | None]:
        """Repetitions of each case in the next block."""
        planned = {} if plan is None else plan.nreps
        return {
            case_id: _at_most(self._most[case_id], planned.get(case_id, PILOT_NREP))
            for open_group in open_groups
            for case_id in open_group.group.cases
        }


def _block_s(open_groups: Sequence[OpenGroup], nreps: Mapping[int, int | None], costs: LaunchCosts) -> float:
    """Expected seconds of the next block."""
    cases = [
        (case_id, nreps[case_id] or open_group.least)
        for open_group in open_groups
        for case_id in open_group.group.cases
    ]
    each_s = sum(
        costs.launch_s.get(case_id, 0.0) + costs.repetition_s.get(case_id, 0.0) * nrep for case_id, nrep in cases
    )
    return each_s + sum(costs.block_s(n) for n in {group.group.n for group in open_groups})


def _line(group: OpenGroup, nreps: Mapping[int, int | None], plan: GoalPlan | None) -> dict[str, Any]:
    """The journal's entry on a group."""
    return {
        "case_ids": list(group.group.cases),
        "nrep": [nreps[case_id] for case_id in group.group.cases],
        "more": None if plan is None else plan.launches[group.group.cases[0]],
        "intervals": [
            {
                "case_id": each.target.case_id,
                **({} if each.target.against is None else {"against": each.target.against}),
                "of": [list(side) for side in each.target.sides],
                "half_width": each.half_width,
                "reached": each.reached,
                "between": None if each.parts is None else each.parts.between,
                "within": None if each.parts is None else each.parts.within,
            }
            for each in group.targets
        ],
    }


def _most(repetition: Spec) -> int | None:
    """The repetitions that a case says; None where another rule than a count ends it."""
    count = repetition.argument("nrep")
    return int(count.text) if repetition.name == "fixed" and isinstance(count, Number) else None


def _at_most(most: int | None, number: int) -> int | None:
    return None if most is None else min(most, number)
