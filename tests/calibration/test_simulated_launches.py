"""A thousand simulated campaigns: promises kept, and the alarm when they are not."""

import numpy as np
import pytest
from tests.calibration.simulated_launches import FACTOR_SPREAD, FASTEST, SLOWEST, World, calibrate, simulate

from ictus.stats.binomial_rate import rate
from ictus.stats.rank_sum_test import RANK_SUM


@pytest.mark.parametrize("adjust", ["holm", "bh"])
@pytest.mark.parametrize("paired", [False, True])
def test_every_promise_is_kept_over_a_thousand_campaigns(paired, adjust, capsys):
    """Rates and their intervals are printed, whatever the outcome."""
    found = calibrate(World(paired=paired), adjust=adjust, campaigns=1000, seed=2024)
    with capsys.disabled():
        print(f"\n{found}")
    assert found.false_alarms.holds
    assert found.coverage.holds
    assert found.detection.holds
    assert found.false_within.holds
    assert found.holds


@pytest.mark.parametrize("paired", [False, True])
def test_power_is_promised_neither_too_high_nor_much_too_low(paired):
    """A promise that every campaign keeps would be worthless: it is off by less than five points."""
    found = calibrate(World(paired=paired), seed=7)
    assert 0.5 < found.detection.promised < 0.95
    assert found.detection.share == pytest.approx(found.detection.promised, abs=0.05)


@pytest.mark.parametrize("paired", [False, True])
def test_unadjusted_verdicts_break_the_promise_and_are_caught(paired):
    """The same calibration without adjustment for six cases fails, so it can fail."""
    found = calibrate(World(paired=paired), adjust="none", seed=2024)
    assert not found.false_alarms.holds
    assert not found.holds
    assert found.coverage.holds


def test_repetitions_taken_for_launches_break_the_promise_and_are_caught():
    """Fifty repetitions of each of ten launches are not 500 witnesses: nearly every A/A comparison is significant."""
    random = np.random.default_rng(1)
    medians = [side[:, 0] for side in simulate(World(paired=False, cases=1), 1.0, 200, random)]
    repetitions = [side[:, :, np.newaxis] * random.lognormal(0, 0.02, (200, 10, 50)) for side in medians]

    def alarms(a, b):
        return rate(int((RANK_SUM.rows(a, b, "two-sided").p_value <= 0.05).sum()), 200, "at most", 0.05)

    assert alarms(*(np.median(side, axis=2) for side in repetitions)).holds
    pooled = alarms(*(side.reshape(200, 500) for side in repetitions))
    assert not pooled.holds
    assert pooled.share > 0.5


def test_simulated_launches_are_what_they_claim_to_be():
    """One factor of 0.7 to 1.4 moves all cases of a launch; pairs share it; case 0 carries the ratio."""
    random = np.random.default_rng(1)
    a, b = simulate(World(paired=True, noise=1e-9), 1.5, 2000, random)
    assert a.shape == (2000, 6, 10)
    assert np.log(a[:, 0] / b[:, 0]) == pytest.approx(np.log(1.5), abs=1e-6)
    assert np.log(a[:, 1:] / b[:, 1:]) == pytest.approx(0.0, abs=1e-6)
    factor = b[:, 1] / np.sqrt(b[:, 1].min() * b[:, 1].max()) * np.sqrt(FASTEST * SLOWEST)
    assert factor.min() >= FASTEST * 0.999
    assert factor.max() <= SLOWEST * 1.001
    assert np.log(factor).std() == pytest.approx(FACTOR_SPREAD, rel=0.02)
    ratios = b[:, 1] / b[:, 2]
    assert ratios == pytest.approx(ratios[0, 0], rel=1e-6)


def test_same_seed_same_calibration():
    """Nothing is drawn from the clock."""
    assert calibrate(World(paired=True), campaigns=100, seed=3) == calibrate(World(paired=True), campaigns=100, seed=3)
