"""A series of campaigns: in order, each complete one left alone, an interrupted one continued."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ictus.engine import event
from ictus.engine.attempt import Execute
from ictus.engine.journal import Journal
from ictus.engine.series import Part, is_complete, run_series, spent_s
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import Design, make_design
from ictus.model.errors import UsageError
from ictus.model.plan import Plan
from ictus.model.registries import Registries


def part(name: str, seed: int, *, in_order: bool = False) -> Part:
    """Three launches of four sizes."""
    plan = Plan.from_values(
        {"mpi": ["mpich"], "op": "bcast", "sizes": "8..64", "launches": 3, "nrep": 20, "seed": seed}
    )
    design = make_design(plan, Registries.load(), [Simulated.installation("mpich")])
    return Part(name, Design(**{**vars(design), "in_order": in_order}))


def simulated(scenario: Scenario | None = None) -> Callable[[Design], Execute]:
    """Every campaign in a world of its own."""
    return lambda _: Simulated(scenario or Scenario())


PARTS = (part("a/one", 1), part("a/two", 2), part("b/one", 3, in_order=True))


def test_all_parts_are_measured_in_order_and_are_campaigns(tmp_path: Path) -> None:
    """Each has its own folder, seed and journal; the series' journal names them in turn."""
    seen: list[str] = []
    assert run_series(
        tmp_path,
        PARTS,
        simulated(),
        lambda one, what: seen.append(one.name) if type(what) is event.CampaignStarted else None,
    )
    assert seen == [one.name for one in PARTS]
    assert all(is_complete(tmp_path / one.name) for one in PARTS)
    assert spent_s(tmp_path / "a/one") > 0
    journal = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text("utf-8").splitlines()]
    assert [one.get("folder", one["event"]) for one in journal] == ["start", *seen, "done"]
    assert [one.n_launches for one in PARTS] == [3, 3, 3]


def test_a_part_in_order_keeps_the_order_of_its_plan(tmp_path: Path) -> None:
    """Shuffled without it: of three launches of four sizes not all are in order; with it, all."""
    run_series(tmp_path, PARTS, simulated())
    orders = {
        one.name: [slot["cases"] for slot in json.loads((tmp_path / one.name / "schedule.json").read_text())["slots"]]
        for one in PARTS
    }
    assert any(cases != sorted(cases) for cases in orders["a/one"])
    assert orders["b/one"] == [[0, 1, 2, 3]] * 3


def test_what_was_interrupted_goes_on_and_what_is_complete_is_left_alone(tmp_path: Path) -> None:
    """Ended in the second launch of the second part: then only what is missing is measured."""
    first = simulated()
    broken = simulated(Scenario(faults={1: ("interrupt",)}))

    def execute(design: Design) -> Execute:
        return (broken if design.seed == 2 else first)(design)

    assert not run_series(tmp_path, PARTS, execute)
    assert [is_complete(tmp_path / one.name) for one in PARTS] == [True, False, False]
    measured: list[tuple[str, int]] = []

    def note(one: Part, what: event.Event) -> None:
        if isinstance(what, event.LaunchAccepted):
            measured.append((one.name, what.slot.slot))

    assert run_series(tmp_path, PARTS, simulated(), note)
    assert measured == [("a/two", 1), ("a/two", 2), ("b/one", 0), ("b/one", 1), ("b/one", 2)]


def test_two_runs_of_one_series_keep_out_of_each_others_way(tmp_path: Path) -> None:
    """The second is told who runs it."""
    with Journal(tmp_path) as journal:
        journal.start(resumed=False)
        with pytest.raises(UsageError, match="is in use by another ictus run"):
            run_series(tmp_path, PARTS, simulated())
