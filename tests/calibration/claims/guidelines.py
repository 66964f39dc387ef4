"""Worlds of the claims about calls and what they are held against: guidelines, and sparse exchanges. What a launch
measures shares what it is slower by.
"""

import atexit
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

import numpy as np
import polars as pl
from tests.calibration.claims.drawn_campaign import Case, template, with_medians
from tests.calibration.claims.noise import USUAL
from tests.calibration.claims.row import CalibrationRow, Kind
from tests.studies.claims.known import find

from ictus.engine.event import log
from ictus.guidelines.check.analysis import CheckResult
from ictus.guidelines.check.medians import measured_of
from ictus.guidelines.verify import verify
from ictus.stats.arrays import FloatArray
from ictus.stats.claim_rules import Ruling
from ictus.store.campaign import Campaign
from ictus.studies.material import StudyRequest
from ictus.studies.remedies.study import CHECK
from ictus.studies.sparse_exchange.study import COMPARABLE, NEIGHBOUR

LIBRARIES = ("mpich", "openmpi")
SAMPLES = 30
_ONCE = replace(USUAL, sample=0.1)
_BROKEN = ("bcast", LIBRARIES[0])


@cache
def checked(claim: str, **factors: float) -> CheckResult:
    """The check of the quick plan in a simulated world, whose operations take so many times as long."""
    folder, plan = Path(tempfile.mkdtemp(prefix="ictus-drawn-")), {**find(claim).plan(True), "nrep": 5}
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    scenario = folder / "world.json"
    scenario.write_text(json.dumps({"noise": 0.01, "operation_factors": factors}))
    plan.pop("tuning", None)
    given = {"mpi": list(LIBRARIES), "seed": 3, "launcher": "simulated", "scenario": scenario}
    return CHECK.measure(StudyRequest(given, {}, folder / "check", claim=claim, claim_plan=plan), log)


def reported(random: np.random.Generator, launches: int) -> FloatArray:
    """Medians of the samples of one case."""
    found: FloatArray = np.median(USUAL.of_samples(random, launches, SAMPLES), axis=1)
    return found


def _shared(random: np.random.Generator, campaign: Campaign) -> dict[int, float]:
    """What a launch is slower by, by its slot."""
    slots = [launch.slot.slot for launch in campaign.launches]
    return dict(zip(slots, map(float, USUAL.of_launches(random, len(slots))), strict=True))


def _drawn(
    random: np.random.Generator, campaign: Campaign, shared: Mapping[int, float], ratio: Callable[[Case], float]
) -> Campaign:
    """The campaign with cases that take so many times as long."""

    def times(rows: pl.DataFrame) -> FloatArray:
        true = [1e-5 * shared[row["slot"]] * ratio(row) for row in rows.iter_rows(named=True)]
        found: FloatArray = np.array(true) * reported(random, rows.height)
        return found

    return with_medians(campaign, "mpi", times)


def kept(random: np.random.Generator, slower: float) -> Ruling:
    """All that guidelines compare takes as long, but for the broadcast of one library."""
    check = checked("guidelines")

    def ratio(case: Case) -> float:
        return slower if (case["operation"], case["mpi"]) == _BROKEN else 1.0

    campaign = _drawn(random, check.campaign, _shared(random, check.campaign), ratio)
    measured = measured_of(campaign)
    verdicts = verify(check.rules, measured, check.options)
    return find("guidelines").judge(replace(check, campaign=campaign, measured=measured, verdicts=verdicts)).ruling


def exchanged(random: np.random.Generator, set_up: float, small: float, large: float) -> Ruling:
    """Each schedule is made, once a launch, in so many times as long as a neighbourhood collective, which scatters by a
    tenth; exchanges of the smaller and the larger size take so many times as long.
    """
    campaign = template("sparse-exchange")
    shared, least = _shared(random, campaign), min(campaign.cases["size_bytes"])

    def ratio(case: Case) -> float:
        return 1.0 if case["operation"].startswith(NEIGHBOUR) else small if case["size_bytes"] == least else large

    launches = []
    for launch in campaign.launches:
        once = 1e-4 * shared[launch.slot.slot] * _ONCE.of_samples(random, len(launch.record.cases), 1)[:, 0]
        cases = tuple(
            replace(case, set_up_s=f"made={time if case.operation.startswith(NEIGHBOUR) else set_up * time}")
            for case, time in zip(launch.record.cases, once, strict=True)
        )
        launches.append(replace(launch, record=replace(launch.record, cases=cases)))
    campaign = replace(_drawn(random, campaign, shared, ratio), launches=tuple(launches))
    return find("sparse-exchange").judge(campaign).ruling


def _rows() -> Iterator[CalibrationRow]:
    for world, kind, slower in (
        ("all calls take as long as what they are compared with", Kind.FALSE, 1.0),
        ("a broadcast of one library takes 1.2 times as long", Kind.TRUE, 1.2),
    ):
        yield CalibrationRow("guidelines", world, kind, partial(kept, slower=slower))
    for world, kind, set_up, small, large in (
        ("schedules take as long to make", Kind.FALSE, 1.0, 1.0, 1.0),
        (f"schedules are made in a tenth, one size takes just {COMPARABLE:g} times", Kind.LIMIT, 0.1, COMPARABLE, 1.0),
        ("schedules are made in a tenth, exchanges take 1.2 times", Kind.TRUE, 0.1, 1.2, 1.2),
    ):
        draw = partial(exchanged, set_up=set_up, small=small, large=large)
        yield CalibrationRow("sparse-exchange", world, kind, draw)


ROWS = tuple(_rows())
