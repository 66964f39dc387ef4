"""Tables of exit skew, for the terminal.

The result of a study of exit skew in sentences.
"""

from collections.abc import Sequence

from rich.text import Text

from ictus.model.quantity import format_duration
from ictus.model.spec import parse_spec
from ictus.render.figures.panel import short
from ictus.render.terminal import Block, Cell, Column, Row, table
from ictus.render.unit import TimeUnit, time_unit
from ictus.studies.clocks.labels import processes
from ictus.studies.exit_skew.analysis import Skews, StartSummary, times_further
from ictus.studies.exit_skew.labels import baseline_of, is_baseline, start_label, times_text

_NONE = "–"


def skew_tables(summaries: Sequence[StartSummary], width: int) -> list[Text]:
    """A block for each library and number of processes: one line a start, the least skew first."""
    unit = time_unit([s.median_s for one in summaries for s in (one.skew, one.true_skew) if s is not None])
    columns = (
        Column("", "left"),
        Column("true", "point"),
        Column("measured", "point"),
        Column("mean", "point", 4),
        Column("95 % of mean", importance=4),
        Column("p95", "point", 5),
        Column("bound", "point", 1),
        Column("takes", importance=3),
        Column("valid", importance=1),
        Column("late", importance=6),
        Column("missed", importance=6),
        Column("times nearer", short="nearer"),
    )
    blocks = []
    for n_ranks, library in dict.fromkeys((one.n_ranks, one.library) for one in summaries):
        own = [one for one in summaries if (one.n_ranks, one.library) == (n_ranks, library)]
        launches = max(one.launches for one in own)
        detail = f"{launches} launch{'' if launches == 1 else 'es'}; exit skew, medians, in {unit.name}"
        blocks.append(Block(f"{library}, {processes(n_ranks)}", detail, [_row(one, summaries, unit) for one in own]))
    return table(columns, blocks, width)


def _row(one: StartSummary, summaries: Sequence[StartSummary], unit: TimeUnit) -> Row:
    style = "bold" if is_baseline(one.start) else ""
    best = one.best_skew
    return (
        Cell(start_label(one.start), style, short(start_label(one.start), 28)),
        _median(one.true_skew, unit),
        _median(one.skew, unit),
        _NONE if best is None else unit.number(best.mean.mean),
        interval_text(best, unit),
        _NONE if best is None else unit.number(best.p95_s),
        _NONE if one.clock_bound_s is None else unit.number(one.clock_bound_s),
        _NONE if one.duration_s is None else format_duration(one.duration_s),
        f"{one.valid} of {one.attempted}",
        str(one.late_entry),
        str(one.missed),
        Cell(nearer_text(one, summaries), style),
    )


def _median(skews: Skews | None, unit: TimeUnit) -> str:
    return _NONE if skews is None else unit.number(skews.median_s)


def interval_text(skews: Skews | None, unit: TimeUnit) -> str:
    """`1.2 … 1.4`: where the mean lies."""
    if skews is None or skews.mean.low is None or skews.mean.high is None:
        return _NONE
    return f"{unit.number(skews.mean.low)} … {unit.number(skews.mean.high)}"


def nearer_text(one: StartSummary, summaries: Sequence[StartSummary]) -> str:
    """How many times nearer together than after MPI_Barrier."""
    baseline = baseline_of(one, summaries)
    if baseline is None or is_baseline(one.start):
        return _NONE
    times = times_further(one, baseline)
    return _NONE if times is None else times_text(times)


def exit_tables(summaries: Sequence[StartSummary], width: int) -> list[Text]:
    """When each rank leaves after the first, the mean: a block for each library and number of processes."""
    unit = time_unit([rank.mean for one in summaries for rank in one.exits])
    lines: list[Text] = []
    for n_ranks, library in dict.fromkeys((one.n_ranks, one.library) for one in summaries):
        own = [one for one in summaries if (one.n_ranks, one.library) == (n_ranks, library) and one.exits]
        columns = (
            Column("rank"),
            *(Column(start_label(one.start), "point", place, short(start_label(one.start), 12))
              for place, one in enumerate(own)),
        )  # fmt: skip
        rows = [
            (str(rank), *(unit.number((one.true_exits or one.exits)[rank].mean) for one in own))
            for rank in range(n_ranks)
        ]
        detail = f"mean exit after the first exit, in {unit.name}"
        lines += [*([Text()] if lines else []), *table(columns, [Block(f"{library}, {n_ranks}", detail, rows)], width)]
    return lines


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
