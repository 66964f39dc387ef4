"""A check that grows: no more false alarms over its looks together, and what one of them found stays."""

from dataclasses import replace

import numpy as np
import pytest
from tests.guidelines.measurements import GL3, measured, series

from ictus.guidelines.judgement import Options
from ictus.guidelines.measured import GuidelineMedians, LaunchModes
from ictus.guidelines.verdict import GuidelineVerdict, State
from ictus.guidelines.verify import GuidelineLook, verify
from ictus.model.looks import Looks
from ictus.stats.arrays import FloatArray
from ictus.stats.binomial_rate import rate
from ictus.stats.looks import InterimLook
from ictus.stats.signed_rank_test import SIGNED_RANK

LOOKS = Looks(10, 2, 0.9)
OPTIONS = Options(adjust="none")


def of_launches(left: FloatArray, right: FloatArray) -> GuidelineMedians:
    """GL3 at one size."""
    return measured({"gather": [series(64, list(left))], "gather_as_allgather": [series(64, list(right))]})


def judged(left: FloatArray, right: FloatArray, numbers: tuple[int, ...]) -> GuidelineVerdict:
    """At all of these looks."""
    looks = [
        GuidelineLook(InterimLook(LOOKS, number), of_launches(left[:n], right[:n]), ())
        for number, n in enumerate(numbers, 1)
    ]
    (found,) = verify([GL3], looks[-1].measured, OPTIONS, looks=looks)
    return found


def test_over_all_looks_an_honest_call_is_blamed_as_often_as_promised() -> None:
    """By the p-values of a thousand campaigns at 10, 20 and 40 launches: judged at each as if it were the only one, it
    is blamed far more often.
    """
    a, b = np.exp(0.05 * np.random.default_rng(1).standard_normal((2, 1000, 40)))
    p_values = [SIGNED_RANK.rows(a[:, :n], b[:, :n], "greater").p_value for n in (10, 20, 40)]
    valid = [InterimLook(LOOKS, number).valid_one_sided(p) for number, p in enumerate(p_values, 1)]
    assert rate(int((np.min(valid, axis=0) <= 0.05).sum()), 1000, "at most", 0.05).holds
    assert not rate(int((np.min(p_values, axis=0) <= 0.05).sum()), 1000, "at most", 0.05).holds


def test_a_violation_that_a_look_found_stays() -> None:
    """Ten launches show it clearly, the next ten the contrary: judged at once the twenty show nothing."""
    noise = np.exp(0.01 * np.random.default_rng(2).standard_normal((2, 20)))
    left, right = noise[0] * np.where(np.arange(20) < 10, 1.1, 0.9), noise[1]
    first, both = judged(left, right, (10,)), judged(left, right, (10, 20))
    assert (first.state, both.state) == (State.VIOLATED, State.VIOLATED)
    assert both.p_adjusted == first.p_adjusted
    assert both.n_launches == 20
    (at_once,) = verify([GL3], of_launches(left, right), OPTIONS)
    assert at_once.state is State.HOLDS
    assert at_once.p_adjusted is not None
    assert at_once.p_adjusted > 0.3


def by_mode(left: FloatArray, right: FloatArray, modes: LaunchModes) -> GuidelineMedians:
    return replace(of_launches(left, right), modes=modes)


TWO = LaunchModes({number: number % 2 for number in range(80)}, ("near", "far"))


@pytest.mark.parametrize("later", [TWO, LaunchModes()], ids=["alike", "not told apart"])
def test_a_violation_by_mode_that_a_look_found_stays(later: LaunchModes) -> None:
    """Forty launches are slower where cores are far and faster where they are near; with forty more, of the contrary,
    modes do not differ. The rows of modes were cut off, and the violation with them.
    """
    noise = np.exp(0.01 * np.random.default_rng(4).standard_normal((2, 80)))
    far, first = np.arange(80) % 2 == 1, np.arange(80) < 40
    left, right = noise[0] * np.where(far == first, 1.2, 0.8), noise[1]
    looks = [
        GuidelineLook(InterimLook(LOOKS, 1), by_mode(left[:40], right[:40], TWO), ()),
        GuidelineLook(InterimLook(LOOKS, 2), by_mode(left, right, later), ()),
    ]
    (once,) = verify([GL3], looks[0].measured, OPTIONS, looks=looks[:1])
    (both,) = verify([GL3], looks[1].measured, OPTIONS, looks=looks)
    (alone,) = verify([GL3], looks[1].measured, OPTIONS, looks=[replace(looks[1], look=InterimLook(LOOKS, 2))])
    assert [mode.state for mode in once.by_mode] == [State.HOLDS, State.VIOLATED]
    assert (once.state, both.state, alone.state) == (State.VIOLATED, State.VIOLATED, State.HOLDS)
    assert alone.by_mode == ()
    if later is TWO:
        assert [mode.state for mode in both.by_mode] == [State.HOLDS, State.VIOLATED]
        assert both.by_mode[1].p_adjusted == once.by_mode[1].p_adjusted
    else:
        assert both.p_adjusted == once.by_mode[1].p_adjusted


def test_the_first_look_has_nine_tenths_of_the_error() -> None:
    """A tenth is kept for more launches, so that the p-value of ten is a little larger than alone."""
    left, right = np.exp(0.05 * np.random.default_rng(3).standard_normal((2, 10)))
    left *= 1.05
    (alone,) = verify([GL3], of_launches(left, right), OPTIONS)
    assert alone.p_value is not None
    here = GuidelineLook(InterimLook(LOOKS, 1), of_launches(left, right), ())
    (look,) = verify([GL3], here.measured, OPTIONS, looks=[here])
    assert look.p_value == alone.p_value
    assert look.p_adjusted is not None
    assert alone.p_value < look.p_adjusted < alone.p_value / 0.85
