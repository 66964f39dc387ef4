"""Page faults of calls are counted before the first launch, in both states of the heap; in a simulated world."""

import json
from pathlib import Path

import pytest
from tests.command_line import run_ictus

from ictus import compare
from ictus.comparison.cases import cases
from ictus.comparison.heap import MARK, heap_sentences
from ictus.engine.event import WarningNote
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import Slot
from ictus.model.errors import MeasurementError
from ictus.model.job import Outcome
from ictus.store.campaign import load
from ictus.store.page_faults import heap_effects

from .conftest import Rig

PLAN = {"mpi": "a=x,b=x", "op": "bcast,scan,allreduce", "sizes": "64,128", "n": "2,3", "launches": 5, "nrep": 5}
WORLD = {
    "page_faults": {
        "returned:malloc": 257.0,
        "a:returned:scan": 26.0,
        "kept:allreduce": 3.0,
        "returned:allreduce": 3.5,
    },
    "launch_spread": 0.01,
}


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Scans of a pay for pages where freed memory is returned; allreduces of both do in any case."""
    path = tmp_path / "world.json"
    path.write_text(json.dumps(WORLD))
    return path


def words(world: Path, folder: Path, **changes: object) -> list[str]:
    """`ictus run` in that world."""
    options = {key: value for key, value in {**PLAN, **changes}.items() if key not in ("mpi", "n")}
    libraries = [word for one in str(PLAN["mpi"]).split(",") for word in ("-m", one)]
    given = [word for key, value in options.items() for word in (f"--{key}", str(value))]
    simulated = ["--launcher", "simulated", "--scenario", str(world)]
    return ["run", *libraries, "-n", str(PLAN["n"]), *given, "--seed", "3", *simulated, "-o", str(folder)]


def test_cases_that_depend_on_the_heap_are_marked(world: Path, tmp_path: Path) -> None:
    """In show, compare and report; those that fault in either state are not, but said; scripts get both."""
    folder = tmp_path / "campaign"
    done = run_ictus(*words(world, folder))
    assert done.code == 0, done.err
    campaign = load(folder)
    marked = {(row.mpi, row.case["operation"]) for row in cases(campaign).rows if row.heap_matters}
    assert marked == {("a", "scan")}
    rows = compare(campaign).rows
    assert {(row.case["operation"], row.heap_matters_a, row.heap_matters_b) for row in rows} == {
        ("bcast", False, False),
        ("scan", True, False),
        ("allreduce", False, False),
    }
    first, second, third = heap_sentences(campaign)
    assert first.startswith("a: 4 of 12 cases depend on the heap (MPI_Scan).")
    assert second.startswith("a: 4 of 12 cases pay for pages of memory in every call, whatever the heap")
    assert third.startswith("b: 4 of 12 cases pay")
    shown, told = (run_ictus(command, folder) for command in ("show", "compare"))
    for answer in (shown, told):
        assert f"{MARK} depends on the heap" in answer.out, answer.out
        assert answer.out.count(MARK) == 4 + 1, "the cases of a, and the note"
    assert run_ictus("report", folder).code == 0
    page = (folder / "report.html").read_text()
    assert f"{MARK} depends on the heap" in page
    assert "a: 4 of 12 cases depend on the heap (MPI_Scan)." in page
    assert len(list((folder / "launches").iterdir())) == 20, "nothing that counted is among them"


def test_a_library_with_an_allocator_of_its_own_is_said(world: Path, tmp_path: Path) -> None:
    """A block of 1 MiB costs the same in both states: the heap cannot be controlled."""
    world.write_text(json.dumps({"page_faults": {"kept:malloc": 0.0, "a:returned:malloc": 257.0}}))
    folder = tmp_path / "campaign"
    assert run_ictus(*words(world, folder)).code == 0
    assert list(heap_sentences(load(folder))) == [
        "b: the heap cannot be controlled, its processes have an allocator of their own."
    ]


def test_variants_are_counted_without_their_heap(world: Path, tmp_path: Path) -> None:
    """Both states of a crossed heap share what was counted, and are both marked."""
    folder = tmp_path / "campaign"
    assert run_ictus(*words(world, folder, heap="returned,ordinary")).code == 0
    document = json.loads((folder / "heap.json").read_text())
    found = [(one["mpi"], one["algorithm"], one["n"], one["heap"]) for one in document["launches"]]
    assert found == [(mpi, "default", n, heap) for mpi in "ab" for n in (2, 3) for heap in ("kept", "returned")]
    rows = [row for row in cases(load(folder)).rows if row.heap_matters]
    assert {(row.mpi, row.case["algorithm"], row.case["operation"]) for row in rows} == {
        ("a", "heap=returned", "scan"),
        ("a", "heap=ordinary", "scan"),
    }


def test_ways_to_time_a_call_share_a_count(world: Path, tmp_path: Path) -> None:
    """One count for each call, whatever starts it; both cases have it."""
    folder = tmp_path / "campaign"
    assert run_ictus(*words(world, folder, procsync="window,barrier")).code == 0
    for path in folder.glob("faults/*/*/page_faults.json"):
        assert len(json.loads(path.read_text())["cases"]) == 6
    marked = [row for row in cases(load(folder)).rows if row.heap_matters]
    assert {row.case["procsync"].partition("(")[0] for row in marked} == {"window", "barrier"}
    assert len(marked) == 8


def test_it_can_be_left_out(world: Path, tmp_path: Path) -> None:
    """--no-page-faults: no launch more, no mark, no sentence."""
    folder = tmp_path / "campaign"
    assert run_ictus(*words(world, folder), "--no-page-faults").code == 0
    assert not (folder / "heap.json").exists()
    assert not (folder / "faults").exists()
    campaign = load(folder)
    assert campaign.heap is None
    assert not list(heap_sentences(campaign))
    assert not any(row.heap_matters for row in cases(campaign).rows)


class Interrupted(Simulated):
    """A world in which the user ends the third launch that counts, or it fails."""

    def __init__(self, design_variants: object, how: str) -> None:
        super().__init__(Scenario.from_json(json.dumps(WORLD)), design_variants)  # type: ignore[arg-type]
        self.how, self.calls = how, 0

    def __call__(self, slot: Slot, folder: Path) -> Outcome:
        """Count the launches."""
        self.calls += 1
        if self.calls == 3 and self.how == "interrupt":
            raise KeyboardInterrupt
        if self.calls == 3 and self.how == "fail":
            raise MeasurementError("the library cannot start")
        return super().__call__(slot, folder)


def _run(rig: Rig, execute: Simulated) -> bool:
    """The campaign with counting; whether it was stopped."""
    from ictus.engine.runner import run_campaign

    return run_campaign(rig.folder, rig.design(**PLAN), execute, rig.events.append, page_faults=True).stopped


def test_counting_goes_on_after_an_interruption(rig: Rig) -> None:
    """What was counted is kept; then the launches follow."""
    execute = Interrupted(rig.design(**PLAN).variants, "interrupt")
    assert _run(rig, execute)
    assert not (rig.folder / "heap.json").exists()
    assert len(list(rig.folder.glob("faults/*/*/page_faults.json"))) == 2
    assert not list(rig.folder.glob("launches/*"))
    again = Interrupted(rig.design(**PLAN).variants, "never")
    assert not _run(rig, again)
    assert again.calls == 8 - 2 + 20
    effects = heap_effects(rig.folder)
    assert effects is not None
    assert sum(one.matters for one in effects.by_case.values()) == 4
    assert load(rig.folder).complete


def test_a_library_that_cannot_be_counted_stops_nothing(rig: Rig) -> None:
    """A warning says so, and the campaign is measured without marks."""
    assert not _run(rig, Interrupted(rig.design(**PLAN).variants, "fail"))
    (said,) = (one.text for one in rig.events if isinstance(one, WarningNote))
    assert said == "a: which cases depend on the heap is unknown: the library cannot start"
    assert load(rig.folder).complete
    assert load(rig.folder).heap is None
