"""How many more launches a precision goal takes, and with how many repetitions: the two-level optimum.

A launch costs time before anything is measured, which all its cases share; a case in it costs time of its own
(validation, warm-up), and each repetition more. Few long launches waste repetitions where launches differ, many short
ones waste starts. For one case that begins from nothing the best number of repetitions has a closed form (Kalibera,
Jones, ISMM 2013, section 6):

    n = sqrt((cost of a launch / cost of a repetition) (within / between))

Here cases share launches, differ in all of this, need different numbers of launches (a case that is precise is left
out of the rest), and have launches already. So the total is minimised over r, the further launches:

    total(r) = overhead r + sum over cases of the cheapest way to meet its goal in at most r launches

and of one case over its own number k <= r of launches: the n that k launches need follows from the goal, as the
smallest with between (R + k) + within (sum of 1/n_i so far + k / n) <= allowed (R + k)^2, R being its launches so far.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from ictus.stats.arrays import FloatArray, IntArray

MOST_LAUNCHES = 100_000
_CHEAP = 0.25
_EVERY = 200
"""Up to so many further launches every number is looked at, then about 1 % apart."""


@dataclass(frozen=True)
class Aim:
    """One interval that is to become narrow. Variances are of log launch medians; of a ratio, both sides' sums."""

    between: float
    within: float
    allowed: float
    """What the variance of the mean over launches may become (`precision.allowed_variance`)."""
    launches: int
    """So far."""
    inverse_nreps: float
    """The sum of 1/n over these."""


@dataclass(frozen=True)
class Demand:
    """One case, or several that are measured together: what is wanted of it and what it costs."""

    aims: tuple[Aim, ...]
    launch_s: float
    """What it adds to a launch besides repetitions, seconds (over all libraries of a block)."""
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
    def more(self) -> int:
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
    nreps = [_needed_nreps(one, steps) for one in demands]
    costs = np.array([_costs(one, needed, steps) for one, needed in zip(demands, nreps, strict=True)])
    cheapest = np.minimum.accumulate(costs, axis=1)
    total = overhead_s * steps + cheapest.sum(axis=0)
    best = int(np.argmin(total))
    if not np.isfinite(total[best]):
        return None
    chosen = [int(np.argmin(row[: best + 1])) for row in costs]
    return Allocation(
        tuple(int(steps[place]) for place in chosen),
        tuple(int(needed[place]) for needed, place in zip(nreps, chosen, strict=True)),
        float(total[best]),
    )


def _steps() -> IntArray:
    coarse = np.rint(np.geomspace(_EVERY, MOST_LAUNCHES, 625)).astype(np.int64)
    return np.unique(np.concatenate((np.arange(_EVERY + 1), coarse)))


def _needed_nreps(demand: Demand, steps: IntArray) -> FloatArray:
    """For each number of further launches the repetitions that all aims need in them; infinite where none suffice."""
    needed = np.full(steps.size, float(demand.least))
    for aim in demand.aims:
        total = aim.launches + steps.astype(np.float64)
        room = aim.allowed * total**2 - aim.between * total - aim.within * aim.inverse_nreps
        enough = (total > 0) & ((room > 0) | ((room == 0) & ((steps == 0) | (aim.within == 0))))
        with np.errstate(divide="ignore", invalid="ignore"):
            own = np.where(enough, np.where(room > 0, np.ceil(aim.within * steps / room), 0.0), np.inf)
        needed = np.maximum(needed, own)
    return np.where((needed > demand.most) | (steps < demand.fewest), np.inf, needed)


def _costs(demand: Demand, needed: FloatArray, steps: IntArray) -> FloatArray:
    costs = np.full(steps.size, np.inf)
    can = np.isfinite(needed)
    costs[can] = steps[can] * (demand.launch_s + needed[can] * demand.repetition_s)
    return costs
