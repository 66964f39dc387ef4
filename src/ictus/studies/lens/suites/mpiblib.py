"""`mpiblib`: MPIBlib: the mean of the slowest rank (or of rank 0) with its interval; stops when that is narrow.

After each call, from `least` (30) on, it stops when the interval's half-width is below `width` of the mean, at `most`
(1000) at the latest. The half-width is t(level, n - 1) s / sqrt(n) with the **one-sided** quantile, as in its source:
its 95 % interval covers 90 %. The rule is applied to the recorded sequence.

For rank 0 its code times call and barrier together and subtracts the mean of a barrier; here rank 0's own call is
timed, as the papers describe it.
"""

import math

from scipy import special

from ictus.model.plan_parts import Method
from ictus.model.registries import Parameter
from ictus.studies.lens.suites.lens import BARRIER, Lens, Printed, Settings, SuiteReport, per_call
from ictus.studies.lens.suites.measured import FloatArray, SuiteSamples

_FEWEST = 3
"""Below three calls MPIBlib looks at no interval."""


def _method(_settings: Settings, calls: int) -> Method:
    return per_call(BARRIER, calls)


def _report(settings: Settings, measured: SuiteSamples) -> SuiteReport:
    times = measured.root if settings.word("at") == "root" else measured.local_max
    n = stopped(
        times,
        settings.number("width"),
        settings.number("level"),
        settings.count("least"),
        settings.count("most"),
    )
    return SuiteReport(
        "T",
        (
            Printed("M", measured.size_bytes, "", 0),
            Printed("T", float(times[:n].mean()), "s", 9),
            Printed("wtick", measured.resolution_s, "s", 9),
            Printed("reps", n, "", 0),
            Printed("ci", half_width(times[:n], settings.number("level")), "s", 9),
        ),
    )


def stopped(times: FloatArray, width: float, level: float, least: int, most: int) -> int:
    """The number of the recorded `times`, shape (repetitions,), after which MPIBlib would have stopped: all of them if
    it would have continued.
    """
    last = min(times.size, most)
    for n in range(max(least, _FEWEST), last):
        if half_width(times[:n], level) < width * float(times[:n].mean()):
            return n
    return last


def half_width(times: FloatArray, level: float) -> float:
    """Half the interval of the mean, seconds; infinite for a single time."""
    if times.size < 2:
        return math.inf
    quantile = abs(float(special.stdtrit(times.size - 1, level)))
    return quantile * float(times.std(ddof=1)) / math.sqrt(times.size)


MPIBLIB = Lens(
    name="mpiblib",
    summary="MPIBlib: mean of the slowest rank with an interval, stopped when that is narrow",
    source="Lastovetsky, Rychkov and O'Flynn 2008, mpib_coll_benchmarks, mpib_utilities; papers' MS1, PS2, PS4",
    measures="each call timed, library barrier between",
    reduces="mean of the slowest rank, or of the root, with its interval",
    method=_method,
    report=_report,
    parameters=(
        Parameter("at", "choice", "max", "the slowest rank, or rank 0", choices=("max", "root")),
        Parameter(
            "width",
            "real",
            "0.05",
            "half width of the interval, of the mean, at which it stops; 0.025 in its own tools",
            minimum=0,
        ),
        Parameter("level", "real", "0.95", "of the interval, one-sided", minimum=0.5, maximum=0.999999),
        Parameter("least", "count", "30", "calls at least", minimum=2, maximum=1e9),
        Parameter("most", "count", "1000", "calls at which it stops in any case", minimum=2, maximum=1e9),
    ),
)
