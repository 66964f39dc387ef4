"""What persistent collectives cost: table and sentences."""

from collections.abc import Sequence

from ictus.comparison.case_titles import group_detail, grouped, operation_title, varying
from ictus.comparison.verdict_texts import interval_text, ratio_text
from ictus.comparison.words import cases_text, too_few_launches
from ictus.model.quantity import format_size
from ictus.render.table import NONE, Block, Cell, Column, Table, Times, row_columns
from ictus.studies.persistent.analysis import PersistentRow

COLUMNS = row_columns(
    """
    set_up_s=set_up.median blocking_s=blocking.median persistent_s=persistent.median ratio.ratio ratio_low=ratio.low
    ratio_high=ratio.high
    """,
    "ictus.persistent/1",
)


def without_size(rows: Sequence[PersistentRow]) -> list[list[PersistentRow]]:
    """The rows that differ in size alone, together."""
    return grouped(rows, lambda row: (row.mpi, *(value for name, value in row.case.items() if name != "size_bytes")))


def setting_of(row: PersistentRow, rows: Sequence[PersistentRow]) -> str:
    """`mpich, 2 processes`, and the factors in which these rows differ."""
    return f"{row.mpi}, {group_detail(row.case, varying([other.case for other in rows]))}"


def persistent_table(rows: Sequence[PersistentRow]) -> Table[PersistentRow]:
    """A block for each library and operation: a line a size. What is shown to be ahead is bold."""
    column = Column[PersistentRow]
    columns = (
        column("size_bytes", "size", lambda row: format_size(int(row.case["size_bytes"]))),
        column("set_up_s", "set-up", lambda row: Times(row.set_up.median), "point"),
        column("blocking_s", "blocking", lambda row: Times(row.blocking.median), "point"),
        column("persistent_s", "persistent", lambda row: Times(row.persistent.median), "point"),
        column("ratio", "persistent/blocking", lambda row: ratio_text(row.ratio.ratio), "point", short="ratio"),
        column("ratio_low", "95 % interval", lambda row: interval_text(row.ratio.low, row.ratio.high), "range", 1),
        column("ahead_from", "ahead from call", _ahead_from, short="ahead from"),
        column("launches", "launches", importance=2),
    )
    blocks = [
        Block(operation_title(group[0].case), setting_of(group[0], rows), group, times="medians")
        for group in without_size(rows)
    ]
    return Table(columns, blocks)


def _ahead_from(row: PersistentRow) -> Cell | str:
    return NONE if row.ahead_from is None else Cell(f"{row.ahead_from:,}", "bold")


def sentences(rows: Sequence[PersistentRow]) -> tuple[str, ...]:
    """Where the persistent form is ahead and from which call on; where never; and what is not decided."""
    ahead = sorted(
        ((row.ahead_from, row) for row in rows if row.ahead_from is not None),
        key=lambda pair: pair[0],
    )
    slower = [row for row in rows if row.is_slower]
    cases, texts = cases_text(len(rows)), []
    if ahead:
        (first, soonest), (last, latest) = ahead[0], ahead[-1]
        text = f"In {len(ahead)} of {cases} the persistent form is ahead: from call {first:,} on"
        also = f", latest from call {last:,} on with {name_of(latest)}" if last > first else ""
        texts.append(f"{text} with {name_of(soonest)}{also}.")
    if slower:
        most = max(slower, key=lambda row: row.ratio.ratio)
        texts.append(
            f"In {len(slower)} of {cases} the persistent form is never ahead, because its calls are slower: "
            f"most with {name_of(most)}, {most.ratio.ratio:.3g} times as long."
        )
    n_open = len(rows) - len(ahead) - len(slower)
    if n_open:
        texts.append(f"In {n_open} of {cases} it is not shown whether calls of the persistent form are faster.")
    return (*texts, *too_few_launches([(row.launches, row.ratio) for row in rows]))


def name_of(row: PersistentRow) -> str:
    """`MPI_Bcast of 8 B, mpich`."""
    return f"{operation_title(row.case)} of {format_size(int(row.case['size_bytes']))}, {row.mpi}"
