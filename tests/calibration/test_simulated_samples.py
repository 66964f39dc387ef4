"""A thousand simulated A/A campaigns from single repetitions to adjusted verdicts; and what the papers warn of."""

import numpy as np
import pytest
from tests.calibration.simulated_launches import judged
from tests.calibration.simulated_samples import (
    SampledWorld,
    calibrate_samples,
    launch_medians,
    means_of_one_launch_differ,
    simulate_samples,
)

from ictus.stats.compare import compare_cases
from ictus.stats.summary import summarise
from ictus.stats.verdict import KINDS, CaseRules

WORLD = SampledWorld()


@pytest.mark.long
def test_promises_are_kept_from_single_repetitions_on_and_one_launch_keeps_none(capsys):
    """Rates with their intervals are printed; comparing means of one launch is wrong in nearly every campaign."""
    found = calibrate_samples(WORLD, seed=2024)
    with capsys.disabled():
        print(f"\n{found}")
    assert found.false_alarms.trials == found.coverage.trials == 1000
    assert found.holds
    assert found.false_alarms.hits > 0
    assert found.false_within.hits > 0, "the margin can be reached at all"
    assert not found.one_launch.holds
    assert found.one_launch.low > 0.5


@pytest.mark.long
def test_without_adjustment_the_promise_is_broken_and_caught():
    """Six cases at 5 % each, each with a scatter of its own: the same calibration can fail."""
    world = SampledWorld(cases=6, noise=0.5, repetitions=10)
    found = calibrate_samples(world, adjust="none", campaigns=200, contrasted=2, seed=1)
    assert not found.false_alarms.holds


def test_simulated_repetitions_are_what_they_claim_to_be():
    """Neighbours resemble each other as said, launches scatter as said, a few repetitions are far off."""
    random = np.random.default_rng(3)
    world = SampledWorld(cases=1, launches=400, repetitions=200)
    a, b = simulate_samples(world, 2.0, 1, random)
    assert a.shape == b.shape == (1, 1, 400, 200)
    logs = np.log(b[0, 0])
    usual = logs[:, :-1] - np.median(logs, axis=1, keepdims=True), logs[:, 1:] - np.median(logs, axis=1, keepdims=True)
    near = (abs(usual[0]) < 0.3) & (abs(usual[1]) < 0.3)
    assert np.corrcoef(usual[0][near], usual[1][near])[0, 1] == pytest.approx(0.8, abs=0.03)
    assert usual[0][abs(usual[0]) < 0.3].std() == pytest.approx(0.05, rel=0.05)
    assert (abs(usual[0]) > 1).mean() == pytest.approx(0.02, abs=0.005)
    medians = launch_medians(b)[0, 0]
    assert np.log(medians).std() == pytest.approx(world.spread, rel=0.1)
    assert np.log(np.median(launch_medians(a)) / np.median(medians)) == pytest.approx(np.log(2), abs=0.06)


def test_the_way_is_that_of_the_product():
    """Medians as the store takes them, verdicts as `compare_cases` gives them, campaign by campaign."""
    a, b = simulate_samples(WORLD, 1.3, 12, np.random.default_rng(5))
    medians = launch_medians(a), launch_medians(b)
    assert medians[0][3, 1, 2] == summarise(a[3, 1, 2], np.zeros(WORLD.repetitions, np.uint16)).median
    rules = CaseRules(paired=False, test=None, adjust="holm", level=0.05, equivalence=0.05).resolve()
    codes = judged(*medians, rules)[0].codes.reshape(12, -1)
    for campaign in range(12):
        rows = compare_cases(list(medians[0][campaign]), list(medians[1][campaign]), CaseRules(paired=False))
        assert [KINDS[code] for code in codes[campaign]] == [row.verdict.kind for row in rows]


def test_one_launch_is_enough_where_launches_do_not_differ():
    """The contrast itself is sound: with independent repetitions and equal launches it keeps its level."""
    random = np.random.default_rng(7)
    alarms = [means_of_one_launch_differ(*np.exp(0.05 * random.standard_normal((2, 3, 40)))).any() for _ in range(300)]
    assert np.mean(alarms) == pytest.approx(0.05, abs=0.04)
