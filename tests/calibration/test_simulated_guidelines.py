"""A thousand simulated campaigns: an honest library is not blamed, a dishonest one is, and carelessness is caught."""

import numpy as np
import pytest
from tests.calibration.simulated_guidelines import Calibration, Shape, World, calibrate
from tests.guidelines.measurements import GL1, GL2, measured, series

from ictus.guidelines.judgement import TESTS, Options
from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.question import repeated
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import State
from ictus.guidelines.verify import unconfirmed, verify
from ictus.model.spec import Spec
from ictus.stats.binomial_rate import rate

SPLIT_ALONE = World(shape=Shape.LINEAR, kinds=(Kind.SPLIT,))


def shown(found: Calibration, capsys: pytest.CaptureFixture[str]) -> Calibration:
    """Rates and their intervals are printed, whatever the outcome."""
    with capsys.disabled():
        print(f"\n{found}")
    return found


@pytest.mark.parametrize("adjust", ["holm", "bh"])
@pytest.mark.parametrize("test", TESTS)
@pytest.mark.parametrize("shape", Shape)
def test_an_honest_library_is_blamed_in_few_campaigns(
    shape: Shape, test: str, adjust: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Mock-ups are the call itself; adjacent sizes take equally long, or k calls as long as one. Smaller campaigns for
    Kolmogorov-Smirnov, which scipy works out one by one.
    """
    world = World(shape=shape) if test != "kolmogorov-smirnov" else World(shape=shape, operations=1, sizes=4)
    found = shown(calibrate(world, Options(test=test, adjust=adjust), seed=2024), capsys)
    assert found.false_alarms.trials == 1000
    assert found.false_alarms.holds


@pytest.mark.parametrize("shape", Shape)
def test_unadjusted_verdicts_blame_an_honest_library_and_are_caught(
    shape: Shape, capsys: pytest.CaptureFixture[str]
) -> None:
    """The same check without adjustment fails, so it can fail: 27 tests at 5 % each."""
    found = shown(calibrate(World(shape=shape), Options(adjust="none"), seed=2024), capsys)
    assert not found.false_alarms.holds
    assert found.false_alarms.share > 0.4


def test_predictions_must_be_confirmed_by_fresh_launches(capsys: pytest.CaptureFixture[str]) -> None:
    """Where k calls take as long as one, they are predicted faster by chance some three times a campaign. Launches of
    their own refute that; the launches that they were found in repeat the chance.
    """
    fresh = shown(calibrate(SPLIT_ALONE, seed=2024), capsys)
    assert fresh.predictions > 1
    assert fresh.false_alarms.holds
    reused = shown(calibrate(World(shape=Shape.LINEAR, kinds=(Kind.SPLIT,), fresh=False), seed=2024), capsys)
    assert not reused.false_alarms.holds


@pytest.mark.parametrize("planted", [1.15, 1.25])
def test_planted_violations_are_found_as_often_as_promised(planted: float, capsys: pytest.CaptureFixture[str]) -> None:
    """One of each kind, by the power of the signed-rank test; the honest rest stays without blame."""
    found = shown(calibrate(World(planted=planted), seed=2024), capsys)
    assert set(found.found) == set(Kind)
    assert all(one.holds for one in found.found.values())
    assert min(one.share for one in found.found.values()) > 0.75
    assert found.false_alarms.holds


@pytest.mark.parametrize("test", ["rank-sum", "kolmogorov-smirnov"])
def test_the_papers_tests_find_what_is_large(test: str, capsys: pytest.CaptureFixture[str]) -> None:
    """They do not use that both sides share their launches: it takes a half more to be found as surely."""
    found = shown(calibrate(World(planted=1.5, sizes=4), Options(test=test), campaigns=250, promised=0.9), capsys)
    assert all(one.holds for one in found.found.values())


def test_bh_bounds_the_share_of_false_violations_and_not_the_campaigns_with_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """With three true violations some campaigns in six have a false one too, and 5 % of all violations are false."""
    found = shown(calibrate(World(planted=1.25), Options(adjust="bh"), seed=2024), capsys)
    assert found.false_share < 0.05
    assert not found.false_alarms.holds


GL = Rule("GL3", Kind.PATTERN, Source.PAPER, Spec("bcast"), Spec("mock-up"))
SIZES = (1, 2, 4, 8)


def campaign(random: np.random.Generator, names: list[tuple[str, int, float]]) -> GuidelineMedians:
    """Launch medians of (operation, size, true time), in 20 launches of which each is fast or slow as a whole."""
    factors = random.uniform(0.7, 1.4, 20)
    found: dict[str, list[tuple[int, list[float]]]] = {}
    for name, size, true in names:
        times = list(true * factors * np.exp(0.1 * random.standard_normal(20)))
        found.setdefault(name, []).append((size, times))
    return measured({name: [series(size, times) for size, times in rows] for name, rows in found.items()})


def test_the_way_of_a_real_campaign_is_calibrated_too() -> None:
    """Through `verify` and both rounds: linear times of bcast and of a mock-up that is bcast, predictions measured
    anew. An independent simulation of 150 campaigns.
    """
    random, alarms, rounds = np.random.default_rng(5), 0, 0
    for _ in range(150):
        first = campaign(random, [(name, size, float(size)) for name in ("bcast", "mock-up") for size in SIZES])
        asked = unconfirmed(verify([GL2], first))
        rounds += bool(asked)
        second = campaign(
            random,
            [("bcast", size, float(size)) for size in SIZES]
            + [
                (repeated("bcast", one.times), one.right_size_bytes, float(one.times * one.right_size_bytes))
                for one in sorted(asked, key=lambda one: one.right_size_bytes)
            ],
        )
        states = {one.state for one in verify([GL1, GL2, GL], first, confirmations=[second])}
        assert State.PREDICTED not in states
        alarms += State.VIOLATED in states
    assert rounds > 50
    assert rate(alarms, 150, "at most", 0.05).holds


def test_same_seed_same_calibration() -> None:
    """Nothing is drawn from the clock."""
    assert calibrate(World(), campaigns=50, seed=3) == calibrate(World(), campaigns=50, seed=3)
