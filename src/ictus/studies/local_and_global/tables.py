"""Local against global times: tables and sentences."""

from collections.abc import Sequence
from functools import partial

from ictus.comparison.case_titles import group_detail, grouped, operation_title
from ictus.comparison.verdict_texts import interval_text, ratio_text
from ictus.comparison.words import cases_text, too_few_launches
from ictus.model.quantity import format_size
from ictus.render.table import Block, Cell, Column, Table, Times, row_columns
from ictus.render.unit import TimeUnit, time_unit
from ictus.stats.median import MedianInterval
from ictus.studies.exit_skew.tables import start_label
from ictus.studies.local_and_global.analysis import TimesRow

COLUMNS = row_columns(
    """
    summary.launches local_s=summary.local.median global_s=summary.global_.median start_skew_s=summary.skew_s
    summary.ratio.ratio ratio_low=summary.ratio.low ratio_high=summary.ratio.high
    """,
    "ictus.procsync.times/1",
)


def times_table(rows: Sequence[TimesRow]) -> Table[TimesRow]:
    """A block for each operation, library and start: one line a size. Ratios that differ from 1 are bold."""
    unit = time_unit([value for row in rows for value in (row.summary.local.median, row.summary.global_.median)])
    column = Column[TimesRow]
    columns = (
        column("size_bytes", "size", lambda row: format_size(int(row.case["size_bytes"]))),
        column("local_s", "local", lambda row: unit.number(row.summary.local.median), "point"),
        column("local_low_s", "95 % interval", partial(_times, name="local", unit=unit), "range", only=("page",)),
        column("global_s", "global", lambda row: unit.number(row.summary.global_.median), "point"),
        column("global_low_s", "95 % interval", partial(_times, name="global_", unit=unit), "range", only=("page",)),
        column("start_skew_s", "start skew", lambda row: unit.number(row.summary.skew_s), "point", 1, "skew"),
        column("ratio", "global/local", _ratio, "point", short="ratio"),
        column("ratio_low", "95 % interval", _interval, "range", 1),
        column("launches", "launches", lambda row: str(row.summary.launches), importance=2),
    )
    blocks = []
    for times_rows in grouped(rows, lambda row: (row.mpi, row.case["operation"], row.case["n"], row.case["procsync"])):
        first = times_rows[0]
        detail = f"{first.mpi}, {group_detail(first.case, ())}, {start_label(str(first.case['procsync']))}"
        blocks.append(Block(operation_title(first.case), f"{detail}; medians in {unit.name}", times_rows))
    return Table(columns, blocks)


def _times(row: TimesRow, name: str, unit: TimeUnit) -> str:
    interval: MedianInterval = getattr(row.summary, name)
    return Times(interval.low, interval.high).text(unit.number)


def _ratio(row: TimesRow) -> Cell:
    return Cell(ratio_text(row.summary.ratio.ratio), "bold" if row.differs else "")


def _interval(row: TimesRow) -> str:
    return interval_text(row.summary.ratio.low, row.summary.ratio.high)


def sentences(rows: Sequence[TimesRow]) -> tuple[str, ...]:
    """Where the two differ most; for cases without an interval, that there are too few launches."""
    with_interval = [row for row in rows if row.summary.ratio.low is not None]
    different = [row for row in with_interval if row.differs]
    hopeless = too_few_launches([(row.summary.launches, row.summary.ratio) for row in rows])
    if not with_interval:
        return hopeless
    if not different:
        return (
            f"Local and global times are not told apart in any of {cases_text(len(with_interval))} by more than 1 %.",
            *hopeless,
        )
    most = max(different, key=lambda row: abs(row.summary.ratio.ratio - 1))
    most_text = (
        f"In {len(different)} of {cases_text(len(with_interval))} the two differ by more than 1 %, most with "
        f"{name_of(most)}: the makespan is {most.summary.ratio.ratio:.3g} times the longest local time."
    )
    return (most_text, *hopeless)


def name_of(row: TimesRow) -> str:
    """`MPI_Bcast, 8 B, barrier(library), mpich`."""
    size = format_size(int(row.case["size_bytes"]))
    return f"{operation_title(row.case)} of {size} after {start_label(str(row.case['procsync']))}, {row.mpi}"
