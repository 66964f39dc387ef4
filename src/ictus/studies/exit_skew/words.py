"""The result of a study of exit skew in sentences."""

from collections.abc import Sequence

from ictus.model.quantity import format_duration
from ictus.model.spec import parse_spec
from ictus.studies.clocks.labels import processes
from ictus.studies.exit_skew.analysis import StartSummary, times_further
from ictus.studies.exit_skew.labels import baseline_of, is_baseline, start_label, times_text

_NOTHING = "none"
"""The start that does nothing: its ranks are as near together as they were entered."""


def skew_sentences(summaries: Sequence[StartSummary]) -> tuple[str, ...]:
    """For each library and number of processes: who starts ranks nearest together, and MPI_Barrier beside it."""
    found = []
    for n_ranks, library in dict.fromkeys((one.n_ranks, one.library) for one in summaries):
        here = (one for one in summaries if (one.n_ranks, one.library) == (n_ranks, library))
        own = [one for one in here if one.best_skew and parse_spec(one.start).name != _NOTHING]
        if own:
            found.append(f"{library}, {processes(n_ranks)}: {_nearest(own[0], summaries)}.")
    return tuple(found)


def _nearest(best: StartSummary, summaries: Sequence[StartSummary]) -> str:
    assert best.best_skew is not None  # the caller chose it so
    kind = "truly " if best.true_skew is not None else ""
    text = f"{start_label(best.start)} brings ranks nearest together, {kind}{format_duration(best.best_skew.median_s)}"
    baseline = baseline_of(best, summaries)
    if baseline is None or baseline.best_skew is None or is_baseline(best.start):
        return text
    text += f"; after MPI_Barrier they are {format_duration(baseline.best_skew.median_s)} apart"
    times = times_further(best, baseline)
    return text if times is None else f"{text}, {times_text(times)} times as far"
