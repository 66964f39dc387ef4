"""The places of ranks as launches record them; a launch that is elsewhere ends the campaign (the judge alone:
tests/model/test_rank_places.py).
"""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ictus.engine.runner import run_campaign
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.design import Design, make_design
from ictus.model.errors import MeasurementError
from ictus.model.job_size import JobSize
from ictus.model.placement import misplaced
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.store.campaign import load
from ictus.store.launch_record import LaunchRecord, read_launch
from ictus.store.placement import nodes_of, placement_request, places_in, places_of

SIZE = JobSize(4, 2, 2)


def design(**changes: object) -> Design:
    """A small campaign on two nodes with two ranks on each."""
    values = {"op": "bcast", "sizes": "64", "launches": 1, "nrep": 5, "seed": 7, "mpi": "a=x", "nodes": 2, "ppn": 2}
    plan = Plan.from_values({**values, **{key.replace("_", "-"): value for key, value in changes.items()}})
    return make_design(plan, Registries.load(), [Simulated.installation("a")])


@pytest.fixture
def launch(tmp_path: Path) -> Path:
    """A launch whose ranks are where they were asked to be."""
    run_campaign(tmp_path / "camp", design(), Simulated())
    return tmp_path / "camp" / "launches" / "0000-a"


def with_nodes(folder: Path, hosts: list[int], nodes: list[str]) -> LaunchRecord:
    """The launch with other places of its ranks."""
    ranks = np.load(folder / "ranks.npy")
    wide = ranks.astype([(name, "S9" if name == "node" else kind) for name, kind in ranks.dtype.descr])
    wide["host"], wide["node"] = hosts, [name.encode() for name in nodes]
    np.save(folder / "ranks.npy", wide)
    return read_launch(folder)


def judged(record: LaunchRecord, map_by: str = "core", size: JobSize = SIZE) -> str | None:
    """What is said of the launch."""
    return misplaced(placement_request(record.head.launcher, size, map_by), places_of(record))


def test_what_is_as_asked_is_accepted(launch: Path) -> None:
    """Two ranks on each of two nodes, those of a node one behind the other."""
    record = read_launch(launch)
    assert [name for _, name in nodes_of(record)] == ["simulated0", "simulated0", "simulated1", "simulated1"]
    assert (record.head.nodes, record.head.ranks_per_node.max) == (2, 2)
    assert judged(record) is None
    assert judged(record, size=JobSize(4)) is None


@pytest.mark.parametrize(
    ("hosts", "nodes", "said"),
    [
        ([0, 0, 0, 0], ["n1"] * 4, r"asked for 2 nodes with 2 ranks on each, got 1: n1 has 4$"),
        ([0, 0, 0, 1], ["n1", "n1", "n1", "n2"], r"got 2: n1 has 3, n2 has 1$"),
        (
            [0, 1, 0, 1],
            ["n1", "n2", "n1", "n2"],
            r"\(--map-by core\): asked for 0-1 on node 0, 2-3 on node 1; seen 0 on n1, 1 on n2,",
        ),
    ],
)
def test_a_corrupted_record_is_refused(launch: Path, hosts: list[int], nodes: list[str], said: str) -> None:
    """Too few nodes, unequal shares, another order."""
    found = judged(with_nodes(launch, hosts, nodes))
    assert found is not None
    assert re.search(said, found)


def test_nodes_of_one_host_count_as_nodes_and_hosts_of_one_name_too(launch: Path) -> None:
    """A node is what the batch system calls one; without its names hosts are."""
    assert judged(with_nodes(launch, [0, 0, 0, 0], ["n1", "n1", "n2", "n2"])) is None
    assert judged(with_nodes(launch, [0, 0, 1, 1], ["localhost"] * 4)) is None
    assert judged(with_nodes(launch, [0, 1, 0, 1], [""] * 4), "node") is None


LAUNCHER: dict[str, Any] = {
    "asked": {"hosts": ["n1", "n2"], "runner": "login", "bound": True},
    "allocation": {"nodes": ["n1", "n2", "n3"]},
}


def test_what_the_launcher_was_asked_for_is_read_from_the_launch() -> None:
    """Hosts of --hosts, whether ranks were to be bound, and who else is there; launches of before say nothing."""
    asked = placement_request(LAUNCHER, SIZE, "core", ["cores", "none"])
    assert (asked.hosts, asked.others, asked.bound) == (("n1", "n2"), frozenset({"login", "n3"}), True)
    assert asked.compares_binding
    elsewhere = {"asked": {**LAUNCHER["asked"], "hosts": ["ib1"], "runner": ""}, "allocation": LAUNCHER["allocation"]}
    assert placement_request(elsewhere, SIZE, "core").others == frozenset(), "ib1 may be another name of n1"
    before = placement_request({"command": []}, SIZE, "core", ["cores"])
    assert (before.hosts, before.bound, before.compares_binding) == ((), False, False)


def test_a_study_says_where_its_ranks_were() -> None:
    """By its answer: hosts with their sockets, ranks with their CPUs; one that names no ranks is not judged."""
    kind = {"sockets": ["0-1", "2-3"], "siblings": []}
    answer: dict[str, Any] = {
        "n_ranks": 2,
        "places": {"host": [0, 1]},
        "hosts": [{"host": "a", **kind}, {"host": "b", **kind}],
        "ranks": [{"host": "a", "node": "n1", "cpus_allowed": "0"}, {"host": "b", "cpus_allowed": "unknown"}],
    }
    first, second = places_in(answer)
    assert (first.node, first.socket, first.cpus) == ("n1", "socket 0", frozenset({0}))
    assert (second.host, second.host_name, second.cpus) == (1, "b", frozenset())
    assert misplaced(placement_request(None, JobSize(2, 1, 2), "core"), places_in(answer)) is not None
    assert places_in({**answer, "ranks": []}) == []
    assert misplaced(placement_request(None, JobSize(2), "core"), []) is None


def test_a_launch_that_is_elsewhere_ends_the_campaign_at_once(tmp_path: Path) -> None:
    """It would be there the next time too: no other try, and the launch is kept aside."""
    world = Simulated(Scenario(faults={0: ("misplaced", "")}))
    with pytest.raises(MeasurementError, match=r"ranks are not where they were asked to be: asked for 2 nodes"):
        run_campaign(tmp_path / "camp", design(), world)
    assert sorted(path.name for path in (tmp_path / "camp" / "aside").iterdir()) == ["0000-a.1"]


def test_the_other_order_is_accepted_where_it_is_asked_for(tmp_path: Path) -> None:
    """One node after the other, as a factor of launches beside the usual order."""
    asked = design(map_by="core,node")
    run_campaign(tmp_path / "camp", asked, Simulated(variants=asked.variants))
    orders = {}
    for launch in load(tmp_path / "camp").launches:
        orders[launch.factors["map-by"]] = [name[-1] for _, name in nodes_of(launch.record)]
    assert orders == {"core": ["0", "0", "1", "1"], "node": ["0", "1", "0", "1"]}
