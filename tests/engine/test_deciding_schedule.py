"""A campaign until verdicts are known: decided cases are left alone, a kill changes nothing, more launches go on."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ictus.comparison.comparison import compare
from ictus.comparison.decisions import decisions_of
from ictus.engine.deciding_schedule import GROWTH, SHARE, first_looks
from ictus.engine.extension import check_growth, grow
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import make_design
from ictus.model.errors import UsageError
from ictus.model.looks import Looks
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.store.campaign import Campaign, load
from ictus.store.journal import read_journal
from ictus.store.manifest import read_manifest

from .conftest import Rig
from .test_recovery import Killed, killed_at

WORLD: dict[str, Any] = {
    "startup_s": 20e-6,
    "factors": {"b": 1.06},
    "launch_spread": 0.02,
    "case_spreads": {"bcast:64": 0.08},
    "noise": 0.05,
    "launch_s": 1.0,
}
"""B is 6 % slower; launches differ by 2 %, for one case by 8 %."""
PLAN: dict[str, object] = {
    "op": "bcast,alltoall",
    "sizes": "64,512",
    "nrep": 30,
    "launches": 24,
    "seed": 7,
    "mpi": "a=x,b=y",
    "until": "decided within 3 %",
}
NOISY = 0


@pytest.fixture
def rig(tmp_path: Path) -> Rig:
    """A campaign with a goal that has not begun."""
    return Rig(tmp_path / "campaign", dict(PLAN))


def world() -> Simulated:
    """The world above."""
    return Simulated(Scenario.from_json(json.dumps(WORLD)))


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a campaign that was left alone; it is only looked at."""
    rig = Rig(tmp_path_factory.mktemp("undisturbed") / "campaign", dict(PLAN))
    rig.run(world())
    return rig.folder


def last_plan(folder: Path) -> dict[str, Any]:
    """The journal's last word on verdicts."""
    return [entry.model_dump() for entry in read_journal(folder / "journal.jsonl").entries if entry.event == "planned"][
        -1
    ]


def launches_of(campaign: Campaign) -> Counter[int]:
    """How many launches measured each case."""
    return Counter(case_id for slot in campaign.slots for case_id in slot.cases)


def test_what_is_decided_is_left_alone_and_read_again_as_it_was_decided(undisturbed: Path) -> None:
    """The noisy case gets the launches. `compare` finds the verdicts, looks and p-values of the journal from the
    launches alone.
    """
    campaign, plan = load(undisturbed), last_plan(undisturbed)
    assert campaign.complete
    assert campaign.looks == Looks(first_looks(Rig(undisturbed, dict(PLAN)).design()).first, GROWTH, SHARE)
    measured = launches_of(campaign)
    assert max(measured[case] for case in measured if case != NOISY) < measured[NOISY]
    rows = {(row.case["operation"], row.case["size_bytes"]): row for row in compare(campaign).rows}
    factors = campaign.cases.select("case_id", "operation", "size_bytes").iter_rows()
    for case_id, operation, size in factors:
        said = next(one for one in plan["cases"] if one["case_id"] == case_id)
        row = rows[operation, size]
        assert (row.outcome, row.look_launches) == (said["verdict"], said["look"])
        assert (row.result.p_valid, row.result.p_adjusted) == (said["p_valid"], said["p_adjusted"])
        assert measured[case_id] == 2 * row.look_launches or row.outcome == "undecided"
        assert row.result.n_a == row.result.n_b == row.look_launches
    assert {row.outcome for key, row in rows.items() if key != ("bcast", 64)} == {"faster"}
    reached = decisions_of(campaign)
    assert reached is not None
    assert reached.comparison.equivalence == 0.03


def test_killed_anywhere_between_two_looks_it_ends_with_the_same_schedule_and_verdicts(tmp_path: Path) -> None:
    """In a launch, in its record, in the journal, in the schedule. Of two cases one is decided at the first look."""
    small = {**PLAN, "op": "bcast", "launches": 12}
    reference = Rig(tmp_path / "reference", dict(small))
    with killed_at(-1, halfway=False) as steps:
        reference.run(world())
    executed = [number for number, name in enumerate(steps) if name == "execute"]
    first = 2 * read_manifest(reference.folder).looks.first  # type: ignore[union-attr]
    assert len(executed) > first
    assert {row["verdict"] for row in last_plan(reference.folder)["cases"]} > {"faster"}
    between = range(executed[first - 1] + 1, executed[first] + 1)
    chosen = [step for step in between if steps[step] in ("os.write", "rename", "execute")]
    for step in chosen[:: max(1, len(chosen) // 5)]:
        killed = Rig(tmp_path / f"killed-{step}", dict(small))
        with killed_at(step, halfway=False), pytest.raises(Killed):
            killed.run(world())
        killed.run(world())
        assert (killed.folder / "schedule.json").read_bytes() == (reference.folder / "schedule.json").read_bytes()
        assert last_plan(killed.folder)["cases"] == last_plan(reference.folder)["cases"]


def test_more_launches_go_on_and_keep_what_was_decided(rig: Rig) -> None:
    """`--launches` is the most: a larger one is the same campaign, whose verdicts stay."""
    rig.run(world(), until="decided within 1 %", launches=12)
    assert load(rig.folder).goal_progress.ended == "launches"  # type: ignore[union-attr]
    before = {json.dumps(row.case, default=str): row for row in compare(load(rig.folder)).rows}
    longer = rig.design(until="decided within 1 %", launches=30)
    check_growth(rig.folder, longer.plan)
    grow(rig.folder, longer)
    rig.run(world(), until="decided within 1 %", launches=30)
    campaign = load(rig.folder)
    after = {json.dumps(row.case, default=str): row for row in compare(campaign).rows}
    assert 12 < 1 + max(slot.block for slot in campaign.slots) <= 30
    decided = [case for case, row in before.items() if row.outcome not in ("undecided", "cannot-decide")]
    assert 0 < len(decided) < 4
    for case in decided:
        assert (after[case].outcome, after[case].look_launches) == (before[case].outcome, before[case].look_launches)
        assert after[case].result.ratio == before[case].result.ratio


def test_a_budget_ends_it_with_cases_undecided(rig: Rig) -> None:
    """Never overdrawn; what is open is named, with the command that goes on."""
    rig.run(world(), until="decided within 1 %", time_budget="24s")
    campaign = load(rig.folder)
    reached = decisions_of(campaign)
    assert reached is not None
    assert reached.goal_progress.ended == "budget"
    assert reached.goal_progress.spent_s <= 24
    said = " ".join(reached.sentences())
    assert "Not decided within the budget: a / b MPI_Bcast 64 B" in said
    assert "the budget of 24 s ended" in said


def test_factors_inside_launches_are_decided_by_pairs(rig: Rig) -> None:
    """Signed-rank on the same launches: two cases that never differ are the same within the margin, on each library."""
    rig.run(world(), op="bcast", sizes="512", procsync="window,barrier", until="decided within 4 % by procsync")
    found = compare(load(rig.folder), by="procsync")
    assert found.test == "signed-rank"
    assert len(found.rows) == 2
    for row, said in zip(found.rows, last_plan(rig.folder)["cases"], strict=True):
        assert (row.outcome, row.look_launches) == (said["verdict"], said["look"])
        assert row.outcome in ("faster", "slower", "same")


def test_a_fixed_campaign_names_the_command_of_a_new_one(rig: Rig) -> None:
    """It reserved no error; with looks in the manifest only their numbers are allowed."""
    fixed: dict[str, object] = {key: value for key, value in PLAN.items() if key != "until"} | {"launches": 2}
    rig.values = fixed
    rig.run(world())
    with pytest.raises(
        UsageError,
        match=r"reserved no error for more.*ictus run .*campaign\.json --launches 5 -o .*-5 --launcher simulated`",
    ):
        check_growth(rig.folder, Plan.from_values({**fixed, "launches": 5}))
    check_growth(rig.folder, Plan.from_values(fixed))
    document = json.loads((rig.folder / "campaign.json").read_text())
    assert document["looks"] is None
    document["looks"] = {"first": 2, "growth": 2, "share": 0.8}
    (rig.folder / "campaign.json").write_text(json.dumps(document))
    with pytest.raises(UsageError, match=r"the next is 8 launches; .*give --launches 8"):
        check_growth(rig.folder, Plan.from_values({**fixed, "launches": 5}))
    check_growth(rig.folder, Plan.from_values({**fixed, "launches": 4}))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"launches": 4}, "launches '4': until 'decided within 3 %' they are the most, and fewer than"),
        ({"adjust": "bh"}, "adjust 'bh': until 'decided within 3 %' needs holm or none"),
        ({"until": "decided by cache"}, "no two cases differ in cache alone"),
    ],
)
def test_what_cannot_be_decided_is_refused_before_it_is_measured(
    rig: Rig, changes: dict[str, object], said: str
) -> None:
    """Too few launches, an adjustment that takes verdicts back, nothing to compare."""
    with pytest.raises(UsageError, match=said):
        rig.run(world(), **changes)
    assert not (rig.folder / "campaign.json").exists()


def test_the_most_launches_are_80_by_default() -> None:
    """The plan says it, whatever order its keys have."""
    assert Plan.from_values({"until": "decided"}).launches == 80
    assert Plan.from_values({"until": "decided", "launches": 12}).launches == 12
    assert Plan.from_values({"until": "2 %"}).launches == 10
    design = make_design(
        Plan.from_values({**PLAN, "launches": 80}), Registries.load(), [Simulated.installation(x) for x in "ab"]
    )
    assert first_looks(design).first == 7
