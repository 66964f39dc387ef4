"""What was found of injected slow-downs, held against what the product promises: power, coverage, launches needed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil

import numpy as np
from tools.calibration.detection import BASE, OPERATIONS, Detection, label_of, launch_medians

import ictus
from ictus.report.rows import ComparisonRow
from ictus.stats.arrays import FloatArray
from ictus.stats.compare import compare_cases
from ictus.stats.evidence import weigh
from ictus.stats.power import MOST_LAUNCHES, launches_needed, power
from ictus.stats.rank_sum import RANK_SUM
from ictus.stats.rate import Rate, Side, rate
from ictus.stats.verdict import VerdictKind
from ictus.store.campaign import Campaign

LEVEL, CHANCE = 0.05, 0.8
FEWER = 2 / 3
"""With so many of the launches that are needed, a difference must be found less often than promised of all."""
DRAWN = 400
"""Planned campaigns drawn in all, in equal parts from each campaign measured."""
_DECIDED = (VerdictKind.FASTER, VerdictKind.SLOWER, VerdictKind.SAME)
_SEED = 1
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
    """Campaigns that call it slower, against the power promised for each campaign's own ratio and spread, mean."""
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
    plans = [Planned(*one) for one in zip(true, spreads, sides, strict=True)]
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
    """A campaign planned with what one that was measured says: its true ratio, its spread, its launches."""

    ratio: float
    spread: float
    sides: Sides

    @property
    def power(self) -> float:
        """The chance that is promised of a campaign as large as the one measured."""
        n, m = (side.size for side in self.sides)
        return power(self.ratio, self.spread, n, m, cases=len(OPERATIONS), level=LEVEL)

    @cached_property
    def needed(self) -> int | None:
        """Launches a side that are said to find the difference; None for more than 1,000."""
        return launches_needed(self.ratio, self.spread, cases=len(OPERATIONS), level=LEVEL)

    def find(self, launches: int, campaigns: int, random: np.random.Generator) -> int:
        """How many campaigns of so many launches, drawn from those measured, find the difference."""
        drawn = np.exp(random.choice(residuals(self.sides), (2, campaigns, launches)))
        p_values = RANK_SUM.rows(self.ratio * drawn[0], drawn[1], "two-sided").p_value
        return int((p_values <= LEVEL / len(OPERATIONS)).sum())


def planned(plans: Sequence[Planned], side: Side, share: float = 1.0) -> Rate | None:
    """Campaigns of as many launches (or a share of them) as each plan is said to need: how many find the difference?
    None where all need more than 1,000.
    """
    random = np.random.default_rng(_SEED)
    each = ceil(DRAWN / len(plans))
    known = [(plan, ceil(share * plan.needed)) for plan in plans if plan.needed is not None]
    found = sum(plan.find(launches, each, random) for plan, launches in known)
    return rate(found, each * len(known), side, CHANCE) if known else None


def residuals(sides: Sides) -> FloatArray:
    """Log launch medians of both sides of a campaign, each around its own median, widened for that having been
    estimated.
    """
    logs = [np.log(side) for side in sides]
    return np.concatenate([(one - np.median(one)) * np.sqrt(one.size / (one.size - 1)) for one in logs])


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
                results = compare_cases([a for a, _ in sides], [b for _, b in sides], paired=False, level=LEVEL)
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
    drawn = random.choice(residuals(today), (2, more))
    return np.exp(np.append(slow, level + shift + drawn[0])), np.exp(np.append(base, level + drawn[1]))
