"""How many more launches decide an undecided case.

A case is decided by a shift that the adjusted test rejects, or by an interval inside the margin of equivalence. Present
launches stay; new ones scatter around the true shift. Its distribution comes from the present launches and from a
prior: libraries in use rarely differ by more than 20 %, unless other cases of the comparison show that these two do.
Without the prior, noisy launches would promise large differences soon.

The scatter of launches comes from the launches themselves (`scatter.py`); few launches know it poorly, so the chance is
averaged over its possible values (chi-squared). N is the smallest number that decides with a chance of 80 %, on
average over all undecided cases.

The formulas of `planning.py` use shift and spread. With a launch or two far off, ranks lag behind: a large shift may
have a p-value that one more launch cannot bring below the level. So N is also checked on the launches themselves: each
side is extrapolated to N launches by its own quantiles, and the test is applied to these.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log, log10, sqrt

import numpy as np
import scipy

from ictus.stats.arrays import FloatArray, IntArray
from ictus.stats.evidence import inverted
from ictus.stats.hypothesis import HypothesisTest
from ictus.stats.planning import CHANCE, MOST_LAUNCHES, STEPS, shift_error
from ictus.stats.registry import TESTS
from ictus.stats.scatter import Scatter, likely_scales

LIKELY_SHIFT = 0.1
"""Standard deviation of the log ratios that experience expects; with it, simulated follow-ups keep the 80 %."""
_LEAST_SPREAD = 1e-9


@dataclass(frozen=True)
class CaseEstimate:
    """What is known of a case that is open."""

    shift: float
    """Log ratio."""
    spread: float
    n: int
    """Launches of each side."""
    m: int
    scatter: Scatter | None = None
    """How launches scatter, for the tests of ranks; None: normally, by `spread`."""


def more_launches(
    case: CaseEstimate, test: str, *, level: float, alone: float, equivalence: float, likely_shift: float = LIKELY_SHIFT
) -> int | None:
    """About how many more launches per side decide a case; None for over 1,000.

    `level` is the level of interval and verdict, `alone` what adjustment leaves of it for this case, `equivalence`
    the margin X, `likely_shift` how far log ratios lie from 0 in general (`likely_shift_of`). The number is rounded up
    to two digits: it promises no more.
    """
    if case.scatter is None:
        planned = _normal(case.spread, case.n, case.m, test=test, level=level, alone=alone)
    else:
        planned = _as_seen(case.scatter, case.n, case.m, test=test, level=level, alone=alone)
    # What is expected of today's estimate and of the one to come, both weighed by their precision.
    today, then = planned.scales * planned.today, planned.scales * planned.then
    kept = (then / today) ** 2
    trust = likely_shift**2 / (likely_shift**2 + today**2)
    centre = case.shift * (kept + (1 - kept) * trust)
    scatter_then = (1 - kept) * np.sqrt(trust * today**2 + then**2 / (1 - kept))
    inner = np.maximum(log(1 + equivalence) - planned.scales * planned.width, 0.0)
    outer = np.maximum(planned.scales * planned.reject, inner)
    beyond = scipy.special.ndtr((centre - outer) / scatter_then) + scipy.special.ndtr((-centre - outer) / scatter_then)
    within = scipy.special.ndtr((inner - centre) / scatter_then) - scipy.special.ndtr((-inner - centre) / scatter_then)
    decided = np.flatnonzero((beyond + within).mean(axis=0) >= CHANCE)
    return _two_digits(int(STEPS[decided[0]])) if decided.size else None


@dataclass(frozen=True)
class _Planned:
    """Predictions about further launches, for each of `STEPS`, in log units of the seen scatter; `scales` are possible
    ratios of the true scatter to it, shape (scales, 1).
    """

    reject: FloatArray
    """The shift that the adjusted test rejects half the time."""
    width: FloatArray
    """Half of the interval."""
    today: float
    """Standard error of the shift now, and then."""
    then: FloatArray
    scales: FloatArray


def _normal(spread: float, n: int, m: int, *, test: str, level: float, alone: float) -> _Planned:
    paired, steps = TESTS[test].paired, tuple(int(step) for step in STEPS)
    beside = inverted(TESTS[test]).name
    spread = max(spread, _LEAST_SPREAD)
    return _Planned(
        reject=spread * _critical_effects(test, n, m, alone, steps),
        width=spread * _critical_effects(beside, n, m, level, steps),
        today=spread * shift_error(n, m, paired),
        then=spread * np.array([shift_error(n + step, m + step, paired) for step in steps]),
        scales=likely_scales(max(n - 1 if paired else n + m - 2, 1))[:, np.newaxis],
    )


def _as_seen(scatter: Scatter, n: int, m: int, *, test: str, level: float, alone: float) -> _Planned:
    steps = tuple(int(step) for step in STEPS)
    by_ranks = TESTS[test].own_shifts is None and not TESTS[test].any_difference
    return _Planned(
        reject=scatter.critical(n + STEPS, m + STEPS, alone)
        if by_ranks
        else scatter.spread * _critical_effects(test, n, m, alone, steps),
        width=scatter.critical(n + STEPS, m + STEPS, level),
        today=scatter.error(n, m),
        then=np.array([scatter.error(n + step, m + step) for step in steps]),
        scales=scatter.scales[:, np.newaxis],
    )


def likely_shift_of(shifts: FloatArray, spreads: FloatArray, n: IntArray, m: IntArray, *, paired: bool) -> float:
    """How far apart two sides are in general, learnt from all cases of their comparison (an empirical Bayes prior).

    The standard deviation of their log ratios about 0 beyond what their errors explain, at least LIKELY_SHIFT. All
    arrays have shape (cases,). Where one library is several times slower in a third of the cases, a twofold difference
    in another is no surprise, and to promise a thousand launches for it would be wrong.
    """
    finite = np.isfinite(shifts) & np.isfinite(spreads)
    if not finite.any():
        return LIKELY_SHIFT
    errors = [shift_error(int(n_a), int(n_b), paired) for n_a, n_b in zip(n[finite], m[finite], strict=True)]
    beyond = float(np.mean(shifts[finite] ** 2) - np.mean((spreads[finite] * errors) ** 2))
    return max(sqrt(max(beyond, 0.0)), LIKELY_SHIFT)


@lru_cache(maxsize=1024)
def _critical_effects(test: str, n: int, m: int, level: float, steps: tuple[int, ...]) -> FloatArray:
    """The test's critical effect after each number of further launches."""
    critical = TESTS[test].critical_effect
    return np.array([critical(n + step, m + step, level) for step in steps])


def _two_digits(count: int) -> int:
    unit: int = 10 ** max(0, int(log10(count)) - 1)
    return min(ceil(count / unit) * unit, MOST_LAUNCHES)


def enough_launches(least: int, a: FloatArray, b: FloatArray, test: HypothesisTest, level: float) -> int | None:
    """The least number from `least` on at which the extrapolated launches differ at `level`; None for over 1,000.

    `a` and `b` are launch medians, shape (launches,), pairs where the test is one of pairs.
    """
    return next((number for number in _numbers(least) if _p_value(a, b, number, test) <= level), None)


def _p_value(a: FloatArray, b: FloatArray, least: int, test: HypothesisTest) -> float:
    if test.paired:
        ratios = stretched(a / b, a.size + least)
        first, second = ratios, np.ones_like(ratios)
    else:
        first, second = stretched(a, a.size + least), stretched(b, b.size + least)
    return float(test.rows(first[np.newaxis], second[np.newaxis], "two-sided").p_value[0])


def stretched(sample: FloatArray, size: int) -> FloatArray:
    """`size` values with the distribution of `sample`: its quantiles (Hazen's) on the log scale."""
    middles = (np.arange(size) + 0.5) / size
    return np.asarray(np.exp(np.quantile(np.log(sample), middles, method="hazen")), dtype=np.float64)


def _numbers(first: int) -> Iterator[int]:
    """Upwards in steps of about a sixth, to two digits: the answer promises no more."""
    number = first
    while number <= MOST_LAUNCHES:
        yield number
        step = number + max(1, number // 6)
        unit = 10 ** max(0, len(str(step)) - 2)
        number = -(-step // unit) * unit
