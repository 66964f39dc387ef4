"""A precision goal is pursued: the noisy case gets the launches, a budget ends it, and a kill changes nothing."""

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ictus.comparison.goal import goal_of
from ictus.engine.adaptive_schedule import LEAST_NREP, PILOT, PILOT_NREP
from ictus.engine.event import BlockPlanned
from ictus.engine.target import check_goal
from ictus.launch.launchers.simulated import OFFER, Scenario, Simulated, force_algorithms
from ictus.model.algorithm import requests_of, variants_of
from ictus.model.arguments import parse_arguments
from ictus.model.design import Slot, make_design
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.stats.median import median_interval
from ictus.stats.precision import median_reached
from ictus.store.campaign import Campaign, load
from ictus.store.journal import read_journal

from .conftest import Rig
from .test_recovery import STEPS, Killed, killed_at

WORLD: dict[str, Any] = {
    "startup_s": 20e-6,
    "factors": {"b": 1.2},
    "launch_spread": 0.01,
    "case_spreads": {"bcast:64": 0.06},
    "noise": 0.05,
    "launch_s": 1.0,
}
"""Launches differ by 1 %, for one case by 6 %; a launch takes a second."""
PLAN: dict[str, object] = {
    "op": "bcast,alltoall",
    "sizes": "64,512",
    "nrep": 200,
    "launches": 8,
    "seed": 7,
    "mpi": "a=x,b=y",
    "until": "4 %",
}
NOISY = 0


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    """A campaign with a goal that has not begun."""
    return Rig(tmp_path / "campaign", dict(PLAN))


def world(**changes: object) -> Simulated:
    """The world above, with something changed."""
    return Simulated(Scenario.from_json(json.dumps({**WORLD, **changes})))


def journal(folder: Path, event: str) -> list[dict[str, Any]]:
    """All entries of one kind."""
    return [entry.model_dump() for entry in read_journal(folder / "journal.jsonl").entries if entry.event == event]


def half_widths(campaign: Campaign) -> dict[tuple[str, int], float]:
    """Half-width of the interval of each library's case, from the summaries."""
    found = {}
    for (mpi, case_id), rows in campaign.summaries.group_by("mpi", "case_id"):
        limits = median_interval(rows["median"].to_numpy())
        assert limits.low is not None
        assert limits.high is not None
        found[str(mpi), int(str(case_id))] = float(np.sqrt(limits.high / limits.low) - 1)
    return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a campaign that was left alone; it is only looked at."""
    rig = Rig(tmp_path_factory.mktemp("undisturbed") / "campaign", dict(PLAN))
    rig.run(world())
    return rig.folder


def test_the_noisy_case_gets_the_launches_and_every_goal_is_met(undisturbed: Path) -> None:
    """Quiet cases stay at the least number; blocks hold each library once, with the same repetitions, until its own
    medians are precise: then it is left alone.
    """
    campaign = load(undisturbed)
    assert campaign.warnings == ()
    assert campaign.goal_progress is not None
    assert campaign.goal_progress.ended == "goal"
    assert max(half_widths(campaign).values()) <= 0.04
    measured = Counter(case_id for slot in campaign.slots for case_id in slot.cases)
    each = {label: sum(NOISY in slot.cases for slot in campaign.slots if slot.mpi == label) for label in "ab"}
    assert min(each.values()) > 10
    assert each["a"] != each["b"]
    noisy = campaign.summaries.filter(case_id=NOISY).sort("slot")
    for label, number in each.items():
        medians = noisy.filter(mpi=label)["median"].to_numpy()
        assert [median_reached(medians[:n], 0.04) for n in range(8, number + 1)] == [False] * (number - 8) + [True]
    assert {count for case_id, count in measured.items() if case_id != NOISY} == {2 * 8}
    blocks: dict[int, list[Slot]] = {}
    for slot in campaign.slots:
        blocks.setdefault(slot.block, []).append(slot)
    assert list(blocks) == list(range(max(each.values())))
    for number, slots in blocks.items():
        assert {slot.mpi for slot in slots} == {label for label in "ab" if number < each[label]}
        assert len({frozenset(zip(slot.cases, slot.nrep, strict=True)) for slot in slots}) == 1
    both = [tuple(slot.mpi for slot in slots) for slots in blocks.values() if len(slots) == 2]
    assert len(set(both)) == 2  # both orders occur
    assert len({slot.cases for slot in campaign.slots if len(slot.cases) == 4}) > 4


def test_repetitions_are_those_that_were_planned(undisturbed: Path) -> None:
    """A short pilot; then counts of the schedule, in arguments.txt and as samples, between 20 and what the plan says;
    the planned ones are journalled with both variance components and what is still to come.
    """
    campaign = load(undisturbed)
    cases = json.loads((undisturbed / "campaign.json").read_text())["cases"]
    assert {case["repetition"].partition(",")[0] for case in cases} == {"fixed(nrep=200"}
    assert campaign.cases["repetition"].unique().to_list() == ["fixed(nrep=planned)"]
    seen = set()
    for launch in campaign.launches:
        words = parse_arguments((launch.folder / "arguments.txt").read_text()).cases
        wanted = dict(zip(launch.slot.cases, launch.slot.nrep, strict=True))
        assert {int(one["id"]): f"fixed(nrep={wanted[int(one['id'])]}" for one in words} == {
            int(one["id"]): one["repetition"].partition(",")[0] for one in words
        }
        assert {case.case_id: case.valid for case in launch.record.cases} == wanted
        seen |= set(launch.slot.nrep) if launch.slot.block >= PILOT else set()
        assert launch.slot.block >= PILOT or set(launch.slot.nrep) == {PILOT_NREP}
    assert all(count is not None and LEAST_NREP <= count <= 200 for count in seen)
    planned = journal(undisturbed, "planned")
    assert [one["launches"] for one in planned] == list(range(PILOT, planned[-1]["launches"] + 1))
    at_least = next(one for one in planned if one["launches"] == 8)
    assert [one["case_ids"] for one in at_least["cases"]] == [[NOISY]]
    first = at_least["cases"][0]["intervals"][0]
    assert first["half_width"] > 0.04
    assert 0.02 < np.sqrt(first["between"]) < 0.15
    assert 0.02 < np.sqrt(first["within"]) < 0.12
    assert at_least["more"] > 0
    assert at_least["needed_s"] > at_least["more"] * 2
    assert (planned[-1]["open_cases"], planned[-1]["more"]) == (0, 0)


def test_another_seed_is_another_campaign(undisturbed: Path, rig: Rig) -> None:
    """Its pilot already."""
    rig.run(world(), seed=8, time_budget="1s")
    assert load(rig.folder).slots != load(undisturbed).slots[: 2 * PILOT]


def test_interrupted_again_and_again_it_goes_on_to_the_same_end(undisturbed: Path, rig: Rig) -> None:
    """Every run measures seven launches and is interrupted: the schedule is that of the campaign left alone, byte for
    byte, for it follows from the seed and what was measured.
    """
    for _ in range(100):
        left = [7]

        def execute(slot: Slot, folder: Path, left: list[int] = left) -> Any:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return world()(slot, folder)

        if not rig.run(execute).stopped:
            break
    assert load(rig.folder).goal_progress.ended == "goal"  # type: ignore[union-attr]
    assert (rig.folder / "schedule.json").read_bytes() == (undisturbed / "schedule.json").read_bytes()


def test_killed_while_it_plans_it_goes_on_to_the_same_end(rig: Rig, tmp_path: Path) -> None:
    """Before any write between the last launch of a block and the first of the next, and halfway through a line of the
    journal.
    """
    small: dict[str, object] = {**PLAN, "op": "bcast", "sizes": "64", "launches": 3, "nrep": 20, "until": "20 %"}
    rig.values = small
    with killed_at(-1, halfway=False) as steps:
        rig.run(world())
    assert {name for name, _, _ in STEPS} == set(steps)
    schedule = (rig.folder / "schedule.json").read_bytes()
    executed = [number for number, name in enumerate(steps) if name == "execute"]
    assert len(executed) > 2 * PILOT
    after_pilot = range(executed[2 * PILOT - 1] + 1, executed[2 * PILOT] + 1)
    planning = [step for step in after_pilot if steps[step] in ("os.write", "rename", "execute")]
    for step, halfway in [
        *((step, False) for step in planning),
        *((s, True) for s in planning if steps[s] == "os.write"),
    ]:
        shutil.rmtree(tmp_path / "killed", ignore_errors=True)
        killed = Rig(tmp_path / "killed", small)
        with killed_at(step, halfway=halfway), pytest.raises(Killed):
            killed.run(world())
        killed.run(world())
        assert (killed.folder / "schedule.json").read_bytes() == schedule
        assert load(killed.folder).warnings == ()


def test_a_budget_ends_it_and_more_of_it_goes_on(rig: Rig) -> None:
    """It is never overdrawn; what can be reached is said beforehand, and is about what is reached; a larger budget is
    the same campaign.
    """
    rig.run(world(), until="2 %", time_budget="40s")
    campaign = load(rig.folder)
    assert campaign.goal_progress is not None
    assert (campaign.goal_progress.ended, campaign.goal_progress.budget_s) == ("budget", 40.0)
    assert 36 < campaign.goal_progress.spent_s <= 40
    forecasts = [event.forecast for event in rig.seen(BlockPlanned) if isinstance(event, BlockPlanned)]
    told = next(one for one in forecasts if one.launches == 8)
    assert told.least
    assert told.needed_s is not None
    assert told.left_s is not None
    assert told.needed_s > told.left_s
    assert told.reachable is not None
    assert told.reachable > 0.02
    assert told.reachable / 1.6 < max(half_widths(campaign).values()) < told.reachable * 1.6
    assert forecasts[-1].left_s is not None
    assert not rig.run(world(), until="2 %", time_budget="60s").stopped
    longer = load(rig.folder)
    assert longer.goal_progress is not None
    assert len(longer.launches) > len(campaign.launches)
    assert 56 < longer.goal_progress.spent_s <= 60
    assert longer.slots[: len(campaign.slots)] == campaign.slots


def test_a_budget_too_small_for_anything_still_has_the_pilot(rig: Rig) -> None:
    """Without it there would be nothing to plan with."""
    assert rig.run(world(), time_budget="1s").done == 2 * PILOT
    assert load(rig.folder).goal_progress.ended == "budget"  # type: ignore[union-attr]


def test_a_goal_of_ratios_is_that_of_the_comparison(rig: Rig) -> None:
    """Both libraries together: ended where the ratio is known, though no median of the noisy case is."""
    rig.run(world(launch_spread=0.02), until="ratio 6%")
    planned = journal(rig.folder, "planned")
    assert planned[0]["cases"][0]["intervals"][0]["of"] == [["a", "default"], ["b", "default"]]
    import ictus

    rows = ictus.compare(load(rig.folder)).rows
    widths = [np.sqrt((row.result.ratio_high or np.inf) / (row.result.ratio_low or 1)) - 1 for row in rows]
    assert max(widths) <= 0.06
    assert len(widths) == 4


def test_a_case_that_is_never_valid_does_not_hold_it_up(rig: Rig) -> None:
    """All samples late: nothing can be reached, so the rest decides."""
    rig.run(world(late_share=1.0), nrep=20)
    campaign = load(rig.folder)
    assert campaign.goal_progress is not None
    assert campaign.goal_progress.ended == "goal"
    assert len(campaign.slots) == 2 * 8


def test_methods_of_one_case_stay_together_and_other_rules_keep_their_counts(rig: Rig) -> None:
    """Two starts of the noisy case are measured in the same launches until both are known; `rse` ends by itself."""
    rig.run(world(), methods=["window", "barrier"], nrep=None, op="bcast", until="5 %")
    campaign = load(rig.folder)
    assert {frozenset(slot.cases) for slot in campaign.slots} <= {
        frozenset({0, 1, 2, 3}),
        frozenset({0, 1}),
        frozenset({2, 3}),
    }
    shutil.rmtree(rig.folder)
    rig.run(world(), repetition="rse(max=40)", nrep=None, op="bcast", until="5 %")
    campaign = load(rig.folder)
    assert all(slot.nrep == () for slot in campaign.slots)
    assert campaign.goal_progress.ended == "goal"  # type: ignore[union-attr]


def test_a_goal_of_ratios_inside_launches_is_that_of_the_comparison_by_their_factor(rig: Rig) -> None:
    """Launches differ by a third, and both starts with them: the pairs' ratio is known after the least launches, each
    median only after hundreds. One library is noisier than the other, which is then left alone.
    """
    rig.run(world(launch_spread=0.3, case_spreads={}), procsync="window,barrier", until="ratio 1.5% by procsync")
    campaign = load(rig.folder)
    assert campaign.goal_progress is not None
    assert campaign.goal_progress.ended == "goal"
    assert len(campaign.launches) < 40
    import ictus

    rows = ictus.compare(campaign, by="procsync").rows
    assert len(rows) == 8
    assert max(np.sqrt((row.result.ratio_high or np.inf) / (row.result.ratio_low or 1)) - 1 for row in rows) <= 0.015
    found = goal_of(campaign)
    assert found is not None
    assert not found.missed
    assert sorted(row.half_width or 0.0 for row in found.rows) == pytest.approx(
        sorted(np.sqrt((row.result.ratio_high or 0) / (row.result.ratio_low or 1)) - 1 for row in rows)
    )
    intervals = [one for case in journal(rig.folder, "planned")[0]["cases"] for one in case["intervals"]]
    assert all(one["against"] != one["case_id"] and len(one["of"]) == 1 for one in intervals)
    assert max(one["between"] for one in intervals) < 0.01  # what a launch has in common for both is not part of it


def test_a_goal_of_ratios_is_that_within_modes_of_the_machine(rig: Rig) -> None:
    """Half of the launches take three times as long: the ratio is known after the least launches, regardless of modes
    only after hundreds. The journal, the goal and `ictus compare` have one interval; `strata="off"` has the other.
    """
    import ictus

    modes = [
        {"share": 0.5, "line_round_trip_s": 43e-9},
        {"share": 0.5, "line_round_trip_s": 124e-9, "factors": {"a": 3.0, "b": 3.0}},
    ]
    rig.run(world(modes=modes, case_spreads={}), until="ratio 2%", op="bcast", launches=10)
    campaign = load(rig.folder)
    assert campaign.goal_progress is not None
    assert campaign.goal_progress.ended == "goal"
    assert len(campaign.launches) <= 40
    for strata in ("modes", "off"):
        rows, found = ictus.compare(campaign, strata=strata).rows, goal_of(campaign, strata)
        assert found is not None
        widths = [np.sqrt((row.result.ratio_high or 0) / (row.result.ratio_low or 1)) - 1 for row in rows]
        assert [row.half_width for row in found.rows] == pytest.approx(widths)  # type: ignore[union-attr]
        assert (max(widths) <= 0.02) == (strata == "modes"), strata
        assert min(widths) > 0.1 or strata == "modes"
    planned = journal(rig.folder, "planned")
    last = [one for each in planned if each["launches"] == 10 for case in each["cases"] for one in case["intervals"]]
    assert max(one["between"] for one in [*last, *planned[0]["cases"][0]["intervals"]]) < 0.01  # none of the modes'


def test_a_ratio_by_what_does_not_vary_or_is_no_factor_is_refused() -> None:
    """The message names what was given and what would do."""
    installations = [Simulated.installation(label) for label in "ab"]

    def refused(until: str, message: str) -> None:
        plan = Plan.from_values({**PLAN, "until": until})
        with pytest.raises(UsageError, match=message):
            check_goal(make_design(plan, Registries.load(), installations))

    refused("ratio 2% by cache", "no two cases differ in cache alone; give two values of it")
    refused("ratio 2% by procsnc", "factor 'procsnc'.*procsync")
    refused("ratio 2% by algorithm", "no two cases differ in algorithm alone")
    check_goal(make_design(Plan.from_values({**PLAN, "until": "ratio 2% by mpi"}), Registries.load(), installations))
    check_goal(
        make_design(Plan.from_values({**PLAN, "until": "ratio 2% by size-bytes"}), Registries.load(), installations)
    )


def test_a_ratio_of_one_alone_is_refused(rig: Rig) -> None:
    """Two algorithms of one library are something to compare."""
    alone = Plan.from_values({**PLAN, "mpi": "a", "until": "ratio 2%"})
    installations = [Simulated.installation("a")]
    with pytest.raises(UsageError, match="there is no ratio of a alone; name two libraries"):
        check_goal(make_design(alone, Registries.load(), installations))
    variants = variants_of(requests_of(["bcast=binomial,chain"]), {"a": OFFER}, {"a": force_algorithms})
    check_goal(make_design(alone, Registries.load(), installations, variants=variants))


def test_a_goal_belongs_to_the_campaign(rig: Rig) -> None:
    """It is not changed on the way, and no campaign with a fixed number of launches gets one."""
    rig.run(world(), time_budget="1s")
    with pytest.raises(UsageError, match="until: median 4 % there, median 1 % asked for"):
        rig.run(world(), until="1 %")
    with pytest.raises(UsageError, match="until: median 4 % there, None asked for"):
        rig.run(world(), until=None)
