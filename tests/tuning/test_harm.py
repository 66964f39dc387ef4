"""Calls that a remedy makes slower: which are asked about, and who has to answer for them."""

from dataclasses import replace

import numpy as np
import pytest
from tests.tuning.confirming import BROKEN, CELL, OTHER, OWN, PLACE, fresh, launches

from ictus.guidelines.measured import LaunchModes, SizeSeries
from ictus.guidelines.verdict import Configuration
from ictus.model.spec import Spec
from ictus.tuning.candidates import Way
from ictus.tuning.outcome import Remedy, remedied
from ictus.tuning.side_effects import Harm, compared, harm_of, harmed

ELSEWHERE = replace(PLACE, n=8)
BCAST, GATHER = Spec("bcast"), Spec("gather")
MENDING = Remedy(CELL, OWN, (BROKEN,))


def found(*remedies: Remedy, slower: float = 2.0, others: tuple[Remedy, ...] = ()) -> Harm:
    """Every call in two places slower by a factor with the remedies in force."""
    generator = np.random.default_rng(3)
    times: dict[tuple[Configuration, str, int], dict[int, float]] = {}
    for place in (PLACE, ELSEWHERE):
        for operation, size in (("bcast", 64), ("bcast", 128), ("bcast", 256), ("gather", 64)):
            times[place, operation, size] = launches(generator, 3e-6)
            times[remedied(place), operation, size] = launches(generator, slower * 3e-6)
    return harmed(remedies, fresh(times, *others), 0.05)


def test_an_algorithm_answers_for_the_other_sizes_of_its_operation() -> None:
    """All of them; not for the size that it was to mend, which is not faster, and not for other operations."""
    assert found(MENDING) == {(PLACE, BCAST): ((BCAST, 128), (BCAST, 256))}
    assert harm_of(MENDING, found(MENDING)) == ((BCAST, 128), (BCAST, 256))
    assert found(MENDING, slower=1.0) == {}


@pytest.mark.parametrize("way", [Way.SETTING, Way.PLACEMENT])
def test_what_holds_for_the_program_answers_for_its_place(way: Way) -> None:
    """All calls with as many processes, and none with others."""
    one = Remedy(CELL, replace(OWN, way=way), (BROKEN,))
    calls = ((BCAST, 128), (BCAST, 256), (GATHER, 64))
    assert found(one) == {(PLACE, BCAST): calls[:2], (PLACE, GATHER): calls[2:]}
    elsewhere = replace(MENDING, cell=replace(CELL, place=ELSEWHERE, size_bytes=128))
    both = found(one, elsewhere)
    assert harm_of(one, both) == calls
    assert harm_of(elsewhere, both) == ((BCAST, 64), (BCAST, 256))


def test_a_call_of_the_program_s_author_makes_nothing_slower() -> None:
    """Nothing is launched otherwise for it."""
    other = Remedy(CELL, OTHER, (BROKEN,))
    assert found(other, others=(other,)) == {}
    assert set(found(other)) == {(PLACE, BCAST)}


def test_many_calls_are_asked_about_together() -> None:
    """A call that is slower by a p of 0.02 is found where it is the only one, and not among 40 that are as before."""
    generator = np.random.default_rng(5)
    before = {i: 3e-6 * (1 + 0.01 * i) for i in range(20)}
    slow = {i: 1.04 * time for i, time in before.items()}
    times: dict[tuple[Configuration, str, int], dict[int, float]] = {
        (PLACE, "bcast", 50): before,
        (remedied(PLACE), "bcast", 50): slow,
    }
    assert harmed([MENDING], fresh(times), 0.05) == {(PLACE, BCAST): ((BCAST, 50),)}
    assert harmed([MENDING], fresh(times), 0.005) == {}
    for size in range(100, 140):
        times[PLACE, "bcast", size] = times[remedied(PLACE), "bcast", size] = launches(generator, 3e-6)
    assert harmed([MENDING], fresh(times), 0.05) == {}


def test_before_and_after_are_compared_within_modes_of_the_machine() -> None:
    """10 % faster, on a machine that is three times as slow in half of the launches; and nothing is taken out where the
    remedy itself may be what makes the mode.
    """
    generator = np.random.default_rng(7)
    times = [launches(generator, 1e-6 * factor, noise=0.03, first=first) for factor, first in ((1.0, 0), (0.9, 20))]
    modes = LaunchModes({i: int(generator.random() < 0.5) for i in range(40)}, ("near", "far"))
    before, after = (
        SizeSeries(64, 64, 1, {i: time * 3.0 ** modes.of_launch[i] for i, time in own.items()}) for own in times
    )
    within, regardless = (compared(before, after, own, paired=False) for own in (modes, LaunchModes()))
    assert within is not None
    assert regardless is not None
    assert within.p_faster < 1e-5
    assert regardless.p_faster > 0.01
    ratio, low, high = within.ratios
    assert low is not None
    assert high is not None
    assert low < 0.9 < high
    assert ratio == pytest.approx(0.9, rel=0.03)
    apart = LaunchModes({i: int(i >= 20) for i in range(40)}, ("near", "far"))
    kept = compared(SizeSeries(64, 64, 1, times[0]), SizeSeries(64, 64, 1, times[1]), apart, paired=False)
    assert kept is not None
    assert len(kept.pair.sizes) == 1
