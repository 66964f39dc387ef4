"""Launches of allocations on other nodes are strata: a difference between allocations is none between libraries."""

import json
from pathlib import Path

import pytest

from ictus.comparison.comparison import compare
from ictus.comparison.modes import machine_modes
from ictus.engine.extension import extendable
from ictus.engine.runner import run_campaign
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import Slot, make_design
from ictus.model.job import Outcome
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.store.campaign import Campaign, load

LAUNCHES = 20


@pytest.fixture(params=["fixed", "growing"])
def measured(request: pytest.FixtureRequest, tmp_path: Path) -> Campaign:
    """The second library is 3 % slower; every launch of the second half ran on nodes that are twice as fast. Of a
    fixed number of launches, and with error reserved for more, as `ictus run` does.
    """
    plan = Plan.from_values(
        {"op": "bcast", "sizes": "64", "launches": LAUNCHES, "nrep": 20, "seed": 7, "mpi": "a=x,b=y"}
    )
    design = make_design(plan, Registries.load(), [Simulated.installation(label) for label in "ab"])
    if request.param == "growing":
        design = extendable(design)
    worlds = [
        Simulated(Scenario(factors={"a": speed, "b": 1.03 * speed}, launch_spread=0.01, noise=0.01))
        for speed in (2.0, 1.0)
    ]

    def execute(slot: Slot, folder: Path) -> Outcome:
        second = slot.block >= LAUNCHES // 2
        outcome = worlds[second](slot, folder)
        path = folder / "launch.json"
        document = json.loads(path.read_text())
        nodes = ["n3", "n4"] if second else ["n1", "n2"]
        document["launcher"]["allocation"] = {"scheduler": "slurm", "job": "1", "nodes": nodes}
        path.write_text(json.dumps(document))
        return outcome

    run_campaign(tmp_path / "camp", design, execute)
    return load(tmp_path / "camp")


def test_launches_are_compared_within_their_nodes(measured: Campaign) -> None:
    """Within them both libraries are apart; over all launches each library overlaps the other's other allocation."""
    (within,) = compare(measured, "a", "b").rows
    (over_all,) = compare(measured, "a", "b", strata="off").rows
    assert within.result.n_strata == 2
    assert within.result.p_value is not None
    assert over_all.result.p_value is not None
    assert 1000 * within.result.p_value < over_all.result.p_value


def test_sets_of_nodes_are_named(measured: Campaign) -> None:
    """As the modes that they are, with how many launches each has."""
    found = machine_modes(measured)
    assert [(mode.text, mode.n_launches) for mode in found.modes] == [
        ("on n1, n2", LAUNCHES),
        ("on n3, n4", LAUNCHES),
    ]
    assert set(found.of_launches[0]) == {0, 1}
