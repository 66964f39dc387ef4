"""The promises of calibration.py once more, from single repetitions on: are launch medians all that counts?

A simulated launch holds repetitions as real ones do (diagnostics.md): they resemble their neighbours (a
first-order autoregression of the log latency), a few are far off, and the launch as a whole is fast or slow. Each goes
the way of a measured one: outliers dropped and a median taken by `summary`, cases tested, adjusted and judged campaign
by campaign.

For contrast, what the papers warn of (mpi-benchmarking-revisited, section 6 and Figure 25): the means of one launch of
each side compared by Welch's test over their repetitions. It takes every difference between two launches for one
between two libraries.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log, sqrt

import numpy as np
from tests.calibration.simulated_launches import FACTOR_SPREAD, judged, launch_factors, promise

from ictus.stats.adjust import find_adjustment
from ictus.stats.arrays import BoolArray, FloatArray
from ictus.stats.binomial_rate import Rate
from ictus.stats.summary import inside, summarise_launch
from ictus.stats.verdict import DIFFERENT, KINDS, CaseRules
from ictus.stats.welch_test import WELCH


@dataclass(frozen=True)
class SampledWorld:
    """What is simulated; all spreads are standard deviations of logarithms."""

    cases: int = 3
    launches: int = 10
    """Of each side."""
    repetitions: int = 50
    noise: float = 0.06
    """Each case's own scatter between launches, beyond the factor that all cases of a launch share."""
    jitter: float = 0.05
    """Scatter of repetitions inside a launch."""
    resemblance: float = 0.8
    """Autocorrelation of neighbours: 50 repetitions tell as much as 6 independent ones."""
    strays: float = 0.02
    """Share of repetitions that are `stray` times as long."""
    stray: float = 5.0

    @property
    def spread(self) -> float:
        """About what launch medians scatter by."""
        told = self.repetitions * (1 - self.resemblance) / (1 + self.resemblance)
        return sqrt(FACTOR_SPREAD**2 + self.noise**2 + self.jitter**2 / told)


@dataclass(frozen=True)
class SampledCalibration:
    """The promises in one world, and the contrast."""

    world: SampledWorld
    adjust: str
    false_alarms: Rate
    coverage: Rate
    false_within: Rate
    one_launch: Rate
    """A/A campaigns in which the means of one launch a side are called different: no promise of ours."""

    @property
    def holds(self) -> bool:
        """Whether our promises stand."""
        return self.false_alarms.holds and self.coverage.holds and self.false_within.holds

    def __str__(self) -> str:
        world = self.world
        return "\n".join((
            f"{world.launches} launches a side of {world.repetitions} repetitions, {world.cases} cases, {self.adjust}",
            f"  A/A campaigns with a false alarm      {self.false_alarms}",
            f"  intervals that hold the true ratio    {self.coverage}",
            f"  'within X %' at a difference of X     {self.false_within}",
            f"  the same, means of one launch a side  {self.one_launch}",
        ))  # fmt: skip


def simulate_samples(
    world: SampledWorld, ratio: float, campaigns: int, random: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Repetitions of A and B in seconds, each of shape (campaigns, cases, launches, repetitions); A/B is `ratio` in
    case 0, 1 elsewhere.
    """
    latency = np.exp(random.uniform(log(1e-6), log(1e-3), (1, world.cases, 1)))

    def side() -> FloatArray:
        shape = (campaigns, world.cases, world.launches)
        launch = latency * launch_factors(random, campaigns, world.launches)
        return (launch * np.exp(world.noise * random.standard_normal(shape)))[..., np.newaxis] * _within(
            world, shape, random
        )

    a, b = side(), side()
    a[:, 0] *= ratio
    return a, b


def _within(world: SampledWorld, shape: tuple[int, ...], random: np.random.Generator) -> FloatArray:
    """Factors of the repetitions of each launch, in the order measured."""
    fresh = random.standard_normal((world.repetitions, *shape))
    step = sqrt(1 - world.resemblance**2)
    for index in range(1, world.repetitions):
        fresh[index] = world.resemblance * fresh[index - 1] + step * fresh[index]
    factors: FloatArray = np.exp(world.jitter * np.moveaxis(fresh, 0, -1))
    return factors * np.where(random.uniform(size=factors.shape) < world.strays, world.stray, 1.0)


def launch_medians(samples: FloatArray) -> FloatArray:
    """What is stored of each launch, the median without outliers: shape (..., launches) from (..., launches,
    repetitions).
    """
    launches = samples.reshape(-1, samples.shape[-1])
    ids = np.repeat(np.arange(launches.shape[0]), launches.shape[1])
    return summarise_launch(ids, launches.ravel(), np.zeros(launches.size, np.uint16)).median.reshape(
        samples.shape[:-1]
    )


def means_of_one_launch_differ(
    a: Sequence[FloatArray], b: Sequence[FloatArray], *, level: float = 0.05, adjust: str = "holm"
) -> BoolArray:
    """The contrast, of one campaign: which cases are called different by the means of one launch of each side.

    `a[i]` and `b[i]`, shape (repetitions,), are the valid repetitions of case i. Outliers go, Welch's test follows,
    p-values are adjusted over the cases: everything but the number of launches is as it should be. Shape (cases,).
    """
    p_values = [WELCH.apply(x[inside(x)], y[inside(y)]).p_value for x, y in zip(a, b, strict=True)]
    return np.asarray(find_adjustment(adjust).apply(np.array(p_values)) <= level, dtype=np.bool_)


def calibrate_samples(
    world: SampledWorld,
    *,
    campaigns: int = 1000,
    seed: int = 1,
    effect: float = 1.6,
    level: float = 0.05,
    adjust: str = "holm",
    contrasted: int = 200,
) -> SampledCalibration:
    """The promises over `campaigns` A/A and as many A/B campaigns (a difference of `effect` spreads in one case); the
    contrast over the first `contrasted` of the A/A ones.
    """
    random = np.random.default_rng(seed)
    ratio = exp(effect * world.spread)
    rules = CaseRules(paired=False, test=None, adjust=adjust, level=level, equivalence=ratio - 1).resolve()
    a, b = simulate_samples(world, 1.0, campaigns, random)
    alike, _ = judged(launch_medians(a), launch_medians(b), rules)
    pairs = zip(a[:contrasted, :, 0], b[:contrasted, :, 0], strict=True)
    naive = np.array([means_of_one_launch_differ(list(x), list(y), level=level, adjust=adjust).any() for x, y in pairs])
    a, b = simulate_samples(world, ratio, campaigns, random)
    apart, evidence = judged(launch_medians(a), launch_medians(b), rules)
    first = np.arange(campaigns) * world.cases
    alarmed = np.isin(alike.codes, [KINDS.index(kind) for kind in DIFFERENT]).reshape(campaigns, -1)
    covered = (evidence.shift_low[first] <= log(ratio)) & (log(ratio) <= evidence.shift_high[first])
    return SampledCalibration(
        world=world,
        adjust=adjust,
        false_alarms=promise(alarmed.sum(axis=1) > 0, "at most", level),
        coverage=promise(covered, "at least", 1 - level),
        false_within=promise(apart.inside[first], "at most", level),
        one_launch=promise(naive, "at most", level),
    )
