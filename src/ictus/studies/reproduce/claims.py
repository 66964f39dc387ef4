"""The claim that whole campaigns are reproducible, from a study as `ictus reproduce` makes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ictus.comparison.case_titles import operation_title
from ictus.comparison.verdict_texts import p_text
from ictus.render.page import Legend
from ictus.render.table import Block, Column, Table
from ictus.stats.claim_rules import Ruling, nearer_rule, together
from ictus.studies.claim import REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.reproduce.analysis import TrialRow, Trials
from ictus.studies.reproduce.figures import trial_panels
from ictus.studies.reproduce.material import TrialRecord
from ictus.studies.reproduce.record import OWN
from ictus.studies.reproduce.tables import COLUMNS, blocks_of, detail, diff_text, result_table, share, size_text


@dataclass(frozen=True)
class Nearer:
    """A case of one library: results of campaigns against those of a suite's single runs."""

    campaigns: TrialRow
    suite: TrialRow

    @property
    def ruling(self) -> Ruling:
        """Of this case; trials without a valid sample are left out."""
        return nearer_rule(
            *([value for value in row.results_s if value is not None] for row in (self.campaigns, self.suite))
        )

    @property
    def is_nearer(self) -> bool:
        """Whether the largest difference is the smaller one."""
        return self.diffs[0] < self.diffs[1]

    @property
    def diffs(self) -> tuple[float, float]:
        """The largest differences, of campaigns and of the suite; NaN where nothing is known."""
        own_diff, suite = (np.nan if row.spread is None else row.spread.diff for row in (self.campaigns, self.suite))
        return own_diff, suite

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "suite": COLUMNS.record(self.suite),
            "own": COLUMNS.record(self.campaigns),
            "p_value": self.ruling.p_value,
        }


def pairs_of(rows: Sequence[TrialRow]) -> tuple[Nearer, ...]:
    """Every case of every library against every suite."""
    of_campaigns = {_key(row): row for row in rows if row.way == OWN}
    return tuple(Nearer(of_campaigns[_key(row)], row) for row in rows if row.way != OWN)


def _key(row: TrialRow) -> tuple[object, ...]:
    return row.mpi, *row.case.values()


def _judge(record: TrialRecord) -> ClaimResult:
    trials = record.trials
    pairs = pairs_of(trials.rows)
    legend = Legend(trials.study.ways)
    return ClaimResult(
        together([nearer.ruling for nearer in pairs]),
        _because(pairs, trials),
        (nearer_table(pairs, trials), result_table(trials)),
        [pair.as_row() for pair in pairs],
        trial_panels(trials, legend),
        legend,
    )


def _because(pairs: Sequence[Nearer], trials: Trials) -> str:
    finite = [pair for pair in pairs if np.isfinite(pair.diffs).all()]
    if not finite:
        return f"in none of {trials.complete} trials a case has valid samples both ways"
    own_diff, suite = np.median([nearer.diffs for nearer in finite], axis=0)
    return (
        f"of {trials.complete} trials the results of campaigns of {trials.study.plan.launches} launches lie nearer "
        f"together than single runs of {', '.join(trials.study.suites)} in "
        f"{sum(pair.is_nearer for pair in finite)} of {len(finite)} comparisons: by "
        f"{share(own_diff)} against {share(suite)} at the most, in the median of them"
    )


def nearer_table(pairs: Sequence[Nearer], trials: Trials) -> Table[Nearer]:
    """The largest difference by campaigns and by each suite, with the test's p-value."""
    column = Column[Nearer]
    columns = (
        column("size_bytes", "size", lambda nearer: size_text(nearer.campaigns)),
        column("suite", "suite", lambda row: row.suite.way, "left"),
        column("diff", f"diff, {OWN}", lambda row: diff_text(row.campaigns), "point"),
        column("diff", "diff, suite", lambda row: diff_text(row.suite), "point"),
        column("p_value", "p", lambda row: p_text(row.ruling.p_value), "point"),
    )
    blocks = []
    for group in blocks_of(trials.rows):
        keys = {_key(row) for row in group}
        inside = [pair for pair in pairs if _key(pair.campaigns) in keys]
        blocks.append(Block(operation_title(group[0].case), detail(group, trials.rows), inside))
    return Table(columns, blocks)


def _single(values: Mapping[str, Any]) -> str | None:
    """A mean over launches needs some."""
    if int(values["launches"]) > 1:
        return None
    return "a campaign of one launch is itself a single run; give --launches 3 or more"


CLAIMS = (
    Claim(
        "reproducibility",
        "Whole campaigns come to results that lie nearer together, from trial to trial, than single runs of suites.",
        f"{REVISITED}, sec. 6.3, Fig. 29",
        "Brown and Forsythe's test of the logarithms of the trials' results, campaigns against each suite, one-sided, "
        "its p-value times 1.25 (cases by Holm, 5 %); refuted where campaigns are shown to lie farther apart in every "
        "case",
        quick_or(
            {"sizes": "64", "launches": 3, "nrep": 100, "trials": 8, "lens": "imb-loop"},
            {"sizes": "8..32Ki", "launches": 30, "nrep": 1000, "trials": 30, "lens": "imb-loop,skampi"},
            op="bcast",
            n=2,
        ),
        _judge,
        hidden=_single,
    ),
)
