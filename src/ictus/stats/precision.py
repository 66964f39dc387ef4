"""How narrow an interval is, when it is narrow enough, and the cheapest launches that make it so.

The half-width of an interval from low to high is sqrt(high / low) - 1: half its width on the log scale. Intervals are
the shown ones: order statistics for a median, the inversion of the rank test, within strata, for a ratio.

Stopping at the first narrow interval selects moments at which it is narrow by chance: a 95 % interval of a median then
covers 91 to 93 %. So the goal must be met at two consecutive looks. tests/stats/test_stopping.py simulates the coverage
of this rule (numbers in statistics-study.md). The p-value has no part in it.

A launch has a cost that all its cases share; a case in it has its own cost (validation, warm-up), and each repetition
costs more. Few long launches waste repetitions where launches differ; many short ones waste starts. For one new case
the best number of repetitions is (Kalibera, Jones, ISMM 2013, section 6)

    n = sqrt((cost of a launch / cost of a repetition) (within / between))

Here cases share launches, have different costs and variances, and have launches already. So the total is minimised over
r, the further launches:

    total(r) = overhead r + sum over cases of the cheapest way to meet its goal in at most r launches

and for one case over its own number k <= r of launches. The n for k launches is the smallest one with
between (R + k) + within (sum of 1/n_i so far + k / n) <= allowed (R + k)^2, where R is its launches so far.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log, log1p, pi, sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray, IntArray, as_sample
from ictus.stats.evidence import sample_pair
from ictus.stats.interval import ratio_of, ratio_shifts
from ictus.stats.median import median_interval
from ictus.stats.modes import Strata
from ictus.stats.strata import compare_strata

EFFICIENCY = {"median": pi / 2, "ratio": pi / 3}
"""Variance of each estimate relative to that of a mean, for normal log medians."""
_TRUSTED = 10
"""Launches that weigh as much as the normal distribution's word."""
_FURTHEST = 5.0
LOOKS = 2
"""This number of consecutive looks must meet the goal."""
Times = Sequence[float | None] | FloatArray
"""Of the launches of one side, in the order measured; None or NaN for a launch without one."""


def half_width(low: float | None, high: float | None) -> float | None:
    """Half-width of an interval of times or ratios, as a share; None where a limit is missing or not positive."""
    if low is None or high is None or not (low > 0 and np.isfinite(high)):
        return None
    return exp(log(high / low) / 2) - 1


def median_half_width(values: ArrayLike, confidence: float = 0.95) -> float | None:
    """Half-width of the interval of the median of `values` (times), shape (launches,), as a share; None where so few
    have no interval.

    `ValueError` for an empty sample or NaN.
    """
    return half_width(*_limits(as_sample(values, "values"), confidence))


def ratio_half_width(
    a: Times, b: Times, confidence: float = 0.95, *, paired: bool = False, strata: Strata | None = None
) -> float | None:
    """The same for the ratio A/B of two samples of times, `paired` where both were measured in the same launches.

    None and NaN stand for a launch without a time; `strata` has the stratum of each value, and the interval is then the
    one within strata, as `compare_cases` has it. None also where nothing can be compared.
    """
    pair = sample_pair(a, b, paired=paired, strata=strata)
    if pair.reason is not None:
        return None
    first, second, level = pair.a[np.newaxis], pair.b[np.newaxis], 1 - confidence
    if len(pair.sizes) == 1:
        shifts = ratio_shifts(first, second, paired=paired, level=level)
    else:
        shifts = compare_strata(first, second, pair.sizes, paired=paired, level=level).shifts
    return half_width(ratio_of(shifts.low[0]), ratio_of(shifts.high[0]))


def median_reached(values: ArrayLike, share: float, confidence: float = 0.95) -> bool:
    """Whether the median of `values`, in the order measured, is as precise as `share` at the last looks."""
    sample = as_sample(values, "values")
    return _reached(lambda n: median_half_width(sample[:n], confidence), sample.size, share)


def ratio_reached(
    a: Times,
    b: Times,
    share: float,
    confidence: float = 0.95,
    *,
    paired: bool = False,
    strata: Strata | None = None,
) -> bool:
    """The same for the ratio of two samples; a look takes one more launch of each. Strata are those known today, at
    each look.
    """
    most = max(len(a), len(b))

    def width(n: int) -> float | None:
        ends = [len(side) - (most - n) for side in (a, b)]
        if min(ends) < 1:
            return None
        part_strata = None if strata is None else (strata[0][: ends[0]], strata[1][: ends[1]])
        return ratio_half_width(a[: ends[0]], b[: ends[1]], confidence, paired=paired, strata=part_strata)

    return _reached(width, most, share)


def allowed_variance(share: float, efficiency: float, confidence: float = 0.95) -> float:
    """The variance that the mean of log launch medians may have for the interval to be as narrow as `share`; for a
    ratio, the sum of both sides' variances. `efficiency` is that of the estimate, as in EFFICIENCY.
    """
    return (log1p(share) / float(scipy.special.ndtri((1 + confidence) / 2))) ** 2 / efficiency


def seen_efficiency(
    quantity: str, half_width: float, variance: float, launches: int, confidence: float = 0.95
) -> float:
    """EFFICIENCY, corrected by a real interval where the `variance` of the mean would give another one: launch medians
    are hardly normal. The correction grows with the number of launches.
    """
    expected = EFFICIENCY[quantity]
    if not variance > 0:
        return expected
    observed = (log1p(half_width) / float(scipy.special.ndtri((1 + confidence) / 2))) ** 2 / variance
    observed = min(max(observed, expected / _FURTHEST), expected * _FURTHEST)
    return (_TRUSTED * expected + launches * observed) / (_TRUSTED + launches)


def _reached(width: Callable[[int], float | None], n: int, share: float) -> bool:
    looks = (width(n - back) for back in range(LOOKS))  # the last first: mostly it is the one that is too wide
    return n >= LOOKS and all(look is not None and look <= share for look in looks)


def _limits(values: FloatArray, confidence: float) -> tuple[float | None, float | None]:
    interval = median_interval(values, confidence)
    return interval.low, interval.high


MOST_LAUNCHES = 100_000
_CHEAP = 0.25
_EVERY = 200
"""Up to this number of further launches every number is tried, then steps of about 1 %."""


@dataclass(frozen=True)
class Aim:
    """One interval that is to become narrow. Variances are of log launch medians; of a ratio, both sides' sums."""

    between: float
    within: float
    allowed: float
    """What the variance of the mean over launches may become (`precision.allowed_variance`)."""
    launches: int
    """Launches so far."""
    inverse_nreps: float
    """The sum of 1/n over these."""


@dataclass(frozen=True)
class Demand:
    """One case, or several that are measured together: the required precision and the cost."""

    aims: tuple[Aim, ...]
    launch_s: float
    """Its share of a launch without repetitions, seconds (over all libraries of a block)."""
    repetition_s: float
    most: int
    """Repetitions in a launch."""
    least: int = 1
    fewest: int = 0
    """Further launches that it gets at least."""


@dataclass(frozen=True)
class Allocation:
    """The cheapest way to all goals."""

    launches: tuple[int, ...]
    """Further ones, of each demand."""
    nreps: tuple[int, ...]
    """Repetitions in them."""
    total_s: float

    @property
    def further_launches(self) -> int:
        """Further launches until the last goal is met."""
        return max(self.launches, default=0)


def best_nrep(between: float, within: float, launch_s: float, repetition_s: float) -> float:
    """The closed form for one case; infinite where launches do not differ or repetitions cost nothing."""
    if between * repetition_s == 0:
        return float("inf") if within > 0 else 1.0
    return sqrt(launch_s / repetition_s * within / between)


def cheap_nrep(demand: Demand, share_s: float) -> int:
    """Repetitions that a case gets even where fewer would do in many launches that others need: by the closed form,
    with `share_s` as its share of a launch, as long as they add no more than a quarter to its launch. Estimates from
    few launches may be wrong; repetitions that cost next to nothing make up for it.
    """
    fixed_s = share_s + demand.launch_s
    best = max((best_nrep(aim.between, aim.within, fixed_s, demand.repetition_s) for aim in demand.aims), default=1.0)
    affordable = _CHEAP * fixed_s / demand.repetition_s if demand.repetition_s > 0 else float("inf")
    return max(demand.least, int(min(best, affordable, demand.most)))


def allocate(demands: Sequence[Demand], overhead_s: float) -> Allocation | None:
    """The cheapest allocation; `overhead_s` is the time of a launch that all its cases share. None where a goal takes
    more than MOST_LAUNCHES.
    """
    if not demands:
        return Allocation((), (), 0.0)
    steps = _steps()
    nreps = [_needed_nreps(demand, steps) for demand in demands]
    costs = np.array([_costs(demand, needed, steps) for demand, needed in zip(demands, nreps, strict=True)])
    cheapest = np.minimum.accumulate(costs, axis=1)
    total = overhead_s * steps + cheapest.sum(axis=0)
    best = int(np.argmin(total))
    if not np.isfinite(total[best]):
        return None
    chosen = [int(np.argmin(row[: best + 1])) for row in costs]
    return Allocation(
        tuple(int(steps[step]) for step in chosen),
        tuple(int(needed[step]) for needed, step in zip(nreps, chosen, strict=True)),
        float(total[best]),
    )


def _steps() -> IntArray:
    coarse = np.rint(np.geomspace(_EVERY, MOST_LAUNCHES, 625)).astype(np.int64)
    return np.unique(np.concatenate((np.arange(_EVERY + 1), coarse)))


def _needed_nreps(demand: Demand, steps: IntArray) -> FloatArray:
    """For each number of further launches the repetitions that all aims need in them; infinite where none suffices."""
    needed = np.full(steps.size, float(demand.least))
    for aim in demand.aims:
        total = aim.launches + steps.astype(np.float64)
        room = aim.allowed * total**2 - aim.between * total - aim.within * aim.inverse_nreps
        enough = (total > 0) & ((room > 0) | ((room == 0) & ((steps == 0) | (aim.within == 0))))
        with np.errstate(divide="ignore", invalid="ignore"):
            nreps = np.where(enough, np.where(room > 0, np.ceil(aim.within * steps / room), 0.0), np.inf)
        needed = np.maximum(needed, nreps)
    return np.where((needed > demand.most) | (steps < demand.fewest), np.inf, needed)


def _costs(demand: Demand, needed: FloatArray, steps: IntArray) -> FloatArray:
    costs = np.full(steps.size, np.inf)
    can = np.isfinite(needed)
    costs[can] = steps[can] * (demand.launch_s + needed[can] * demand.repetition_s)
    return costs
