"""`mpicroscope`: the smallest time of the slowest rank; ever fewer calls while no new minimum is found.

Calls come in rounds, the first of `round` calls. A round without a new minimum makes the next ones shorter: by a tenth
of the first (`linear`), or by half (`exponential`); a round of no calls is the end. The papers give the rule in words;
the tenth is ours. The rule is applied to the recorded sequence.
"""

from ictus.model.plan_parts import Method
from ictus.model.registries import Parameter
from ictus.studies.lens.suites.lens import BARRIER, MICRO, Lens, Printed, Settings, SuiteReport, per_call
from ictus.studies.lens.suites.measured import FloatArray, SuiteSamples


def _method(_settings: Settings, calls: int) -> Method:
    return per_call(BARRIER, calls)


def _report(settings: Settings, measured: SuiteSamples) -> SuiteReport:
    n = stopped(measured.local_max, settings.count("round"), settings.word("decay"))
    times = measured.local_max[:n] * MICRO
    return SuiteReport(
        "min",
        (
            Printed("size", measured.size_bytes, "", 0),
            Printed("min", float(times.min())),
            Printed("avg", float(times.mean())),
            Printed("max", float(times.max())),
            Printed("repetitions", n, "", 0),
        ),
    )


def stopped(times: FloatArray, first_round: int, decay: str) -> int:
    """The number of the recorded `times`, shape (repetitions,), after which mpicroscope would have stopped: all of them
    if it would have continued.
    """
    length, step = first_round, max(1, first_round // 10)
    n, least = 0, float("inf")
    while length > 0 and n < times.size:
        round_least = float(times[n : n + length].min())
        n = min(n + length, times.size)
        if round_least >= least:
            length = length - step if decay == "linear" else length // 2
        least = min(least, round_least)
    return n


MPICROSCOPE = Lens(
    name="mpicroscope",
    summary="mpicroscope: the smallest time of the slowest rank",
    source="Träff 2012; Hunold and Carpen-Amarie 2016, section 2 (MS1)",
    measures="each call timed, library barrier between",
    reduces="minimum of the slowest rank, over repetitions that decay while no new minimum is found",
    method=_method,
    report=_report,
    parameters=(
        Parameter("decay", "choice", "linear", "how rounds shrink", choices=("linear", "exponential")),
        Parameter("round", "count", "100", "calls of the first round", minimum=1, maximum=1e9),
    ),
)
