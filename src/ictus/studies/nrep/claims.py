"""The claim about rules that stop a measurement: what falls with repetitions, and that metrics ask for different
numbers of them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ictus.comparison.case_titles import group_detail, operation_title
from ictus.engine.nrep import nrep_rows
from ictus.model.quantity import format_size
from ictus.render.page import Legend
from ictus.render.table import NONE, Block, Column, Table
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling, share_rule, sign_rule, together, together_alike
from ictus.stats.nrep import METRICS, NrepPrediction, NrepRule, predict
from ictus.store.campaign import Campaign
from ictus.studies.claim import SELF_CONSISTENT, Claim, ClaimResult, quick_or
from ictus.studies.nrep.figures import metric_panels

TIMES = 1.5
"""The largest number is at least so many times the smallest, where it is worth telling that metrics differ."""
ALONE = {name: NrepRule({name: threshold}) for name, threshold in METRICS.items()}
"""The rules that stop by one metric."""


@dataclass(frozen=True)
class Stops:
    """What the metrics say of one launch of a case."""

    numbers: Mapping[str, int | None]
    """By metric: the repetitions that it asks for; None where its samples end before."""
    falls: Mapping[str, int]
    """By metric, from its first look to its last one: 1 where it falls, -1 where it rises, 0 where nothing is known."""

    @property
    def all_numbers(self) -> tuple[int, ...]:
        """All numbers; empty where a metric has none."""
        numbers = tuple(number for number in self.numbers.values() if number is not None)
        return numbers if len(numbers) == len(self.numbers) else ()

    @property
    def apart(self) -> bool:
        """Whether metrics ask for numbers that differ."""
        return bool(self.all_numbers) and max(self.all_numbers) >= TIMES * min(self.all_numbers)


def stops_of(values: FloatArray) -> Stops:
    """Of one launch, its valid samples in the order measured."""
    predictions = {name: predict(values, rule) for name, rule in ALONE.items()}
    return Stops(
        {name: prediction.nrep if prediction.converged else None for name, prediction in predictions.items()},
        {name: _fall(name, prediction) for name, prediction in predictions.items()},
    )


def _fall(name: str, prediction: NrepPrediction) -> int:
    finite = prediction.running[name][np.isfinite(prediction.running[name])]
    return int(np.sign(finite[0] - finite[-1])) if finite.size > 1 else 0


def judge_stops(launches: Sequence[Stops]) -> Ruling:
    """Of one case: that every metric falls, and that their numbers differ, in launches in which all metrics stop."""
    falls = [[stops.falls[name] for stops in launches] for name in ALONE]
    stopped = [launch.apart for launch in launches if launch.all_numbers]
    return together_alike(
        [
            *(sign_rule(signs.count(1), signs.count(-1)) for signs in falls),
            share_rule(sum(stopped), len(stopped)),
        ]
    )


@dataclass(frozen=True)
class CaseStops:
    """A case of one library and all its launches."""

    mpi: str
    case: Mapping[str, Any]
    launches: tuple[Stops, ...]

    @property
    def n_known(self) -> int:
        """Launches in which all metrics stop."""
        return sum(bool(launch.all_numbers) for launch in self.launches)

    @property
    def n_apart(self) -> int:
        """Those in which their numbers differ."""
        return sum(launch.apart for launch in self.launches)

    def numbers(self, name: str) -> list[int]:
        """Those of a metric, of the launches in which it stops."""
        return [number for launch in self.launches if (number := launch.numbers[name]) is not None]

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        numbers = [dict(launch.numbers) for launch in self.launches]
        return {"mpi": self.mpi, "case": dict(self.case), "launches": numbers, "apart": self.n_apart}


def _judge(campaign: Campaign) -> ClaimResult:
    rule = NrepRule(METRICS)
    rows = nrep_rows(campaign, rule)
    cases = [CaseStops(row.mpi, row.case, tuple(stops_of(launch.values) for launch in row.launches)) for row in rows]
    legend = Legend(tuple(METRICS))
    return ClaimResult(
        together([judge_stops(stops.launches) for stops in cases]),
        _because(cases),
        (stop_table(cases),),
        [case.as_row() for case in cases],
        metric_panels(rows, rule, legend),
        legend,
    )


def _because(cases: Sequence[CaseStops]) -> str:
    n_known, total = sum(case.n_known for case in cases), sum(len(stops.launches) for stops in cases)
    if not n_known:
        return f"in none of {total} launches of a case all metrics stop before the samples end"
    middle = ", ".join(f"{name} {_middle(cases, name)}" for name in METRICS)
    return (
        f"in {sum(case_stops.n_apart for case_stops in cases)} of {n_known} launches of a case in which all metrics "
        "stop, the largest "
        f"number is {TIMES:g} times the smallest or more; in the median: {middle}"
    )


def _middle(cases: Sequence[CaseStops], name: str) -> str:
    return f"{np.median([number for case in cases for number in case.numbers(name)]):g}"


def stop_table(cases: Sequence[CaseStops]) -> Table[CaseStops]:
    """For each size and library the numbers that each metric asks for."""
    column = Column[CaseStops]
    columns = (
        column("size_bytes", "size", lambda stops: format_size(int(stops.case["size_bytes"]))),
        column("mpi", "library", lambda case_stops: case_stops.mpi, "left"),
        *(column("launches", name, partial(_span, name=name)) for name in METRICS),
        column("apart", "differ", lambda row: f"{row.n_apart} of {row.n_known}"),
    )
    calls: dict[tuple[str, str], list[CaseStops]] = {}
    for case in cases:
        calls.setdefault((operation_title(case.case), group_detail(case.case, ())), []).append(case)
    note = "Repetitions that a metric by itself asks for: the fewest and the most of the launches."
    return Table(
        columns, [Block(title, detail, case_stops) for (title, detail), case_stops in calls.items()], note=note
    )


def _span(stops: CaseStops, name: str) -> str:
    numbers = stops.numbers(name)
    if not numbers:
        return NONE
    low, high = min(numbers), max(numbers)
    return f"{low}" if low == high else f"{low} to {high}"


CLAIMS = (
    Claim(
        "nrep",
        "Metrics that stop a measurement fall with its repetitions, and ask for different numbers of them.",
        f"{SELF_CONSISTENT}, sec. 4.2, Fig. 1",
        "of one case, all at 5 %: each metric is lower at its last look than at its first (sign tests over launches), "
        f"and the largest number is {TIMES:g} times the smallest in more than one in twenty of the launches in which "
        "all metrics stop (exact binomial test); cases by Holm; refuted where every case contradicts one of these",
        quick_or(
            {"sizes": "16", "launches": 20, "nrep": 1000},
            {"sizes": "8..32Ki*8", "launches": 30, "nrep": 1000},
            op="allgather",
            n=2,
            procsync="barrier(library)",
        ),
        _judge,
        least_percent=100 * (TIMES - 1),
    ),
)
