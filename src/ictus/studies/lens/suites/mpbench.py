"""`mpbench`: MPBench (LLCbench): a loop of calls without any synchronisation, timed as a whole on rank 0."""

from ictus.model.plan_parts import Method
from ictus.studies.lens.suites.lens import MICRO, Lens, Printed, Settings, SuiteReport, one_loop
from ictus.studies.lens.suites.measured import SuiteSamples


def _method(_settings: Settings, calls: int) -> Method:
    return one_loop("none", calls)


def _report(_settings: Settings, measured: SuiteSamples) -> SuiteReport:
    return SuiteReport(
        "latency (us)",
        (
            Printed("bytes", measured.size_bytes, "", 0),
            Printed("latency (us)", float(measured.root.mean()) * MICRO, decimals=3),
        ),
    )


MPBENCH = Lens(
    name="mpbench",
    summary="MPBench of LLCbench: one loop without synchronisation, rank 0",
    source="Mucci, London and Thurman 1998; Hunold and Carpen-Amarie 2016, section 2",
    measures="no synchronisation, a loop of calls, the loop timed",
    reduces="loop time / calls, root only",
    method=_method,
    report=_report,
)
