"""Tables of exit skew, the result in sentences, and the names of starts in both."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from ictus.model.errors import UsageError
from ictus.model.quantity import format_duration
from ictus.model.registries import Registries
from ictus.model.spec import parse_spec
from ictus.render.table import NONE, Block, Cell, Column, Table, Times, short
from ictus.render.unit import TimeUnit, time_unit
from ictus.studies.exit_skew.analysis import BASELINE, SkewPlace, Skews, StartSummary, times_further
from ictus.studies.exit_skew.record import SkewStudy


def start_label(start: str) -> str:
    """The shortest spec that means the same; which barrier it is, is always said: `barrier(dissemination)`."""
    try:
        return Registries.load().short("procsync", start)
    except UsageError:
        return start


def is_baseline(start: str) -> bool:
    """Whether it is MPI_Barrier."""
    return str(parse_spec(start)) == BASELINE


def baseline_of(summary: StartSummary, summaries: Sequence[StartSummary]) -> StartSummary | None:
    """MPI_Barrier at the same place."""
    return next(
        (candidate for candidate in summaries if candidate.place == summary.place and is_baseline(candidate.start)),
        None,
    )


def times_text(times: float) -> str:
    """`3.4`, `1,234`: how many times as far."""
    return f"{times:.3g}" if times < 1000 else f"{times:,.0f}"


def warnings_of(study: SkewStudy, summaries: Sequence[StartSummary]) -> tuple[str, ...]:
    """Warnings of the core, and starts with too few valid entries, each once."""
    warnings = [text for setting in study.settings for text in setting.warnings]
    for summary in summaries:
        name = f"{start_label(summary.start)}, {summary.place.text}"
        if not summary.valid:
            warnings.append(
                f"{name}: no valid repetition of {summary.attempted}, {summary.late_entry} did not enter together, "
                f"{summary.missed} missed their instant"
            )
        elif 2 * summary.valid < summary.attempted:
            warnings.append(f"{name}: only {summary.valid} of {summary.attempted} repetitions are valid")
    return tuple(dict.fromkeys(warnings))


def remark(summaries: Sequence[StartSummary]) -> str:
    """A remark for reading the numbers."""
    if any(summary.true_skew is not None for summary in summaries):
        return (
            "True: by the counter that all ranks read. Measured: on the synchronised clocks that the starts too rely "
            "on; it errs by at most twice the clock bound."
        )
    return (
        "Measured on synchronised clocks. Starts that wait for an instant use the same clocks: for them it shows the "
        "skew beyond the clocks' own error."
    )


def skew_table(summaries: Sequence[StartSummary]) -> Table[StartSummary]:
    """A block for each place: one line a start, the least skew first. What no start has, a truth or repetitions that
    did not count, has no column.
    """
    all_skews = [s for summary in summaries for s in (summary.skew, summary.true_skew) if s is not None]
    unit = time_unit(
        [skews.median_s for skews in all_skews],
        [time for skews in all_skews for time in (skews.mean.mean, skews.p95_s)],
    )
    column = Column[StartSummary]
    true = (
        column("true_skew_median_s", "true", lambda start_summary: _median(start_summary.true_skew, unit), "point"),
    )
    lost = tuple(
        column(name, title, partial(_count, name=name), importance=6)
        for name, title in (("late_entry", "late"), ("missed", "missed"))
        if any(getattr(summary, name) for summary in summaries)
    )
    columns = (
        column("start", "", _start, "left"),
        *(true if any(summary.true_skew is not None for summary in summaries) else ()),
        column("skew_median_s", "measured", lambda row: _median(row.skew, unit), "point"),
        column("skew_mean_s", "mean", lambda row: _of_best(row, unit, lambda best: best.mean.mean), "point", 4),
        column("skew_low_s", "95 % of mean", lambda row: interval_text(row.best_skew, unit), importance=4),
        column("skew_p95_s", "p95", lambda row: _of_best(row, unit, lambda best: best.p95_s), "point", 5),
        column("clock_bound_s", "bound", lambda row: _number(row.clock_bound_s, unit), "point", 1),
        column("duration_s", "takes", _duration, importance=3),
        column("valid", "valid", lambda row: f"{row.valid} of {row.attempted}", importance=1),
        *lost,
        column("", "times nearer", lambda row: _cell(nearer_text(row, summaries), row), short="nearer"),
    )
    blocks = []
    for skew_place, at_place in by_place(summaries).items():
        launches = max(summary.launches for summary in at_place)
        detail = f"{launches} launch{'' if launches == 1 else 'es'}; exit skew, medians, in {unit.name}"
        blocks.append(Block(skew_place.text, detail, at_place))
    return Table(columns, blocks)


def by_place(summaries: Sequence[StartSummary]) -> dict[SkewPlace, list[StartSummary]]:
    """In their order."""
    places: dict[SkewPlace, list[StartSummary]] = {}
    for summary in summaries:
        places.setdefault(summary.place, []).append(summary)
    return places


def _count(summary: StartSummary, name: str) -> str:
    return str(getattr(summary, name))


def _start(summary: StartSummary) -> Cell:
    label = start_label(summary.start)
    return Cell(label, "bold" if is_baseline(summary.start) else "", short(label, 28))


def _cell(text: str, summary: StartSummary) -> Cell:
    """Text in the style of the row."""
    return Cell(text, "bold" if is_baseline(summary.start) else "")


def _median(skews: Skews | None, unit: TimeUnit) -> str:
    return _number(None if skews is None else skews.median_s, unit)


def _of_best(summary: StartSummary, unit: TimeUnit, value: Callable[[Skews], float]) -> str:
    return _number(None if summary.best_skew is None else value(summary.best_skew), unit)


def _number(seconds: float | None, unit: TimeUnit) -> str:
    return NONE if seconds is None else unit.number(seconds)


def _duration(summary: StartSummary) -> str:
    return NONE if summary.duration_s is None else format_duration(summary.duration_s)


def interval_text(skews: Skews | None, unit: TimeUnit) -> str:
    """`1.2 … 1.4`: where the mean lies."""
    return NONE if skews is None else Times(skews.mean.low, skews.mean.high).text(unit.number)


def nearer_text(summary: StartSummary, summaries: Sequence[StartSummary]) -> str:
    """How many times nearer together than after MPI_Barrier."""
    baseline = baseline_of(summary, summaries)
    if baseline is None or is_baseline(summary.start):
        return NONE
    times = times_further(summary, baseline)
    return NONE if times is None else times_text(times)


def exit_tables(summaries: Sequence[StartSummary]) -> list[Table[int]]:
    """When each rank leaves after the first, the mean: a table for each place."""
    unit = time_unit([rank.mean for summary in summaries for rank in summary.exits])
    tables = []
    for skew_place, starts in by_place(summaries).items():
        columns = (
            Column[int]("rank", "rank", str),
            *(
                _exits(start_summary, number, unit)
                for number, start_summary in enumerate(start for start in starts if start.exits)
            ),
        )
        detail = f"mean exit after the first exit, in {unit.name}"
        tables.append(Table(columns, [Block(skew_place.text, detail, range(skew_place.n_ranks))]))
    return tables


def _exits(summary: StartSummary, index: int, unit: TimeUnit) -> Column[int]:
    """The column of one start."""
    exits, label = summary.true_exits or summary.exits, start_label(summary.start)
    return Column[int]("", label, lambda rank: unit.number(exits[rank].mean), "point", index, short(label, 12))


_NOTHING = "none"
"""The start that does nothing: its ranks are as near together as they were entered."""


def skew_sentences(summaries: Sequence[StartSummary]) -> tuple[str, ...]:
    """For each place: which start has ranks closest together, and MPI_Barrier beside it."""
    sentences = []
    for skew_place, starts in by_place(summaries).items():
        judged_starts = [start for start in starts if start.best_skew and parse_spec(start.start).name != _NOTHING]
        if judged_starts:
            sentences.append(f"{skew_place.text}: {_nearest(judged_starts[0], summaries)}.")
    return tuple(sentences)


def _nearest(best: StartSummary, summaries: Sequence[StartSummary]) -> str:
    assert best.best_skew is not None  # the caller chose it so
    kind = " by true clocks" if best.true_skew is not None else ""
    apart = f"{format_duration(best.best_skew.median_s)} apart{kind}"
    text = f"{start_label(best.start)} starts ranks closest together, {apart}"
    baseline = baseline_of(best, summaries)
    if baseline is None or baseline.best_skew is None or is_baseline(best.start):
        return text
    text += f"; after MPI_Barrier they are {format_duration(baseline.best_skew.median_s)} apart"
    times = times_further(best, baseline)
    return text if times is None else f"{text}, {times_text(times)} times as far"


def study_rows(summaries: Sequence[StartSummary], *, per_rank: bool) -> Iterator[dict[str, Any]]:
    """One row for each place and start; with `per_rank` one for each rank."""
    for summary in summaries:
        place_keys = {"mpi": summary.place.library, "n": summary.place.n_ranks, "wait_s": summary.place.wait_s}
        about = {**place_keys, "start": start_label(summary.start), "spec": summary.start}
        if per_rank:
            for rank, exit_s in enumerate(summary.exits):
                true_s = summary.true_exits[rank].mean if summary.true_exits else None
                yield {**about, "rank": rank, **_mean("exit", exit_s), "true_exit_s": true_s}
            continue
        counts = ("launches", "attempted", "late_entry", "missed", "valid", "clock_bound_s", "duration_s")
        row = {**about, **{key: getattr(summary, key) for key in counts}}
        for key in ("entry", "skew", "true_skew"):
            skews = getattr(summary, key)
            row |= _mean(key, None if skews is None else skews.mean)
            row |= {f"{key}_{what}_s": getattr(skews, f"{what}_s", None) for what in ("median", "p95", "max")}
        yield row


def _mean(key: str, mean: Any) -> dict[str, float | None]:
    parts = {"mean": None, "low": None, "high": None} if mean is None else asdict(mean)
    return {f"{key}_{what}_s": value for what, value in parts.items()}
