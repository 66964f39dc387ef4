"""What campaigns until verdicts promise, in simulated worlds: false alarms whatever the number of looks, and launches.

Five cases, of which the first has the true ratio and the others none; Holm; at most 80 launches a side; the same within
5 %. Each case is decided at its look as the product does (ictus.stats.sequential), here for all campaigns at once; a
test holds the two against each other. The fixed design beside it is the smallest number of launches that decides the
first case in as many campaigns, or in 99.9 %; none is sought where fewer than half are decided.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ictus.engine.deciding_schedule import GROWTH, SHARE
from ictus.model.looks import Looks
from ictus.stats.adjust import holm
from ictus.stats.arrays import BoolArray, FloatArray, IntArray
from ictus.stats.binomial_rate import Rate, rate
from ictus.stats.looks import InterimLook
from ictus.stats.modes import DEPENDENT, depends_on_side
from ictus.stats.planning import launches_to_decide
from ictus.stats.strata import Sizes, null_chances, weights_of

CASES, MOST, LEVEL, MARGIN = 5, 80, 0.05, 0.05
RATIOS = (1.0, 1.01, 1.02, 1.05, 1.2)
MOST_POWER = 0.999
MODE_SEQUENCES = 20


@dataclass(frozen=True)
class World:
    """How far launches scatter within a mode (of logarithms), and how much slower the second mode is, if any."""

    name: str
    scatter: float
    slower: float = 1.0


WORLDS = (
    World("one mode, 3 %", 0.03),
    World("two modes, one twice as slow, 3 % within", 0.03, 2.0),
    World("one mode, 10 %", 0.1),
    World("two modes, one twice as slow, 10 % within", 0.1, 2.0),
)


@dataclass(frozen=True)
class Launches:
    """Launch medians of all campaigns: shape (campaigns, cases, launches); modes have shape (campaigns, launches)."""

    a: FloatArray
    b: FloatArray
    mode_a: IntArray
    mode_b: IntArray


def draw(world: World, ratio: float, campaigns: int, launches: int, rng: np.random.Generator) -> Launches:
    """Modes fall by chance, each launch for itself and all its cases together. Campaigns share some sequences of them:
    each pair of sizes has a null distribution of its own, which takes its time.
    """
    sequences = rng.integers(0, 2 if world.slower > 1 else 1, (2, MODE_SEQUENCES, launches))
    mode_a, mode_b = sequences[:, np.arange(campaigns) % MODE_SEQUENCES]
    a, b = np.exp(world.scatter * rng.standard_normal((2, campaigns, CASES, launches)))
    a *= np.where(mode_a, world.slower, 1.0)[:, np.newaxis]
    b *= np.where(mode_b, world.slower, 1.0)[:, np.newaxis]
    a[:, 0] *= ratio
    return Launches(a, b, mode_a, mode_b)


@dataclass(frozen=True)
class Judged:
    """Columns of shape (rows,): p-value, which way, and whether the interval lies inside the margin."""

    p_value: FloatArray
    slower: BoolArray
    inside: BoolArray


def judge_rows(drawn: Launches, n: int, rows: BoolArray, level: float, dependence: float = DEPENDENT) -> Judged:
    """The first `n` launches of the (campaign, case) in `rows`, within modes where these do not depend on the side, by
    a test at `dependence`.

    The interval lies inside the margin where the one-sided tests at half the level reject shifts of the margin.
    """
    found = Judged(*(np.zeros(rows.shape, dtype) for dtype in (float, bool, bool)))
    for sizes, members in _by_strata(drawn, n, np.flatnonzero(rows.any(axis=1)), dependence).items():
        campaigns = np.array([campaign for campaign, _, _ in members])
        where, cases = np.nonzero(rows[campaigns])
        a = drawn.a[campaigns[where][:, np.newaxis], cases[:, np.newaxis], np.array([x for _, x, _ in members])[where]]
        b = drawn.b[campaigns[where][:, np.newaxis], cases[:, np.newaxis], np.array([y for _, _, y in members])[where]]
        chances = null_chances(sizes, paired=False)
        above, beyond, short = (
            _above(np.log(a) - shift, np.log(b), sizes) for shift in (0.0, np.log1p(MARGIN), -np.log1p(MARGIN))
        )
        p_less, p_greater = chances[above], chances[len(chances) - 1 - above]
        at = (campaigns[where], cases)
        found.p_value[at] = np.minimum(1.0, 2 * np.minimum(p_less, p_greater))
        found.slower[at] = p_greater < p_less
        found.inside[at] = (chances[beyond] <= level / 2) & (chances[len(chances) - 1 - short] <= level / 2)
    return found


def _above(a: FloatArray, b: FloatArray, sizes: Sizes) -> IntArray:
    """The weighted number of pairs, within strata, in which a is above b, by ranks: shape (rows,)."""
    total = np.zeros(len(a), np.int64)
    begin_a = begin_b = 0
    for (n, m), weight in zip(sizes, weights_of(sizes, paired=False), strict=True):
        own = np.concatenate((a[:, begin_a : begin_a + n], b[:, begin_b : begin_b + m]), axis=1)
        ranks = np.argsort(np.argsort(own, axis=1), axis=1)
        total += weight * (ranks[:, :n].sum(axis=1) - n * (n - 1) // 2)
        begin_a, begin_b = begin_a + n, begin_b + m
    return total


def _by_strata(
    drawn: Launches, n: int, campaigns: IntArray, level: float
) -> dict[Sizes, list[tuple[int, IntArray, IntArray]]]:
    """By the sizes of their strata, campaigns with the launches of both sides that are compared, by mode. Launches in a
    mode that the other side never had are left out.
    """
    groups: dict[Sizes, list[tuple[int, IntArray, IntArray]]] = {}
    for campaign in campaigns:
        modes = drawn.mode_a[campaign, :n], drawn.mode_b[campaign, :n]
        counts = tuple(tuple(int((side == mode).sum()) for side in modes) for mode in (0, 1))
        sizes: Sizes = ((n, n),)
        launches = [np.arange(n), np.arange(n)]
        if all(map(any, counts)) and not _dependent(counts, level):
            shared = [mode for mode in (0, 1) if all(counts[mode])]
            sizes = tuple((counts[mode][0], counts[mode][1]) for mode in shared)
            launches = [np.concatenate([np.flatnonzero(side == mode) for mode in shared]) for side in modes]
        groups.setdefault(sizes, []).append((int(campaign), *launches))
    return groups


@lru_cache(maxsize=100_000)
def _dependent(counts: tuple[tuple[int, ...], ...], level: float) -> bool:
    """Whether modes depend on the side: then, as in the product, launches are compared regardless of them."""
    sides = (np.repeat([0, 1], [pair[side] for pair in counts]) for side in (0, 1))
    return depends_on_side(*sides, level)


@dataclass(frozen=True)
class Followed:
    """Of all campaigns and cases, shape (campaigns, cases): the launches of the look that decided them, the verdict."""

    launches: IntArray
    slower: BoolArray
    faster: BoolArray
    same: BoolArray

    @property
    def decided(self) -> BoolArray:
        """Any verdict."""
        return self.slower | self.faster | self.same


def follow_all(drawn: Launches, looks: Looks, most: int = MOST) -> Followed:
    """Every campaign until all of its cases are decided, or for the `most` launches."""
    shape = drawn.a.shape[:2]
    open_rows, valid = np.ones(shape, bool), np.ones(shape)
    launches = np.full(shape, most)
    slower, faster, same = (np.zeros(shape, bool) for _ in range(3))
    for number, n in enumerate(looks.until(most), 1):
        if not open_rows.any():
            break
        look = InterimLook(looks, number)
        judged = judge_rows(drawn, n, open_rows, look.nominal_level(LEVEL), look.nominal_level(DEPENDENT))
        valid[open_rows] = look.valid_p(judged.p_value[open_rows])
        significant = open_rows & (holm(valid) <= LEVEL)
        alike = open_rows & judged.inside & ~significant
        slower |= significant & judged.slower
        faster |= significant & ~judged.slower
        same |= alike
        launches[significant | alike] = n
        open_rows &= ~(significant | alike)
    return Followed(launches, slower, faster, same)


def fixed_decides(drawn: Launches, n: int, level: float = LEVEL) -> float:
    """The share of campaigns of a fixed number of launches that decide the first case."""
    judged = judge_rows(drawn, n, np.ones(drawn.a.shape[:2], bool), level)
    return float((((holm(judged.p_value) <= level) | judged.inside)[:, 0]).mean())


def fixed_launches(drawn: Launches, share: float) -> int | None:
    """The smallest fixed number of launches that decides the first case in so many campaigns, to one launch."""
    low, high = 3, MOST
    if fixed_decides(drawn, high) < share:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fixed_decides(drawn, middle) >= share else (middle, high)
    return high


@dataclass(frozen=True)
class Row:
    """One world and ratio."""

    world: World
    ratio: float
    false_alarms: Rate
    """Campaigns with any case called different that is not, or the first the wrong way."""
    false_same: Rate | None
    """Of a ratio at the margin: campaigns that call it the same."""
    slower: float
    same: float
    launches: float
    """Mean until the first case is decided, or given up."""
    all_cases: float
    """Mean of the launches that a case is measured in, over all cases."""
    fixed: int | None


def measure(world: World, ratio: float, campaigns: int, seed: int) -> Row:
    """Follow so many campaigns, and find the fixed design beside them in others."""
    rng = np.random.default_rng((seed, round(1e3 * ratio)))
    looks = looks_of()
    found = follow_all(draw(world, ratio, campaigns, MOST, rng), looks)
    null = found.slower | found.faster
    if ratio != 1.0:
        null[:, 0] = found.faster[:, 0]
    first = float(found.decided[:, 0].mean())
    at_margin = rate(int(found.same[:, 0].sum()), campaigns, "at most", LEVEL) if ratio >= 1 + MARGIN else None
    return Row(
        world,
        ratio,
        rate(int(null.any(axis=1).sum()), campaigns, "at most", LEVEL),
        at_margin,
        float(found.slower[:, 0].mean()),
        float(found.same[:, 0].mean()),
        float(found.launches[:, 0].mean()),
        float(found.launches.mean()),
        fixed_launches(draw(world, ratio, campaigns, MOST, rng), min(first, MOST_POWER)) if first >= 0.5 else None,
    )


def looks_of() -> Looks:
    """Those that the product chooses for so many cases."""
    return Looks(launches_to_decide(CASES, level=SHARE * LEVEL), GROWTH, SHARE)


def rows(campaigns: int) -> Iterator[Row]:
    """All worlds and ratios."""
    for seed, world in enumerate(WORLDS):
        for ratio in RATIOS:
            yield measure(world, ratio, campaigns, seed)
