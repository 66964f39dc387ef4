"""`phloem`: the Phloem MPI Benchmarks of LLNL: a loop of calls timed as a whole, with or without a barrier per call.
The barriers stay in the time.
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
    return one_loop_of_barriers(calls) if settings.word("between") == "barrier" else one_loop(BARRIER, calls)


def _report(_settings: Settings, measured: SuiteSamples) -> SuiteReport:
    mean, smallest, largest = over_ranks(measured)
    return SuiteReport(
        "avg (us)",
        (
            Printed("bytes", measured.size_bytes, "", 0),
            Printed("min (us)", smallest),
            Printed("max (us)", largest),
            Printed("avg (us)", mean),
        ),
    )


PHLOEM = Lens(
    name="phloem",
    summary="Phloem MPI Benchmarks: mean over ranks of a loop's mean",
    source="Hunold and Carpen-Amarie 2016, section 2 and Table 2 (MS2, MS3, PS7)",
    measures="one barrier, a loop of calls (or of calls and barriers), the loop timed",
    reduces="loop time / calls per rank; min, max, mean over ranks",
    method=_method,
    report=_report,
    parameters=(
        Parameter("between", "choice", "none", "what follows each call inside the loop", choices=("none", "barrier")),
    ),
)
