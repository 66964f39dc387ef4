"""The error that looks spend, against an independent integral and simulated motions; and what follows from both."""

import numpy as np
import pytest
from scipy import stats

from ictus.model.looks import Looks
from ictus.stats.binomial_rate import rate
from ictus.stats.looks import InterimLook, nominal_level

LOOKS = Looks(first=6, growth=1.2, share=0.15)


def chance_to_cross(times: tuple[int, ...], nominal: list[float]) -> float:
    """By scipy's integral of the joint normal distribution of the statistics at all looks (Genz), not by recursion."""
    t = np.array(times, dtype=float)
    covariance = np.sqrt(np.minimum.outer(t, t) / np.maximum.outer(t, t))
    bounds = -stats.norm.ppf(np.array(nominal) / 2)
    inside = stats.multivariate_normal.cdf(
        bounds, mean=np.zeros(t.size), cov=covariance, lower_limit=-bounds, abseps=3e-7, maxpts=2_000_000
    )
    return 1 - float(inside)


def test_looks_grow_from_the_first() -> None:
    """By the factor, and by one launch at least."""
    assert Looks(10, 2, 0.8).until(80) == (10, 20, 40, 80)
    assert Looks(3, 1.2, 0.15).until(9) == (3, 4, 5, 6, 8)
    assert Looks(10, 2, 0.8).until(9) == ()
    assert Looks(10, 2, 0.8).from_on(21) == Looks(10, 2, 0.8).from_on(40) == 40


@pytest.mark.few(1)
@pytest.mark.parametrize("looks", [LOOKS, Looks(10, 2, 0.8)])
@pytest.mark.parametrize("level", [0.05, 0.001])
def test_each_look_spends_its_share_of_what_is_left(looks: Looks, level: float) -> None:
    """The chance to cross by look k is level (1 - (1 - share)^k); a level 5 % too large would be seen."""
    times = looks.until(30)[:4]
    nominal = [nominal_level(looks, number, level) for number in range(1, len(times) + 1)]
    assert nominal[0] == pytest.approx(level * looks.share, rel=1e-9)
    for number in range(1, len(times) + 1):
        spent = level * (1 - (1 - looks.share) ** number)
        assert chance_to_cross(times[:number], nominal[:number]) == pytest.approx(spent, rel=5e-3)
        assert chance_to_cross(times[:number], [1.05 * one for one in nominal[:number]]) > 1.03 * spent


def test_a_simulated_motion_crosses_as_often_as_promised() -> None:
    """Twenty looks, 100,000 motions; untouched p-values at level 5 % would cross four times as often."""
    times = LOOKS.until(10**6)[:20]
    steps = np.diff((0, *times))
    motion = np.cumsum(np.random.default_rng(1).standard_normal((100_000, 20)) * np.sqrt(steps), axis=1)
    p_values = 2 * stats.norm.sf(np.abs(motion) / np.sqrt(times))
    nominal = np.array([nominal_level(LOOKS, number, 0.05) for number in range(1, 21)])
    crossed = (p_values <= nominal).any(axis=1)
    assert rate(int(crossed.sum()), crossed.size, "exactly", 0.05 * (1 - 0.85**20)).holds
    assert (p_values <= 0.05).any(axis=1).mean() > 0.2


@pytest.mark.parametrize("number", [1, 2, 7, 14])
def test_a_valid_p_is_the_level_at_which_a_look_rejects(number: int) -> None:
    """The inverse of the nominal level, ascending in p; above one half it is 1, unknown stays unknown."""
    levels = np.array([1e-8, 1e-5, 0.0012, 0.01, 0.05, 0.3])
    nominal = np.array([nominal_level(LOOKS, number, float(level)) for level in levels])
    look = InterimLook(LOOKS, number)
    np.testing.assert_allclose(look.valid_p(nominal), levels, rtol=2e-3)
    p_values = np.geomspace(1e-12, 1, 400)
    valid = look.valid_p(p_values)
    assert (np.diff(valid) >= 0).all()
    assert (valid >= np.minimum(p_values, valid.max())).all()
    assert look.valid_p(np.array([0.999]))[0] == 1.0
    assert np.isnan(look.valid_p(np.array([np.nan]))[0])


@pytest.mark.parametrize("wrong", [(0, 1.2, 0.15), (6, 1.0, 0.15), (6, 1.2, 0.0), (6, 1.2, 1.5)])
def test_impossible_looks_are_refused(wrong: tuple[int, float, float]) -> None:
    """No launch, no growth, no share."""
    with pytest.raises(ValueError, match="a first look at 1 launch or more"):
        Looks(*wrong)
