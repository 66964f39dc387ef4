"""What a number of launches can show at best, the power of a planned campaign, and the launches that it needs.

Rank tests of few launches have few possible p-values: 5 against 5 launches cannot give less than 2 / C(10, 5) =
0.0079, which Holm's adjustment lifts above 5 % as soon as 7 cases are judged together. There "no difference" would be
false, and "undecided" only half the truth.

`power` and `launches_needed` take the scatter of launches as the standard deviation `spread` of the log launch medians
(of the log ratios, for pairs), with normal logarithms; launch medians scatter by a factor of 0.7 to 1.4 on the machines
measured, a spread of about 0.17. `launches_like` takes a few launches instead (`scatter.py`). Tests compare all of them
with simulated campaigns; `sample_size.py` is for a campaign that continues.
"""

from functools import lru_cache
from math import log, pi, sqrt

import numpy as np
import scipy

from ictus.stats.adjust import find_adjustment
from ictus.stats.arrays import FloatArray, IntArray
from ictus.stats.hypothesis import Alternative, HypothesisTest
from ictus.stats.registry import find_test
from ictus.stats.scatter import scatter_of


def smallest_p(n: int, m: int, test: str = "rank-sum", alternative: Alternative = "two-sided") -> float:
    """The smallest p-value that `test` can give for `n` and `m` launches; `ValueError` unless both are at least 1."""
    if min(n, m) < 1:
        raise ValueError(f"{n} and {m} launches: a test needs at least one on each side")
    sides = 2 if alternative == "two-sided" else 1
    return min(1.0, sides * find_test(test, paired=True).smallest_p(n, m))


def can_decide(
    n: int, m: int, cases: int, *, level: float = 0.05, test: str = "rank-sum", adjust: str = "holm"
) -> bool:
    """Whether `n` against `m` launches can ever call one of `cases` cases faster or slower at `level` after
    adjustment.
    """
    best = np.full(max(cases, 1), smallest_p(n, m, test))
    return bool(find_adjustment(adjust).apply(best)[0] <= level)


@lru_cache(maxsize=256)
def launches_to_decide(cases: int, *, level: float = 0.05, test: str = "rank-sum", adjust: str = "holm") -> int:
    """The smallest number of launches per side for which `can_decide` holds."""
    launches = 1
    while not can_decide(launches, launches, cases, level=level, test=test, adjust=adjust):
        launches += 1
    return launches


MOST_LAUNCHES = 1000
CHANCE = 0.8
STEPS = np.unique(np.rint(np.geomspace(1, MOST_LAUNCHES, 90)).astype(np.int64))
"""The numbers of launches that a search tries first."""
_CAMPAIGNS, _BLOCK, _SEED = 4000, 2_000_000, 1


def power(
    ratio: float, spread: float, n: int, m: int, *,
    cases: int = 1, level: float = 0.05, test: str = "rank-sum", adjust: str = "holm",
) -> float:  # fmt: skip
    """The chance that `n` against `m` launches find a case whose true ratio is `ratio`, judged with `cases - 1`
    others without a difference.

    It is the share of simulated campaigns of that size that find it, seeded, so that equal questions have equal
    answers; its own standard error is below 0.01. `ValueError` for a ratio or spread that is not positive.
    """
    member, alone = _planned(ratio, spread, cases=cases, level=level, test=test, adjust=adjust)
    return _share_found(member, ratio, spread, n=n, m=m, level=alone)


def launches_needed(
    ratio: float, spread: float, *,
    chance: float = CHANCE, cases: int = 1, level: float = 0.05, test: str = "rank-sum", adjust: str = "holm",
) -> int | None:  # fmt: skip
    """Launches per side for which `power` reaches `chance`; None when it takes more than 1,000. Errors as in `power`.

    The standard error of the shift says where to look, simulated campaigns have the last word.
    """
    member, alone = _planned(ratio, spread, cases=cases, level=level, test=test, adjust=adjust)
    effect, margin = abs(log(ratio)) / spread, float(scipy.special.ndtri(chance))
    launches = 1
    while launches <= MOST_LAUNCHES:
        error = shift_error(launches, launches, member.paired)
        likely = member.critical_effect(launches, launches, alone) + margin * error <= effect
        if likely and _share_found(member, ratio, spread, n=launches, m=launches, level=alone) >= chance:
            return launches
        launches += max(1, launches // 50)
    return None


def _planned(
    ratio: float, spread: float, *, cases: int, level: float, test: str, adjust: str
) -> tuple[HypothesisTest, float]:
    """The test, and the level at which it first has to reject."""
    if not (ratio > 0 and spread > 0):
        raise ValueError(f"ratio {ratio} and spread {spread} must be positive")
    return find_test(test, paired=True), level / find_adjustment(adjust).divisor(cases, 0)


def _share_found(test: HypothesisTest, ratio: float, spread: float, *, n: int, m: int, level: float) -> float:
    """Share of simulated campaigns that the test rejects at `level`, in blocks that bound the memory."""
    random = np.random.default_rng(_SEED)
    n_rejected, step = 0, max(1, _BLOCK // (n + m))
    for begin in range(0, _CAMPAIGNS, step):
        rows = min(step, _CAMPAIGNS - begin)
        a = ratio * np.exp(spread * random.standard_normal((rows, n)))
        b = np.ones((rows, m)) if test.paired else np.exp(spread * random.standard_normal((rows, m)))
        n_rejected += int((test.rows(a, b, "two-sided").p_value <= level).sum())
    return n_rejected / _CAMPAIGNS


def launches_like(
    a: FloatArray, b: FloatArray, ratio: float, *,
    paired: bool, chance: float = CHANCE, cases: int = 1, level: float = 0.05, adjust: str = "holm",
) -> int | None:  # fmt: skip
    """Launches a side that find a true `ratio` with `chance` if they scatter as the launch medians `a` and `b` do,
    by the rank test; None for over 1,000.

    What so few launches do not know of their own scatter is counted in: over many pilots, campaigns of as many
    launches as each asks for find it with `chance` on average. `ValueError` where there are fewer than two launches a
    side, where they do not vary, or for a ratio that is not positive.
    """
    if not ratio > 0:
        raise ValueError(f"ratio {ratio} must be positive")
    scatter = scatter_of(a, b, paired=paired)
    if scatter is None:
        raise ValueError(f"{a.size} and {b.size} launches that do not vary say nothing of more of them")
    launches = np.arange(1, MOST_LAUNCHES + 1)
    alone = level / find_adjustment(adjust).divisor(cases, 0)

    def sufficient(numbers: IntArray) -> IntArray:
        return np.flatnonzero(scatter.power(log(ratio), numbers, numbers, alone) >= chance)

    # Coarse first: the test's critical counts of a thousand sizes take a while.
    coarse = sufficient(STEPS)
    if not coarse.size:
        return None
    last = int(STEPS[coarse[0]])
    fine = launches[int(STEPS[coarse[0] - 1]) if coarse[0] else 0 : last]
    return int(fine[sufficient(fine)[0]])


def shift_error(n: int, m: int, paired: bool) -> float:
    """Standard error of the Hodges-Lehmann shift in spreads: that of the mean, widened by the estimate's efficiency
    of 3 / pi.
    """
    return sqrt(pi / 3 * (1 / n if paired else 1 / n + 1 / m))
