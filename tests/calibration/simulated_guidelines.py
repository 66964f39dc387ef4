"""Does an honest library stay without blame? Campaigns are simulated by the thousand and judged like real ones.

A simulated launch is fast or slow as a whole, by a factor of 0.7 to 1.4 that everything in it shares, and each
operation scatters on its own besides. The library is honest: a mock-up is the call itself; times never fall with the
size; k calls take k times as long. Two shapes are as hard as honesty can be: `equal`, where adjacent sizes take equally
long and monotony just holds, and `linear`, where k calls of a k-th take as long as one, and split-robustness just does.

A planted violation of each kind, on an operation of its own, shows what is found.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from math import sqrt

import numpy as np
from tests.calibration.simulated_launches import launch_factors

from ictus.guidelines.judgement import TESTS, Options, judge
from ictus.guidelines.question import calls, parts
from ictus.guidelines.rule import Kind
from ictus.stats.arrays import BoolArray, FloatArray
from ictus.stats.binomial_rate import Rate, rate
from ictus.stats.planning import power
from ictus.stats.signed_rank_test import SIGNED_RANK

_KINDS = (Kind.PATTERN, Kind.MONOTONY, Kind.SPLIT)
"""Columns of what is judged, each of shape (operations, sizes)."""


class Shape(str, Enum):
    """How times grow with sizes, each twice the one before."""

    EQUAL = "equal"
    LINEAR = "linear"


@dataclass(frozen=True)
class World:
    """What is simulated: campaigns over several operations, each with a mock-up, at several sizes."""

    shape: Shape = Shape.EQUAL
    kinds: tuple[Kind, ...] = _KINDS
    """Which guidelines are checked."""
    operations: int = 3
    sizes: int = 5
    launches: int = 20
    noise: float = 0.1
    """Standard deviation of each operation's own log scatter in a launch."""
    fresh: bool = True
    """Whether predictions are confirmed by launches of their own; or, as they must not be, by those that they were made
    from.
    """
    planted: float = 1.0
    """By which ratio one guideline of each kind is violated, on operations 0, 1 and 2; of times that are equal."""


@dataclass(frozen=True)
class Calibration:
    """What came of it."""

    world: World
    options: Options
    false_alarms: Rate
    """Campaigns with a violation that is none."""
    false_share: float
    """What share of a campaign's violations is none, on average over all campaigns: what `bh` bounds."""
    predictions: float
    """Predictions of split-robustness in a campaign, on average."""
    found: Mapping[Kind, Rate]
    """Campaigns that find the planted violation of each kind; empty where none was planted."""

    def __str__(self) -> str:
        world, options = self.world, self.options
        kinds = ", ".join(kind.value for kind in world.kinds)
        title = f"{world.shape.value} times; {kinds}; {options.test}, adjust {options.adjust}"
        rows = {"campaigns with a false alarm": self.false_alarms}
        rows |= {f"planted {kind.value} found": found for kind, found in self.found.items()}
        numbers = [f"  {name:30}{found}" for name, found in rows.items()]
        per_campaign = (
            f"  {self.predictions:.2f} predictions a campaign, {self.false_share:.1%} of all violations false"
        )
        return "\n".join((title, *numbers, per_campaign))


def calibrate(
    world: World, options: Options | None = None, *, campaigns: int = 1000, seed: int = 1, promised: float | None = None
) -> Calibration:
    """The rates over so many campaigns. `promised` is at what rate planted violations are found at least; None stands
    for what `power` says of signed-rank, the test whose chance it knows in launches that both sides share.
    """
    options = options or Options()
    calls_s, mockups_s, planted = _truth(world)
    random = np.random.default_rng(seed)
    p_values = _p_values(world, calls_s, mockups_s, options, random=random, campaigns=campaigns)
    smallest = np.full(p_values.size, TESTS[options.test].smallest_p(world.launches, world.launches))
    violated = judge(p_values.ravel(), smallest, options, campaigns=campaigns).significant.reshape(p_values.shape)
    tests = round(float((~np.isnan(p_values)).sum() / campaigns))
    found = {}
    if world.planted != 1:
        chance = _chance(world, options, tests) if promised is None else promised
        for number, kind in enumerate(_KINDS):
            if kind in world.kinds:
                hits = violated[:, number][:, planted[number]].any(axis=1)
                found[kind] = rate(int(hits.sum()), campaigns, "at least", chance)
    false, alarms = (violated & ~planted).sum(axis=(1, 2, 3)), violated.sum(axis=(1, 2, 3))
    return Calibration(
        world=world,
        options=options,
        false_alarms=rate(int((false > 0).sum()), campaigns, "at most", options.level),
        false_share=float(np.mean(false / np.maximum(alarms, 1))),
        predictions=float((~np.isnan(p_values[:, _KINDS.index(Kind.SPLIT)])).sum() / campaigns),
        found=found,
    )


def moved(world: World) -> tuple[int, ...]:
    """Volumes of the sizes."""
    return tuple(1 << number for number in range(world.sizes))


def _truth(world: World) -> tuple[FloatArray, FloatArray, BoolArray]:
    """True times of calls and mock-ups, shape (operations, sizes), and which columns are planted violations."""
    growth = np.array(moved(world) if world.shape is Shape.LINEAR else [1] * world.sizes, np.float64)
    calls_s = np.tile(growth, (world.operations, 1))
    mockups_s, planted = calls_s.copy(), np.zeros((len(_KINDS), *calls_s.shape), np.bool_)
    if world.planted != 1:
        mockups_s[0, 0] /= world.planted
        for times in (calls_s, mockups_s):
            times[1, 1] *= world.planted  # slower than the next size
            times[2, -1] *= 2 * world.planted  # slower than two calls of half of it
        for kind, operation, size in ((Kind.PATTERN, 0, 0), (Kind.MONOTONY, 1, 1), (Kind.SPLIT, 2, -1)):
            planted[_KINDS.index(kind), operation, size] = True
    return calls_s, mockups_s, planted


def _p_values(
    world: World,
    calls_s: FloatArray,
    mockups_s: FloatArray,
    options: Options,
    *,
    random: np.random.Generator,
    campaigns: int,
) -> FloatArray:
    """One-sided, shape (campaigns, kinds, operations, sizes); NaN where nothing is tested."""
    test = TESTS[options.test]

    def slower(a: FloatArray, b: FloatArray) -> FloatArray:
        rows = test.rows(a.reshape(-1, world.launches), b.reshape(-1, world.launches), "greater")
        return rows.p_value.reshape(a.shape[:-1])

    factors = launch_factors(random, campaigns, world.launches)
    called = _drawn(calls_s[np.newaxis], factors, world, random)
    p_values = np.full((campaigns, len(_KINDS), *calls_s.shape), np.nan)
    if Kind.PATTERN in world.kinds:
        p_values[:, 0] = slower(called, _drawn(mockups_s[np.newaxis], factors, world, random))
    if Kind.MONOTONY in world.kinds:
        p_values[:, 1, :, :-1] = slower(called[:, :, :-1], called[:, :, 1:])
    if Kind.SPLIT in world.kinds:
        predicted = parts(moved(world), np.median(called, axis=-1), options.tolerance)
        campaign, operation, large = np.nonzero(predicted.violated)
        small = predicted.small[campaign, operation, large]
        times = calls(moved(world))[small, large]
        whole, split = called[campaign, operation, large], called[campaign, operation, small]
        if world.fresh:
            again = launch_factors(random, campaigns, world.launches)[campaign, 0]
            whole = _scattered(calls_s[operation, large], again, world, random)
            split = _scattered(calls_s[operation, small], again, world, random)
        if campaign.size:
            p_values[campaign, 2, operation, large] = slower(whole, times[:, np.newaxis] * split)
    return p_values


def _drawn(times: FloatArray, factors: FloatArray, world: World, random: np.random.Generator) -> FloatArray:
    """Launch medians of all operations and sizes, shape (campaigns, operations, sizes, launches)."""
    shape = (len(factors), world.operations, world.sizes, world.launches)
    noise = np.exp(world.noise * random.standard_normal(shape))
    return np.asarray(times[..., np.newaxis] * factors[:, np.newaxis] * noise, dtype=np.float64)


def _scattered(times: FloatArray, factors: FloatArray, world: World, random: np.random.Generator) -> FloatArray:
    """Launch medians of single questions, shape (questions, launches)."""
    noise = np.exp(world.noise * random.standard_normal(factors.shape))
    return np.asarray(times[:, np.newaxis] * factors * noise, dtype=np.float64)


def _chance(world: World, options: Options, tests: int) -> float:
    """Of pairs, one-sided: the two-sided test at twice the level."""
    return power(
        world.planted, world.noise * sqrt(2), world.launches, world.launches,
        cases=tests, level=2 * options.level, test=SIGNED_RANK.name, adjust=options.adjust,
    )  # fmt: skip
