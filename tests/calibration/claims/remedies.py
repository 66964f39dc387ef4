"""Worlds of the claim about remedies: a check, and the tuning of it with launches that are drawn."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from tests.calibration.claims.guidelines import LIBRARIES, checked, reported
from tests.calibration.claims.noise import USUAL
from tests.calibration.claims.row import CalibrationRow, Kind
from tests.studies.claims.known import find

from ictus.guidelines.check.analysis import CheckResult
from ictus.guidelines.measured import GuidelineMedians
from ictus.guidelines.verdict import Configuration
from ictus.model.algorithm import Setting, Variant
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling
from ictus.studies.remedies.study import Remedies, RemedyRow, row_of
from ictus.tuning.candidates import CandidateField, TuningVariant, Way, cells_of, field_of
from ictus.tuning.confirming import confirm
from ictus.tuning.outcome import FreshLaunches, Remedy, TuningResult, remedied
from ictus.tuning.races import RaceResult
from ictus.tuning.racing import LOOKS, Launch, race

CALL = "scatter"
"""What breaks a guideline, at both sizes of the plan."""
OFFERS = {
    name: TuningVariant(Way.ALGORITHM, Variant(name, Setting())) for name in (f"{CALL}=linear", f"{CALL}=binomial")
}
"""Algorithms that a library has beside its own choice; the guideline's other side is a candidate too."""

Ratio = Callable[[str, str], float]
"""Of a library, and a candidate or another call by its name: how many times as long as the call it takes."""


def mended(random: np.random.Generator, faster: float) -> Ruling:
    """All candidates of one library take so many times as long as the call, those of the other as long."""

    def ratio(library: str, name: str) -> float:
        return faster if library == LIBRARIES[0] and name.startswith(CALL) and name != CALL else 1.0

    check = checked("remedies", **{CALL: 3.0})
    rows = [row for place in check.places for row in _tuned(random, check, place, ratio)]
    return find("remedies").judge(Remedies(check, tuple(rows))).ruling


def _tuned(random: np.random.Generator, check: CheckResult, place: Configuration, ratio: Ratio) -> Iterator[RemedyRow]:
    """The calls of a library: their candidates race, and the winners are confirmed together in fresh launches. They are
    not confirmed again without those that failed, nor is the check run again: that could only drop more of them.
    """
    cells = {cell: violated for cell, violated in cells_of(check.verdicts).items() if cell.place == place}
    races = [_raced(random, field_of(cell, violated, OFFERS, ()), ratio) for cell, violated in cells.items()]
    winners = [(one.field.cell, one.winner) for one in races]
    remedies = [Remedy(cell, winner, cells[cell]) for cell, winner in winners if winner is not None]
    fresh = FreshLaunches(_fresh(random, check, remedies, place, ratio))
    confirmed = {one.remedy.cell: one for one in confirm(remedies, fresh, check.options)}
    for one in races:
        cell, state = one.field.cell, one.standing
        yield row_of(
            TuningResult(
                cell=cell,
                violated=cells[cell],
                candidates=len(one.field.candidates),
                looks=state.looks,
                left=len(state.alive),
                ended=one.ended,
                winner=one.winner,
                confirmation=confirmed.get(cell),
            )
        )


def _raced(random: np.random.Generator, field: CandidateField, ratio: Ratio) -> RaceResult:
    """Candidates of one variant are measured in the same launches, which share what they are slower by."""
    shared = {one.variant: USUAL.of_launches(random, LOOKS[-1]) for one in field.candidates}
    times: Mapping[str, FloatArray] = {
        one.name: ratio(field.cell.place.library, one.name) * shared[one.variant] * reported(random, LOOKS[-1])
        for one in field.candidates
    }
    looks: list[dict[str, dict[Launch, float]]] = []
    for launches in LOOKS:
        looks.append(
            {
                one.name: {(one.variant, launch): float(times[one.name][launch]) for launch in range(launches)}
                for one in field.candidates
            }
        )
        standing = race([one.name for one in field.candidates], looks)
        if standing.decided:
            break
    return RaceResult(field, standing, looks[-1], "drawn", "decided" if standing.decided else "looks", {})


def _fresh(
    random: np.random.Generator, check: CheckResult, remedies: Sequence[Remedy], place: Configuration, ratio: Ratio
) -> GuidelineMedians:
    """Launches of the library as it is, and as many with the remedies in force."""
    launches = int(find("remedies").plan(True)["tuning"]["launches"])
    mends = {(str(one.cell.operation), one.cell.size_bytes): one.candidate.name for one in remedies}
    series = {}
    for first, where, in_force in ((0, place, {}), (launches, remedied(place), mends)):
        shared = USUAL.of_launches(random, launches)
        for cell, own in check.measured.series.items():
            found = []
            for one in own if cell.configuration == place else ():
                name = in_force.get((str(cell.operation), one.size_bytes), str(cell.operation))
                times = ratio(place.library, name) * shared * reported(random, launches)
                found.append(replace(one, medians_s=dict(enumerate(map(float, times), first))))
            if found:
                series[replace(cell, configuration=where)] = tuple(found)
    return GuidelineMedians(series)


ROWS = (
    CalibrationRow("remedies", "all candidates take as long as the call", Kind.FALSE, partial(mended, faster=1.0)),
    CalibrationRow("remedies", "those of one library take half as long", Kind.TRUE, partial(mended, faster=0.5)),
)
