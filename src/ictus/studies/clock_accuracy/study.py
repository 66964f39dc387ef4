"""Accuracy of clock synchronisation: for each number of processes a launch with all algorithms that are judged."""

from collections.abc import Mapping, Sequence

from ictus.engine.event import Observer
from ictus.engine.folder import check_free
from ictus.engine.study import StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions
from ictus.render import option_values as values
from ictus.studies.clocks.document import NAME
from ictus.studies.clocks.options import check, check_several, every_algorithm
from ictus.studies.clocks.reading import assembled
from ictus.studies.clocks.record import Study
from ictus.studies.core_defaults import ACCURACY

PROGRAM = ("clocks", "accuracy")


def measure(
    common: StudyOptions,
    observer: Observer,
    *,
    algorithms: Sequence[str] | None = None,
    waits_s: Sequence[float] = ACCURACY.times("waits"),
    repeats: int = ACCURACY.count("repeats"),
    truth: str = ACCURACY.text("truth"),
    rounds: int = ACCURACY.count("rounds"),
    sample: float = ACCURACY.number("sample"),
) -> Study:
    """A new study of these algorithms (None: all that synchronise); errors are taken at these times (seconds,
    ascending) after synchronising. `truth` selects how errors are found: `known`, `ping-pong` or `auto`; `rounds` and
    `sample` (a share of the ranks) belong to a check by ping-pong.

    Raises UsageError, MeasurementError.
    """
    check_several(common.processes)
    names = every_algorithm() if algorithms is None else tuple(algorithms)
    given = check(truth, repeats, rounds, sample)
    check_free(common.output, NAME)
    backend = prepare_study(common, observer)
    words = {
        **backend.clocks,
        "seed": str(common.seed),
        **given,
        "clocksync": ",".join(names),
        "waits": values.seconds(waits_s),
    }
    shared = words["truth"] != "ping-pong" and backend.one_counter
    many = f"{len(names)} algorithm{'' if len(names) == 1 else 's'}"
    about = f"accuracy: {many}, {waits_s[-1]:g} s after synchronising"
    launches = [
        StudyLaunch(backend, PROGRAM, n, share, about)
        for n in common.processes
        for share in ([words] if shared else _alone(words, names))
    ]
    return assembled("accuracy", run_study(launches, observer), {"on": common.platform})


def _alone(words: Mapping[str, str], algorithms: Sequence[str]) -> list[dict[str, str]]:
    """A launch for each algorithm and repeat: a check by ping-pong has to wait, and must not wait for another one."""
    repeats = int(words["repeats"])
    return [{**words, "clocksync": name, "repeats": "1"} for _ in range(repeats) for name in algorithms]
