"""What was found of injected slow-downs, held against what the product promises: power, coverage, launches needed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log

import numpy as np
from tests.calibration.detection import BASE, OPERATIONS, Detection, label_of, launch_medians

import ictus
from ictus.comparison.rows import ComparisonRow
from ictus.model.errors import MeasurementError
from ictus.stats.arrays import FloatArray
from ictus.stats.binomial_rate import Rate, Side, rate
from ictus.stats.compare import compare_cases
from ictus.stats.evidence import weigh
from ictus.stats.planning import MOST_LAUNCHES, launches_like
from ictus.stats.rank_sum_test import RANK_SUM
from ictus.stats.scatter import Scatter, scatter_of
from ictus.stats.verdict import CaseRules, VerdictKind
from ictus.store.campaign import Campaign

LEVEL, CHANCE = 0.05, 0.8
FEWER = 2 / 3
"""With so many of the launches that are needed, a difference must be found less often than promised of all."""
DRAWN = 400
"""Planned campaigns drawn in all, in equal parts from each campaign measured."""
_DECIDED = (VerdictKind.FASTER, VerdictKind.SLOWER, VerdictKind.SAME)
_SEED = 1
_NEIGHBOURS, _KERNEL = 4, 0.8
"""The kernel around a launch: this share of the way to the neighbour that one in so many launches is as near as."""
Sides = tuple[FloatArray, FloatArray]
"""Launch medians of the slowed library and of the library as it is, seconds, shape (launches,) each."""


@dataclass(frozen=True)
class Promise:
    """One slow-down of one operation, over all campaigns."""

    share: int
    operation: str
    ratio: float
    """True ratio: 1 + measured delay / median of the library as it is; median over campaigns."""
    spread: float
    """Of log launch medians in a campaign, by the robust estimate of the product; median over campaigns."""
    found: Rate
    """Campaigns that call it slower, against the power promised for each campaign's own ratio and launches, mean."""
    covered: Rate
    """Campaigns whose interval holds the true ratio."""
    needed: int | None
    """Launches a side that are said to find it with a chance of 80 %, median over campaigns; None for over 1,000."""
    least: int | None
    """Smallest and largest over campaigns, of those that need at most 1,000."""
    most: int | None
    planned: Rate | None
    """Campaigns of as many launches as a campaign is said to need, drawn from its own launches, that find it."""
    fewer: Rate | None
    """The same of two thirds as many: were these to find it as often, the number would be too large."""

    @property
    def judged(self) -> Rate | None:
        """`found`, where a campaign that finds nothing at all would break the promise; None where it would keep it."""
        return self.found if not rate(0, self.found.trials, self.found.side, self.found.promised).holds else None


@dataclass(frozen=True)
class Followed:
    """Undecided cases continued by as many launches as the verdict said."""

    decided: Rate | None
    """None where no case is undecided."""
    asked: tuple[int, ...]
    """How many more launches the verdicts asked for."""
    beyond: Rate | None
    """Of the cases that are said to need more than 1,000: those that 1,000 decide; None where there is none."""


def promises(detection: Detection) -> Iterator[Promise]:
    """For each delay that was injected."""
    judged = {share: [_rows(campaign, share) for campaign in detection.campaigns] for share in detection.shares}
    for delay in detection.delays:
        name, label = delay.operation, label_of(delay.share)
        sides = [
            (launch_medians(campaign, label)[name], launch_medians(campaign, BASE)[name])
            for campaign in detection.campaigns
        ]
        true = [1 + 1e-9 * delay.measured_ns / float(np.median(base)) for _, base in sides]
        rows = [by_name[name] for by_name in judged[delay.share]]
        yield promise(delay.share, name, sides, true, rows)


def promise(
    share: int, name: str, sides: Sequence[Sides], true: Sequence[float], rows: Sequence[ComparisonRow]
) -> Promise:
    """What came of one slow-down: launch medians of both sides of each campaign, its true ratio, its row."""
    spreads = [robust_spread(slow, base) for slow, base in sides]
    plans = [Planned(*one) for one in zip(true, sides, strict=True)]
    numbers = sorted(plan.needed for plan in plans if plan.needed is not None)
    # The lower one in the middle of all; None where half of the campaigns or more need over 1,000.
    middle = (len(plans) - 1) // 2
    return Promise(
        share=share,
        operation=name,
        ratio=float(np.median(true)),
        spread=float(np.median(spreads)),
        found=rate(
            sum(row.outcome == "slower" for row in rows),
            len(rows),
            "exactly",
            float(np.mean([plan.power for plan in plans])),
        ),
        covered=rate(sum(map(_holds, rows, true)), len(rows), "at least", 1 - LEVEL),
        needed=numbers[middle] if middle < len(numbers) else None,
        least=numbers[0] if numbers else None,
        most=numbers[-1] if numbers else None,
        planned=planned(plans, "at least"),
        fewer=planned(plans, "at most", FEWER),
    )


def _rows(campaign: Campaign, share: int) -> dict[str, ComparisonRow]:
    """The comparison of one slow-down in one campaign, all operations judged together."""
    rows = ictus.compare(campaign, label_of(share), BASE, level=LEVEL).rows
    return {str(row.case["operation"]).partition("(")[0]: row for row in rows}


def _holds(row: ComparisonRow, ratio: float) -> bool:
    low, high = row.result.ratio_low, row.result.ratio_high
    return low is not None and high is not None and low <= ratio <= high


def robust_spread(slow: FloatArray, base: FloatArray) -> float:
    """What the product takes for the standard deviation of log launch medians in a comparison of these launches."""
    return float(weigh(slow[np.newaxis], base[np.newaxis], RANK_SUM, LEVEL).spread[0])


@dataclass(frozen=True)
class Planned:
    """A campaign planned with what one that was measured says: its true ratio, its launches."""

    ratio: float
    sides: Sides

    @cached_property
    def scatter(self) -> Scatter:
        """How its launches scatter."""
        scatter = scatter_of(*self.sides, paired=False)
        if scatter is None:
            raise MeasurementError("launches that all take the same time say nothing of more of them")
        return scatter

    @property
    def power(self) -> float:
        """The chance that is promised of a campaign as large as the one measured."""
        n, m = (np.array([side.size]) for side in self.sides)
        return float(self.scatter.power(log(self.ratio), n, m, LEVEL / len(OPERATIONS))[0])

    @cached_property
    def needed(self) -> int | None:
        """Launches a side that are said to find the difference; None for more than 1,000."""
        return launches_like(*self.sides, self.ratio, paired=False, cases=len(OPERATIONS), level=LEVEL)

    def find(self, launches: int, campaigns: int, random: np.random.Generator) -> int:
        """How many campaigns of so many launches, drawn from those measured, find the difference."""
        a, b = np.exp(drawn(residuals(self.sides, self.ratio), (2, campaigns, launches), random))
        p_values = RANK_SUM.rows(self.ratio * a, b, "two-sided").p_value
        return int((p_values <= LEVEL / len(OPERATIONS)).sum())


def planned(plans: Sequence[Planned], side: Side, share: float = 1.0) -> Rate | None:
    """Campaigns of as many launches (or a share of them) as each plan is said to need: how many find the difference?
    None where all need more than 1,000.

    Campaigns drawn from one plan are not independent of each other: a plan that is too large is so for all of them. So
    they count as the number of independent ones whose rate would scatter as the plans' rates do.
    """
    random = np.random.default_rng(_SEED)
    each = ceil(DRAWN / len(plans))
    known = [(plan, ceil(share * plan.needed)) for plan in plans if plan.needed is not None]
    if not known:
        return None
    found = np.array([plan.find(launches, each, random) / each for plan, launches in known])
    mean = float(found.mean())
    error = float(found.var(ddof=1)) / found.size if found.size > 1 else 1.0
    most = each * found.size
    trials = most if error == 0 else min(max(round(mean * (1 - mean) / error), found.size), most)
    return rate(round(mean * trials), trials, side, CHANCE)


def residuals(sides: Sides, ratio: float) -> FloatArray:
    """Log launch medians of both sides of a campaign, the true ratio taken off, around their common median: medians of
    a dozen launches would lie in one mode here and in the other there.
    """
    known = np.append(np.log(sides[0] / ratio), np.log(sides[1]))
    return np.asarray(known - np.median(known), dtype=np.float64)


def drawn(known: FloatArray, shape: tuple[int, ...], random: np.random.Generator) -> FloatArray:
    """Further launches like those of a campaign (`residuals`), smoothed.

    Drawn as they are, both sides would hold the same two dozen values over and over. Of such a pair the slowed one is
    *always* the slower, however small the delay: campaigns of hundreds of launches then find 1 % where launches differ
    by 20 %, and a number that is right looks far too large. So around each value lies a normal kernel, as wide as the
    way to its neighbour a quarter of the values off, which is narrow where launches are dense: one width for all would
    fill the gap between fast and slow launches.
    """
    widths = np.sort(np.abs(known[:, np.newaxis] - known), axis=1)[:, max(known.size // _NEIGHBOURS, 1)]
    chosen = random.integers(known.size, size=shape)
    return np.asarray(known[chosen] + widths[chosen] * random.standard_normal(shape) * _KERNEL, dtype=np.float64)


def followed(detection: Detection) -> Followed:
    """Each undecided case is continued by as many launches as its verdict said, or by 1,000 where it said more, drawn
    around the true ratio; is it decided then?
    """
    random = np.random.default_rng(_SEED)
    asked: dict[bool, list[int]] = {True: [], False: []}
    decided = {True: 0, False: 0}
    delays = {(delay.share, delay.operation): 1e-9 * delay.measured_ns for delay in detection.delays}
    for share in detection.shares:
        for campaign in detection.campaigns:
            today = {
                name: (launch_medians(campaign, label_of(share))[name], launch_medians(campaign, BASE)[name])
                for name in OPERATIONS
            }
            for name, row in _rows(campaign, share).items():
                if row.result.verdict.kind is not VerdictKind.UNDECIDED:
                    continue
                more = row.result.verdict.more_launches
                known = more is not None
                asked[known].append(MOST_LAUNCHES if more is None else more)
                sides = [continued(today[one], delays[share, one], asked[known][-1], random) for one in OPERATIONS]
                results = compare_cases(
                    [a for a, _ in sides], [b for _, b in sides], CaseRules(paired=False, level=LEVEL)
                )
                decided[known] += results[OPERATIONS.index(name)].verdict.kind in _DECIDED
    return Followed(
        rate(decided[True], len(asked[True]), "at least", CHANCE) if asked[True] else None,
        tuple(asked[True]),
        rate(decided[False], len(asked[False]), "at most", CHANCE) if asked[False] else None,
    )


def continued(today: Sides, delay_s: float, more: int, random: np.random.Generator) -> Sides:
    """Today's launches of both sides, and `more` of each around the level of both and the true ratio."""
    slow, base = np.log(today[0]), np.log(today[1])
    shift = float(np.log1p(delay_s / np.exp(np.median(base))))
    level = float(np.median([*(slow - shift), *base]))
    further = drawn(residuals(today, float(np.exp(shift))), (2, more), random)
    return np.exp(np.append(slow, level + shift + further[0])), np.exp(np.append(base, level + further[1]))
