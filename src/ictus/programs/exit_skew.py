"""By how much each process left a program's barriers later than the first one did."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from ictus.programs.preload import PreloadReport
from ictus.render.table import Block, Cell, CellRow, Heading, cell_table
from ictus.render.terminal import lines
from ictus.render.unit import TimeUnit, time_unit
from ictus.stats.median import median_interval

COMMUNICATORS_SHOWN = 4
PROCESSES_SHOWN = 32
"""Of each; a terminal holds no more."""


@dataclass(frozen=True)
class ExitSkew:
    """Exits of one process from one communicator's barriers, relative to the first exit of each. Seconds."""

    communicator: int
    """Its place in the report."""
    name: str
    rank: int
    """In MPI_COMM_WORLD."""
    barriers: int
    mean_s: float
    median_s: float
    low_s: float | None
    high_s: float | None
    """The 95 % interval of the median."""
    p95_s: float
    max_s: float
    clock_bound_s: float | None
    """The largest bound on the error of its clock; None where nothing is proven."""


def summarise_exits(exits: NDArray[np.void], report: PreloadReport) -> tuple[ExitSkew, ...]:
    """One entry for each communicator and process in the log, in this order."""
    order = np.lexsort((exits["rank"], exits["communicator"]))
    ordered = exits[order]
    keys = np.stack((ordered["communicator"], ordered["rank"]))
    begins = np.flatnonzero(np.any(np.diff(keys, axis=1, prepend=-1) != 0, axis=0))
    return tuple(_summarised(group, report) for group in np.split(ordered, begins[1:]) if group.size)


def _summarised(group: NDArray[np.void], report: PreloadReport) -> ExitSkew:
    skew = np.asarray(group["skew"], dtype=float)
    interval = median_interval(skew)
    bound = float(np.max(group["clock_bound"]))
    communicator = int(group["communicator"][0])
    return ExitSkew(
        communicator=communicator,
        name=report.communicators[communicator].name,
        rank=int(group["rank"][0]),
        barriers=int(skew.size),
        mean_s=float(np.mean(skew)),
        median_s=interval.median,
        low_s=interval.low,
        high_s=interval.high,
        p95_s=float(np.quantile(skew, 0.95)),
        max_s=float(np.max(skew)),
        clock_bound_s=None if np.isnan(bound) else bound,
    )


def exit_skew_tables(skews: Sequence[ExitSkew], report: PreloadReport, width: int) -> list[Text]:
    """A block for each of the communicators with the most barriers, a line for each process; then what is not shown."""
    sizes = {one.communicator: one.barriers for one in skews}
    shown = sorted(sorted(sizes, key=lambda index: (-sizes[index], index))[:COMMUNICATORS_SHOWN])
    unit = time_unit([time for one in skews for time in (one.median_s, one.p95_s)])
    columns = (
        Heading("rank"),
        Heading("median", "point"),
        Heading("95 % interval", "left", 2),
        Heading("mean", "point", 1),
        Heading("95th", "point", 1),
        Heading("largest", "point"),
        Heading("clock ±", "point"),
    )
    of = {index: [one for one in skews if one.communicator == index] for index in shown}
    blocks = [
        Block(*_heading(report, index, unit), [_row(one, unit) for one in of[index][:PROCESSES_SHOWN]])
        for index in shown
    ]
    hidden = max((len(ones) - PROCESSES_SHOWN for ones in of.values()), default=0)
    return [*lines(cell_table(columns, blocks), width), *_hidden(len(sizes) - len(shown), hidden)]


def _hidden(communicators: int, processes: int) -> list[Text]:
    """What the tables leave out."""
    parts = [
        f"{number} more {what}{'' if number == 1 else plural}"
        for number, what, plural in ((communicators, "communicator", "s"), (processes, "process", "es"))
        if number > 0
    ]
    return [Text(), Text(f"Not shown: {' and '.join(parts)} (--json has all).", "dim")] if parts else []


def _row(one: ExitSkew, unit: TimeUnit) -> CellRow:
    return (
        str(one.rank),
        Cell(unit.number(one.median_s), "bold"),
        "" if one.low_s is None else f"{unit.number(one.low_s)} … {unit.number(one.high_s)}",
        unit.number(one.mean_s),
        unit.number(one.p95_s),
        unit.number(one.max_s),
        unit.number(one.clock_bound_s),
    )


def _heading(report: PreloadReport, index: int, unit: TimeUnit) -> tuple[str, str]:
    one = report.communicators[index]
    name = one.name or f"communicator {index}"
    every = "" if one.stride == 1 else f", every {one.stride}th of {one.barriers}"
    return (
        f"Exit skew of {name}",
        f"{one.kept} barrier{'' if one.kept == 1 else 's'}{every}, in {unit.name}, after the first process to leave",
    )
