"""The finding that whole campaigns are reproducible, from a study as `ictus reproduce` makes it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ictus.comparison.case_titles import operation_title
from ictus.comparison.verdict_texts import p_text
from ictus.engine.backend import World
from ictus.engine.event import Observer
from ictus.findings.finding import REVISITED, FindingResult, PaperFinding, quick_or
from ictus.findings.material import FindingRequest, Provenance, folder_of
from ictus.findings.rules import Ruling, nearer_rule, together
from ictus.render.page import Legend
from ictus.render.table import Block, Column, Table
from ictus.studies.reproduce.analysis import TrialRow, Trials, read_trials
from ictus.studies.reproduce.figures import trial_panels
from ictus.studies.reproduce.measuring import ReproduceOptions, measure_trials
from ictus.studies.reproduce.record import DOCUMENT, OWN
from ictus.studies.reproduce.tables import COLUMNS, blocks_of, detail, diff_text, result_table, share, size_text


@dataclass(frozen=True)
class TrialMaterial:
    """A study of reproducibility; its plan has `trials` and `suites` beside the keys of a campaign's plan."""

    def takes(self, _: str) -> bool:
        """Every option."""
        return True

    def measure(self, request: FindingRequest, world: World, observer: Observer) -> Path:
        """As `ictus reproduce`; what was begun goes on with the options that it began with."""
        place = folder_of(request)
        given = {key: value for key, value in request.given.items() if value is not None}
        if (place / DOCUMENT).is_file():
            return measure_trials(given, place, world, observer, ReproduceOptions())
        options = ReproduceOptions(request.plan["trials"], request.plan["suites"])
        plan = {key: value for key, value in request.plan.items() if key not in ("trials", "suites")}
        return measure_trials({**plan, **given}, place, world, observer, options)

    def read(self, folder: Path) -> Trials:
        """All complete trials."""
        return read_trials(folder)

    def provenance(self, data: Trials, folder: Path) -> Provenance:
        """Of all campaigns together."""
        plan = data.study.plan
        return Provenance(
            folder,
            data.study.created,
            data.study.ictus,
            data.machine.get("host", "unknown host"),
            data.labels,
            data.complete * len(data.labels) * (plan.launches + len(data.study.suites)),
            plan.seed or 0,
            data.warnings,
        )


@dataclass(frozen=True)
class Nearer:
    """A case of one library: results of campaigns against those of a suite's single runs."""

    own: TrialRow
    suite: TrialRow

    @property
    def ruling(self) -> Ruling:
        """Of this case; trials without a valid sample are left out."""
        return nearer_rule(*([value for value in row.results_s if value is not None] for row in (self.own, self.suite)))

    @property
    def is_nearer(self) -> bool:
        """Whether the largest difference is the smaller one."""
        return self.diffs[0] < self.diffs[1]

    @property
    def diffs(self) -> tuple[float, float]:
        """The largest differences, of campaigns and of the suite; NaN where nothing is known."""
        own, suite = (np.nan if row.spread is None else row.spread.diff for row in (self.own, self.suite))
        return own, suite

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {"suite": COLUMNS.record(self.suite), "own": COLUMNS.record(self.own), "p_value": self.ruling.p_value}


def pairs_of(rows: Sequence[TrialRow]) -> tuple[Nearer, ...]:
    """Every case of every library against every suite."""
    own = {_key(row): row for row in rows if row.way == OWN}
    return tuple(Nearer(own[_key(row)], row) for row in rows if row.way != OWN)


def _key(row: TrialRow) -> tuple[object, ...]:
    return row.mpi, *row.case.values()


def _judge(trials: Trials) -> FindingResult:
    pairs = pairs_of(trials.rows)
    legend = Legend(trials.study.ways)
    return FindingResult(
        together([one.ruling for one in pairs]),
        _because(pairs, trials),
        (nearer_table(pairs, trials), result_table(trials)),
        tuple(one.as_row() for one in pairs),
        trial_panels(trials, legend),
        legend,
    )


def _because(pairs: Sequence[Nearer], trials: Trials) -> str:
    known = [one for one in pairs if np.isfinite(one.diffs).all()]
    if not known:
        return f"in none of {trials.complete} trials a case has valid samples both ways"
    own, suite = np.median([one.diffs for one in known], axis=0)
    return (
        f"of {trials.complete} trials the results of campaigns of {trials.study.plan.launches} launches lie nearer "
        f"together than single runs of {', '.join(trials.study.suites)} in {sum(one.is_nearer for one in known)} of "
        f"{len(known)} comparisons: by {share(own)} against {share(suite)} at the most, in the median of them"
    )


def nearer_table(pairs: Sequence[Nearer], trials: Trials) -> Table[Nearer]:
    """The largest difference by campaigns and by each suite, with the test's p-value."""
    column = Column[Nearer]
    columns = (
        column("size_bytes", "size", lambda one: size_text(one.own)),
        column("suite", "suite", lambda one: one.suite.way, "left"),
        column("diff", f"diff, {OWN}", lambda one: diff_text(one.own), "point"),
        column("diff", "diff, suite", lambda one: diff_text(one.suite), "point"),
        column("p_value", "p", lambda one: p_text(one.ruling.p_value), "point"),
    )
    blocks = []
    for group in blocks_of(trials.rows):
        keys = {_key(row) for row in group}
        inside = [one for one in pairs if _key(one.own) in keys]
        blocks.append(Block(operation_title(group[0].case), detail(group, trials.rows), inside))
    return Table(columns, blocks)


def _single(values: Mapping[str, Any]) -> str | None:
    """A mean over launches needs some."""
    if int(values["launches"]) > 1:
        return None
    return "a campaign of one launch is itself a single run; give --launches 3 or more"


FINDINGS = (
    PaperFinding(
        "reproducibility",
        "Whole campaigns come to results that lie nearer together, from trial to trial, than single runs of suites.",
        f"{REVISITED}, sec. 6.3, Fig. 29",
        "Brown and Forsythe's test of the logarithms of the trials' results, campaigns against each suite, one-sided, "
        "its p-value times 1.25 (cases by Holm, 5 %); refuted where campaigns are shown to lie farther apart in every "
        "case",
        quick_or(
            {"sizes": "64", "launches": 3, "nrep": 100, "trials": 8, "suites": ("imb-loop",)},
            {"sizes": "8..32Ki", "launches": 30, "nrep": 1000, "trials": 30, "suites": ("imb-loop", "skampi")},
            op="bcast",
            n=2,
        ),
        _judge,
        hidden=_single,
        material=TrialMaterial(),
    ),
)
