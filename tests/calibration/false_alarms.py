"""A/A: one library against itself under two labels, in real campaigns. What is called different is a false alarm."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from tests.calibration.series import BUILD, bench, measure
from tests.calibration.simulated_samples import means_of_one_launch_differ

import ictus
from ictus.engine.series import Part
from ictus.stats.arrays import FloatArray
from ictus.stats.binomial_rate import Rate, rate
from ictus.store.campaign import Campaign

FOLDER = "aa"
A, B = "a", "b"
PLAN = {"op": "bcast,allreduce", "sizes": "8,4Ki"}
LEVEL = 0.05
DIFFERENT = ("faster", "slower")


@dataclass(frozen=True)
class FalseAlarms:
    """What came of it."""

    launches: int
    """Of each side in a campaign."""
    cases: int
    alarms: Rate
    """Campaigns with any case called different."""
    coverage: Rate
    """Campaigns in which the first case's interval holds the true ratio of 1."""
    one_launch: Rate
    """Campaigns in which the means of the first launch of each side are called different in any case."""
    spread: float
    """Median over cases and campaigns of the standard deviation of log launch medians."""


def false_alarms(campaigns: int) -> FalseAlarms:
    """Measure so many campaigns, as far as they are not there, and judge them."""
    both = bench((A, B))
    parts = [both.part(f"{number:03}", {**PLAN, "seed": number}) for number in range(campaigns)]
    measure(FOLDER, parts, both.execute)
    return judged(parts)


def judged(parts: Sequence[Part]) -> FalseAlarms:
    """All campaigns, each a family of its own."""
    alarms, covered, naive, spreads = 0, 0, 0, []
    for part in parts:
        campaign = ictus.load(BUILD / FOLDER / part.name)
        rows = ictus.compare(campaign, A, B, level=LEVEL).rows
        alarms += any(row.outcome in DIFFERENT for row in rows)
        low, high = rows[0].result.ratio_low, rows[0].result.ratio_high
        covered += low is not None and high is not None and low <= 1 <= high
        naive += one_launch_alarm(campaign)
        spreads += launch_spreads(campaign)
    n = len(parts)
    return FalseAlarms(
        launches=parts[0].design.plan.launches,
        cases=len(parts[0].design.cases),
        alarms=rate(alarms, n, "at most", LEVEL),
        coverage=rate(covered, n, "at least", 1 - LEVEL),
        one_launch=rate(naive, n, "at most", LEVEL),
        spread=float(np.median(spreads)),
    )


def one_launch_alarm(campaign: Campaign) -> bool:
    """Whether the means of the first launch of each side are called different in any case that both have."""
    a, b = (first_launch(campaign, label) for label in (A, B))
    both = sorted(a.keys() & b.keys())
    return bool(means_of_one_launch_differ([a[case] for case in both], [b[case] for case in both]).any())


def first_launch(campaign: Campaign, label: str) -> dict[int, FloatArray]:
    """The valid makespans of each case, by id, in the first launch of a library; cases with two or more."""
    index = next(i for i, launch in enumerate(campaign.launches) if launch.mpi == label)
    frame = campaign.sources[index].lazy().filter(pl.col("flags") == 0).select("case_id", "makespan").collect()
    groups = frame.partition_by("case_id", as_dict=True)
    return {int(key[0]): group["makespan"].to_numpy() for key, group in groups.items() if group.height > 1}


def launch_spreads(campaign: Campaign) -> list[float]:
    """Of each library and case the standard deviation of the logarithms of its launch medians."""
    found = campaign.summaries.group_by("mpi", "case_id").agg(pl.col("median").log().std())
    return [float(value) for value in found["median"].drop_nulls()]
