"""Made-up profiles of programs, and advice of each kind."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from ictus.advice.calls import CallAside, CallPlace, CostlyCalls, ProgramCall
from ictus.advice.outcome import Advice, AdvisedCall, CallState, ProvenRemedy
from ictus.advice.proof import proven
from ictus.advice.trial import ProgramTimes
from ictus.programs.profile.analysis import ProgramProfile

ROW: Mapping[str, Any] = {
    "operation": "Allreduce",
    "size_class": 65536,
    "group": 1,
    "n_ranks": 4,
    "n_remote": 0,
    "datatype": "MPI_DOUBLE",
    "op": "MPI_SUM",
    "root": -1,
    "in_place": False,
    "site": "solver.c:12",
    "calls": 400,
    "time_s": 1.0,
    "share": 0.1,
    "waiting_low_share": None,
    "smallest_bytes": 65536,
    "largest_bytes": 65536,
}


def profile(
    *rows: Mapping[str, Any], mpi_share: float | None = 0.5, waiting_share: float | None = None
) -> ProgramProfile:
    """A program of four processes with these kinds of calls, each ROW but for what is said."""
    return ProgramProfile(
        library="A Library 1.0",
        n_ranks=4,
        elapsed_s=2.5,
        mpi_share=mpi_share,
        waiting_share=waiting_share,
        calls=pl.DataFrame([{**ROW, **one} for one in rows]),
        ranks=pl.DataFrame({"rank": [0, 1], "awaited_s": [0.5, 1.5]}),
        arrivals=pl.DataFrame(),
        clock="",
        not_counted=(),
        warnings=(),
    )


def launches(
    with_it: Sequence[float], as_it_is: Sequence[float], calls: tuple[float, float] | None = (0.2, 0.8)
) -> tuple[ProgramTimes, ...]:
    """Pairs of launches with these run times; of each side the time inside the calls is a share of them."""
    return tuple(
        ProgramTimes(pair=pair, remedied=remedied, run_s=run_s, calls_s=None if calls is None else run_s * share)
        for pair, both in enumerate(zip(with_it, as_it_is, strict=True))
        for remedied, run_s, share in zip((True, False), both, calls or (0.0, 0.0), strict=True)
    )


PLACE = CallPlace("allreduce", 4, "double", "sum")
CALL = ProgramCall(PLACE, 65536, 400, 0.62, ("solver.c:12",))
SLOW = [2.0, 2.1, 2.05, 1.95, 2.2, 2.15, 2.02, 2.08]
FAST = [1.0, 1.02, 1.05, 0.99, 1.1, 1.08, 1.01, 1.03]


def advice(
    *states: CallState, run: tuple[Sequence[float], Sequence[float]] | None = None, mpi_share: float | None = 0.7
) -> Advice:
    """Advice on a call of each state; `run` are run times with the remedy and as the program is."""
    remedies = ()
    if run is not None:
        remedies = (ProvenRemedy(PLACE, ("env A=1 mpiexec ./solver",), *proven({PLACE: launches(*run)})[PLACE]),)
    calls = tuple(AdvisedCall(CALL, state, ("GL12",) if state is not CallState.HOLDS else ()) for state in states)
    aside = (CallAside("sendrecv", 0.08, "it is not a collective"),)
    costly = CostlyCalls(tuple(CALL for _ in calls), aside, mpi_share, 0.01)
    return Advice(
        program="./solver",
        library="A Library 1.0",
        n=4,
        created="2026-01-01T00:00:00+00:00",
        ictus="1.0",
        elapsed_s=2.5,
        costly=costly,
        calls=calls,
        remedies=remedies,
        unproven=(),
        spent_s=60.0,
        budget_s=600.0,
        warnings=(),
    )


ADVICE = advice(CallState.REMEDIED, CallState.HOLDS, run=(FAST, SLOW))
