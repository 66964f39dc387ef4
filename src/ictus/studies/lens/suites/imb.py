"""`imb`: Intel MPI Benchmarks since 2019 (`-sync`, the default): each call is timed, MPI_Barrier follows.

t_min and t_max are the fastest and the slowest rank, not the fastest and the slowest call. The root stays 0, the
default since 2019 (`-root_shift` moves it). There are 1,000 calls, or as many as move 40 MiB; a tenth more come first
and do not count.
"""

from ictus.model.plan_parts import Method
from ictus.studies.lens.suites.lens import (
    BARRIER,
    USUAL_CALLS,
    Lens,
    Printed,
    Settings,
    SuiteReport,
    over_ranks,
    per_call,
)
from ictus.studies.lens.suites.measured import SuiteSamples

_VOLUME = 40 * 2**20
"""Bytes that all calls of a size may move together."""


def _calls(_settings: Settings, size_bytes: int) -> int:
    return max(1, min(USUAL_CALLS, _VOLUME // max(size_bytes, 1)))


def _method(_settings: Settings, calls: int) -> Method:
    return per_call(BARRIER, calls)


def _report(_settings: Settings, measured: SuiteSamples) -> SuiteReport:
    return imb_line(measured, measured.local_max.size * measured.calls)


def imb_line(measured: SuiteSamples, repetitions: int) -> SuiteReport:
    """A line of IMB-MPI1: both versions print the same columns."""
    mean, smallest, largest = over_ranks(measured)
    return SuiteReport(
        "t_avg[usec]",
        (
            Printed("#bytes", measured.size_bytes, "", 0),
            Printed("#repetitions", repetitions, "", 0),
            Printed("t_min[usec]", smallest),
            Printed("t_max[usec]", largest),
            Printed("t_avg[usec]", mean),
        ),
    )


IMB = Lens(
    name="imb",
    summary="Intel MPI Benchmarks since 2019: t_avg over ranks of each rank's mean",
    source="intel/mpi-benchmarks 2021.11, src_c/IMB_bcast.c; papers' PS7",
    measures="each call timed, library barrier between",
    reduces="mean over repetitions per rank; min, max, mean over ranks",
    method=_method,
    report=_report,
    calls=_calls,
    warmup=100,
)
