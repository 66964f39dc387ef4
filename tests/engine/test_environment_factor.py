"""Settings of the environment as a factor: scheduled in blocks, resumed, compared; in a simulated world."""

import json
from collections import Counter

import pytest

from ictus import compare
from ictus.comparison.matching import values
from ictus.comparison.ranking import factor_shares
from ictus.engine.schedule import schedule_of
from ictus.launch.launchers.simulated import Scenario, Simulated
from ictus.model.errors import UsageError
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
