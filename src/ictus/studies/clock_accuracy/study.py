"""Accuracy of clock synchronisation: for each number of processes a launch with all algorithms that are judged."""

from collections.abc import Mapping, Sequence

from ictus.engine.event import Observer
from ictus.engine.folder import check_free
from ictus.engine.study import StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions
from ictus.render import option_values as values
from ictus.studies.clocks.keeping import NAME, assembled
from ictus.studies.clocks.record import Study

PROGRAM = ("clocks", "accuracy")


def measure_accuracy(
    common: StudyOptions,
    algorithms: Sequence[str],
    waits_s: Sequence[float],
    given: Mapping[str, str],
    observer: Observer,
) -> Study:
    """A new study of these algorithms; errors are taken so many seconds after synchronising, ascending. `given` are
    further options of the core: truth, repeats, rounds, sample.

    Raises UsageError, MeasurementError.
    """
    check_free(common.output, NAME)
    backend = prepare_study(common, observer)
    words = {
        **backend.clocks,
        "seed": str(common.seed),
        **given,
        "clocksync": ",".join(algorithms),
        "waits": values.seconds(waits_s),
    }
    shared = words["truth"] != "ping-pong" and backend.one_counter
    many = f"{len(algorithms)} algorithm{'' if len(algorithms) == 1 else 's'}"
    about = f"accuracy: {many}, {waits_s[-1]:g} s after synchronising"
    launches = [
        StudyLaunch(backend, PROGRAM, n, share, about)
        for n in common.processes
        for share in ([words] if shared else _alone(words, algorithms))
    ]
    return assembled("accuracy", run_study(launches, observer), {"on": common.platform})


def _alone(words: Mapping[str, str], algorithms: Sequence[str]) -> list[dict[str, str]]:
    """A launch for each algorithm and repeat: a check by ping-pong has to wait, and must not wait for another one."""
    repeats = int(words["repeats"])
    return [{**words, "clocksync": name, "repeats": "1"} for _ in range(repeats) for name in algorithms]
