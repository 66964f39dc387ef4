"""Is a 95 % interval still one where it was looked at after every launch, and the campaign ended when it was narrow?

Campaigns are simulated by the thousand: launch medians come one by one, and the first moment at which the goal is met
ends it. statistics.md promises that 93 % of the intervals then cover, in launches that are normal on the log
scale, have heavy tails, two modes, or are skewed.
"""

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import optimize, stats

from ictus.stats.binomial_rate import Rate, rate
from ictus.stats.median import order_rank
from ictus.stats.null_distribution import rank_sum_count, signed_rank_count
from ictus.stats.precision import (
    LOOKS,
    median_half_width,
    median_reached,
    ratio_half_width,
    ratio_reached,
)

PROMISED = 0.93
LEAST = 10
SPREAD = 0.1
"""Of the log medians, in about every world."""
Logs = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, ...]], Logs]


def two_modes(random: np.random.Generator, shape: tuple[int, ...]) -> Logs:
    """Three launches in ten take a slower path, by two spreads."""
    return np.asarray(2.0 * (random.random(shape) < 0.3) + 0.2 * random.standard_normal(shape))


def median_of_two_modes() -> float:
    """Where half of the mixture lies below."""

    def below(x: float) -> float:
        return float(0.7 * stats.norm.cdf(x, 0, 0.2) + 0.3 * stats.norm.cdf(x, 2, 0.2) - 0.5)

    return float(optimize.brentq(below, -1, 1))


WORLDS: dict[str, tuple[Draw, float]] = {
    "normal": (lambda random, shape: random.standard_normal(shape), 0.0),
    "heavy tails": (lambda random, shape: random.standard_t(3, shape) / np.sqrt(3), 0.0),
    "two modes": (two_modes, median_of_two_modes()),
    "skewed": (lambda random, shape: np.exp(0.8 * random.standard_normal(shape)), 1.0),
}


def median_limits(logs: Logs) -> tuple[Logs, Logs]:
    """Limits of the median of each row, as `median_interval` has them; infinite where there are none."""
    n = logs.shape[1]
    rank = order_rank(n, 0.95)
    if not rank:
        return np.full(len(logs), -np.inf), np.full(len(logs), np.inf)
    ordered = np.partition(logs, (rank - 1, n - rank), axis=1)
    return ordered[:, rank - 1], ordered[:, n - rank]


def shift_limits(a: Logs, b: Logs) -> tuple[Logs, Logs]:
    """Limits of the shift of each row of `a` against that of `b`, as `hodges_lehmann` has them."""
    n = a.shape[1]
    count = rank_sum_count(n, n, 0.025)
    shifts = (a[:, :, np.newaxis] - b[:, np.newaxis, :]).reshape(len(a), n * n)
    ordered = np.partition(shifts, (count - 1, n * n - count), axis=1)
    return ordered[:, count - 1], ordered[:, n * n - count]


def pursued(
    look: Callable[[NDArray[np.int64], int], tuple[Logs, Logs]], campaigns: int, share: float, most: int, looks: int
) -> tuple[Logs, Logs, NDArray[np.int64]]:
    """(limits at the end, launches at the end) of each campaign; a look sees the first n launches."""
    rows = np.arange(campaigns)
    low, high, ended = np.zeros(rows.size), np.zeros(rows.size), np.zeros(rows.size, int)
    held = np.zeros(rows.size, int)
    going = rows
    for n in range(LEAST - looks + 1, most + 1):
        limits = look(going, n)
        held[going] = np.where(limits[1] - limits[0] <= 2 * np.log1p(share), held[going] + 1, 0)
        stop = ((held[going] >= looks) & (n >= LEAST)) | (n == most)
        done = going[stop]
        low[done], high[done], ended[done] = limits[0][stop], limits[1][stop], n
        going = going[~stop]
        if not going.size:
            break
    return low, high, ended


def of_median(
    world: str, share: float, campaigns: int, most: int, seed: int = 1, *, looks: int = LOOKS
) -> tuple[Rate, Logs, NDArray[np.int64]]:
    """Coverage of the median's interval at the end, the launches and when each campaign ended."""
    draw, centre = WORLDS[world]
    logs = SPREAD * draw(np.random.default_rng(seed), (campaigns, most))
    low, high, ended = pursued(lambda rows, n: median_limits(logs[rows, :n]), campaigns, share, most, looks)
    covered = (low <= SPREAD * centre) & (SPREAD * centre <= high)
    return rate(int(covered.sum()), campaigns, "at least", PROMISED), logs, ended


def of_ratio(
    world: str, share: float, campaigns: int, most: int, seed: int = 1, *, looks: int = LOOKS
) -> tuple[Rate, Logs, NDArray[np.int64]]:
    """The same of the ratio of two that are alike."""
    draw, _ = WORLDS[world]
    logs = SPREAD * draw(np.random.default_rng(seed), (2, campaigns, most))
    low, high, ended = pursued(
        lambda rows, n: shift_limits(logs[0, rows, :n], logs[1, rows, :n]), campaigns, share, most, looks
    )
    return rate(int(((low <= 0) & (high >= 0)).sum()), campaigns, "at least", PROMISED), logs, ended


def walsh_limits(ratios: Logs) -> tuple[Logs, Logs]:
    """Limits of the shift of each row of log ratios of pairs, as `hodges_lehmann` has them."""
    n = ratios.shape[1]
    count = signed_rank_count(n, 0.025)
    if not count:
        return np.full(len(ratios), -np.inf), np.full(len(ratios), np.inf)
    first, second = np.triu_indices(n)
    averages = (ratios[:, first] + ratios[:, second]) / 2
    ordered = np.partition(averages, (count - 1, first.size - count), axis=1)
    return ordered[:, count - 1], ordered[:, first.size - count]


def of_pairs(
    world: str, share: float, campaigns: int, most: int, seed: int = 1
) -> tuple[Rate, Logs, NDArray[np.int64]]:
    """The same of the ratio of pairs: what both of a launch have in common is gone, what is left is symmetric."""
    draw, _ = WORLDS[world]
    random = np.random.default_rng(seed)
    logs = SPREAD * (draw(random, (campaigns, most)) - draw(random, (campaigns, most)))
    low, high, ended = pursued(lambda rows, n: walsh_limits(logs[rows, :n]), campaigns, share, most, LOOKS)
    return rate(int(((low <= 0) & (high >= 0)).sum()), campaigns, "at least", PROMISED), logs, ended


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("share", [0.06, 0.035, 0.025])
def test_intervals_of_medians_cover_at_the_end(world: str, share: float) -> None:
    """Campaigns that end after about 15, 40 and 80 launches (a normal world)."""
    found, _, ended = of_median(world, share, campaigns=1500, most=160)
    print(world, share, found, f"launches {ended.mean():.1f}")
    assert found.holds
    assert LEAST <= ended.mean() < 140


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("share", [0.08, 0.055])
def test_intervals_of_ratios_cover_at_the_end(world: str, share: float) -> None:
    """Campaigns that end after about 15 and 30 launches a side."""
    found, _, ended = of_ratio(world, share, campaigns=600, most=60, seed=2)
    print(world, share, found, f"launches {ended.mean():.1f}")
    assert found.holds
    assert LEAST <= ended.mean() < 55


@pytest.mark.parametrize("world", WORLDS)
def test_intervals_of_ratios_of_pairs_cover_at_the_end(world: str) -> None:
    """Campaigns that end after about 30 launches, which have both."""
    found, _, ended = of_pairs(world, 0.055, campaigns=600, most=80, seed=4)
    print(world, found, f"launches {ended.mean():.1f}")
    assert found.holds
    assert LEAST <= ended.mean() < 70


def test_one_look_would_cover_less() -> None:
    """The simulation tells: who stops at the first narrow interval covers clearly less than 95 %, and less than two
    looks in a row in the same campaigns.
    """
    one, two = (of_median("skewed", 0.025, campaigns=2500, most=160, looks=looks)[0] for looks in (1, 2))
    assert one.high < 0.94
    assert two.share > one.share + 0.01


def test_the_simulated_end_is_that_of_the_campaigns_rule() -> None:
    """Campaign by campaign: the goal is reached at the simulated end, and not at any look before."""
    _, logs, ended = of_median("skewed", 0.05, campaigns=12, most=80, seed=3)
    for row, n in zip(np.exp(logs), ended, strict=True):
        assert n < 80
        assert [k for k in range(LEAST, n + 1) if median_reached(row[:k], 0.05)] == [n]
        assert median_half_width(row[:n]) <= 0.05  # type: ignore[operator]
    _, both, ended = of_ratio("normal", 0.07, campaigns=6, most=60, seed=3)
    for a, b, n in zip(*np.exp(both), ended, strict=True):
        assert [k for k in range(LEAST, n + 1) if ratio_reached(a[:k], b[:k], 0.07)] == [n]
        assert ratio_half_width(a[:n], b[:n]) <= 0.07  # type: ignore[operator]
    _, ratios, ended = of_pairs("normal", 0.07, campaigns=6, most=60, seed=3)
    common = np.random.default_rng(5).normal(size=60)  # of each launch, for both
    for row, n in zip(ratios, ended, strict=True):
        a, b = np.exp(row + common), np.exp(common)
        assert [k for k in range(LEAST, n + 1) if ratio_reached(a[:k], b[:k], 0.07, paired=True)] == [n]
        assert ratio_half_width(a[:n], b[:n], paired=True) <= 0.07  # type: ignore[operator]
