"""Whole campaigns in which nothing changed, in states of the machine of their own: no evidence is wrong too often."""

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest
from tests.synthetic import Scenario, write_folder

from ictus.comparison.comparison import compare
from ictus.stats.binomial_rate import rate
from ictus.store.campaign import Campaign, load

WORLD = Scenario(operations=("bcast", "allreduce"), sizes=(8, 4096), nrep=10, launches=8)
CAMPAIGNS = 40


def measured(folder: Path, spread: float, campaigns: int, interaction: float = 0.0) -> list[Campaign]:
    """Campaigns of two libraries by the real runner, each in a state of its own."""
    world = replace(WORLD, campaign_spread=spread, interaction_spread=interaction)
    return [
        load(write_folder(folder / f"c{number}", replace(world, seed=number, campaign=number)))
        for number in range(1, campaigns + 1)
    ]


def directions(*pairs: tuple[Campaign | list[Campaign], Campaign | list[Campaign]], control: str | None = None) -> int:
    """Of the comparisons, those with any verdict of a direction."""
    found = [compare(a, other=b, control=control) for a, b in pairs]
    return sum(any(row.outcome in ("faster", "slower") for row in one.rows) for one in found)


@pytest.mark.few(2)
@pytest.mark.parametrize("spread", [0.0, 0.05, 0.2, 0.8])
def test_no_pair_of_campaigns_apart_proves_anything(tmp_path: Path, spread: float) -> None:
    """All pairs, 15 of six campaigns where states differ most and 3 of three elsewhere, through a control and without
    one: none has a direction.
    """
    campaigns = measured(tmp_path, spread, 3 if spread < 0.8 else 6)
    assert directions(*combinations(campaigns, 2)) == 0
    assert directions(*combinations(campaigns, 2), control="none") == 0


@pytest.mark.long
@pytest.mark.parametrize("spread", [0.0, 0.05, 0.2, 0.8])
def test_false_verdicts_of_whole_comparisons_are_at_most_5_percent(tmp_path: Path, spread: float) -> None:
    """Side by side, and several campaigns a side, through a control and without one, of which each state changes each
    library for itself as well.
    """

    def alike(_label: str, operation: str, size: int) -> float:
        return WORLD.latency("mpich", operation, size)

    side_by_side = [
        compare(load(write_folder(tmp_path / f"a{seed}", replace(WORLD, latency=alike, campaign_spread=spread,
                                                                 campaign=seed, seed=seed))))
        for seed in range(1, CAMPAIGNS // 2 + 1)
    ]  # fmt: skip
    wrong = sum(any(row.outcome in ("faster", "slower") for row in one.rows) for one in side_by_side)
    assert rate(wrong, len(side_by_side), "at most", 0.05).holds
    own = measured(tmp_path / "own", spread, CAMPAIGNS, interaction=0.05)
    sides = [(own[at : at + 5], own[at + 5 : at + 10]) for at in range(0, CAMPAIGNS, 10)]
    assert rate(directions(*sides), len(sides), "at most", 0.05).holds
    assert rate(directions(*sides, control="none"), len(sides), "at most", 0.05).holds
