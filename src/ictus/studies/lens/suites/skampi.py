"""`skampi`: SKaMPI 5 and 6: the slowest rank of each call, until the mean is certain enough; trimmed mean.

Calls come in batches, the first of 4, further ones of `least` (8). After each, with n calls in all, it stops at n >=
most (33), or at n >= least when the standard error is at most `threshold` of the mean. Then the calls are ordered by
their slowest rank, n/4 (rounded down) are dropped at either end, and mean and standard error of the rest are printed,
with n and the mean of each rank over the same calls. The rule is applied to the recorded sequence.
"""

import math

import numpy as np

from ictus.model.plan_parts import Method
from ictus.model.registries import Parameter
from ictus.studies.lens.suites.lens import BARRIER, MICRO, Lens, Printed, Settings, SuiteReport, per_call
from ictus.studies.lens.suites.measured import FloatArray, SuiteSamples

_FIRST_BATCH = 4
WINDOW = "window-adaptive(skampi)"


def _calls(settings: Settings, _size_bytes: int) -> int:
    """The suite's largest number of calls: the end of the first batch that reaches `most`, usually 36."""
    n, step = _FIRST_BATCH, max(settings.count("least"), _FIRST_BATCH)
    return n + step * max(0, math.ceil((settings.count("most") - n) / step))


def _method(settings: Settings, calls: int) -> Method:
    return per_call(WINDOW if settings.word("sync") == "window" else BARRIER, calls)


def _report(settings: Settings, measured: SuiteSamples) -> SuiteReport:
    n = stopped(measured.local_max, settings.number("threshold"), settings.count("least"), settings.count("most"))
    order = np.argsort(measured.local_max[:n], kind="stable")
    kept = order[n // 4 : n - n // 4]
    mean, error = _mean_and_error(measured.local_max[kept])
    ranks = () if measured.local is None else measured.local[:, kept].mean(axis=1)
    return SuiteReport(
        "time",
        (
            Printed("size", measured.size_bytes, "", 0),
            Printed("time", mean * MICRO, decimals=1),
            Printed("standard error", error * MICRO, decimals=1),
            Printed("n", n, "", 0),
            *(Printed(f"rank {rank}", float(value) * MICRO, decimals=1) for rank, value in enumerate(ranks)),
        ),
    )


def stopped(times: FloatArray, threshold: float, least: int, most: int) -> int:
    """The number of the recorded `times`, shape (repetitions,), after which SKaMPI would have stopped: all of them if
    it would have continued.
    """
    n = min(_FIRST_BATCH, times.size)
    while n < times.size:
        mean, error = _mean_and_error(times[:n])
        if n >= most or (n >= least and error <= threshold * mean):
            break
        n = min(n + max(least, _FIRST_BATCH), times.size)
    return n


def _mean_and_error(times: FloatArray) -> tuple[float, float]:
    """Mean and standard error; a single value has an error of 0."""
    if times.size < 2:
        return float(times.mean()), 0.0
    return float(times.mean()), float(times.std(ddof=1)) / math.sqrt(times.size)


SKAMPI = Lens(
    name="skampi",
    summary="SKaMPI: quartile-trimmed mean of the slowest rank, stopped by its standard error",
    source="coti/SKaMPI 6.0.0, measurement.c; Hunold and Carpen-Amarie 2016, Table 2 (MS1, MS4)",
    measures="each call timed after a barrier, or at the start of its window",
    reduces="slowest rank of each call, quartile-trimmed mean",
    method=_method,
    report=_report,
    calls=_calls,
    parameters=(
        Parameter("sync", "choice", "barrier", "what starts each call", choices=("barrier", "window")),
        Parameter(
            "threshold",
            "real",
            "0.1",
            "relative standard error at which it stops; 0.03 in SKaMPI's own scripts",
            minimum=0,
            maximum=1,
        ),
        Parameter("least", "count", "8", "calls at least", minimum=2, maximum=1e9),
        Parameter("most", "count", "33", "calls at which it stops in any case", minimum=2, maximum=1e9),
    ),
)
