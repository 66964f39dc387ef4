"""The schedule: balanced, random, and the same for ever."""

from collections import Counter

import pytest

from ictus.engine import schedule
from ictus.engine.schedule import make_schedule
from ictus.model.case import Case, expand
from ictus.model.plan import Plan
from ictus.model.registries import Registries

LIBRARIES = (("a", "default"), ("b", "default"))


def cases(n: str = "2,4", **more: str) -> tuple[Case, ...]:
    """Eight cases for each number of processes."""
    plan = Plan.from_values({"n": n, "op": "bcast,reduce", "sizes": "8..64", **more})
    return expand(plan, Registries.load()).cases


def test_each_block_holds_every_library_and_count_once() -> None:
    """An interrupted campaign is balanced up to one block."""
    slots = make_schedule(LIBRARIES, cases(), 25, seed=1)
    for block in range(25):
        combinations = Counter((slot.mpi, slot.n) for slot in slots if slot.block == block)
        assert combinations == {("a", 2): 1, ("a", 4): 1, ("b", 2): 1, ("b", 4): 1}
    assert [slot.slot for slot in slots] == list(range(100))


def test_each_launch_measures_all_cases_of_its_count_in_its_own_order() -> None:
    """Cases are shuffled per launch."""
    slots = make_schedule(LIBRARIES, cases(), 25, seed=1)
    by_count = {n: {case.case_id for case in cases() if case.n == n} for n in (2, 4)}
    assert all(set(slot.cases) == by_count[slot.n] and len(slot.cases) == 8 for slot in slots)
    assert len({slot.cases for slot in slots}) == 100
    assert len({slot.seed for slot in slots}) == 100


def test_clocks_and_their_synchronisations_have_launches_of_their_own() -> None:
    """Both belong to the whole launch: each block holds each combination once, with all of its cases."""
    crossed = cases("2", clock="tsc,monotonic", clocksync="hca3,jk")
    by_id = {case.case_id: case for case in crossed}
    assert len(crossed) == 32
    slots = make_schedule(LIBRARIES[:1], crossed, 3, seed=1)
    for block in range(3):
        held = [[by_id[one] for one in slot.cases] for slot in slots if slot.block == block]
        assert [len(own) for own in held] == [8, 8, 8, 8]
        kinds = [{(case.clock.name, case.clocksync.name) for case in own} for own in held]
        assert all(len(kind) == 1 for kind in kinds)
        assert len(set().union(*kinds)) == 4


def test_no_library_comes_first_more_often_than_chance_allows() -> None:
    """2000 blocks of two: within five standard deviations of one half."""
    slots = make_schedule(LIBRARIES, cases("2"), 2000, seed=3)
    first = sum(slot.mpi == "a" for slot in slots[::2])
    assert abs(first - 1000) < 5 * 2000**0.5 / 2


def test_fewer_launches_are_a_prefix_of_more() -> None:
    """A campaign can be continued beyond what was first asked for."""
    short = make_schedule(LIBRARIES, cases(), 3, seed=9)
    assert make_schedule(LIBRARIES, cases(), 10, seed=9)[: len(short)] == short


def test_the_seed_alone_decides() -> None:
    """Equal seeds, equal schedules; pinned, so that a recorded seed means the same in every version."""
    slots = make_schedule(LIBRARIES, cases("2"), 2, seed=1)
    assert slots == make_schedule(LIBRARIES, cases("2"), 2, seed=1)
    assert slots != make_schedule(LIBRARIES, cases("2"), 2, seed=2)
    assert [(slot.mpi, slot.cases) for slot in slots] == PINNED
    assert all(slot.seed < 2**53 for slot in slots)


PINNED = [
    ("b", (1, 6, 5, 3, 2, 0, 7, 4)),
    ("a", (3, 0, 4, 6, 1, 7, 5, 2)),
    ("b", (7, 6, 5, 3, 4, 0, 2, 1)),
    ("a", (3, 5, 4, 2, 6, 7, 1, 0)),
]


def test_a_block_is_that_of_the_whole_schedule_and_is_made_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every block before it was made too, for each block anew."""
    whole = make_schedule(LIBRARIES, cases(), 25, seed=7)
    assert make_schedule(LIBRARIES, cases(), 25, seed=7, begin=17) == tuple(one for one in whole if one.block >= 17)
    made = []
    monkeypatch.setattr(schedule, "shuffled_by", lambda items, _: made.append(1) or items)
    make_schedule(LIBRARIES, cases(), 25, seed=7, begin=24)
    assert len(made) == 1
