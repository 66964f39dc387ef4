"""How much later than the first process each process leaves a program's barriers."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from ictus.programs.preload import PreloadReport
from ictus.render.table import Block, Cell, Column, Table, Times
from ictus.render.terminal import lines
from ictus.render.unit import time_unit
from ictus.stats.median import median_interval

COMMUNICATORS_SHOWN = 4
PROCESSES_SHOWN = 32
"""At most this number of processes of each: a terminal holds no more."""


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
    """The largest bound on the error of its clock; None without a proof."""


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


_column = Column[ExitSkew]
_COLUMNS = (
    _column("rank", "rank", lambda skew: str(skew.rank)),
    _column("median_s", "median", lambda exit_skew: Cell(Times(exit_skew.median_s), "bold"), "point"),
    _column(
        "low_s", "95 % interval", lambda row: "" if row.low_s is None else Times(row.low_s, row.high_s), "range", 2
    ),
    _column("mean_s", "mean", lambda row: Times(row.mean_s), "point", 1),
    _column("p95_s", "95th", lambda row: Times(row.p95_s), "point", 1),
    _column("max_s", "largest", lambda row: Times(row.max_s), "point"),
    _column("clock_bound_s", "clock ±", lambda row: Times(row.clock_bound_s), "point"),
)


def exit_skew_table(skews: Sequence[ExitSkew], report: PreloadReport) -> Table[ExitSkew]:
    """A block for each of the communicators with the most barriers, a line for each process."""
    unit = time_unit([time for skew in skews for time in (skew.median_s, skew.p95_s)])
    blocks = []
    for index in _shown(skews):
        exit_skews = [exit_skew for exit_skew in skews if exit_skew.communicator == index]
        title, detail = _heading(report, index)
        blocks.append(
            Block(
                title,
                f"{detail}, in {unit.name}, after the first process to leave",
                exit_skews[:PROCESSES_SHOWN],
                unit,
                None,
            )
        )
    return Table(_COLUMNS, blocks)


def exit_skew_lines(skews: Sequence[ExitSkew], report: PreloadReport, width: int) -> list[Text]:
    """The table, then what it does not show."""
    each = Counter(skew.communicator for skew in skews)
    communicators = len(each) - len(_shown(skews))
    hidden = max((each[index] - PROCESSES_SHOWN for index in _shown(skews)), default=0)
    return [*lines(exit_skew_table(skews, report), width), *_hidden(communicators, hidden)]


def _shown(skews: Sequence[ExitSkew]) -> list[int]:
    sizes = {skew.communicator: skew.barriers for skew in skews}
    return sorted(sorted(sizes, key=lambda index: (-sizes[index], index))[:COMMUNICATORS_SHOWN])


def _hidden(communicators: int, processes: int) -> list[Text]:
    """The left-out processes of the tables."""
    parts = [
        f"{number} more {what}{'' if number == 1 else plural}"
        for number, what, plural in ((communicators, "communicator", "s"), (processes, "process", "es"))
        if number > 0
    ]
    return [Text(), Text(f"Not shown: {' and '.join(parts)} (--json has all).", "dim")] if parts else []


def _heading(report: PreloadReport, index: int) -> tuple[str, str]:
    barriers = report.communicators[index]
    name = barriers.name or f"communicator {index}"
    every = "" if barriers.stride == 1 else f", every {barriers.stride}th of {barriers.barriers}"
    return f"Exit skew of {name}", f"{barriers.kept} barrier{'' if barriers.kept == 1 else 's'}{every}"
