"""The claim that one launch of each library says with significance who is faster and is not borne out: of few samples
of a launch and of many, beside what all launches say, in the paper's tests of their averages.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ictus.comparison.case_rows import case_rows
from ictus.comparison.case_titles import LIBRARY, grouped, operation_title, processes
from ictus.comparison.comparison import compare
from ictus.comparison.figures import launch_panels, picked
from ictus.comparison.rows import ComparisonRow
from ictus.comparison.verdict_texts import p_text
from ictus.diagnosis.analysis import samples_of
from ictus.model.quantity import format_size
from ictus.render.figures.ratio import RelativeLine, RelativePoint, relative_figure
from ictus.render.page import Legend, Panel
from ictus.render.table import Block, Column, Table, Times, records, row_columns
from ictus.stats.adjust import holm
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import LEVEL, rank_sum_p, share_rule, together
from ictus.stats.registry import TESTS
from ictus.stats.verdict import stars
from ictus.store.campaign import Campaign
from ictus.studies.claim import REVISITED, Claim, ClaimResult, quick_or
from ictus.studies.diagnosis.study import thinned

NREPS = (10, 100, 1000)
"""Samples of a launch, from its first on."""


@dataclass(frozen=True)
class LaunchPairs:
    """The first samples of the launches of one case: what pairs of launches say, and what the averages of all do."""

    row: ComparisonRow
    nrep: int
    """Samples of a launch."""
    a_s: FloatArray
    """The median of each launch, seconds."""
    b_s: FloatArray
    pairs: int
    """Pairs of single launches."""
    wrong: int
    """Of these, those whose samples say significantly the opposite of all launches with all samples."""
    p_adjusted: float | None = None
    """For all cases with as many samples of a launch (Holm)."""

    @property
    def p_value(self) -> float | None:
        """Of the rank-sum test of the launches' medians, not adjusted; None where a side has none."""
        return self._p("two-sided")

    @property
    def less_p(self) -> float | None:
        """That A takes less."""
        return self._p("less")

    @property
    def greater_p(self) -> float | None:
        """That A takes more."""
        return self._p("greater")

    def _p(self, alternative: Any) -> float | None:
        if not (self.a_s.size and self.b_s.size):
            return None
        rows = TESTS["rank-sum"].rows(self.a_s[np.newaxis], self.b_s[np.newaxis], alternative)
        return float(rows.p_value[0])


def says_the_opposite(p_value: float, a_s: FloatArray, b_s: FloatArray, ratio: float) -> bool:
    """Whether two launches' samples say, at 5 %, the opposite of all launches, whose ratio of A to B is given. A
    difference that is small, but there, is no error: its direction counts.
    """
    return p_value <= LEVEL and (float(np.median(a_s)) - float(np.median(b_s))) * (ratio - 1) < 0


def _of_case(campaign: Campaign, row: ComparisonRow) -> list[LaunchPairs]:
    samples: dict[str, list[FloatArray]] = {row.a: [], row.b: []}
    for case_row in case_rows(campaign):
        same = all(case_row.case.get(name, value) == value for name, value in row.case.items())
        if case_row.mpi in samples and same:
            slots = [launch.slot.slot for launch in campaign.launches if launch.mpi == case_row.mpi]
            samples_each = (samples_of(campaign, case_row, slot) for slot in slots)
            samples[case_row.mpi] = [kept.values_s for kept in samples_each if kept is not None]
    most = max((values.size for side in samples.values() for values in side), default=0)
    numbers = [nrep for nrep, fewer in zip(NREPS, (0, *NREPS), strict=False) if fewer < most]
    return [_pairs(row, samples[row.a], samples[row.b], nrep) for nrep in numbers]


def _pairs(row: ComparisonRow, a: Sequence[FloatArray], b: Sequence[FloatArray], nrep: int) -> LaunchPairs:
    firsts_a, firsts_b = ([values[:nrep] for values in side] for side in (a, b))
    # Launches of two libraries are independent: any pairs will do, as many as there are.
    pairs, ratio = list(zip(firsts_a, firsts_b, strict=False)), row.result.ratio or 1.0
    wrong = sum(says_the_opposite(rank_sum_p(thinned(x, x.size), thinned(y, y.size)), x, y, ratio) for x, y in pairs)
    a_s, b_s = (np.array([np.median(values) for values in side]) for side in (firsts_a, firsts_b))
    return LaunchPairs(row, nrep, a_s, b_s, len(pairs), wrong)


def _compare_two(campaign: Campaign) -> ClaimResult:
    rows = compare(campaign).rows
    told = _adjusted([pairs for row in rows for pairs in _of_case(campaign, row)])
    texts = [
        f"{sum(pairs.wrong for pairs in of)} of {sum(pairs.pairs for pairs in of)} by {nrep:,} samples"
        for nrep in NREPS
        if (of := [pairs for pairs in told if pairs.nrep == nrep])
    ]
    most = max(told, key=lambda pairs: pairs.wrong, default=None)
    where = f"; most {most.wrong} of {most.pairs} of {_size(most)} by {most.nrep:,}" if most is not None else ""
    because = f"pairs of single launches contradict the ratio of all significantly: {', '.join(texts) or 'none'}{where}"
    ruling = together([share_rule(pairs.wrong, pairs.pairs) for pairs in told])
    legend = Legend(campaign.labels)
    panels = (*_average_panels(told, legend), *every_launch(campaign, legend))
    return ClaimResult(ruling, because, (_table(told),), records(told, _COLUMNS), panels)


def _adjusted(told: Sequence[LaunchPairs]) -> list[LaunchPairs]:
    """With p-values that are adjusted for all cases."""
    p_values: dict[int, float] = {}
    for group in grouped(told, lambda pairs: pairs.nrep):
        tested = [pairs for pairs in group if pairs.p_value is not None]
        p_values |= zip(map(id, tested), holm(np.array([pairs.p_value for pairs in tested])), strict=True)
    return [replace(pairs, p_adjusted=p_values.get(id(pairs))) for pairs in told]


_COLUMNS = row_columns("row.case row.outcome nrep pairs wrong p_value p_adjusted less_p greater_p")


def _table(told: Sequence[LaunchPairs]) -> Table[LaunchPairs]:
    column = Column[LaunchPairs]
    columns = (
        column("size_bytes", "size", _size, once=True),
        column("nrep", "samples", lambda row: f"{row.nrep:,}"),
        column("", "A", lambda row: Times(_median(row.a_s)), "point"),
        column("", "B", lambda row: Times(_median(row.b_s)), "point"),
        column("p_value", "p", lambda row: p_text(row.p_value), "point", 2),
        column("p_adjusted", "adjusted p", lambda row: p_text(row.p_adjusted), "point"),
        column("", "", lambda row: stars(row.p_adjusted), "left"),
        column("less_p", "less p", lambda row: p_text(row.less_p), "point", 1),
        column("greater_p", "greater p", lambda row: p_text(row.greater_p), "point", 1),
        column("outcome", "A is, by all", lambda row: row.row.outcome, "left"),
        column("wrong", "opposite pairs", lambda row: f"{row.wrong} of {row.pairs}"),
    )
    blocks = [
        Block(operation_title(group[0].row.case), f"A: {group[0].row.a}, B: {group[0].row.b}", group)
        for group in grouped(told, _call)
    ]
    note = "p: rank-sum tests of the launches' medians, two-sided, and one-sided that A takes less or more."
    return Table(columns, blocks, note=note)


def _size(pairs: LaunchPairs) -> str:
    return format_size(int(pairs.row.case["size_bytes"]))


def _median(values_s: FloatArray) -> float | None:
    return float(np.median(values_s)) if values_s.size else None


def _call(pairs: LaunchPairs) -> tuple[object, ...]:
    return pairs.row.case["operation"], pairs.row.case["n"], pairs.row.a, pairs.row.b


def _average_panels(told: Sequence[LaunchPairs], legend: Legend) -> tuple[Panel, ...]:
    """The launches' medians of every size in relation to B's, by the number of samples."""
    panels = []
    for group in grouped(told, lambda pairs: (*_call(pairs), pairs.nrep)):
        both = [pairs for pairs in group if pairs.a_s.size and pairs.b_s.size]
        if not both:
            continue
        first = both[0]
        lines = [
            RelativeLine(name, legend.index(name), tuple(_relative(pairs, side_s) for pairs, side_s in sides))
            for name, sides in (
                (first.row.a, [(pairs, pairs.a_s) for pairs in both]),
                (first.row.b, [(pairs, pairs.b_s) for pairs in both]),
            )
        ]
        title = f"{operation_title(first.row.case)}, {first.nrep:,} samples a launch"
        differing = ", ".join(_size(pairs) for pairs in both if stars(pairs.p_adjusted))
        detail = f"{processes(int(first.row.case['n']))}; significant: {differing or 'none'}"
        svg = relative_figure(lines, f"latency / {first.row.b}", f"Medians of launches against size, {title}")
        panels.append(Panel(title, detail, svg, (first.row.a, first.row.b)))
    return tuple(panels)


def _relative(pairs: LaunchPairs, side_s: FloatArray) -> RelativePoint:
    """A side's launches in relation to the median of B's, with the quartiles."""
    ratios = side_s / np.median(pairs.b_s)
    low, middle, high = np.quantile(ratios, (0.25, 0.5, 0.75))
    return RelativePoint(int(pairs.row.case["size_bytes"]), middle, low, high, tuple(ratios))


def every_launch(campaign: Campaign, legend: Legend) -> tuple[Panel, ...]:
    """Every launch of each case, in the order measured."""
    return launch_panels(campaign, picked(tuple(case_rows(campaign)), LIBRARY), legend, LIBRARY)


CLAIM = Claim(
    "compare-two",
    "One launch of each library says with significance who is faster, and all launches do not bear it out.",
    f"{REVISITED}, Fig. 25, 26, 28",
    "pairs of launches of a case whose first 10, 100 or 1,000 samples say at 5 % (rank-sum) the opposite of all "
    "launches' ratio, more than one in twenty (exact binomial test, Holm, 5 %); refuted where it is shown to be less "
    "than one in five, of every case",
    quick_or(
        {"sizes": "64,4Ki", "launches": 20, "nrep": 1000},
        {"sizes": "8..64Ki*8", "launches": 30, "nrep": 1000},
        op="allreduce",
        n=2,
    ),
    _compare_two,
    libraries=2,
)
