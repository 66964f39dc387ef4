"""Does the whole chain of judgement keep its promises? Campaigns are simulated by the thousand and judged like real
ones.

A simulated launch is fast or slow as a whole, by a factor of 0.7 to 1.4 that all its cases share, and each case
scatters on its own besides. Four promises, each a rate with its 95 % interval and a binomial test:

- A/A: campaigns of a library against itself in which any case is called faster or slower: at most the level;
- coverage: intervals that hold the true ratio: at least 1 - level;
- A/B: campaigns that find one case's known difference: at least as many as `power` promises;
- campaigns that call that case "within X %" when X is exactly its difference: at most the level.

The last is kept case by case: intervals, and with them "same", are not adjusted for the number of cases (decision 27).
"""

from dataclasses import dataclass
from math import exp, log, pi, sqrt

import numpy as np
from scipy import special

from ictus.stats.arrays import BoolArray, FloatArray
from ictus.stats.binomial_rate import Rate, Side, rate
from ictus.stats.evidence import Evidence, weigh
from ictus.stats.planning import power
from ictus.stats.verdict import DIFFERENT, KINDS, CaseRules, Judgement, Rules, VerdictKind, judge

FASTEST, SLOWEST = 0.7, 1.4
"""Limits of a launch's factor."""
_CUT = 2.0
"""The log factor is normal, cut off at this many standard deviations either way."""
_SCALE = log(SLOWEST / FASTEST) / (2 * _CUT)
FACTOR_SPREAD = _SCALE * sqrt(1 - 2 * _CUT * exp(-_CUT * _CUT / 2) / sqrt(2 * pi) / (2 * float(special.ndtr(_CUT)) - 1))
"""Standard deviation of the log factor."""


@dataclass(frozen=True)
class World:
    """What is simulated: campaigns of `launches` launches a side over `cases` cases."""

    paired: bool
    """Whether A and B are measured in the same launches and share their factor."""
    cases: int = 6
    launches: int = 10
    noise: float = 0.1
    """Standard deviation of each case's own log scatter in a launch."""

    @property
    def spread(self) -> float:
        """Standard deviation of what a test sees: log ratios of pairs, whose common factor cancels, or log medians."""
        return self.noise * sqrt(2) if self.paired else sqrt(FACTOR_SPREAD**2 + self.noise**2)


@dataclass(frozen=True)
class Calibration:
    """The four promises in one world, under one adjustment."""

    world: World
    adjust: str
    false_alarms: Rate
    coverage: Rate
    detection: Rate
    false_within: Rate

    @property
    def holds(self) -> bool:
        """Whether every promise stands."""
        return all(promise.holds for promise in (self.false_alarms, self.coverage, self.detection, self.false_within))

    def __str__(self) -> str:
        kind = "paired" if self.world.paired else "independent"
        return "\n".join((
            f"{kind} launches, {self.world.launches} a side, {self.world.cases} cases, adjust {self.adjust}",
            f"  A/A campaigns with a false alarm    {self.false_alarms}",
            f"  intervals that hold the true ratio  {self.coverage}",
            f"  A/B campaigns that find it          {self.detection}",
            f"  'within X %' at a difference of X   {self.false_within}",
        ))  # fmt: skip


def simulate(world: World, ratio: float, campaigns: int, random: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """Launch medians of A and B in seconds, each of shape (campaigns, cases, launches); A/B is `ratio` in case 0, 1
    elsewhere.
    """
    shape = (campaigns, world.cases, world.launches)
    latency = np.exp(random.uniform(log(1e-6), log(1e-3), (1, world.cases, 1)))
    factor_a = launch_factors(random, campaigns, world.launches)
    factor_b = factor_a if world.paired else launch_factors(random, campaigns, world.launches)
    a = latency * factor_a * np.exp(world.noise * random.standard_normal(shape))
    b = latency * factor_b * np.exp(world.noise * random.standard_normal(shape))
    a[:, 0] *= ratio
    return a, b


def launch_factors(random: np.random.Generator, campaigns: int, launches: int) -> FloatArray:
    """What all cases of a launch share, shape (campaigns, 1, launches)."""
    middle = (log(SLOWEST) + log(FASTEST)) / 2
    normal = special.ndtri(random.uniform(special.ndtr(-_CUT), special.ndtr(_CUT), (campaigns, 1, launches)))
    return np.asarray(np.exp(middle + _SCALE * normal), dtype=np.float64)


def calibrate(
    world: World,
    *,
    campaigns: int = 1000,
    seed: int = 1,
    effect: float = 1.6,
    level: float = 0.05,
    adjust: str = "holm",
) -> Calibration:
    """The four promises over `campaigns` A/A and as many A/B campaigns; `effect` is the A/B difference in spreads."""
    random = np.random.default_rng(seed)
    ratio = exp(effect * world.spread)
    rules = CaseRules(paired=world.paired, test=None, adjust=adjust, level=level, equivalence=ratio - 1).resolve()
    alike, _ = judged(*simulate(world, 1.0, campaigns, random), rules)
    apart, evidence = judged(*simulate(world, ratio, campaigns, random), rules)
    promised = power(
        ratio, world.spread, world.launches, world.launches,
        cases=world.cases, level=level, test=rules.test.name, adjust=adjust,
    )  # fmt: skip
    first = np.arange(campaigns) * world.cases
    covered = (evidence.shift_low[first] <= log(ratio)) & (log(ratio) <= evidence.shift_high[first])
    alarmed = np.isin(alike.codes, [KINDS.index(kind) for kind in DIFFERENT]).reshape(campaigns, -1)
    return Calibration(
        world=world,
        adjust=adjust,
        false_alarms=promise(alarmed.sum(axis=1) > 0, "at most", level),
        coverage=promise(covered, "at least", 1 - level),
        detection=promise(apart.codes[first] == KINDS.index(VerdictKind.SLOWER), "at least", promised),
        false_within=promise(apart.inside[first], "at most", level),
    )


def judged(a: FloatArray, b: FloatArray, rules: Rules) -> tuple[Judgement, Evidence]:
    """The way of a real comparison, for all campaigns at once."""
    campaigns, _, launches = a.shape
    evidence = weigh(a.reshape(-1, launches), b.reshape(-1, launches), rules.test, rules.level)
    return judge(evidence, rules, campaigns=campaigns), evidence


def promise(happened: BoolArray, side: Side, promised: float) -> Rate:
    """How often something happened, held against what was promised of it."""
    return rate(int(happened.sum()), happened.size, side, promised)
