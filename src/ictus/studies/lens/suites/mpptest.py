"""`mpptest`: a loop of calls, timed as a whole, repeated k times; the smallest of the k means on rank 0.

It was made for clocks too coarse for one call. The suite repeats until it trusts the minimum; here k is a setting, and
the calls are divided among the k loops.
"""

from ictus.model.plan_parts import Method
from ictus.model.registries import Parameter
from ictus.studies.lens.suites.lens import BARRIER, MICRO, Lens, Printed, Settings, SuiteReport
from ictus.studies.lens.suites.measured import SuiteSamples


def _method(settings: Settings, calls: int) -> Method:
    k = settings.count("k")
    return Method(procsync=BARRIER, scheme=f"loop({max(1, calls // k)})", repetition=f"fixed({k})")


def _report(_settings: Settings, measured: SuiteSamples) -> SuiteReport:
    return SuiteReport(
        "time (us)",
        (
            Printed("len", measured.size_bytes, "", 0),
            Printed("time (us)", float(measured.root.min()) * MICRO, decimals=3),
        ),
    )


MPPTEST = Lens(
    name="mpptest",
    summary="mpptest of MPICH: smallest of k loop means, rank 0",
    source="Gropp and Lusk 1999; Hunold and Carpen-Amarie 2016, section 2 and Table 2 (MS2, PS8)",
    measures="one barrier, a loop of calls, the loop timed; k times",
    reduces="minimum of the k means, root only",
    method=_method,
    report=_report,
    parameters=(Parameter("k", "count", "10", "loops of which the smallest mean is taken", minimum=1, maximum=1e6),),
)
