"""The claim that suites report different times of the same calls, from a campaign with the methods of all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ictus.comparison.case_titles import group_detail, grouped, operation_title
from ictus.comparison.verdict_texts import p_text, ratio_text
from ictus.model.quantity import format_size
from ictus.render.page import Legend
from ictus.render.table import Block, Cell, Column, Table, Times
from ictus.render.unit import time_unit
from ictus.stats.claim_rules import LEVEL, Ruling, no_longer_rule, together
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.verdict import CaseRules, Verdict
from ictus.store.campaign import Campaign
from ictus.studies.claim import REVISITED, Claim, ClaimResult
from ictus.studies.factors.contrasts import LEAST_PERCENT, adjusted
from ictus.studies.lens.analysis import LensRow, ViewedGroup, judged, viewed
from ictus.studies.lens.figures import lens_panels
from ictus.studies.lens.material import read_lens_data
from ictus.studies.lens.methods import usual_of
from ictus.studies.lens.suites.registry import find_look
from ictus.studies.lens.tables import CONFIDENCE

SUITES = (
    "osu",
    "imb-loop",
    "mpptest",
    "phloem",
    "phloem(barrier)",
    "skampi",
    "skampi(window)",
    "nbcbench",
    "mpibench",
    "mpiblib",
    "mpicroscope",
)
"""Those of the papers' Table II, with every scheme of Table III. All others are held against the first."""


@dataclass(frozen=True)
class AgainstFirst:
    """What a suite reports of the calls of one case, against what the first one reports in the same launches."""

    suite: ViewedGroup
    first: ViewedGroup
    result: CaseComparison
    less: Ruling
    """That it reports less by the least effect that matters: a smallest time always is a bit less than a mean."""
    greater: Ruling
    """That it reports more by it."""

    @property
    def outcome(self) -> str:
        """Of the test: `faster` where it reports less."""
        return self.result.verdict.kind.value

    @property
    def factor(self) -> float:
        """How many times one of both is the other, 1 or more; 0 where that is unknown."""
        ratio = self.result.ratio
        return max(ratio, 1 / ratio) if ratio else 0.0

    @property
    def key(self) -> tuple[str, ...]:
        """Library, case and suite."""
        return (self.suite.group.mpi, *map(str, self.suite.group.case.values()), self.suite.lens)

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        return {
            "mpi": self.suite.group.mpi,
            "case": dict(self.suite.group.case),
            "suite": self.suite.lens,
            "reported_s": self.result.median_a,
            "against": self.first.lens,
            "against_s": self.result.median_b,
            "ratio": self.result.ratio,
            "p_adjusted": self.result.p_adjusted,
            "outcome": self.outcome,
            "reported": reported(self.result.verdict),
        }


def against_first(views: Sequence[ViewedGroup]) -> tuple[AgainstFirst, ...]:
    """Every suite against the first that saw the same cases; all of them judged together."""
    groups = grouped(views, lambda group: (group.group.mpi, *map(str, group.group.case.values())))
    pairs = [(view, first) for first, *others in groups for view in others]
    results = compare_cases(
        [_headlines(view) for view, _ in pairs], [_headlines(first) for _, first in pairs], CaseRules(paired=True)
    )
    return tuple(_against(*pair, result) for pair, result in zip(pairs, results, strict=True))


def _against(suite: ViewedGroup, first: ViewedGroup, result: CaseComparison) -> AgainstFirst:
    most = 1 / (1 + LEAST_PERCENT / 100)
    suite_s, first_s = (np.array(_headlines(each), dtype=np.float64) for each in (suite, first))
    less, greater = (no_longer_rule(*sides, most, paired=True) for sides in ((suite_s, first_s), (first_s, suite_s)))
    return AgainstFirst(suite, first, result, less, greater)


def _headlines(group: ViewedGroup) -> list[float | None]:
    """What people take for the latency, of each launch."""
    return [None if report is None else report.headline_s for report in group.reports]


def _judge(campaign: Campaign) -> ClaimResult:
    lens_data = read_lens_data(campaign)
    views = viewed(lens_data, tuple(map(find_look, SUITES)))
    firsts = against_first(views)
    rows, legend = judged(lens_data, views, CONFIDENCE), Legend(campaign.labels)
    tables: tuple[Table[Any], ...] = (report_table(firsts), print_table(rows))
    printed = {(row.mpi, *map(str, row.case.values()), row.lens): _printed(row) for row in rows}
    data = tuple({**first.as_row(), "printed": printed[first.key]} for first in firsts)
    ruling = together([ruling for first in firsts for ruling in (first.less, first.greater)])
    return ClaimResult(ruling, _because(firsts), tables, data, lens_panels(rows, legend), legend)


def _because(firsts: Sequence[AgainstFirst]) -> str:
    rulings = [
        (first, ruling) for first in firsts for ruling in (first.less, first.greater) if ruling.p_value is not None
    ]
    p_values = adjusted([ruling for _, ruling in rulings])
    differing = [first for (first, _), p_value in zip(rulings, p_values, strict=True) if p_value <= LEVEL]
    if not differing:
        same = sum(first.less.refuted and first.greater.refuted for first in firsts)
        return (
            f"none of {len(firsts)} comparisons with {SUITES[0]} shows a difference of {LEAST_PERCENT:g} % or more, "
            f"{same} show that there is none"
        )
    most = max(differing, key=lambda pair: pair.factor)
    case = most.suite.group.case
    return (
        f"{len(differing)} of {len(firsts)} comparisons with {SUITES[0]} differ by {LEAST_PERCENT:g} % or more, most "
        f"{operation_title(case)} of {format_size(int(case['size_bytes']))} in {most.suite.group.mpi}: "
        f"{most.suite.lens} reports {ratio_text(most.result.ratio)} times what {most.first.lens} does"
    )


def report_table(firsts: Sequence[AgainstFirst]) -> Table[AgainstFirst]:
    """For each call of a library what every suite reports of it."""
    column = Column[AgainstFirst]
    columns = (
        column("suite", "suite", lambda first: first.suite.lens, "left"),
        column("reported_s", "reports", lambda row: Times(row.result.median_a), "point"),
        column("ratio", f"to {SUITES[0]}", lambda row: ratio_text(row.result.ratio), "point"),
        column("p_adjusted", "adjusted p", lambda row: p_text(row.result.p_adjusted), "point", 2),
        column("reported", "", lambda row: reported(row.result.verdict), "left", 1),
    )
    return Table(
        columns, [_block(group) for group in grouped(firsts, lambda pair: (pair.first.group.mpi, _call(pair)))]
    )


def reported(verdict: Verdict) -> str:
    """The verdict in words of what is reported: the calls are the same, none is faster."""
    return verdict.text.replace("faster", "less").replace("slower", "more")


def _call(first: AgainstFirst) -> tuple[Any, ...]:
    case = first.first.group.case
    return case["operation"], case["n"], case["size_bytes"]


def _block(group: Sequence[AgainstFirst]) -> Block[AgainstFirst]:
    first = group[0].first
    case: Mapping[str, Any] = first.group.case
    unit = time_unit([pair.result.median_a for pair in group])
    detail = (
        f"{format_size(int(case['size_bytes']))}, {first.group.mpi}, {group_detail(case, ())}; {first.lens} reports "
        f"{unit.number(group[0].result.median_b)} {unit.name}"
    )
    return Block(operation_title(case), detail, group, unit)


def print_table(rows: Sequence[LensRow]) -> Table[LensRow]:
    """The papers' Tables II to IV of these calls: each suite's own line, and how it comes to it."""
    column = Column[LensRow]
    columns = (
        column("suite", "suite", lambda row: Cell(row.lens, "dim" if row.lens == SUITES[0] else ""), "left"),
        column("printed", "prints", _printed, "left"),
        column("", "measures", lambda row: find_look(row.spec).lens.measures, "left", only=("page",)),
        column("", "reduces", lambda row: find_look(row.spec).lens.reduces, "left", only=("page",)),
    )
    blocks = []
    for group in grouped(rows, lambda row: (row.mpi, *map(str, row.case.values()))):
        case = group[0].case
        detail = f"{format_size(int(case['size_bytes']))}, {group[0].mpi}, {group_detail(case, ())}"
        blocks.append(Block(operation_title(case), detail, group))
    return Table(columns, blocks, note="What a suite prints is the median of the launches, by its own names.")


def _printed(row: LensRow) -> str:
    return ", ".join(f"{printed.name} {printed.text}" for printed in row.printed)


QUICK, FULL = {"launches": 12, "op": "bcast", "sizes": "8"}, {"launches": 30, "op": "bcast", "sizes": "8..32Ki*8"}


def _plan(quick: bool) -> Mapping[str, Any]:
    """The methods of all suites, with as many calls for each."""
    methods = usual_of(tuple(map(find_look, SUITES)), (), 200 if quick else 1000)
    return {**methods, **(QUICK if quick else FULL), "n": 2}


CLAIMS = (
    Claim(
        "suites",
        "What suites report of the same calls differs.",
        f"{REVISITED}, Tab. II to IV",
        f"each suite's time against that of {SUITES[0]} in the same launches: signed-rank tests that one is less by "
        f"{LEAST_PERCENT:g} % or more, of all cases together (Holm, 5 %); refuted where every case is shown to differ "
        "by less",
        _plan,
        _judge,
        least_percent=LEAST_PERCENT,
    ),
)
