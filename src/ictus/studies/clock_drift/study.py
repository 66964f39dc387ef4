"""Drift of local clocks: one launch in which each rank's offset to rank 0 is measured again and again."""

from ictus.engine.event import Observer
from ictus.engine.folder import check_free
from ictus.engine.study import StudyLaunch, prepare_study, run_study
from ictus.engine.study_options import StudyOptions
from ictus.model.errors import UsageError
from ictus.studies.clocks.document import NAME
from ictus.studies.clocks.reading import assembled
from ictus.studies.clocks.record import Study
from ictus.studies.core_defaults import DRIFT

_LENGTHS_S = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Lengths of time through which straight lines are laid, where at least four offsets lie in one."""


def measure(
    common: StudyOptions,
    observer: Observer,
    *,
    duration_s: float = DRIFT.seconds("duration"),
    interval_s: float = DRIFT.seconds("interval"),
    offset: str = DRIFT.text("offset"),
    sample: float = DRIFT.number("sample"),
) -> Study:
    """Watch local clocks for `duration_s`, with an offset by the algorithm `offset` every `interval_s`; of many ranks
    a share, `sample`: rank 0 takes them in turn.

    Raises UsageError, MeasurementError.
    """
    if duration_s < 3 * interval_s:
        raise UsageError(f"interval {interval_s:g} s leaves fewer than 4 offsets in {duration_s:g} s")
    check_free(common.output, NAME)
    backend = prepare_study(common, observer)
    lengths = [length for length in _LENGTHS_S if 3 * interval_s <= length < duration_s]
    words = {
        "clock": backend.clock,
        "offset": offset,
        "duration": f"{duration_s:g}s",
        "interval": f"{interval_s:g}s",
        "windows": ",".join(f"{length}s" for length in lengths) or f"{duration_s:g}s",
        "sample": f"{sample:g}",
    }
    (n_ranks,) = common.processes
    about = f"drift: an offset every {interval_s:g} s for {duration_s:g} s"
    launches = [StudyLaunch(backend, ("clocks", "drift"), n_ranks, words, about)]
    return assembled("drift", run_study(launches, observer), {"on": common.platform})
