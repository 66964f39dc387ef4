"""How many launches a decision takes, and how surely a planned campaign finds a difference.

All times are on the log scale, where a ratio is a shift; `spread` is the standard deviation of the log launch medians
(of the log ratios, for pairs). Launch medians scatter by a factor of 0.7 to 1.4 on the machines measured, a spread of
about 0.17. The formulas take normal log medians; tests hold them against simulated campaigns.

A case that stays undecided is asked how many more launches would decide it, either way: a shift that the adjusted
test rejects, or an interval inside the margin of equivalence. Today's launches stay in; the new ones scatter around
the true shift, which is known from today's and from experience: what compares libraries that are both in use rarely
finds more than 20 % between them, unless the other cases of the comparison show that these two differ more. Without
that prior knowledge noisy launches would promise large differences soon to be found. The shift estimated from all
launches decides when it lands beyond the test's critical shift, or within the margin less the interval's half-width.
The spread is known from few launches only, so the chance is averaged over what it may be (chi-squared). N is the
smallest number that decides with a chance of 80 %.
"""

from functools import lru_cache
from math import ceil, log, log10, pi, sqrt

import numpy as np
from scipy import special

from ictus.stats.adjust import find_adjustment
from ictus.stats.arrays import FloatArray, IntArray
from ictus.stats.hypothesis import HypothesisTest
from ictus.stats.registry import TESTS, find_test

MOST_LAUNCHES = 1000
CHANCE = 0.8
_STEPS = np.unique(np.rint(np.geomspace(1, MOST_LAUNCHES, 90)).astype(np.int64))
_CAMPAIGNS, _BLOCK, _SEED = 4000, 2_000_000, 1
_LEAST_SPREAD = 1e-9
LIKELY_SHIFT = 0.1
"""Standard deviation of the log ratios that experience expects; with it, simulated follow-ups keep the 80 %."""
_SPREAD_QUANTILES = (np.arange(9) + 0.5) / 9


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
    effect, margin = abs(log(ratio)) / spread, float(special.ndtri(chance))
    launches = 1
    while launches <= MOST_LAUNCHES:
        error = _error(launches, launches, member.paired)
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
    found, step = 0, max(1, _BLOCK // (n + m))
    for begin in range(0, _CAMPAIGNS, step):
        rows = min(step, _CAMPAIGNS - begin)
        a = ratio * np.exp(spread * random.standard_normal((rows, n)))
        b = np.ones((rows, m)) if test.paired else np.exp(spread * random.standard_normal((rows, m)))
        found += int((test.rows(a, b, "two-sided").p_value <= level).sum())
    return found / _CAMPAIGNS


def more_launches(
    shift: float, spread: float, n: int, m: int, *,
    test: str, level: float, alone: float, equivalence: float, likely_shift: float = LIKELY_SHIFT,
) -> int | None:  # fmt: skip
    """About how many more launches per side decide a case with estimated `shift` (log ratio) and `spread`; None for
    over 1,000.

    `level` is the level of interval and verdict, `alone` what adjustment leaves of it for this case, `equivalence`
    the margin X, `likely_shift` how far log ratios lie from 0 in general (`likely_shift_of`). The number is rounded
    up to two digits: it promises no more.
    """
    paired = TESTS[test].paired
    steps = tuple(int(step) for step in _STEPS)
    reject = _critical_effects(test, n, m, alone, steps)
    own = TESTS[test].own_shifts is not None
    width = _critical_effects(test if own else find_test(None, paired=paired).name, n, m, level, steps)
    degrees = max(n - 1 if paired else n + m - 2, 1)
    spreads = max(spread, _LEAST_SPREAD) * np.sqrt(degrees / special.chdtri(degrees, _SPREAD_QUANTILES))[:, np.newaxis]
    # What is expected of today's estimate and of the one to come, both weighed by their precision.
    today, then = spreads * _error(n, m, paired), spreads * [_error(n + step, m + step, paired) for step in steps]
    kept = (then / today) ** 2
    trust = likely_shift**2 / (likely_shift**2 + today**2)
    centre = shift * (kept + (1 - kept) * trust)
    scatter = (1 - kept) * np.sqrt(trust * today**2 + then**2 / (1 - kept))
    inner = np.maximum(log(1 + equivalence) - spreads * width, 0.0)
    outer = np.maximum(spreads * reject, inner)
    beyond = special.ndtr((centre - outer) / scatter) + special.ndtr((-centre - outer) / scatter)
    within = special.ndtr((inner - centre) / scatter) - special.ndtr((-inner - centre) / scatter)
    decided = np.flatnonzero((beyond + within).mean(axis=0) >= CHANCE)
    return _two_digits(steps[decided[0]]) if decided.size else None


def likely_shift_of(shifts: FloatArray, spreads: FloatArray, n: IntArray, m: IntArray, *, paired: bool) -> float:
    """How far apart two sides are in general, learnt from all cases of their comparison (an empirical Bayes prior).

    The standard deviation of their log ratios about 0 beyond what their errors explain, at least LIKELY_SHIFT. All
    arrays have shape (cases,). Where one library is several times slower in a third of the cases, a twofold difference
    in another is no surprise, and to promise a thousand launches for it would be wrong.
    """
    known = np.isfinite(shifts) & np.isfinite(spreads)
    if not known.any():
        return LIKELY_SHIFT
    errors = [_error(int(one), int(other), paired) for one, other in zip(n[known], m[known], strict=True)]
    beyond = float(np.mean(shifts[known] ** 2) - np.mean((spreads[known] * errors) ** 2))
    return max(sqrt(max(beyond, 0.0)), LIKELY_SHIFT)


@lru_cache(maxsize=1024)
def _critical_effects(test: str, n: int, m: int, level: float, steps: tuple[int, ...]) -> FloatArray:
    """The test's critical effect after each number of further launches."""
    critical = TESTS[test].critical_effect
    return np.array([critical(n + step, m + step, level) for step in steps])


def _error(n: int, m: int, paired: bool) -> float:
    """Standard error of the Hodges-Lehmann shift in spreads: that of the mean, widened by the estimate's efficiency
    of 3 / pi.
    """
    return sqrt(pi / 3 * (1 / n if paired else 1 / n + 1 / m))


def _two_digits(count: int) -> int:
    unit: int = 10 ** max(0, int(log10(count)) - 1)
    return min(ceil(count / unit) * unit, MOST_LAUNCHES)
