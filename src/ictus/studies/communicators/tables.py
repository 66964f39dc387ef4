"""Columns and sentences of what making communicators costs."""

from collections.abc import Sequence
from operator import itemgetter

from ictus.comparison.case_titles import processes
from ictus.model.quantity import format_duration
from ictus.render.table import NONE, Block, Cell, Column, Table, Times, row_columns
from ictus.studies.communicators.analysis import CreationSummary
from ictus.studies.communicators.record import CommunicatorsDocument

COLUMNS = row_columns("cost_s=cost_s.median", "ictus.communicators/1")


def creation_table(rows: Sequence[CreationSummary]) -> Table[CreationSummary]:
    """A block for each number of processes and library: a line for each call and number of groups."""
    column = Column[CreationSummary]
    columns = (
        column("call", "call", lambda row: row.mpi_name, "left", once=True),
        column("groups", "groups"),
        column("largest", "ranks each", importance=2),
        column(
            "cost_s",
            "cost",
            lambda row: NONE if row.cost_s is None else Cell(Times(row.cost_s.median), "bold"),
            "point",
        ),
        column("cost_low_s", "95 %", _interval, "range", 1),
        column("p95_s", "p95", lambda row: NONE if row.p95_s is None else Times(row.p95_s), "point", 3),
        column("valid", "valid", lambda row: f"{row.valid} of {row.attempted}", importance=4),
    )
    blocks = []
    for n, mpi in dict.fromkeys((row.n, row.mpi) for row in rows):
        block_rows = [row for row in rows if (row.n, row.mpi) == (n, mpi)]
        launches = max(row.launches for row in block_rows)
        detail = f"{launches} launch{'' if launches == 1 else 'es'}; first begin to last end"
        blocks.append(Block(f"{mpi}, {processes(n)}", detail, block_rows))
    return Table(columns, blocks)


def _interval(row: CreationSummary) -> Times | str:
    cost = row.cost_s
    return NONE if cost is None or cost.low is None else Times(cost.low, cost.high)


def creation_sentences(rows: Sequence[CreationSummary]) -> list[str]:
    """For each library and number of processes: the quickest call, the slowest, and a split."""
    sentences = []
    for n, mpi in dict.fromkeys((row.n, row.mpi) for row in rows):
        costs = [(row.cost_s.median, row) for row in rows if (row.n, row.mpi) == (n, mpi) and row.cost_s is not None]
        if not costs:
            continue
        (least, quickest), (most, slowest) = min(costs, key=itemgetter(0)), max(costs, key=itemgetter(0))
        text = f"{mpi}, {processes(n)}: {_title(quickest)} takes {format_duration(least)}"
        if slowest is not quickest:
            text += f", the least; {_title(slowest)} {format_duration(most)}, the most"
        sentences.append(f"{text}.")
    return sentences


def _title(row: CreationSummary) -> str:
    """`MPI_Comm_split into 2 groups`."""
    return row.mpi_name if row.groups == 1 else f"{row.mpi_name} into {row.groups} groups"


def warnings_of(study: CommunicatorsDocument, rows: Sequence[CreationSummary]) -> tuple[str, ...]:
    """Warnings of the core, and calls without a valid repetition, each once."""
    warnings = [text for setting in study.settings for text in setting.warnings]
    warnings += [
        f"{row.mpi}, {processes(row.n)}: no valid repetition of {_title(row)} in {row.attempted}"
        for row in rows
        if not row.valid
    ]
    return tuple(dict.fromkeys(warnings))
