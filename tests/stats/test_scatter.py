"""Launches needed, told by a few launches: what campaigns of so many find, in simulated worlds whose truth is known."""

from math import exp, log, sqrt

import numpy as np
import pytest
from scipy import special

from ictus.stats.planning import launches_like, power
from ictus.stats.rank_sum_test import RANK_SUM
from ictus.stats.scatter import scatter_of
from ictus.stats.signed_rank_test import SIGNED_RANK

CASES, ALONE = 2, 0.05 / 2
SIZES = np.unique(np.rint(np.geomspace(4, 1000, 26)).astype(np.int64))

DISTRIBUTIONS = {
    "normal": lambda random, shape: 0.1 * random.standard_normal(shape),
    "log-normal": lambda random, shape: 0.045 * np.exp(0.8 * random.standard_normal(shape)),
    "t, 3 degrees": lambda random, shape: 0.1 / sqrt(3) * random.standard_t(3, shape),
    "two modes": lambda random, shape: 0.2 * (random.random(shape) < 0.3) + 0.03 * random.standard_normal(shape),
    "fast or slow": lambda random, shape: (random.random(shape) < 0.4) + 0.05 * random.standard_normal(shape),
}


def true_power(launches, shift):
    """Share of campaigns of each of SIZES, drawn from the truth itself, that the test finds."""
    random, found = np.random.default_rng(3), []
    for size in SIZES:
        a, b = (launches(random, (700 if size < 300 else 300, size)) for _ in range(2))
        found.append((RANK_SUM.rows(np.exp(shift + a), np.exp(b), "two-sided").p_value <= ALONE).mean())
    return np.maximum.accumulate(found)


@pytest.mark.parametrize(
    ("name", "shift"),
    [
        pytest.param(name, shift, marks=() if shift == (0.03, 0.1)[number % 2] else pytest.mark.long)
        for number, name in enumerate(DISTRIBUTIONS)
        for shift in (0.03, 0.1)
    ],
)
def test_as_many_launches_as_pilots_ask_for_find_it_four_times_of_five(name, shift, capsys):
    """On average over pilots of each size, and never much more often; two thirds of the number are clearly too few."""
    launches, random = DISTRIBUTIONS[name], np.random.default_rng(17)
    truth = true_power(launches, shift)
    for size in (5, 10, 20, 30):
        pilots = [np.exp(launches(random, (2, size))) for _ in range(1200 // size)]
        # More than 1,000: what is promised of 1,000 is less than 80 %, and they are not left out.
        numbers = np.array([launches_like(a, b, exp(shift), paired=False, cases=CASES) or 1000 for a, b in pilots])
        found, fewer = (np.interp(np.log(np.ceil(part * numbers)), np.log(SIZES), truth) for part in (1, 2 / 3))
        with capsys.disabled():
            said = f"{np.median(numbers):.0f} launches find it in {found.mean():.1%}, two thirds in {fewer.mean():.1%}"
            print(f"\n{name}, {shift:.0%}, pilots of {size}: {said}", end="")
        assert 0.76 <= found.mean() <= 0.92
        assert fewer.mean() <= min(0.82, found.mean() - 0.07)


def test_pairs_need_what_the_signed_rank_test_needs():
    """Log ratios of few pairs, normal and heavy-tailed, against simulated campaigns of the numbers asked for."""
    random = np.random.default_rng(5)
    for draw in (DISTRIBUTIONS["normal"], DISTRIBUTIONS["t, 3 degrees"]):
        shares = []
        for _ in range(120):
            ratios = np.exp(draw(random, 10))
            needed = launches_like(ratios, np.ones(10), 1.05, paired=True, cases=CASES)
            a = 1.05 * np.exp(draw(random, (50, needed)))
            shares.append((SIGNED_RANK.rows(a, np.ones_like(a), "two-sided").p_value <= ALONE).mean())
        assert 0.76 <= np.mean(shares) <= 0.9


@pytest.mark.parametrize("paired", [False, True])
def test_of_launches_that_are_known_to_be_normal_the_power_is_that_of_simulated_campaigns(paired):
    """Forty quantiles of a normal distribution a side; 12 and 40 launches, weak to strong."""
    quantiles = np.exp(0.1 * special.ndtri((np.arange(40) + 0.5) / 40))
    other = np.ones(40) if paired else quantiles
    sizes, test = np.array([12, 40]), "signed-rank" if paired else "rank-sum"
    for shift in (0.03, 0.06, 0.1):
        expected = [power(exp(shift), 0.1, int(n), int(n), cases=CASES, test=test) for n in sizes]
        scatter = scatter_of(quantiles, other, paired=paired)
        assert scatter.power(shift, sizes, sizes, ALONE) == pytest.approx(expected, abs=0.045)
        assert scatter.power(-shift, sizes, sizes, ALONE) == pytest.approx(expected, abs=0.045)


def test_the_spread_of_normal_launches_is_their_standard_deviation():
    """And the critical shift of many is what a normal launch needs; of four pairs of launches none is found at 1 %."""
    quantiles = np.exp(0.1 * special.ndtri((np.arange(40) + 0.5) / 40))
    scatter = scatter_of(quantiles, quantiles, paired=False)
    assert scatter.spread == pytest.approx(0.1, rel=0.06)
    critical = scatter.critical(np.array([3, 20, 400]), np.array([3, 20, 400]), 0.05)
    assert critical[0] == np.inf
    assert critical[1:] == pytest.approx([0.1 * RANK_SUM.critical_effect(n, n, 0.05) for n in (20, 400)], rel=0.08)


def test_launches_that_say_nothing_are_refused():
    """One launch, launches that do not vary, no ratio; half a unit that does vary is enough, ties and all."""
    one, same = np.array([1.0]), np.ones(8)
    assert scatter_of(one, same, paired=False) is None
    assert scatter_of(same, same, paired=True) is None
    with pytest.raises(ValueError, match="say nothing of more of them"):
        launches_like(same, same, 1.05, paired=False)
    with pytest.raises(ValueError, match="ratio 0 must be positive"):
        launches_like(same, same, 0, paired=False)
    ticks = np.array([1.0, 1.0, 1.0, 1.01, 1.0, 1.0, 1.0, 1.0])
    assert launches_like(ticks, same, 1.1, paired=False) is not None
    assert launches_like(same, ticks[:5], exp(log(1.1)), paired=False) is not None
    assert launches_like(np.array([1.0, 1.1]), np.array([1.0, 1.2]), 1.0001, paired=False) is None
