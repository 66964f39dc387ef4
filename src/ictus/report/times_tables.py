"""Local against global times on the terminal: tables and sentences."""

from collections.abc import Callable, Sequence

from rich.text import Text

from ictus.model.quantity import format_size
from ictus.plot.unit import time_unit
from ictus.report.rows import group_detail, grouped, operation_title
from ictus.report.start_labels import start_label
from ictus.report.tables import interval_text, ratio_text
from ictus.report.text_table import Block, Cell, Column, Row, table
from ictus.report.times_rows import TimesRow
from ictus.stats.median_interval import MedianInterval


def times_tables(rows: Sequence[TimesRow], width: int) -> list[Text]:
    """A block for each operation, library and start: one line a size. Ratios that differ from 1 are bold."""
    unit = time_unit([value for row in rows for value in (row.found.local.median, row.found.global_.median)])
    columns = (
        Column("size"),
        Column("local", "point"),
        Column("global", "point"),
        Column("start skew", "point", 1, "skew"),
        Column("global/local", "point", 0, "ratio"),
        Column("95 % interval", "left", 1),
        Column("launches", importance=2),
    )
    blocks = []
    for own in grouped(rows, lambda row: (row.mpi, row.case["operation"], row.case["n"], row.case["procsync"])):
        first = own[0]
        lines: list[Row] = [
            (
                format_size(int(row.case["size_bytes"])),
                unit.number(row.found.local.median),
                unit.number(row.found.global_.median),
                unit.number(row.found.skew_s),
                Cell(ratio_text(row.found.ratio.ratio), "bold" if row.differs else ""),
                interval_text(row.found.ratio.low, row.found.ratio.high),
                str(row.found.launches),
            )
            for row in own
        ]
        detail = f"{first.mpi}, {group_detail(first.case, ())}, {start_label(str(first.case['procsync']))}"
        blocks.append(Block(operation_title(first.case), f"{detail}; medians in {unit.name}", lines))
    return table(columns, blocks, width)


def median_text(found: MedianInterval, text: Callable[[float], str]) -> str:
    """`1.2 µs (1.1 µs … 1.3 µs)`."""
    if found.low is None or found.high is None:
        return text(found.median)
    return f"{text(found.median)} ({text(found.low)} … {text(found.high)})"


def sentences(rows: Sequence[TimesRow]) -> tuple[str, ...]:
    """Where the two differ most, and with which start least."""
    told = [row for row in rows if row.differs]
    if not told:
        return (f"Local and global times are not told apart in any of {len(rows)} cases by more than 1 %.",)
    most = max(told, key=lambda row: abs(row.found.ratio.ratio - 1))
    most_text = (
        f"In {len(told)} of {len(rows)} cases the two differ by more than 1 %, most with {name_of(most)}: the makespan "
        f"is {most.found.ratio.ratio:.3g} times the longest local time."
    )
    return (most_text,)


def name_of(row: TimesRow) -> str:
    """`MPI_Bcast, 8 B, barrier(library), mpich`."""
    size = format_size(int(row.case["size_bytes"]))
    return f"{operation_title(row.case)} of {size} after {start_label(str(row.case['procsync']))}, {row.mpi}"
