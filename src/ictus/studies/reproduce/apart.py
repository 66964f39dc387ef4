"""The claim that campaigns of one library differ by more than their launches do: what a comparison of two campaigns
would take for a difference of libraries.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from ictus.comparison.case_titles import operation_title, processes
from ictus.comparison.verdict_texts import p_text
from ictus.model.quantity import format_duration, format_size
from ictus.render.figures.order import OrderPoint, time_order_figure
from ictus.render.page import Legend, Panel
from ictus.render.table import Block, Column, Table, Times
from ictus.stats.adjust import holm
from ictus.stats.between_campaigns import campaign_variance
from ictus.stats.claim_rules import LEVEL, Ruling, campaigns_rule, rank_sum_p, together
from ictus.studies.claim import REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.reproduce.analysis import TrialRow, Trials
from ictus.studies.reproduce.material import TrialRecord
from ictus.studies.reproduce.tables import blocks_of, detail, share, size_text


@dataclass(frozen=True)
class Apart:
    """A case of one library: the launches of each campaign."""

    row: TrialRow
    ruling: Ruling

    @property
    def medians_s(self) -> tuple[float, ...]:
        """Of each campaign's launches."""
        return tuple(float(np.median(launches_s)) for launches_s in self.row.launches_s if launches_s)

    @property
    def between(self) -> float | None:
        """The share of the launches' variance, of the logarithms, that is between campaigns."""
        logs = [np.log(launches_s) for launches_s in self.row.launches_s if launches_s]
        return campaign_variance(logs).share if self.ruling.p_value is not None else None

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        medians = self.medians_s
        return {
            "mpi": self.row.mpi,
            "case": dict(self.row.case),
            "campaigns": len(medians),
            "min_s": min(medians, default=None),
            "max_s": max(medians, default=None),
            "share_between": self.between,
            "p_value": self.ruling.p_value,
        }


def called_different(rows: Sequence[TrialRow]) -> tuple[int, int]:
    """Pairs of campaigns of one library whose launches differ significantly in a case, as if the launches of different
    campaigns were of one: rank-sum tests, all cases of a pair together (Holm, 5 %). And all pairs.
    """
    different, pairs = 0, 0
    for mpi in dict.fromkeys(row.mpi for row in rows):
        of_library = [row.launches_s for row in rows if row.mpi == mpi]
        for a, b in combinations(range(len(of_library[0])), 2):
            p_values = holm(np.array([rank_sum_p(launches[a], launches[b]) for launches in of_library]))
            different, pairs = different + bool(p_values.min() <= LEVEL), pairs + 1
    return different, pairs


def _judge(record: TrialRecord) -> ClaimResult:
    trials = record.trials
    cases = [Apart(row, campaigns_rule(row.launches_s)) for row in trials.rows]
    legend = Legend(trials.labels)
    return ClaimResult(
        together([case.ruling for case in cases]),
        _because(cases, trials),
        (_table(cases, trials),),
        [case.as_row() for case in cases],
        _panels(cases, legend),
        legend,
    )


def _because(spreads: Sequence[Apart], trials: Trials) -> str:
    different, pairs = called_different(trials.rows)
    with_medians = [case for case in spreads if case.medians_s]
    if not with_medians:
        return "no campaign has a valid sample"
    most = max(with_medians, key=lambda case: max(case.medians_s) / min(case.medians_s))
    return (
        f"{different} of {pairs} pairs of campaigns of {trials.study.plan.launches} launches, in which nothing had "
        f"changed, differ significantly in one or more of {len(spreads) // len(trials.labels)} cases, as if their "
        f"launches were of one campaign; the medians of campaigns differ most in {operation_title(most.row.case)} of "
        f"{size_text(most.row)}, {most.row.mpi}: {max(most.medians_s) / min(most.medians_s):.3g} times"
    )


def _table(spreads: Sequence[Apart], trials: Trials) -> Table[Apart]:
    column = Column[Apart]
    columns = (
        column("size_bytes", "size", lambda row: format_size(int(row.row.case["size_bytes"])), once=True),
        column("mpi", "library", lambda row: row.row.mpi, "left"),
        column("min_s", "lowest median", lambda row: Times(min(row.medians_s, default=None)), "point"),
        column("max_s", "highest median", lambda row: Times(max(row.medians_s, default=None)), "point"),
        column("share_between", "between campaigns", lambda row: "–" if row.between is None else share(row.between)),
        column("p_value", "p", lambda row: p_text(row.ruling.p_value), "point"),
    )
    blocks = []
    for group in blocks_of(trials.rows):
        inside = [case for case in spreads if any(case.row is row for row in group)]
        blocks.append(Block(operation_title(group[0].case), detail(group, trials.rows), inside))
    note = (
        "Medians: of the launches of each campaign. Between campaigns: their share of the variance of all launches; "
        "the rest is that of launches inside campaigns."
    )
    return Table(columns, blocks, note=note)


def _panels(spreads: Sequence[Apart], legend: Legend) -> tuple[Panel, ...]:
    """Of each case all libraries: a point for each campaign, with bars from quartile to quartile and end to end."""
    cases: dict[tuple[Any, ...], list[Apart]] = {}
    for spread in spreads:
        cases.setdefault(tuple(spread.row.case.items()), []).append(spread)
    panels = []
    for case in cases.values():
        row = case[0].row
        points = [point for of_case in case for point in _points(of_case.row, legend.index(of_case.row.mpi))]
        if points:
            title = f"{operation_title(row.case)}, {size_text(row)}"
            svg = time_order_figure(points, (), "launch medians", f"Launches of {title}", "campaign")
            panels.append(Panel(title, processes(int(row.case["n"])), svg))
    return tuple(panels)


def _points(row: TrialRow, index: int) -> list[OrderPoint]:
    points = []
    for trial, launches in enumerate(row.launches_s):
        if launches:
            low, middle, high = (float(quantile) for quantile in np.quantile(launches, (0.25, 0.5, 0.75)))
            tip = f"{row.mpi}, campaign {trial}: {format_duration(middle)}, of {len(launches)} launches"
            points.append(OrderPoint(trial, index, middle, (low, high), (min(launches), max(launches)), tip))
    return points


def _too_few(values: Mapping[str, Any]) -> str | None:
    """Without two launches in a campaign nothing is known of how launches differ inside one."""
    if int(values["launches"]) < 2:
        return "a campaign of one launch says nothing of how launches differ inside it; give --launches 4 or more"
    return None


CLAIMS = (
    Claim(
        "apart",
        "The same library, measured twice, differs more between campaigns than inside one.",
        f"ours; that launches are the sample: {REVISITED}, sec. 5",
        "test of Kruskal and Wallis: launches by campaign, of each case (Holm, 5 %); refuted where, in every case, an "
        "analysis of variance of the logarithms shows that less than a fifth of the variance is between campaigns",
        quick_or(
            {"op": "bcast,alltoall", "sizes": "8,64Ki", "launches": 5, "nrep": 50, "trials": 8, "lens": "none"},
            {
                "op": "bcast,allreduce,alltoall",
                "sizes": "8,1Ki,64Ki",
                "launches": 8,
                "nrep": 200,
                "trials": 20,
                "lens": "none",
            },
            n=2,
        ),
        _judge,
        hidden=_too_few,
    ),
)
