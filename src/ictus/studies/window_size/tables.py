"""A sweep of windows: tables and sentences."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from ictus.comparison.case_titles import brief, operation_title
from ictus.model.quantity import format_duration, format_size, typed_duration
from ictus.render.table import NONE, Block, Cell, Column, Table, Times, row_columns
from ictus.render.unit import TimeUnit, time_unit
from ictus.studies.window_size.analysis import WindowPoint, WindowSweep

SAME_LATENCY = 0.005
"""Latencies that differ by less than this share are called the same."""


@dataclass(frozen=True)
class _Window:
    """A row: one size of a sweep."""

    sweep: WindowSweep
    point: WindowPoint

    @property
    def recommended(self) -> bool:
        """Whether it is the one to take."""
        return self.point.window_s == self.sweep.advice.window_s

    def cell(self, text: str) -> Cell:
        """A text of the row to take is bold."""
        return Cell(text, "bold" if self.recommended else "")


COLUMNS = row_columns(
    "sweep.mpi sweep.case invalid_share=point.share latency_s=point.latency.median recommended point.*",
    "ictus.procsync.window/1",
)


def window_rows(sweep: WindowSweep) -> list[_Window]:
    """A row for each size."""
    return [_Window(sweep, point) for point in sweep.points]


def window_table(sweeps: Sequence[WindowSweep]) -> Table[_Window]:
    """A block for each library and case: one line a window size; the recommended one is marked."""
    unit = time_unit(
        [p.latency.median for window_sweep in sweeps for p in window_sweep.points if p.latency is not None]
    )
    column = Column[_Window]
    columns = (
        column("window_s", "window", lambda row: row.cell(format_duration(row.point.window_s))),
        column("invalid_share", "invalid", lambda row: row.cell(percent(row.point.share)), "point"),
        column("least_share", "of any launch", _of_any_launch, importance=2),
        column("late", "late", lambda row: f"{row.point.late:,}", importance=3),
        column("long", "overrun", lambda row: f"{row.point.long:,}", importance=3),
        column("attempted", "samples", lambda row: f"{row.point.attempted:,}", importance=1),
        column("latency_s", "latency", partial(_latency, unit=unit), "point", unit=unit.name),
        column("latency_low_s", "95 % interval", partial(_interval, unit=unit), importance=1),
        column("recommended", "", lambda row: row.cell("recommended" if row.recommended else ""), "left"),
    )
    blocks = []
    clocks = len({sweep.case["clocksync"] for sweep in sweeps}) > 1
    for sweep in sweeps:
        launches = max(point.launches for point in sweep.points)
        detail = f"{sweep.mpi}, {launches} launch{'' if launches == 1 else 'es'}"
        detail += f", clocksync {brief('clocksync', sweep.case['clocksync'])}" if clocks else ""
        blocks.append(Block(sweep_title(sweep), detail, window_rows(sweep)))
    return Table(columns, blocks)


def _of_any_launch(row: _Window) -> str:
    return f"{percent(row.point.least_share)} … {percent(row.point.most_share)}"


def _latency(row: _Window, unit: TimeUnit) -> Cell:
    latency = row.point.latency
    return row.cell(NONE if latency is None else unit.number(latency.median))


def _interval(row: _Window, unit: TimeUnit) -> str:
    latency = row.point.latency
    return NONE if latency is None else Times(latency.low, latency.high).text(unit.number)


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
    text = f"window(size={typed_duration(advice.window_s)}): {percent(advice.share)} of its samples are invalid"
    if advice.shorter is None:
        text += ", and no shorter window was measured"
    else:
        text += f", of the next shorter window's, {format_duration(advice.shorter.window_s)}, {_why(advice.shorter)}"
    if advice.latency_ratio is not None and advice.window_s != sweep.points[-1].window_s:
        text += f". Its latency is {_beside(advice.latency_ratio)} the longest window"
    return f"{text}."


def _beside(ratio: float) -> str:
    """`the same as behind`, `12 % longer than behind`."""
    if abs(ratio - 1) < SAME_LATENCY:
        return "the same as behind"
    return f"{percent(abs(ratio - 1))} {'longer' if ratio > 1 else 'shorter'} than behind"


def _why(shorter: WindowPoint) -> str:
    return f"{percent(shorter.share)} ({shorter.late:,} late, {shorter.long:,} long)"
