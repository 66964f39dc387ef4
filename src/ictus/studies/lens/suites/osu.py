"""`osu`: OSU Micro-Benchmarks, blocking collectives (osu_bcast -f and similar).

Each call is timed, MPI_Barrier follows; every rank takes the mean of its calls, and mean, smallest and largest of these
over ranks are printed. "Min" and "Max" are ranks, not repetitions. There are 1,000 calls up to 8 KiB and 100 above,
after some that do not count.
"""

from ictus.model.plan_parts import Method
from ictus.studies.lens.suites.lens import BARRIER, Lens, Printed, Settings, SuiteReport, over_ranks, per_call
from ictus.studies.lens.suites.measured import SuiteSamples

_LARGE = 8192
"""Bytes above which a message is large to OSU."""


def _calls(_settings: Settings, size_bytes: int) -> int:
    return 1000 if size_bytes <= _LARGE else 100


def _method(_settings: Settings, calls: int) -> Method:
    return per_call(BARRIER, calls)


def _report(_settings: Settings, measured: SuiteSamples) -> SuiteReport:
    mean, smallest, largest = over_ranks(measured)
    return SuiteReport(
        "Avg Latency(us)",
        (
            Printed("Avg Latency(us)", mean),
            Printed("Min Latency(us)", smallest),
            Printed("Max Latency(us)", largest),
            Printed("Iterations", measured.local_max.size, "", 0),
        ),
    )


OSU = Lens(
    name="osu",
    summary="OSU Micro-Benchmarks: mean over ranks of each rank's mean",
    source="OSU Micro-Benchmarks 7.4, osu_bcast.c; papers' MS1",
    measures="each call timed, library barrier between",
    reduces="mean over repetitions per rank; mean, min, max over ranks",
    method=_method,
    report=_report,
    calls=_calls,
    warmup=100,
)
