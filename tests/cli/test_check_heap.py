"""A check measures guidelines that depend on the heap in both of its states, and judges each."""

import json
import shutil
from pathlib import Path

import pytest
from tests.command_line import succeed

from ictus.guidelines.check.analysis import check_of, verdicts_of
from ictus.guidelines.rule import Kind
from ictus.guidelines.verdict import State
from ictus.store.campaign import load
from ictus.store.manifest import read_manifest

from .conftest import Ictus

WORLD = {
    "page_faults": {"returned:malloc": 257.0, "openmpi:returned:allreduce": 26.0},
    "heap_factors": {"allreduce:returned": 4.0, "scan:returned": 9.0},
    "launch_spread": 0.02,
    "noise": 0.02,
    "bandwidth": 4e9,
}
"""An allreduce that is four times as slow where freed memory is returned, and known to depend on it; a scan too, but
no call of it was seen to fault.
"""
PLAN = ("-n", "4", "--sizes", "8,4Ki", "--nrep", "20", "--launches", "12", "--seed", "3")
CHECK = ("check", "--launcher", "simulated", "--scenario", "world.json", "-m", "mpich", "-m", "openmpi", *PLAN)
NAMES = ("--guidelines", "GL1,GL2,GL12,GL16")


@pytest.fixture(autouse=True)
def no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks at it here, and its figures take longer than all the rest."""
    monkeypatch.setattr("ictus.guidelines.check.command.check_page", lambda *_: "")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the world and its check `chk`, made once: copies of it are worked on."""
    folder = tmp_path_factory.mktemp("heap")
    (folder / "world.json").write_text(json.dumps(WORLD))
    with pytest.MonkeyPatch.context() as patched:
        patched.chdir(folder)
        patched.setattr("ictus.guidelines.check.command.check_page", lambda *_: "")
        succeed(*CHECK, *NAMES, "-o", "chk")
    return folder


@pytest.fixture
def checked(whole: Path, tmp_path: Path, ictus: Ictus) -> Path:
    """The check as the folder `chk`."""
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    return Path("chk")


def test_a_violation_of_either_state_is_named(checked: Path, ictus: Ictus) -> None:
    """Of the allreduce with memory returned only; of the rest nothing is measured there."""
    found = check_of(checked)
    besides = [one for one in found.verdicts if one.place.algorithm == "heap=returned"]
    assert {one.rule.left.name for one in besides} == {"allreduce"}
    assert {place.algorithm for place in found.places} == {"default", "heap=returned"}
    violated = {(one.rule.left.name, one.place.algorithm) for one in found.verdicts if one.state is State.VIOLATED}
    assert violated == {("allreduce", "heap=returned")}
    patterns = [one for one in besides if one.rule.kind is Kind.PATTERN and one.state is State.VIOLATED]
    assert {one.place.library for one in patterns} == {"mpich", "openmpi"}
    assert min(one.ratio or 0 for one in patterns) > 1.5
    answer = ictus("check", checked)
    assert "openmpi heap=returned" in answer.out
    rows = json.loads(ictus("check", checked, "--json").out)["rows"]
    assert {row["algorithm"] for row in rows if row["state"] == "violated"} == {"heap=returned"}
    assert any("heap=returned" in mark for mark in found.marks)


def test_what_is_measured_besides_is_a_campaign_of_its_own(checked: Path, ictus: Ictus) -> None:
    """With the operations of the marked guidelines, as many launches, and no other launch among those of the check."""
    whole, besides = read_manifest(checked), read_manifest(checked / "returned")
    assert (whole.plan.heap, besides.plan.heap) == (("kept",), ("returned",))
    assert {slot.heap for slot in besides.slots} == {"returned"}
    assert len(besides.slots) == len(whole.slots) == 24
    operations = {case.operation.name for case in besides.cases}
    assert "allreduce" in operations
    assert "scan" not in operations
    assert {launch.slot.heap for launch in load(checked).launches} == {"kept"}
    before = sorted(path.name for path in checked.rglob("launches/*"))
    assert ictus(*CHECK, *NAMES, "-o", "chk").code == 0, "the same command measures nothing any more"
    assert sorted(path.name for path in checked.rglob("launches/*")) == before


def test_more_launches_are_made_in_both_states(checked: Path, ictus: Ictus) -> None:
    """And an interrupted second state is continued by the same command."""
    longer = [word if word != "12" else "24" for word in CHECK]
    assert ictus(*longer, *NAMES, "-o", "chk").code == 0
    assert len(load(checked).launches) == len(load(checked / "returned").launches) == 48
    assert len({one.n_launches for one in verdicts_of(checked) if one.rule.kind is Kind.PATTERN}) == 1


def test_predictions_with_memory_returned_are_confirmed_there(tmp_path: Path, ictus: Ictus) -> None:
    """A split that pays only where memory is returned is measured with memory returned, and judged in that state."""
    world = {**WORLD, "heap_factors": {"allreduce:returned:4096": 40.0}}
    (tmp_path / "world.json").write_text(json.dumps(world))
    words = [word if word != "8,4Ki" else "2Ki,4Ki" for word in CHECK]
    assert ictus(*words, "--guidelines", "GL2", "-o", "chk").code == 0
    (split,) = Path("chk").glob("split*")
    assert read_manifest(split).plan.heap == ("returned",)
    found = [one for one in verdicts_of(Path("chk")) if one.confirmed and one.state is State.VIOLATED]
    assert {(one.rule.kind, one.place.algorithm) for one in found} == {(Kind.SPLIT, "heap=returned")}
    assert not [one for one in verdicts_of(Path("chk")) if one.state is State.PREDICTED]


@pytest.mark.long
def test_without_counting_one_state_is_measured(tmp_path: Path, ictus: Ictus) -> None:
    """--no-page-faults, and a check with a heap of its own: no second campaign."""
    (tmp_path / "world.json").write_text(json.dumps(WORLD))
    for folder, word in ("plain", ("--no-page-faults",)), ("own", ("--heap", "returned")):
        assert ictus(*CHECK, *NAMES, *word, "-o", folder).code == 0
        assert not (Path(folder) / "returned").exists()
        assert {one.place.algorithm for one in verdicts_of(Path(folder))} == {"default"}
    assert [one for one in verdicts_of(Path("own")) if one.state is State.VIOLATED]
