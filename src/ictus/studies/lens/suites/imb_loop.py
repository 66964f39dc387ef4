"""`imb-loop`: Intel MPI Benchmarks before 2019: a barrier, then a loop of calls that is timed as a whole."""

from ictus.model.plan_parts import Method
from ictus.studies.lens.suites.imb import imb_line
from ictus.studies.lens.suites.lens import BARRIER, Lens, Settings, SuiteReport, one_loop
from ictus.studies.lens.suites.measured import SuiteSamples


def _method(_settings: Settings, calls: int) -> Method:
    return one_loop(BARRIER, calls)


def _report(_settings: Settings, measured: SuiteSamples) -> SuiteReport:
    return imb_line(measured, measured.calls)


IMB_LOOP = Lens(
    name="imb-loop",
    summary="Intel MPI Benchmarks before 2019: one barrier, one loop",
    source="Hunold and Carpen-Amarie 2016, section 2 and Table 2 (MS2, PS7)",
    measures="one barrier, a loop of calls, the loop timed",
    reduces="loop time / calls per rank; min, max, mean over ranks",
    method=_method,
    report=_report,
)
