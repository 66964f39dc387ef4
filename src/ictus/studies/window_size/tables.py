"""A sweep of windows on the terminal: tables and sentences."""

from collections.abc import Sequence

from rich.text import Text

from ictus.comparison.case_titles import operation_title
from ictus.model.quantity import format_duration, format_size
from ictus.render.terminal import Block, Cell, Column, Row, table
from ictus.render.unit import time_unit
from ictus.studies.window_size.analysis import WindowPoint
from ictus.studies.window_size.rows import WindowSweep

_NONE = "–"


def window_tables(sweeps: Sequence[WindowSweep], width: int) -> list[Text]:
    """A block for each library and case: one line a window size; the recommended one is marked."""
    unit = time_unit([p.latency.median for one in sweeps for p in one.points if p.latency is not None])
    columns = (
        Column("", "left"),
        Column("window"),
        Column("invalid", "point"),
        Column("of any launch", importance=2),
        Column("late", importance=3),
        Column("long", importance=3),
        Column("samples", importance=1),
        Column(f"latency, {unit.name}", "point"),
        Column("95 % interval", importance=1),
    )
    blocks = []
    for sweep in sweeps:
        launches = max(one.launches for one in sweep.points)
        detail = f"{sweep.mpi}, {launches} launch{'' if launches == 1 else 'es'}"
        rows: list[Row] = []
        for one in sweep.points:
            chosen = one.window_s == sweep.advice.window_s
            style, latency = "bold" if chosen else "", one.latency
            interval = _NONE
            if latency is not None and latency.low is not None and latency.high is not None:
                interval = f"{unit.number(latency.low)} … {unit.number(latency.high)}"
            rows.append(
                (
                    Cell("*" if chosen else "", style),
                    Cell(format_duration(one.window_s), style),
                    Cell(percent(one.share), style),
                    f"{percent(one.least_share)} … {percent(one.most_share)}",
                    f"{one.late:,}",
                    f"{one.long:,}",
                    f"{one.attempted:,}",
                    Cell(_NONE if latency is None else unit.number(latency.median), style),
                    interval,
                )
            )
        blocks.append(Block(sweep_title(sweep), detail, rows))
    return table(columns, blocks, width)


def sweep_title(sweep: WindowSweep) -> str:
    """`MPI_Alltoall, 8 KiB, 2 processes`."""
    case = sweep.case
    ranks = f"{case['n']} process{'' if case['n'] == 1 else 'es'}"
    return f"{operation_title(case)}, {format_size(int(case['size_bytes']))}, {ranks}"


def percent(share: float) -> str:
    """`0.3 %`."""
    return f"{100 * share:.3g} %"


def advice_sentences(sweeps: Sequence[WindowSweep], limit: float) -> tuple[str, ...]:
    """The recommended size of each case, and why."""
    return tuple(f"{sweep_title(sweep)}, {sweep.mpi}: {_advice(sweep, limit)}" for sweep in sweeps)


def _advice(sweep: WindowSweep, limit: float) -> str:
    advice = sweep.advice
    if advice.window_s is None:
        return (
            f"no window measured will do: the best still makes {percent(advice.share)} of the samples invalid, more "
            f"than {percent(limit)}. Longer windows may: --windows."
        )
    text = f"window(size={size_text(advice.window_s)}): {percent(advice.share)} of its samples are invalid"
    if advice.shorter is None:
        text += ", and no shorter window was measured"
    else:
        text += f", of the next shorter window's, {format_duration(advice.shorter.window_s)}, {_why(advice.shorter)}"
    if advice.latency_ratio is not None and len(sweep.points) > 1:
        text += f". Its latency is {advice.latency_ratio:.3g} times that of the longest window"
    return f"{text}."


def _why(shorter: WindowPoint) -> str:
    return f"{percent(shorter.share)} ({shorter.late:,} late, {shorter.long:,} long)"


def size_text(window_s: float) -> str:
    """A duration as it is typed: `12us`."""
    for unit, name in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us"), (1e-9, "ns")):
        if window_s >= unit:
            return f"{window_s / unit:.3g}{name}"
    return f"{window_s / 1e-9:.3g}ns"
