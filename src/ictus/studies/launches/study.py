"""Claims about single launches: what one reports, and whom one calls faster."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_rows import case_rows
from ictus.comparison.case_titles import LIBRARY, operation_title
from ictus.comparison.comparison import compare
from ictus.comparison.figures import launch_panels, picked
from ictus.comparison.rows import ComparisonRow
from ictus.model.quantity import format_size
from ictus.render.page import Legend, Panel
from ictus.render.table import Block, Column, Table, Times
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import LEVEL, Ruling, rank_sum_p, share_rule, together
from ictus.store.campaign import Campaign
from ictus.studies.campaign_material import CampaignMaterial
from ictus.studies.claim import REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.diagnosis.analysis import diagnose, samples_of
from ictus.studies.diagnosis.study import thinned
from ictus.studies.study import study_of_claims

APART = 0.03
"""By so much two launches differ, where it is worth telling: a share of the smaller."""


@dataclass(frozen=True)
class Spread:
    """A row of the paper's Table I: what the launches of a case report, seconds."""

    row: CaseRow
    low_s: float
    high_s: float
    pairs: int
    """Pairs of launches, each launch in one."""
    apart: int
    """Pairs that differ by `APART` or more."""

    @property
    def difference(self) -> float:
        """The paper's: largest less smallest, over the smallest."""
        return self.high_s / self.low_s - 1

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        values = {name: value for name, value in vars(self).items() if name != "row"}
        return {"mpi": self.row.mpi, "case": dict(self.row.case), **values, "difference": self.difference}


def spread_of(row: CaseRow, values_s: FloatArray) -> Spread:
    """From what the launches report, in the order measured."""
    first_s, second_s = values_s[: values_s.size // 2 * 2 : 2], values_s[1::2]
    ratios = np.maximum(first_s, second_s) / np.minimum(first_s, second_s)
    return Spread(row, float(values_s.min()), float(values_s.max()), first_s.size, int((ratios >= 1 + APART).sum()))


def _panels(campaign: Campaign) -> tuple[Panel, ...]:
    """Every launch of each case, in the order measured."""
    cases = picked(tuple(case_rows(campaign)), LIBRARY)
    return launch_panels(campaign, cases, Legend(campaign.labels), LIBRARY)


def _run_to_run(campaign: Campaign) -> ClaimResult:
    spreads = [
        spread_of(diagnosis.row, diagnosis.values_s) for diagnosis in diagnose(campaign) if diagnosis.values_s.size
    ]
    ruling = together([share_rule(spread.apart, spread.pairs) for spread in spreads])
    pairs, apart = sum(spread.pairs for spread in spreads), sum(spread.apart for spread in spreads)
    most = max((spread.difference for spread in spreads), default=0.0)
    because = (
        f"{apart} of {pairs} pairs of launches differ by {100 * APART:g} % or more; at most {100 * most:.3g} % lie "
        f"between two launches of a size"
    )
    return ClaimResult(
        ruling, because, (_spread_table(spreads),), [spread.as_row() for spread in spreads], _panels(campaign)
    )


def _spread_table(spreads: Sequence[Spread]) -> Table[Any]:
    column = Column[Spread]
    columns = (
        column("size_bytes", "size", lambda spread: format_size(int(spread.row.case["size_bytes"])), once=True),
        column("mpi", "library", lambda row: row.row.mpi, "left"),
        column("low_s", "min(avg)", lambda row: Times(row.low_s), "point"),
        column("high_s", "max(avg)", lambda row: Times(row.high_s), "point"),
        column("difference", "diff", lambda row: f"{100 * row.difference:.2f} %", "point"),
        column("pairs", "pairs", lambda row: str(row.pairs)),
        column("apart", "3 % apart", lambda row: str(row.apart)),
    )
    title = operation_title(spreads[0].row.case) if spreads else "no valid sample"
    return Table(columns, [Block(title, "a loop" if spreads else "", list(spreads))])


@dataclass(frozen=True)
class Misled:
    """Of one case: pairs of single launches, and those whose samples contradict all launches together."""

    row: ComparisonRow
    pairs: int
    wrong: int
    """Samples of the two launches differ significantly, the other way round or where all launches show no difference
    of 5 %."""

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {"case": dict(self.row.case), "outcome": self.row.outcome, "pairs": self.pairs, "wrong": self.wrong}


def contradicts(p_value: float, a_s: FloatArray, b_s: FloatArray, outcome: str) -> bool:
    """Whether two launches' samples say, at 5 %, what all launches together refute."""
    if p_value > LEVEL:
        return False
    direction = "faster" if np.median(a_s) < np.median(b_s) else "slower"
    return outcome == "same" or (outcome in ("faster", "slower") and outcome != direction)


def _misled(campaign: Campaign, row: ComparisonRow) -> Misled:
    samples: dict[str, list[FloatArray]] = {row.a: [], row.b: []}
    for case_row in case_rows(campaign):
        same = all(case_row.case.get(name, value) == value for name, value in row.case.items())
        if case_row.mpi in samples and same:
            slots = [launch.slot.slot for launch in campaign.launches if launch.mpi == case_row.mpi]
            samples_each = (samples_of(campaign, case_row, slot) for slot in slots)
            samples[case_row.mpi] = [kept.values_s for kept in samples_each if kept is not None]
    # Launches of two libraries are independent: any pairs will do, as many as there are.
    pairs = list(zip(samples[row.a], samples[row.b], strict=False))
    wrong = sum(contradicts(rank_sum_p(thinned(a, a.size), thinned(b, b.size)), a, b, row.outcome) for a, b in pairs)
    return Misled(row, len(pairs), wrong)


def _compare_two(campaign: Campaign) -> ClaimResult:
    rows = compare(campaign).rows
    misleds = [_misled(campaign, row) for row in rows if row.outcome in ("faster", "slower", "same")]
    rulings: list[Ruling] = [share_rule(misled.wrong, misled.pairs) for misled in misleds]
    wrong, pairs = sum(misled.wrong for misled in misleds), sum(misled.pairs for misled in misleds)
    because = (
        f"{wrong} of {pairs} pairs of single launches say significantly what all launches together refute; "
        f"{len(misleds)} of {len(rows)} cases are known from all launches"
    )
    told = [misled.as_row() for misled in misleds]
    return ClaimResult(together(rulings), because, (_misled_table(misleds),), told, _panels(campaign))


def _misled_table(misleds: Sequence[Misled]) -> Table[Any]:
    column = Column[Misled]
    columns = (
        column("size_bytes", "size", lambda misled: format_size(int(misled.row.case["size_bytes"]))),
        column("", "all launches", lambda row: f"{row.row.a} {row.row.outcome}", "left"),
        column("pairs", "pairs", lambda row: str(row.pairs)),
        column("wrong", "say otherwise", lambda row: str(row.wrong)),
    )
    operations: dict[str, list[Misled]] = {}
    for misled in misleds:
        operations.setdefault(operation_title(misled.row.case), []).append(misled)
    return Table(columns, [Block(title, "one launch of each library", rows) for title, rows in operations.items()])


CLAIMS = (
    Claim(
        "run-to-run",
        "What a plain loop reports differs by some per cent from launch to launch.",
        f"{REVISITED}, Tab. I",
        "pairs of launches that differ by 3 % or more, more than one in twenty (exact binomial test, Holm, 5 %); "
        "refuted where it is shown to be less than one in five, of every size",
        quick_or(
            {"sizes": "8,512", "launches": 30, "nrep": 5},
            {"sizes": "1..32Ki", "launches": 30, "nrep": 10},
            op="bcast",
            datatype="byte",
            n=2,
            procsync="barrier(library)",
            scheme="loop(calls=100)",
        ),
        _run_to_run,
        least_percent=100 * APART,
    ),
    Claim(
        "compare-two",
        "One launch of each library says with significance who is faster, and is wrong.",
        f"{REVISITED}, Fig. 25, 26, 28",
        "pairs of launches whose samples say at 5 % (rank-sum) what all launches refute, more than one in twenty "
        "(exact binomial test, Holm, 5 %)",
        quick_or(
            {"sizes": "64,4Ki", "launches": 20, "nrep": 100},
            {"sizes": "8..64Ki*8", "launches": 30, "nrep": 100},
            op="allreduce",
            n=2,
        ),
        _compare_two,
        libraries=2,
    ),
)

STUDY = study_of_claims("launches", CampaignMaterial(), CLAIMS)
