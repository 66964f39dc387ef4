"""`nbcbench`: NBCBench of LibNBC: each rank takes the median of its calls; the largest of these is printed.

A setting selects the smallest, the largest or the mean instead of the median. It prints the time of the blocking
operation as t_{MPI}.
"""

from ictus.model.plan_parts import Method
from ictus.model.registries import Parameter
from ictus.studies.lens.suites.lens import BARRIER, MICRO, Lens, Printed, Settings, SuiteReport, per_call
from ictus.studies.lens.suites.measured import FloatArray, SuiteSamples

WINDOW = "window-adaptive(nbcbench)"
OPERATIONS = ("median", "mean", "min", "max")


def _method(settings: Settings, calls: int) -> Method:
    return per_call(WINDOW if settings.word("sync") == "window" else BARRIER, calls)


def _report(settings: Settings, measured: SuiteSamples) -> SuiteReport:
    chosen: FloatArray = getattr(measured.ranks, settings.word("of"))
    return SuiteReport(
        "t_{MPI}",
        (
            Printed("size", measured.size_bytes, "", 0),
            Printed("t_{MPI}", float(chosen.max()) * MICRO),
        ),
    )


NBCBENCH = Lens(
    name="nbcbench",
    summary="NBCBench of LibNBC: the largest over ranks of each rank's median",
    source="Hoefler, Schneider and Lumsdaine 2008; Hunold and Carpen-Amarie 2016, Table 2 (MS1, MS4, PS6)",
    measures="each call timed after a barrier, or at the start of its window",
    reduces="median (min, max or mean) per rank, then maximum over ranks",
    method=_method,
    report=_report,
    parameters=(
        Parameter("sync", "choice", "barrier", "what starts each call", choices=("barrier", "window")),
        Parameter("of", "choice", "median", "what each rank takes of its calls", choices=OPERATIONS),
    ),
)
