"""A campaign that is spread over a time: when its blocks begin, what an interruption, more launches, the end of an
allocation and a goal do to it. Nobody waits: time is simulated.
"""

import json
import time
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from ictus.engine.block_times import BlockSeries, BlockTimes, random_begin_s, times_of
from ictus.engine.event import BlockAwaited, CampaignStarted
from ictus.engine.extension import extend, extendable
from ictus.engine.runner import run_campaign
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.launch.launchers.simulated_time import SimulatedTime
from ictus.model.design import Slot
from ictus.model.errors import OptionError, OutOfTime
from ictus.model.job import Outcome
from ictus.model.plan import Plan
from ictus.store.campaign import load
from ictus.store.journal import JournalEntry
from ictus.submission.status import campaign_status

from .conftest import Rig

OVER = {"launches": 4, "over": "2h"}
PART_S = 1800.0
"""Of the two hours, for each of four blocks."""


@dataclass
class Hours:
    """The time of a campaign's machine; launches take none of it but what the test says."""

    now_s: float = 0.0
    waits: list[float] = field(default_factory=list)
    stops: int | None = None
    """The wait at which the user ends it."""

    def passed_s(self, began: str) -> float:
        """As long ago as the test says."""
        del began
        return self.now_s

    def wait(self, seconds: float) -> None:
        """At once."""
        if self.stops == len(self.waits):
            raise KeyboardInterrupt
        self.waits.append(seconds)
        self.now_s += seconds


@pytest.mark.parametrize("seed", range(50))
def test_each_block_begins_once_in_its_part_of_the_time(seed: int) -> None:
    """Begins are those of uniform instants, one in each part, moved so that the first is now: between two of them lie
    as many parts, and at most one part more or less. So they grow, and the last is within the time.
    """
    begins = [random_begin_s(seed, 10.0, number) for number in range(12)]
    assert begins[0] == 0.0
    for a in range(12):
        for b in range(a + 1, 12):
            assert 10 * (b - a - 1) <= begins[b] - begins[a] <= 10 * (b - a + 1)
    assert begins == sorted(begins)
    assert begins[-1] < 120.0


def test_begins_follow_from_the_seed_and_are_uniform() -> None:
    """Equal seeds, equal times. The second block's begin is one part and the difference of two uniform numbers, whose
    mean is 0 and whose variance is 1/6: over 3000 seeds within four standard errors.
    """
    assert random_begin_s(3, 10.0, 5) == random_begin_s(3, 10.0, 5) != random_begin_s(4, 10.0, 5)
    shifts = [random_begin_s(seed, 1.0, 1) - 1.0 for seed in range(3000)]
    mean = sum(shifts) / 3000
    variance = sum(one * one for one in shifts) / 3000
    assert abs(mean) < 4 * (1 / 6 / 3000) ** 0.5
    # The fourth moment of the difference is 1/15, so that of the square 1/15 - 1/36.
    assert abs(variance - 1 / 6) < 4 * ((1 / 15 - 1 / 36) / 3000) ** 0.5


def test_blocks_begin_at_their_times_and_all_launches_of_one_together(rig: Rig) -> None:
    """Simulated launches say when they began: those of a block at its time, the first at once."""
    clock = SimulatedTime()
    rig.run(Simulated(time=clock), clock, **OVER)
    campaign = load(rig.folder)
    begun = [datetime.fromisoformat(launch.started) for launch in campaign.launches]
    expected = [random_begin_s(7, PART_S, launch.slot.block) for launch in campaign.launches]
    assert [(one - begun[0]).total_seconds() for one in begun] == pytest.approx(expected, abs=1e-3)
    assert len(set(expected)) == 4
    assert campaign.plan.over_s == 7200.0


def test_an_observer_hears_when_the_next_block_begins(rig: Rig) -> None:
    """Once for each block but the first, with the time of day and how much of the whole is left."""
    rig.run(pause=Hours(), **OVER)
    heard = [one for one in rig.seen(BlockAwaited) if isinstance(one, BlockAwaited)]
    assert [one.block for one in heard] == [1, 2, 3]
    began = datetime.fromisoformat(journal(rig)[0]["time"])
    last_s = random_begin_s(7, PART_S, 3)
    for one in heard:
        assert (one.begins - began).total_seconds() == pytest.approx(random_begin_s(7, PART_S, one.block), abs=1e-3)
        assert one.progress.left_s == pytest.approx(last_s - random_begin_s(7, PART_S, one.block - 1), abs=1e-3)


def test_what_takes_longer_than_its_part_delays_the_next_block_only(rig: Rig) -> None:
    """A block that is late begins at once, the others at their times."""
    clock = Hours()

    def slow(slot: Slot, folder: Path) -> Outcome:
        clock.now_s += 2700.0 if slot.block == 0 else 0.0  # twice, for two libraries: 1.5 h
        return Simulated()(slot, folder)

    rig.run(slow, clock, **OVER)
    begins = [random_begin_s(7, PART_S, block) for block in range(4)]
    later = [one for one in begins if one > 5400.0]
    assert 0 < len(later) < 3  # or the test shows nothing
    assert clock.waits == pytest.approx([later[0] - 5400.0, *(b - a for a, b in pairwise(later))])


def test_ctrl_c_while_it_waits_ends_it_and_it_goes_on_at_the_planned_times(rig: Rig) -> None:
    """Two blocks are complete; a minute before the fourth's time the third is late, and the fourth is waited for."""
    ending = rig.run(pause=Hours(stops=1), **OVER)
    assert (ending.stopped, ending.done, ending.continue_at) == (True, 4, "")
    begins = [random_begin_s(7, PART_S, block) for block in range(4)]
    resumed = Hours(now_s=begins[3] - 60.0)
    assert not rig.run(pause=resumed, **OVER).stopped
    assert resumed.waits == pytest.approx([60.0])
    started = rig.seen(CampaignStarted)[-1]
    assert isinstance(started, CampaignStarted)
    assert started.notes[-1] == "1 block of launches should have begun by now: it begins at once"


def test_after_its_time_it_measures_the_rest_at_once_and_says_so(rig: Rig) -> None:
    """The next day."""
    rig.run(pause=Hours(stops=1), **OVER)
    resumed = Hours(now_s=86400.0)
    assert rig.run(pause=resumed, **OVER).done == 8
    assert resumed.waits == []
    started = rig.seen(CampaignStarted)[-1]
    assert isinstance(started, CampaignStarted)
    assert started.notes[-1] == (
        "the time of --over 2 h has passed: the last 2 blocks of launches begin at once, one after the other"
    )


def test_without_over_nothing_is_waited_for(rig: Rig) -> None:
    """Launches follow one another, as ever."""
    clock = Hours()
    rig.run(pause=clock)
    assert (clock.waits, rig.seen(BlockAwaited)) == ([], [])


def test_more_launches_are_spread_over_the_same_time_from_then_on(rig: Rig) -> None:
    """Four launches in turn and then eight: the four new blocks begin in parts of their own, the first at once."""
    design = extendable(rig.design(**OVER))
    run_campaign(rig.folder, design, Simulated(), pause=Hours())
    extend(rig.folder, extendable(rig.design(**{**OVER, "launches": 8})))
    entries = [JournalEntry.model_validate(line) for line in journal(rig)]
    extended = next(one for one in entries if one.event == "extended")
    assert (extended.launches, extended.before) == (8, 4)
    later = Hours(now_s=86400.0)
    moved = [one.model_copy(update={"time": "2026-11-29T10:00:00+00:00"}) if one is extended else
             one.model_copy(update={"time": "2026-11-28T10:00:00+00:00"}) for one in entries]  # fmt: skip
    times = times_of(rig.design(**{**OVER, "launches": 8}).plan, moved)
    assert times == BlockTimes(7, 7200.0, (BlockSeries(0, 4, 0.0), BlockSeries(4, 4, 86400.0)))
    assert times is not None
    assert [times.begin_s(block) for block in (0, 3)] == [0.0, random_begin_s(7, PART_S, 3)]
    assert [times.begin_s(block) for block in (4, 7)] == [86400.0, 86400.0 + random_begin_s(7, PART_S, 7, 4)]
    assert run_campaign(rig.folder, rig.design(**{**OVER, "launches": 8}), Simulated(), pause=later).done == 16


def test_a_goal_gets_its_blocks_in_the_same_rhythm(rig: Rig) -> None:
    """Launches are the least number of a precision goal: what comes behind them has as long parts."""
    clock, world = Hours(), Simulated(Scenario.from_json('{"launch_spread": 0.2, "noise": 0.05}'))

    def until_the_seventh(slot: Slot, folder: Path) -> Outcome:
        if slot.block == 6:
            raise KeyboardInterrupt
        return world(slot, folder)

    rig.run(until_the_seventh, clock, until="0.01 %", **OVER)
    assert clock.now_s == pytest.approx(random_begin_s(7, PART_S, 6), abs=1e-3)


def test_the_end_of_an_allocation_before_the_next_block_ends_the_run(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The journal says when it goes on, and so do the error and the status, by which a job script begins the next job
    then.
    """
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("ICTUS_ALLOCATION_END", str(time.time() + 600))
    ending = rig.run(pause=Hours(), **OVER)
    assert (ending.done, ending.stopped, ending.out_of_time) == (2, True, True)
    lines = journal(rig)
    stopped = lines[-1]
    assert stopped["event"] == "stopped"
    assert stopped["continue_at"] == ending.continue_at
    begins = (datetime.fromisoformat(ending.continue_at) - datetime.fromisoformat(lines[0]["time"])).total_seconds()
    assert begins == pytest.approx(random_begin_s(7, PART_S, 1), abs=1.0)
    status = campaign_status(rig.folder)
    assert (status.goes_on, status.continue_at) == (True, ending.continue_at)
    begins_s = datetime.fromisoformat(ending.continue_at).timestamp()
    assert [status.begin_in_s(begins_s + one) for one in (-90.5, 0.0, 5.0)] == [91, 0, 0]
    assert ending.continue_at in str(OutOfTime(rig.folder, 2, 8, ending.continue_at))


def test_a_job_that_came_too_early_goes_on_though_it_made_nothing(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only its wait kept it from a launch; a job that could not make one would not do better again."""
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("ICTUS_ALLOCATION_END", str(time.time() + 600))
    rig.run(pause=Hours(), **OVER)
    assert rig.run(pause=Hours(), **OVER).done == 2
    assert campaign_status(rig.folder).goes_on
    monkeypatch.setenv("ICTUS_ALLOCATION_END", str(time.time() - 1))
    rig.run(pause=Hours(now_s=86400.0), **OVER)
    assert not campaign_status(rig.folder).goes_on


def test_one_block_has_no_time_to_be_spread_over() -> None:
    """And no time is none."""
    with pytest.raises(OptionError, match="one launch of each library is one block"):
        Plan.from_values({"launches": 1, "over": "2h"})
    with pytest.raises(OptionError, match="greater than 0"):
        Plan.from_values({"over": "0s"})


def journal(rig: Rig) -> list[dict[str, str]]:
    """All events of the journal."""
    return [json.loads(line) for line in (rig.folder / "journal.jsonl").read_text().splitlines()]
