"""Launches that do not fit an allocation are not begun; what was made is kept, and the next run goes on."""

import json
import time
from pathlib import Path

import pytest

from ictus.engine.allocation_time import RESERVE_S, AllocationTime
from ictus.launch.allocation import JobAllocation, expand_nodes, read_allocation, seconds_of
from ictus.model.design import Slot
from ictus.store.journal import JournalEntry

from .conftest import Rig

SLOTS = tuple(Slot(number, number // 2, "ab"[number % 2], 2 + number % 2, 0, (0,)) for number in range(6))
"""Three blocks of two libraries, one with 2 and one with 3 processes."""


def entries(*elapsed_s: float) -> list[JournalEntry]:
    """The first launches, accepted after these times."""
    return [JournalEntry(event="accepted", slot=slot, elapsed_s=one) for slot, one in enumerate(elapsed_s)]


def left(seconds: float, whole: float = 1000.0) -> AllocationTime:
    """An allocation that has so much time left of the whole, without the reserve."""
    return AllocationTime(SLOTS, whole + RESERVE_S, time.monotonic() - (whole - seconds))


@pytest.mark.parametrize(
    ("seconds", "slot", "done", "fits"),
    [
        (40.0, 3, {0, 1, 2}, True),  # 1.25 times the 30 s of three processes
        (36.0, 3, {0, 1, 2}, False),
        (51.0, 2, {0, 1}, True),  # a whole block: 1.25 times 10 s and 30 s
        (49.0, 2, {0, 1}, False),
        (1.0, 0, set(), True),  # nothing is known before the first launch
    ],
)
def test_a_launch_fits_or_a_whole_block_does(seconds: float, slot: int, done: set[int], fits: bool) -> None:
    """Each launch as long as the longest with as many processes, and a quarter more."""
    known = entries(10.0, 30.0, 8.0) if 2 in done else entries(10.0, 30.0) if done else []
    time_left = left(seconds)
    assert time_left.allows(SLOTS[slot], done, known) is fits
    assert time_left.is_over is not fits


def test_a_block_that_fits_no_allocation_is_begun_all_the_same() -> None:
    """Launch by launch, or nothing would ever be measured."""
    assert left(20.0, whole=45.0).allows(SLOTS[2], {0, 1}, entries(10.0, 30.0))
    assert AllocationTime(SLOTS, None).allows(SLOTS[2], {0, 1}, entries(10.0, 30.0))


def test_a_campaign_stops_in_time_and_goes_on(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """The allocation is over at once: nothing is begun, and the journal says that it was stopped."""
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("ICTUS_ALLOCATION_END", str(time.time() - 1))
    ending = rig.run()
    assert (ending.done, ending.stopped, ending.out_of_time) == (0, True, True)
    events = [json.loads(line)["event"] for line in (rig.folder / "journal.jsonl").read_text().splitlines()]
    assert events == ["start", "stopped"]
    monkeypatch.setenv("ICTUS_ALLOCATION_END", str(time.time() + 3600))
    ending = rig.run()
    assert (ending.done, ending.stopped, ending.out_of_time) == (4, False, False)


@pytest.mark.parametrize("step_s", [-86400.0, 86400.0])
def test_a_step_of_the_time_of_day_neither_ends_nor_extends_it(monkeypatch: pytest.MonkeyPatch, step_s: float) -> None:
    """The end is a time of day, read once; a day forward or back afterwards changes nothing."""
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    now_s, passed_s = time.time(), time.monotonic()
    monkeypatch.setenv("ICTUS_ALLOCATION_END", str(now_s + 100.0 + RESERVE_S))
    time_left = AllocationTime.now(SLOTS)
    monkeypatch.setattr("time.time", lambda: now_s + step_s)
    assert time_left.allows(SLOTS[3], {0, 1, 2}, entries(10.0, 30.0, 8.0))
    monkeypatch.setattr("time.monotonic", lambda: passed_s + 70.0)
    assert not time_left.allows(SLOTS[3], {0, 1, 2}, entries(10.0, 30.0, 8.0))


def test_the_allocation_is_read_from_what_batch_systems_say(tmp_path: Path) -> None:
    """Slurm lists nodes, others name a file of them; none of it is no allocation."""
    (tmp_path / "nodes").write_text("a\na\nb\n")
    slurm = {"SLURM_JOB_ID": "12", "SLURM_JOB_NODELIST": "n[1-2]", "SLURM_JOB_CPUS_PER_NODE": "4(x1),2"}
    assert read_allocation({**slurm, "ICTUS_ALLOCATION_END": "5"}) == JobAllocation(
        "slurm", "12", ("n1", "n2"), (4, 2), 5.0
    )
    pbs = {"PBS_JOBID": "3.s", "PBS_NODEFILE": str(tmp_path / "nodes")}
    assert read_allocation(pbs) == JobAllocation("pbs", "3.s", ("a", "b"), (2, 1))
    assert read_allocation({"PATH": "/bin"}) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n1", ("n1",)),
        ("n[1-3,07],login", ("n1", "n2", "n3", "n07", "login")),
        ("r[1-2]n[08-10]", ("r1n08", "r1n09", "r1n10", "r2n08", "r2n09", "r2n10")),
    ],
)
def test_lists_of_nodes_are_expanded(text: str, names: tuple[str, ...]) -> None:
    """With leading zeros, and several ranges in one name."""
    assert expand_nodes(text) == names


@pytest.mark.parametrize(
    ("text", "seconds"), [("02:03", 123.0), ("1:02:03", 3723.0), ("1-02:03:04", 93784.0), ("0:05", 5.0)]
)
def test_times_of_slurm_are_read(text: str, seconds: float) -> None:
    """Minutes and seconds, hours before them, days before these."""
    assert seconds_of(text) == seconds
    with pytest.raises(ValueError, match="UNLIMITED"):
        seconds_of("UNLIMITED")
