"""Ways to stop when a verdict is known, beside each other: error spending, and what is valid at any time.

One case, judged at a fifth of the level (as the first of five under Holm), normal launches, at most 80 a side.
`spending` is the product's; `union` gives each look its share and ignores that looks resemble each other; `signs` bets
on which side of a round is slower (a beta-binomial mixture: I. Waudby-Smith and A. Ramdas 2024, Estimating means of
bounded random variables by betting), valid after every round; `mixture` holds the rank statistic after every round
against Robbins' normal mixture (S. R. Howard et al. 2021, Time-uniform confidence sequences), valid for many launches
only.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest
from scipy import special
from tests.page_tables import campaigns
from tools.marked_page import table

from ictus.engine.deciding_schedule import GROWTH, SHARE
from ictus.model.looks import Looks
from ictus.stats.arrays import BoolArray, FloatArray
from ictus.stats.binomial_rate import rate
from ictus.stats.looks import nominal_level
from ictus.stats.null_distribution import rank_sum_distribution
from ictus.stats.planning import launches_to_decide

MOST, LEVEL = 80, 0.01
EFFECTS = (0.0, 0.5, 1.0, 1.67, 2.0, 6.0)
"""The shift in standard deviations of the launches."""
FIRST = launches_to_decide(1, level=SHARE * LEVEL)
LOOKS = Looks(FIRST, GROWTH, SHARE)
Crossed = Callable[[FloatArray, FloatArray, int], BoolArray]
"""(A, B, look or round from 1) to the campaigns that are rejected there; A and B have the launches so far."""


@lru_cache(maxsize=128)
def _chances(n: int) -> FloatArray:
    return np.asarray(np.minimum(np.cumsum(rank_sum_distribution(n, n)), 1.0))


def _pairs_above(a: FloatArray, b: FloatArray) -> FloatArray:
    """Mann and Whitney's U of each row, by ranks."""
    n = a.shape[1]
    ranks = np.argsort(np.argsort(np.concatenate((a, b), axis=1), axis=1), axis=1)
    return np.asarray(ranks[:, :n].sum(axis=1) - n * (n - 1) // 2)


def _p_value(a: FloatArray, b: FloatArray) -> FloatArray:
    above, n = _pairs_above(a, b), a.shape[1]
    chances = _chances(n)
    return np.minimum(1.0, 2 * np.minimum(chances[above], chances[n * n - above]))


def spending(a: FloatArray, b: FloatArray, look: int) -> BoolArray:
    """The product's: the nominal level of the look."""
    return _p_value(a, b) <= nominal_level(LOOKS, look, LEVEL)


def union(a: FloatArray, b: FloatArray, look: int) -> BoolArray:
    """Each look its share."""
    return _p_value(a, b) <= LEVEL * SHARE * (1 - SHARE) ** (look - 1)


def signs(a: FloatArray, b: FloatArray, round_number: int) -> BoolArray:
    """The wealth of a bettor whose stake is mixed by Jeffreys' prior: 2^n B(k + 1/2, n - k + 1/2) / B(1/2, 1/2)."""
    slower = (a > b).sum(axis=1)
    wealth = special.betaln(slower + 0.5, round_number - slower + 0.5) - special.betaln(0.5, 0.5)
    return np.asarray(wealth + round_number * np.log(2) >= -np.log(LEVEL))


def mixture(a: FloatArray, b: FloatArray, round_number: int) -> BoolArray:
    """|Z| >= sqrt((1 + 1 / (rho n)) log((1 + rho n) / level^2)), rho tuned for about twenty rounds."""
    n, rho = round_number, 0.4
    z = np.abs(_pairs_above(a, b) - n * n / 2) / np.sqrt(n * n * (2 * n + 1) / 12)
    return np.asarray(z >= np.sqrt((1 + 1 / (rho * n)) * np.log((1 + rho * n) / LEVEL**2)))


CONTENDERS: dict[str, tuple[Crossed, tuple[int, ...]]] = {
    "spending": (spending, LOOKS.until(MOST)),
    "union": (union, LOOKS.until(MOST)),
    "signs": (signs, tuple(range(1, MOST + 1))),
    "mixture": (mixture, tuple(range(1, MOST + 1))),
}


def stopped(crossed: Crossed, at: tuple[int, ...], a: FloatArray, b: FloatArray) -> tuple[float, float]:
    """The share of campaigns that are rejected, and the mean of the launches until then."""
    going, ended = np.arange(len(a)), np.full(len(a), MOST)
    found = 0
    for number, n in enumerate(at, 1):
        hit = crossed(a[going, :n], b[going, :n], number)
        ended[going[hit]] = n
        found += int(hit.sum())
        going = going[~hit]
    return found / len(a), float(ended.mean())


def test_error_spending_needs_the_fewest_launches_of_what_keeps_the_level() -> None:
    """Against shares without regard to resemblance, bets on signs, and a normal mixture."""
    a, b = np.random.default_rng(3).standard_normal((2, 600, MOST))
    for crossed, at in CONTENDERS.values():
        alarms, _ = stopped(crossed, at, a, b)
        assert rate(round(600 * alarms), 600, "at most", LEVEL).holds
    needed = {name: stopped(crossed, at, a + 1.67, b)[1] for name, (crossed, at) in CONTENDERS.items()}
    assert min(needed, key=lambda name: needed[name]) == "spending"


def fixed_launches(a: FloatArray, b: FloatArray) -> int | None:
    """The fewest launches of a fixed design that find it in 99 %."""
    numbers = range(3, MOST + 1)
    return next((n for n in numbers if (_p_value(a[:, :n], b[:, :n]) <= LEVEL).mean() >= 0.99), None)


@pytest.mark.long
def test_no_way_is_wrong_too_often_whatever_its_launches() -> None:
    """4,000 campaigns of each shift: the table of decision 36."""
    n, rows = campaigns(4000), []
    for effect in EFFECTS:
        a, b = np.random.default_rng(1).standard_normal((2, n, MOST))
        found = [stopped(crossed, at, a + effect, b) for crossed, at in CONTENDERS.values()]
        assert effect or all(rate(round(n * alarms), n, "at most", LEVEL).holds for alarms, _ in found)
        fixed = fixed_launches(a + effect, b) or f"over {MOST}"
        rows.append((f"{effect:g}", *(f"{share:.2%}, {mean:.1f}" for share, mean in found), fixed))
    print(table(("shift", *(f"{name}: found, launches" for name in CONTENDERS), "fixed, 99 %"), rows))
