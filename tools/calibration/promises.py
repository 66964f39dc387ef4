"""What was found of injected slow-downs, held against what the product promises: power, coverage, launches needed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from tools.calibration.detection import BASE, OPERATIONS, Detection, label_of, launch_medians

import ictus
from ictus.report.rows import ComparisonRow
from ictus.stats.arrays import FloatArray
from ictus.stats.compare import compare_cases
from ictus.stats.power import launches_needed, power
from ictus.stats.rank_sum import RANK_SUM
from ictus.stats.rate import Rate, rate
from ictus.stats.verdict import VerdictKind
from ictus.store.campaign import Campaign

LEVEL, CHANCE = 0.05, 0.8
MOST = 300
"""More launches than that are not drawn."""
_DECIDED = (VerdictKind.FASTER, VerdictKind.SLOWER, VerdictKind.SAME)
_SEED = 1


@dataclass(frozen=True)
class Promise:
    """One slow-down of one operation, over all campaigns."""

    share: int
    operation: str
    ratio: float
    """True ratio: 1 + measured delay / median of the library as it is."""
    spread: float
    """Standard deviation of log launch medians inside a campaign."""
    found: Rate
    """Campaigns that call it slower, against the promised power."""
    covered: Rate
    """Campaigns whose interval holds the true ratio."""
    needed: int | None
    """Launches a side that are said to find it with a chance of 80 %; None for more than 1,000."""
    planned: Rate | None
    """Campaigns of that many launches, drawn from what was measured, that find it."""


@dataclass(frozen=True)
class Followed:
    """Undecided cases continued by as many launches as the verdict said."""

    decided: Rate | None
    """None where no case is undecided."""
    asked: tuple[int, ...]
    """How many more launches the verdicts asked for."""
    beyond: int
    """Undecided cases that asked for more than were drawn."""


def promises(detection: Detection) -> Iterator[Promise]:
    """For each delay that was injected."""
    judged = {share: [_rows(campaign, share) for campaign in detection.campaigns] for share in detection.shares}
    for delay in detection.delays:
        name = delay.operation
        bases = [launch_medians(campaign, BASE)[name] for campaign in detection.campaigns]
        slows = [launch_medians(campaign, label_of(delay.share))[name] for campaign in detection.campaigns]
        true = [1 + 1e-9 * delay.measured_ns / float(np.median(base)) for base in bases]
        rows = [by_name[name] for by_name in judged[delay.share]]
        ratio, spread, launches = float(np.median(true)), pooled_spread([*bases, *slows]), bases[0].size
        promised = power(ratio, spread, launches, launches, cases=len(OPERATIONS), level=LEVEL)
        needed = launches_needed(ratio, spread, cases=len(OPERATIONS), level=LEVEL)
        yield Promise(
            share=delay.share,
            operation=name,
            ratio=ratio,
            spread=spread,
            found=rate(sum(row.outcome == "slower" for row in rows), len(rows), "at least", promised),
            covered=rate(sum(map(_holds, rows, true)), len(rows), "at least", 1 - LEVEL),
            needed=needed,
            planned=planned(ratio, spread, residuals(detection.campaigns, delay.share, name), launches=needed),
        )


def _rows(campaign: Campaign, share: int) -> dict[str, ComparisonRow]:
    """The comparison of one slow-down in one campaign, all operations judged together."""
    rows = ictus.compare(campaign, label_of(share), BASE, level=LEVEL).rows
    return {str(row.case["operation"]).partition("(")[0]: row for row in rows}


def _holds(row: ComparisonRow, ratio: float) -> bool:
    low, high = row.result.ratio_low, row.result.ratio_high
    return low is not None and high is not None and low <= ratio <= high


def pooled_spread(samples: Sequence[FloatArray]) -> float:
    """Standard deviation of log values around the mean of their own sample, pooled over samples of two or more."""
    return float(np.sqrt(np.mean([np.log(sample).var(ddof=1) for sample in samples if sample.size > 1])))


def planned(
    ratio: float, spread: float, scatter: FloatArray, *, launches: int | None, campaigns: int = 400
) -> Rate | None:
    """Campaigns of as many launches as are said to be needed, drawn from what was measured of these launches around the
    mean of their campaign: how many find the difference? None where more than 1,000 are needed.
    """
    if launches is None:
        return None
    random = np.random.default_rng(_SEED)
    # The pool scatters as launches of one campaign do, on average over all: exactly by `spread`.
    drawn = random.choice(scatter * (spread / scatter.std()), (2, campaigns, launches))
    a, b = ratio * np.exp(drawn[0]), np.exp(drawn[1])
    found = RANK_SUM.rows(a, b, "two-sided").p_value <= LEVEL / len(OPERATIONS)
    return rate(int(found.sum()), campaigns, "at least", CHANCE)


def followed(detection: Detection) -> Followed:
    """Each undecided case is continued by as many launches as its verdict said, drawn around the true ratio; is it
    decided then?
    """
    random = np.random.default_rng(_SEED)
    decided, asked, beyond = 0, [], 0
    delays = {(delay.share, delay.operation): 1e-9 * delay.measured_ns for delay in detection.delays}
    for share in detection.shares:
        scatter = {name: residuals(detection.campaigns, share, name) for name in OPERATIONS}
        for campaign in detection.campaigns:
            for name, row in _rows(campaign, share).items():
                more = row.result.verdict.more_launches
                if row.result.verdict.kind is not VerdictKind.UNDECIDED:
                    continue
                if more is None or more > MOST:
                    beyond += 1
                    continue
                asked.append(more)
                today = {one: _today(campaign, share, one) for one in OPERATIONS}
                sides = [_continued(today[one], delays[share, one], more, scatter[one], random) for one in OPERATIONS]
                results = compare_cases([a for a, _ in sides], [b for _, b in sides], paired=False, level=LEVEL)
                decided += results[OPERATIONS.index(name)].verdict.kind in _DECIDED
    return Followed(rate(decided, len(asked), "at least", CHANCE) if asked else None, tuple(asked), beyond)


def residuals(campaigns: Sequence[Campaign], share: int, name: str) -> FloatArray:
    """Log launch medians of both sides of all campaigns, around the mean of each, widened for that mean having been
    estimated.
    """
    logs = [
        np.log(launch_medians(campaign, label)[name]) for campaign in campaigns for label in (label_of(share), BASE)
    ]
    return np.concatenate([(one - one.mean()) * np.sqrt(one.size / (one.size - 1)) for one in logs if one.size > 1])


def _today(campaign: Campaign, share: int, name: str) -> dict[str, FloatArray]:
    return {
        "slow": launch_medians(campaign, label_of(share))[name],
        "base": launch_medians(campaign, BASE)[name],
    }


def _continued(
    today: Mapping[str, FloatArray], delay_s: float, more: int, scatter: FloatArray, random: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Today's launches of both sides, and `more` of each around the level of both and the true ratio."""
    slow, base = np.log(today["slow"]), np.log(today["base"])
    shift = float(np.log1p(delay_s / np.exp(np.median(base))))
    level = float(np.mean([*(slow - shift), *base]))
    drawn = random.choice(scatter, (2, more))
    return np.exp(np.append(slow, level + shift + drawn[0])), np.exp(np.append(base, level + drawn[1]))
