"""Worlds of the claims about nonblocking calls: documents and phases of the core, in launches of the claims' own plans.

The runs of a case share what their launch is slower by and how it wanders, and those by work also the error of the one
time that their computation is known by.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.calibration.claims.noise import USUAL
from tests.calibration.claims.row import CalibrationRow, Kind
from tests.clock_documents import head
from tests.studies.claims.known import find

from ictus.model.quantity import parse_sizes
from ictus.model.spec import split_list
from ictus.stats.claim_rules import Ruling
from ictus.studies.overlap.claims import OWN_THREAD
from ictus.studies.overlap.reading import launch_of
from ictus.studies.overlap.record import BLOCKING, PHASE, OverlapAnswer, OverlapDocument, OverlapSlot, OverlapStudy

LIBRARIES = ("mpich", "openmpi")
BLOCKING_S = 1e-4
KNOWN_TO = 0.005
"""Standard deviation of the relative error of what a computation takes by itself, of launches."""
_SLOW, _OWN = replace(USUAL, sample=0.0, late_share=0.0), replace(USUAL, drift=0.0)


@dataclass(frozen=True)
class Left:
    """What a run adds to its computation, in times of the blocking call."""

    alone: float
    """Without tests."""
    tested: float = 1.0
    stolen: float = 0.0
    """What the progress thread takes from a computation: of work it is the longer for it."""
    interrupted: float = 0.0
    """Share of computations that the machine interrupts for as long as a blocking call takes, thread or not."""


def judged(random: np.random.Generator, claim: str, left: Left) -> Ruling:
    """The verdict on launches of two libraries."""
    plan = _plan(claim)
    launches = [
        launch_of(_answer(claim, library), _phases(random, claim, _without(left, thread)), thread, "drawn", number)
        for number in range(plan["launches"])
        for library in LIBRARIES
        for thread in plan["threads"].split(",")
    ]
    return find(claim).judge(OverlapStudy(tuple(launches), _request(claim))).ruling


def _without(left: Left, thread: str) -> Left:
    """What is left where that thread makes progress: only ours takes from a computation."""
    return left if thread == OWN_THREAD else replace(left, stolen=0.0)


@cache
def _plan(claim: str) -> dict[str, Any]:
    """That of the quick study."""
    return dict(find(claim).plan(True))


@cache
def _runs(claim: str) -> tuple[tuple[str, int], ...]:
    """Of each case: how it computes, and the interval of its tests; 0 stands for none."""
    plan = _plan(claim)
    intervals = [
        interval
        for word in split_list(plan["intervals"])
        for interval in ((0,) if word == "none" else parse_sizes(word))
    ]
    return ((BLOCKING, 0), *((compute, interval) for compute in split_list(plan["compute"]) for interval in intervals))


@cache
def _sizes(claim: str) -> tuple[int, ...]:
    return parse_sizes(_plan(claim)["sizes"])


def _compute_s(claim: str) -> float:
    return float(_plan(claim).get("compute_factor", 1.0)) * BLOCKING_S


@cache
def _answer(claim: str, library: str) -> OverlapAnswer:
    """Of each launch of a library the same: its times are in the phases."""
    nrep = _plan(claim)["nrep"]
    runs = [
        {
            "run": number, "compute": compute, "intervals_bytes": [interval] * (interval > 0),
            "tests": int(interval > 0), "attempted": nrep, "valid": nrep, "alone_s": [_compute_s(claim)] * 2,
            "mean": {"compute_s": [_compute_s(claim)] * 2, "total_s": [_compute_s(claim) + BLOCKING_S] * 2},
        }
        for number, (compute, interval) in enumerate(_runs(claim))
    ]  # fmt: skip
    cases = [
        {"case_id": number, "operation": "iallreduce", "size_bytes": size, "target_s": _compute_s(claim), "runs": runs}
        for number, size in enumerate(_sizes(claim))
    ]
    mpi = {"library_version": "drawn", "thread_level": "single"}
    launcher = {"library": {"label": library}}
    more = {"mpi": mpi, "launcher": launcher, "threads": [1, 1], "control_variables": {}, "cases": cases}
    return OverlapAnswer.parse(head("overlap", 2, **more), "drawn")


@cache
def _request(claim: str) -> OverlapDocument:
    plan = _plan(claim)
    kinds = [(library, thread) for library in LIBRARIES for thread in plan["threads"].split(",")]
    slots = (
        OverlapSlot(number=place, library=library, n=2, thread=thread, launch=place // len(kinds))
        for place, (library, thread) in enumerate(kinds * plan["launches"])
    )
    return OverlapDocument(plan={}, slots=tuple(slots))


def _phases(random: np.random.Generator, claim: str, left: Left) -> NDArray[np.void]:
    """The repetitions of all runs of one launch."""
    nrep, runs, cases = _plan(claim)["nrep"], _runs(claim), len(_sizes(claim))
    shared = USUAL.of_launches(random, 1) * _SLOW.of_samples(random, cases, nrep)
    own = _OWN.of_samples(random, cases * len(runs), nrep).reshape(cases, len(runs), nrep)
    known = random.normal(0, KNOWN_TO, cases)
    records = np.zeros((cases, len(runs), nrep), PHASE)
    records["case_id"] = np.arange(cases)[:, np.newaxis, np.newaxis]
    records["run"] = np.arange(len(runs))[:, np.newaxis]
    records["repetition"] = np.arange(nrep)
    for run, (compute, interval) in enumerate(runs):
        share = 1.0 if compute == BLOCKING else left.tested if interval else left.alone
        waits = share * BLOCKING_S * shared * own[:, run]
        records["init"][:, run], records["wait"][:, run] = 0.1 * waits, 0.9 * waits
        added, computed = waits, 0.0 if compute == BLOCKING else _compute_s(claim)
        records["compute"][:, run] = computed
        if compute == "work":
            interrupted = BLOCKING_S * (random.random((cases, nrep)) < left.interrupted)
            longer = known[:, np.newaxis] * computed + left.stolen * BLOCKING_S * shared + interrupted
            records["compute"][:, run] += longer
            added = waits + longer
        records["overhead"][:, run] = added
        records["total"][:, run] = records["compute"][:, run] + waits
    return records.reshape(-1)


def _rows() -> Iterator[CalibrationRow]:
    for claim, world, kind, left in (
        ("overlap", "calls with tests cost as much as blocking ones", Kind.LIMIT, Left(1.0, 1.0)),
        ("overlap", "calls with tests cost a fifth less", Kind.TRUE, Left(1.0, 0.8)),
        ("progress", "tests change nothing", Kind.LIMIT, Left(0.5, 0.5)),
        ("progress", "calls cost a fifth less with tests", Kind.TRUE, Left(1.0, 0.8)),
        ("stolen-core", "the thread takes nothing", Kind.LIMIT, Left(0.5)),
        ("stolen-core", "and the machine interrupts one of 25 computations", Kind.LIMIT, Left(0.5, interrupted=0.04)),
        ("stolen-core", "the thread takes half the time of a blocking call", Kind.TRUE, Left(0.5, stolen=0.5)),
    ):
        yield CalibrationRow(claim, world, kind, partial(judged, claim=claim, left=left))


ROWS = tuple(_rows())
