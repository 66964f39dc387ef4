"""Whether the winner changes with the start: found where it is planted, and hardly ever said where it is not."""

import numpy as np
import pytest

from ictus.stats.binomial_rate import rate
from ictus.studies.barrier_impact.analysis import Impact, ImpactTarget
from ictus.studies.barrier_impact.winners import CHANGES, HOLDS, UNDECIDED, Contest, contests

STARTS = ("none", "window", "barrier(algorithm=library)", "barrier(algorithm=linear)")
SIZES = (8, 64, 512, 4096)
LAUNCHES = 16
RULES = {"level": 0.05, "adjust": "holm", "equivalence": 0.05}


def campaign(seed: int, factor: dict[str, float], lost: int = 0) -> tuple[Contest, ...]:
    """Two libraries in random blocks: each launch has a factor of its own (5 %), each case another one (2 %). `factor`
    is how much slower b is than a, by start. The first `lost` blocks have no launch of b.
    """
    generator, rows = np.random.default_rng(seed), []
    for mpi in ("a", "b"):
        launch = np.exp(0.05 * generator.standard_normal(LAUNCHES))
        for size in SIZES:
            for start in STARTS:
                own = launch * np.exp(0.02 * generator.standard_normal(LAUNCHES)) * size * 1e-7
                own *= factor.get(start, 1.0) if mpi == "b" else 1.0
                medians = tuple((block, float(value)) for block, value in enumerate(own) if mpi == "a" or block >= lost)
                target = ImpactTarget(mpi, "default", "bcast", 2, size, ())
                rows.append(Impact(target, start, medians, None, None, None, None, 1e-8, 1.0, None))
    return contests(rows, **RULES)


def test_a_planted_change_is_found_with_both_sides_named() -> None:
    """With b 15 % faster under one barrier and 15 % slower elsewhere every size changes, and who wins where is said."""
    for contest in campaign(1, {**dict.fromkeys(STARTS, 1.15), STARTS[2]: 1 / 1.15}):
        assert contest.outcome == CHANGES
        assert [duel.a.procsync for duel in contest.won_by("b")] == [STARTS[2]]
        assert [duel.a.procsync for duel in contest.won_by("a")] == [STARTS[0], STARTS[1], STARTS[3]]


def test_one_winner_under_every_start_holds() -> None:
    """A difference that every start shows is no change; without one it is undecided, never held."""
    assert {contest.outcome for contest in campaign(2, dict.fromkeys(STARTS, 1.3))} == {HOLDS}
    assert UNDECIDED in {contest.outcome for contest in campaign(3, {})}


def test_one_side_undecided_is_no_change() -> None:
    """Faster under one start and nothing proven under the others: undecided, though estimates may differ in sign."""
    found = [campaign(seed, {STARTS[2]: 1.3}) for seed in range(25)]
    assert all(duel.winner == "a" for one in found for contest in one for duel in contest.duels[2:3])
    alarms = sum(any(contest.outcome == CHANGES for contest in one) for one in found)
    assert rate(alarms, 25, "at most", 0.05).holds
    outcomes = [contest.outcome for one in found for contest in one]
    assert outcomes.count(UNDECIDED) > 0.9 * len(outcomes)


@pytest.mark.long
def test_false_alarms_are_rarer_than_promised() -> None:
    """Of campaigns without any difference, and of those with the same one everywhere, at most 5 % name a change."""
    for factor in ({}, dict.fromkeys(STARTS, 1.02)):
        alarms = sum(any(one.outcome == CHANGES for one in campaign(100 + seed, factor)) for seed in range(50))
        assert rate(alarms, 50, "at most", 0.05).holds


def test_blocks_without_both_libraries_are_left_out() -> None:
    """An interrupted campaign: pairs are those of whole blocks, and the comparison says how many it had."""
    found = campaign(4, dict.fromkeys(STARTS, 1.3), lost=3)
    assert {(duel.result.n_a, duel.result.n_b) for contest in found for duel in contest.duels} == {(13, 13)}
