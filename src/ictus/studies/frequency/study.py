"""The frequency of the processor's counter: repeated calibrations, and clocks observed with it."""

from collections.abc import Sequence

from ictus.engine.event import Observer
from ictus.engine.folder import check_free
from ictus.engine.study import StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions, check_real
from ictus.render import option_values as values
from ictus.studies.clocks.document import NAME
from ictus.studies.clocks.reading import assembled
from ictus.studies.clocks.record import Study
from ictus.studies.core_defaults import FREQUENCY

CLOCKS = ("tsc(frequency=auto)", "tsc(frequency=calibrated-per-rank)")
"""One frequency for all ranks of a host, and one that each rank calibrated for itself."""


def measure(
    common: StudyOptions,
    observer: Observer,
    *,
    repeats: int = FREQUENCY.count("repeats"),
    per_rank_repeats: int = FREQUENCY.count("per-rank-repeats"),
    durations_s: Sequence[float] = FREQUENCY.times("durations"),
    algorithm: str = "netgauge",
    waits_s: Sequence[float] = tuple(range(11)),
) -> Study:
    """Calibrate for each of `durations_s`, `repeats` times, and `per_rank_repeats` times by Netgauge's routine; then
    synchronise clocks by `algorithm` and watch them at `waits_s`, once with one frequency for all ranks and once with
    one for each.

    Raises UsageError, MeasurementError.
    """
    words = {
        "durations": values.seconds(durations_s),
        "repeats": str(repeats),
        "per-rank-repeats": str(per_rank_repeats),
    }
    check_real(common, "a simulator has no counter whose frequency could be calibrated")
    check_free(common.output, NAME)
    backend = prepare_study(common, observer)
    (n_ranks,) = common.processes
    about = f"frequency: {words['repeats']} calibrations of each duration"
    launches = [StudyLaunch(backend, ("clocks", "frequency"), n_ranks, words, about)]
    watch = {"clocksync": algorithm, "waits": values.seconds(waits_s), "truth": "ping-pong", "repeats": "1"}
    for clock in CLOCKS if n_ranks > 1 else ():
        about = f"accuracy: {clock}, for {waits_s[-1]:g} s"
        launches.append(StudyLaunch(backend, ("clocks", "accuracy"), n_ranks, {"clock": clock, **watch}, about))
    return assembled("frequency", run_study(launches, observer), {"on": common.platform})
