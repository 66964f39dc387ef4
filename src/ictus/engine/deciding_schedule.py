"""The launches until verdicts are known, block by block: which comparisons are decided, and what is measured next.

The cases are judged at the looks that the manifest names; what is decided is left out of further blocks. All of it
follows from the plan, its seed and the accepted launches, so that a campaign that was killed continues as if it had not
been. The arithmetic is in ictus.stats.sequential; `ictus compare` repeats it from the same launches.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import mean
from typing import Any

from ictus.engine.adaptive_schedule import NextBlock
from ictus.engine.decision_progress import DecisionProgress
from ictus.engine.forecast import LaunchCosts
from ictus.engine.launch_modes import modes_by_slot
from ictus.engine.launch_times import CaseLaunch, LaunchTimes, read_launch_times
from ictus.engine.schedule import block_of
from ictus.engine.target import (
    GoalInterval,
    Side,
    SideLaunches,
    case_groups,
    check_goal,
    launches_by_side,
    sides_of,
)
from ictus.model.design import Design, Slot
from ictus.model.errors import UsageError
from ictus.model.goal import Goal
from ictus.model.looks import Looks
from ictus.stats.planning import launches_to_decide
from ictus.stats.sequential import UNUSABLE, LookSample, SequentialResult, follow
from ictus.stats.verdict import CaseRules
from ictus.store.journal import CampaignState

GROWTH, SHARE = 1.15, 0.15
"""Of the looks; chosen by simulation (docs/decisions/0036)."""


def first_looks(design: Design) -> Looks:
    """The looks for a design that is measured until verdicts are known: the first at the fewest launches that can
    decide anything. UsageError where nothing is compared, or the most launches are fewer than that.
    """
    plan, goal = design.plan, _comparisons_goal(design)
    if plan.adjust == UNUSABLE:
        raise UsageError(f"adjust '{plan.adjust}': until '{plan.goal}' needs holm or none: bh may take a verdict back")
    targets = [target for group in case_groups(design, goal) for target in group.targets]
    n_tests, test = len(targets), "rank-sum" if targets[0].against is None else "signed-rank"
    first = launches_to_decide(n_tests, level=SHARE * plan.level, test=test, adjust=plan.adjust)
    if plan.launches < first:
        raise UsageError(
            f"launches '{plan.launches}': until '{plan.goal}' they are the most, and fewer than {first} can decide "
            f"nothing of {n_tests} comparisons; give --launches {first} or more, or fewer cases"
        )
    return Looks(first, GROWTH, SHARE)


def _comparisons_goal(design: Design) -> Goal:
    """The goal with the factor that it compares."""
    check_goal(design)
    goal = design.plan.goal
    assert goal is not None, "verdicts need a goal"
    if goal.by is not None:
        return goal
    sides = sides_of(design)
    several = [len({side[index] for side in sides}) > 1 for index in (0, 1)]
    if all(several):
        raise UsageError(
            f"until '{goal}': libraries and their variants both differ; say which are compared: "
            f"'{goal} by mpi' or '{goal} by algorithm'"
        )
    return replace(goal, by="mpi" if several[0] else "algorithm")


class DecidingSchedule:
    """Plans the blocks of one campaign; launches that were read are kept in mind."""

    def __init__(self, design: Design, folder: Path, looks: Looks) -> None:
        self._design, self._folder, self._looks = design, folder, looks
        self._goal, self._sides = _comparisons_goal(design), sides_of(design)
        self._groups = case_groups(design, self._goal)
        self._targets = tuple(target for group in self._groups for target in group.targets)
        self._read: dict[str, LaunchTimes] = {}
        self._known: tuple[int, list[SequentialResult]] = (-1, [])
        """The results at a number of looks: between two looks nothing is judged."""

    def pilot(self) -> tuple[Slot, ...]:
        """The blocks until the first look: all cases."""
        slots: list[Slot] = []
        for number in range(self._looks.first):
            slots += self._block(number, len(slots), None)
        return tuple(slots)

    def next(self, slots: Sequence[Slot], state: CampaignState, spent_s: float) -> NextBlock:
        """The block after `slots`, all of which have their launch."""
        launches = [self._measured(slot, state) for slot in slots]
        blocks, most = 1 + max(slot.block for slot in slots), self._design.plan.launches
        results = self._follow(launches, blocks)
        kept = set(self._kept(results))
        budget_s = self._design.plan.time_budget_s
        left_s = None if budget_s is None else max(budget_s - spent_s, 0.0)
        progress = self._progress(results, blocks, left_s)
        if not kept:
            return NextBlock((), "decided", progress)
        if blocks >= most:
            return NextBlock((), "launches", progress)
        if left_s is not None and self._block_s(launches, kept) > left_s:
            return NextBlock((), "budget", progress)
        return NextBlock(self._block(blocks, len(slots), kept), None, progress)

    def _follow(self, launches: Sequence[LaunchTimes], blocks: int) -> list[SequentialResult]:
        n_looks, plan = len(self._looks.until(blocks)), self._design.plan
        if self._known[0] == n_looks:
            return self._known[1]
        series = launches_by_side(self._groups, self._sides, launches, valid=False)
        results = follow(
            self._looks,
            blocks,
            len(self._targets),
            lambda at, cases: _samples(launches, series, at, [self._targets[case] for case in cases]),
            CaseRules(
                paired=self._targets[0].against is not None,
                adjust=plan.adjust,
                level=plan.level,
                equivalence=self._goal.share,
            ),
            forecast=False,
        )
        self._known = n_looks, results
        return results

    def _kept(self, results: Sequence[SequentialResult]) -> Iterator[tuple[int, Side]]:
        """Who measures what in the next block: both sides of each comparison that is open."""
        for target, result in zip(self._targets, results, strict=True):
            if not (result.decided or _lost(result)):
                cases = [target.case_id] if target.against is None else [target.case_id, target.against]
                yield from ((case_id, side) for case_id in cases for side in target.sides)

    def _progress(self, results: Sequence[SequentialResult], blocks: int, left_s: float | None) -> DecisionProgress:
        return DecisionProgress(
            goal=str(self._goal),
            launches=blocks,
            next_look=self._looks.from_on(blocks + 1),
            decided=sum(result.decided for result in results),
            comparisons=len(results),
            left_s=left_s,
            lines=tuple(map(_line, self._targets, results)),
            at_look=self._looks.from_on(blocks) == blocks,
        )

    def _block(self, number: int, first_slot: int, kept: set[tuple[int, Side]] | None) -> tuple[Slot, ...]:
        cases = {case.case_id for case in self._design.cases} if kept is None else {case_id for case_id, _ in kept}
        return block_of(self._design, number, first_slot, dict.fromkeys(cases), kept)

    def _block_s(self, launches: Sequence[LaunchTimes], kept: set[tuple[int, Side]]) -> float:
        """Expected seconds of the next block."""
        series = launches_by_side(self._groups, self._sides, launches)
        costs = LaunchCosts.of(launches, series, kept)
        repetitions: dict[int, list[int]] = {}
        for (case_id, side), case_launches in series.items():
            repetitions.setdefault(case_id, []).extend(
                launch.kept for launch in case_launches if (case_id, side) in kept
            )
        cases = {case_id for case_id, _ in kept}
        each_s = sum(
            costs.launch_s.get(each_case, 0.0)
            + costs.repetition_s.get(each_case, 0.0) * mean(repetitions[each_case] or [0])
            for each_case in cases
        )
        return each_s + sum(costs.block_s(n) for n in {case.n for case in self._design.cases if case.case_id in cases})

    def _measured(self, slot: Slot, state: CampaignState) -> LaunchTimes:
        name = state.accepted[slot.slot]
        if name not in self._read:
            self._read[name] = read_launch_times(self._folder / name, slot, state.checksums_of(name))
        return self._read[name]


def _samples(
    launches: Sequence[LaunchTimes], series: SideLaunches, at: int, targets: Sequence[GoalInterval]
) -> list[LookSample]:
    """The launches of the first `at` blocks, within the modes that these show."""
    early_launches = [launch for launch in launches if launch.slot.block < at]
    mode_of = modes_by_slot(early_launches)
    halves = [
        [[case_launch for case_launch in half if case_launch.slot in mode_of] for half in target.samples(series)]
        for target in targets
    ]
    both = [half if len(half) == 2 else (half[0], half[0]) for half in halves]
    strata = [([mode_of[launch.slot] for launch in a], [mode_of[launch.slot] for launch in b]) for a, b in both]
    return [LookSample(_times(a), _times(b), modes) for (a, b), modes in zip(both, strata, strict=True)]


def _times(launches: Sequence[CaseLaunch]) -> list[float | None]:
    return [launch.median_s for launch in launches]


def _lost(result: SequentialResult) -> bool:
    """A side never had a valid sample: no further launch will help."""
    return result.result.n_a == 0 or result.result.n_b == 0


def _line(target: GoalInterval, result: SequentialResult) -> dict[str, Any]:
    """The journal's entry on a comparison."""
    comparison = result.result
    return {
        "case_id": target.case_id,
        **({} if target.against is None else {"against": target.against}),
        "of": [list(side) for side in target.sides],
        "verdict": comparison.verdict.kind.value,
        "look": result.launches,
        "ratio": comparison.ratio,
        "p_valid": comparison.p_valid,
        "p_adjusted": comparison.p_adjusted,
    }
