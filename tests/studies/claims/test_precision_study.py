"""The claim about precision goals: in worlds whose repetitions take long, and whose launches do; by hand."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import run_ictus
from tests.studies.claims.known import find
from tests.studies.claims.test_command import study
from tests.synthetic import Scenario, write_folder

from ictus.model.errors import UsageError
from ictus.render.table import NONE
from ictus.stats.claim_rules import Seen
from ictus.store.campaign import load
from ictus.store.journal import read_journal, spent_s
from ictus.studies.precision.study import (
    LARGEST_SHARE,
    GoalMaterial,
    GoalTrial,
    Reached,
    goal_of,
    judge_trials,
    place_of,
    trial_table,
)

CALLS = {"startup_s": 0.01, "noise": 0.03, "launch_spread": 0.03}
"""A call of 10 ms: of a launch of 1,000 repetitions whatever the runner itself takes is nothing."""
WORDS = ("--sizes", "8,1Ki", "-m", "mpich")


def reached(widest: float | None, taken_s: float) -> Reached:
    """A campaign of nine launches."""
    return Reached(widest, None if widest is None else widest / 2, 9, 9000, taken_s)


def trial(share: float, widest: float | None = 0.1) -> GoalTrial:
    """One whose fixed campaign took 10 s to reach 10 %."""
    return GoalTrial("mpich", reached(0.1, 10.0), reached(widest, 10.0 * share))


def launches_of(place: Path) -> list[tuple[str | None, float | None]]:
    """Every accepted launch of a campaign, with its time."""
    entries = read_journal(place / "journal.jsonl").entries
    return [(one.folder, one.elapsed_s) for one in entries if one.event == "accepted"]


def test_where_repetitions_take_the_time_a_goal_saves_it(tmp_path: Path) -> None:
    """And the folder says it again; libraries take turns."""
    row = study("until", CALLS, tmp_path, "--sizes", "8,1Ki", "-m", "mpich", "-m", "openmpi")
    assert row["seen"] == "holds", row
    assert row["p_value"] == pytest.approx(1 / 32)
    again = run_ictus("study", "until", tmp_path / "study", "--json")
    answer = json.loads(again.out)
    assert answer["rows"] == [row]
    trials = answer["data"]["until"]
    assert [one["mpi"] for one in trials] == ["mpich", "openmpi", "mpich", "openmpi", "mpich"]
    assert all(one["until_widest"] <= 1.01 * one["fixed_widest"] for one in trials)
    assert {one["fixed_samples"] for one in trials} == {6 * 10_000 * 4}


@pytest.mark.long
def test_where_launches_take_the_time_a_goal_saves_none(tmp_path: Path) -> None:
    """Of a day each: as many are needed. A campaign with a goal ends when it took as long."""
    row = study("until", {**CALLS, "launch_s": 86_400.0}, tmp_path, *WORDS)
    assert row["seen"] == "does not hold", row
    for place in sorted((tmp_path / "study" / "trials").iterdir()):
        fixed_s, until_s = (
            spent_s(read_journal(place / name / "journal.jsonl").entries) for name in ("fixed", "until")
        )
        assert until_s <= fixed_s


def test_a_study_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    """The last campaign is lost: it is measured again with its goal, and nothing else is."""
    first = study("until", CALLS, tmp_path, *WORDS)
    folder = tmp_path / "study"
    before = launches_of(place_of(folder, 0, "fixed"))
    lost = place_of(folder, 4, "until")
    goal = load(lost).plan.goal
    shutil.rmtree(lost)
    assert len(GoalMaterial().read(folder).trials) == 4
    again = study("until", CALLS, tmp_path, *WORDS)
    assert (again["seen"], again["launches"]) == (first["seen"], first["launches"])
    assert load(lost).plan.goal == goal
    assert launches_of(place_of(folder, 0, "fixed")) == before


def test_a_trial_keeps_it_where_it_is_as_narrow_in_nine_tenths_of_the_time() -> None:
    """At the limits; a goal has three digits, so that a hundredth more is as narrow."""
    assert trial(LARGEST_SHARE).is_kept
    assert not trial(LARGEST_SHARE + 1e-9).is_kept
    assert trial(0.1, widest=0.101).is_kept
    assert not trial(0.1, widest=0.102).is_kept
    assert not trial(0.1, widest=None).is_kept
    assert trial(0.25).share == pytest.approx(0.25)


def test_trials_are_judged_by_signs() -> None:
    """Five of five are 1/32; four of four are too few; half of them say nothing."""
    kept, missed = trial(0.2), trial(1.5)
    assert judge_trials([kept] * 5).p_value == pytest.approx(1 / 32)
    assert judge_trials([kept] * 5).seen is Seen.HOLDS
    assert judge_trials([kept] * 4).seen is Seen.CANNOT_BE_SEEN
    assert judge_trials([missed] * 5).seen is Seen.DOES_NOT_HOLD
    assert judge_trials([kept, missed] * 5).seen is Seen.CANNOT_BE_SEEN


def test_the_goal_is_the_widest_interval_of_the_fixed_campaign(tmp_path: Path) -> None:
    """Of ten launches: with as long to reach it, and at least ten launches."""
    campaign = load(write_folder(tmp_path / "camp"))
    found = Reached.of(campaign)
    goal = goal_of(campaign)
    assert found.widest is not None
    assert goal["until"] == f"{100 * found.widest:.3g} %"
    assert goal["launches"] == 10
    assert found.launches == len(campaign.launches)


def test_a_campaign_that_ended_after_few_launches_has_missed_its_goal(tmp_path: Path) -> None:
    """Where its time was over before a median had an interval: an error ended the whole study, with all trials."""
    few = Reached.of(load(write_folder(tmp_path / "camp", Scenario(launches=3))))
    assert (few.widest, few.middle, few.launches) == (None, None, 6)
    few_trial = GoalTrial("mpich", reached(0.1, 10.0), few)
    table = trial_table([few_trial], load(tmp_path / "camp").plan)
    assert [column.cell(few_trial) for column in table.columns if column.cell is not None].count(NONE) == 1
    with pytest.raises(UsageError, match="a case has no interval"):
        goal_of(load(tmp_path / "camp"))


def test_launches_without_scatter_have_no_goal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A simulated world without noise ended with `--until '0 %'`, which nobody had typed."""
    monkeypatch.setattr(Reached, "of", lambda _: reached(0.0, 1.0))
    with pytest.raises(UsageError, match=r"the times of all launches are equal, .*--scenario"):
        goal_of(load(write_folder(tmp_path / "camp")))


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"launches": 5}, "has no interval"),
        ({"launches": 30, "platform": "flat"}, "the time of the simulation"),
        ({"launches": 6, "platform": "here"}, None),
    ],
)
def test_what_hides_it_is_said_before_anything_is_measured(values: dict[str, Any], reason: str | None) -> None:
    """Too few launches for an interval, and a simulator."""
    said = find("until").hidden(values)
    assert said is None if reason is None else reason in (said or "")


def test_a_folder_without_a_whole_trial_was_not_measured_for_it(tmp_path: Path) -> None:
    """With the reason."""
    with pytest.raises(UsageError, match="it has no complete trial"):
        GoalMaterial().read(tmp_path)
