"""`mpibench`: MPIBench of Grove and Coddington: all calls of all ranks in one sample, outliers removed.

Outliers are longer than `factor` (2) times the 99th percentile of the pooled sample; smallest, largest and mean of the
rest are printed. Needs raw data. The percentile is of type 7 (linear interpolation); the papers do not say which.
"""

import numpy as np

from ictus.model.plan_parts import Method
from ictus.model.registries import Parameter
from ictus.studies.lens.suites.lens import BARRIER, MICRO, Lens, Printed, Settings, SuiteReport, per_call
from ictus.studies.lens.suites.measured import SuiteSamples


def _method(settings: Settings, calls: int) -> Method:
    return per_call("window" if settings.word("sync") == "window" else BARRIER, calls)


def _report(settings: Settings, measured: SuiteSamples) -> SuiteReport:
    if measured.local is None:
        raise ValueError("mpibench pools every rank's repetitions, and the launch kept no raw data")
    pooled = measured.local.ravel() * MICRO
    limit = settings.number("factor") * float(np.quantile(pooled, 0.99))
    kept = pooled[pooled <= limit]
    return SuiteReport(
        "mean",
        (
            Printed("size", measured.size_bytes, "", 0),
            Printed("min", float(kept.min())),
            Printed("mean", float(kept.mean())),
            Printed("max", float(kept.max())),
            Printed("outliers", pooled.size - kept.size, "", 0),
        ),
    )


MPIBENCH = Lens(
    name="mpibench",
    summary="MPIBench: mean of all ranks' calls pooled, outliers removed",
    source="Grove and Coddington 2001; Hunold and Carpen-Amarie 2016, section 2 and Table 2 (MS1, PS5)",
    measures="each call timed after a barrier, or at the start of its window on the global clock",
    reduces="all ranks pooled, above factor x the 99th percentile removed; min, max, mean",
    method=_method,
    report=_report,
    parameters=(
        Parameter("sync", "choice", "barrier", "what starts each call", choices=("barrier", "window")),
        Parameter("factor", "real", "2", "times the 99th percentile that is no outlier yet", minimum=1, maximum=1e6),
    ),
    needs_raw=True,
)
