"""`mpibench-llnl`: mpiBench of LLNL: a loop of a call and MPI_Barrier, timed as a whole, or without the barrier when it
is built with NO_BARRIER. The barriers stay in the time.
"""

from ictus.model.plan_parts import Method
from ictus.model.registries import Parameter
from ictus.studies.lens.suites.lens import (
    BARRIER,
    Lens,
    Printed,
    Settings,
    SuiteReport,
    one_loop,
    one_loop_of_barriers,
    over_ranks,
)
from ictus.studies.lens.suites.measured import SuiteSamples


def _method(settings: Settings, calls: int) -> Method:
    return one_loop(BARRIER, calls) if settings.word("loop") == "pipelined" else one_loop_of_barriers(calls)


def _report(_settings: Settings, measured: SuiteSamples) -> SuiteReport:
    mean, smallest, largest = over_ranks(measured)
    return SuiteReport(
        "Avg",
        (
            Printed("Bytes", measured.size_bytes, "", 0),
            Printed("Iters", measured.calls, "", 0),
            Printed("Avg", mean, decimals=4),
            Printed("Min", smallest, decimals=4),
            Printed("Max", largest, decimals=4),
        ),
    )


MPIBENCH_LLNL = Lens(
    name="mpibench-llnl",
    summary="mpiBench of LLNL: mean over ranks of a loop of calls and barriers",
    source="LLNL/mpiBench 1.5, mpiBench.c; papers' MS3, PS7",
    measures="one barrier, a loop of calls and barriers (or of calls alone), the loop timed",
    reduces="loop time / calls per rank; mean, min, max over ranks",
    method=_method,
    report=_report,
    parameters=(
        Parameter(
            "loop",
            "choice",
            "barrier",
            "a barrier follows each call, or the next call",
            choices=("barrier", "pipelined"),
        ),
    ),
)
