"""Claims about single launches: what one reports, and whom one calls faster."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_titles import operation_title
from ictus.diagnosis.analysis import diagnose
from ictus.model.quantity import format_size
from ictus.render.page import Legend
from ictus.render.table import Block, Column, Table, Times, records, row_columns
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import share_rule, together
from ictus.store.campaign import Campaign
from ictus.studies.campaign_material import CampaignMaterial
from ictus.studies.claim import REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.launches.compare_two import CLAIM as COMPARE_TWO, every_launch
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


_COLUMNS = row_columns("row.mpi row.case low_s high_s pairs apart difference")


def spread_of(row: CaseRow, values_s: FloatArray) -> Spread:
    """From what the launches report, in the order measured."""
    first_s, second_s = values_s[: values_s.size // 2 * 2 : 2], values_s[1::2]
    ratios = np.maximum(first_s, second_s) / np.minimum(first_s, second_s)
    return Spread(row, float(values_s.min()), float(values_s.max()), first_s.size, int((ratios >= 1 + APART).sum()))


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
    panels = every_launch(campaign, Legend(campaign.labels))
    return ClaimResult(ruling, because, (_spread_table(spreads),), records(spreads, _COLUMNS), panels)


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
    COMPARE_TWO,
)

STUDY = study_of_claims("launches", CampaignMaterial(), CLAIMS)
