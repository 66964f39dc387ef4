"""The heap as a factor of launches: scheduled, recorded, compared; in a simulated world."""

import json

import pytest
from tests.command_line import run_ictus

from ictus import compare
from ictus.comparison.cases import cases
from ictus.comparison.matching import values
from ictus.comparison.ranking import factor_shares
from ictus.engine.schedule import schedule_of
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.store.campaign import load
from ictus.store.manifest import read_manifest

from .conftest import Rig

VALUES = {"launches": 6, "mpi": "a=x,b=x", "op": "bcast,scan", "sizes": "64", "heap": "kept,returned"}
WORLD = {"heap_factors": {"scan:returned": 3.0}, "launch_spread": 0.02, "noise": 0.02}


def world(rig: Rig, **values: object) -> Simulated:
    """Launches in which scans take three times as long where freed memory is returned."""
    return Simulated(Scenario.from_json(json.dumps(WORLD)), rig.design(**values).variants)


def test_each_block_holds_every_library_in_every_state(rig: Rig) -> None:
    """A slot has its state, in schedule.json too, and the core is told."""
    slots = schedule_of(rig.design(**VALUES))
    for block in range(6):
        found = sorted((slot.mpi, slot.algorithm, slot.heap) for slot in slots if slot.block == block)
        assert found == [(mpi, f"heap={state}", state) for mpi in "ab" for state in ("kept", "returned")]
    rig.run(world(rig, **VALUES), **VALUES)
    assert read_manifest(rig.folder).slots == slots
    for launch in load(rig.folder).launches:
        assert f" heap={launch.slot.heap} " in (launch.folder / "arguments.txt").read_text()
        assert launch.record.head.heap == launch.slot.heap


def test_one_state_is_no_factor_and_the_default_is_kept(rig: Rig) -> None:
    """The variant is the default one; the slot says the state."""
    for given, state in ({}, "kept"), ({"heap": "ordinary"}, "ordinary"):
        slots = schedule_of(rig.design(**{"mpi": "a=x", "op": "bcast", "sizes": "64", **given}))
        assert {(slot.algorithm, slot.heap) for slot in slots} == {("default", state)}


def test_states_are_compared(rig: Rig) -> None:
    """--by heap: a library in one state against itself in the other; libraries against each other within a state."""
    rig.run(world(rig, **VALUES), **VALUES)
    campaign = load(rig.folder)
    assert values(campaign, "heap") == ("kept", "returned")
    found = {(row.case["mpi"], row.case["operation"]): row.ratio for row in compare(campaign, by="heap").rows}
    assert found[("a", "scan")] == pytest.approx(1 / 3, rel=0.1)
    assert found[("b", "bcast")] == pytest.approx(1.0, rel=0.1)
    by_library = compare(campaign).rows
    assert {row.case["algorithm"] for row in by_library} == {"heap=kept", "heap=returned"}
    assert all(row.ratio == pytest.approx(1.0, rel=0.1) for row in by_library)
    shares = factor_shares(campaign)
    assert shares is not None
    assert {share.factor for share in shares.factors} >= {"heap", "mpi"}
    told = run_ictus("compare", rig.folder, "--by", "heap", "--json")
    assert told.code == 0, told.err
    assert {(row["a"], row["b"]) for row in json.loads(told.out)["rows"]} == {("kept", "returned")}


def test_campaigns_in_two_states_are_compared_and_the_difference_is_said(rig: Rig) -> None:
    """Each with one state: as two campaigns with one value of a variable each."""
    one = {key: value for key, value in VALUES.items() if key != "heap"}
    folders = []
    for state in ("kept", "returned"):
        plan = {**one, "heap": state}
        rig.folder = rig.folder.parent / state
        rig.run(world(rig, **plan), **plan)
        folders.append(load(rig.folder))
    found = compare(folders[0], other=folders[1], allow=["heap"])
    assert "the launches differ: heap kept against returned" in found.warnings
    by_heap = compare(folders[0], "kept", "returned", other=folders[1], by="heap")
    assert {row.case["mpi"] for row in by_heap.rows} == {"a", "b"}


def test_a_state_that_was_not_in_force_is_said(rig: Rig) -> None:
    """A variable of the C library decides against the plan: the launches count, and a warning names both."""
    plan = {**VALUES, "heap": "returned"}
    rig.run(world(rig, **plan), **plan)
    assert not [text for text in cases(load(rig.folder)).warnings if "heap" in text]
    for launch in rig.folder.glob("launches/*"):
        head = json.loads((launch / "launch.json").read_text())
        (launch / "launch.json").write_text(json.dumps({**head, "heap": "kept"}))
    (rig.folder / "journal.jsonl").unlink()  # and with it the checksums
    (said,) = (text for text in cases(load(rig.folder)).warnings if "heap" in text)
    assert said.startswith("12 of 12 launches had heap kept, not returned")
