"""What makes a machine the same: its name from what launches recorded, and from the facts of earlier stores."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tests.synthetic import Scenario, write_folder

from ictus.comparison.machine_name import machine_of, machine_of_facts
from ictus.store.campaign import Campaign, load

KIND = {"cpu_model": "A  Processor 9", "n_cpus": 128, "container": "none"}
NAME = "A Processor 9, 128 CPUs"


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Campaign:
    """A campaign whose launches and machine are replaced."""
    folder = tmp_path_factory.mktemp("one") / "one"
    return load(write_folder(folder, Scenario(libraries=("mpich",), sizes=(64,), launches=1, nrep=5)))


def name_of(
    measured: Campaign, *hosts: str, nodes: tuple[str, ...] = (), login: str = "login1", virtual: str = "none",
    **kind: Any,
) -> str:  # fmt: skip
    """The name of a campaign with one launch on these hosts, started from `login`."""
    record = SimpleNamespace(
        head=SimpleNamespace(allocation_nodes=nodes),
        hosts=[SimpleNamespace(name=host, kind={**KIND, **kind}) for host in hosts],
    )
    machine = {"host": login, "cpu_model": "Of the login node", "n_cpus": 4, "virtual": virtual}
    return machine_of(replace(measured, launches=(SimpleNamespace(record=record),), machine=machine))  # type: ignore[arg-type]


def test_one_host_is_named_in_full(measured: Campaign) -> None:
    """Two servers of one kind are two machines; processor and CPUs are those of the host that measured."""
    assert name_of(measured, "bench1") == f"bench1: {NAME}"
    assert name_of(measured, "bench2") == f"bench2: {NAME}"
    assert name_of(measured, "bench1", cpu_model="Another", n_cpus=64) == "bench1: Another, 64 CPUs"


def test_nodes_of_a_cluster_are_one_machine(measured: Campaign) -> None:
    """Other nodes of the same kind each night, several or one of an allocation."""
    several = name_of(measured, "node017", "node018")
    assert several == name_of(measured, "node203", nodes=("node203",)) == f"node#: {NAME}"
    assert name_of(measured, "node017", "gpu3") == f"gpu# and node#: {NAME}"


@pytest.mark.parametrize(
    "how", [{"virtual": "hypervisor, docker"}, {"container": "kubernetes"}, {"container": "podman"}]
)
def test_a_container_has_no_host_name(measured: Campaign, how: dict[str, str]) -> None:
    """It is another one each time."""
    assert name_of(measured, "3f2a9c41b7d0", **how) == f"container: {NAME}"


def test_apptainer_keeps_the_name_of_the_host(measured: Campaign) -> None:
    """As the host has it."""
    assert name_of(measured, "bench1", virtual="apptainer", container="apptainer") == f"bench1: {NAME}"


def test_without_hosts_the_machine_of_the_campaign_stands(measured: Campaign) -> None:
    """Simulated launches have none; what nobody knows is said."""
    assert machine_of(measured) == "node01: A processor of arithmetic"
    assert machine_of(replace(measured, machine={}, launches=())) == "unknown machine"


def test_facts_of_earlier_stores_give_the_same_name() -> None:
    """One host, several hosts, a container, simulated launches."""
    facts = {"host": "login1", "hosts": "bench1", "cpu_model": "A Processor 9", "n_cpus": "128", "virtual": "none"}
    assert machine_of_facts(facts) == f"bench1: {NAME}"
    assert machine_of_facts({**facts, "hosts": "node017, node018"}) == f"node#: {NAME}"
    assert machine_of_facts({**facts, "virtual": "docker"}) == f"container: {NAME}"
    assert machine_of_facts({**facts, "hosts": "simulated"}) == f"login1: {NAME}"
    assert machine_of_facts({}) == "unknown machine"
