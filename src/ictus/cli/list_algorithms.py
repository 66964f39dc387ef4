"""`ictus list algorithms`: what the libraries on this machine let one choose for their collectives."""

from collections.abc import Mapping, Sequence
from typing import Any

from ictus.engine.event import PreparationStep
from ictus.model.library import parse_library
from ictus.render.output import CommandAnswer, print_answer, width
from ictus.render.progress import Display
from ictus.render.table import NONE, Block, Cell, Column, Table
from ictus.render.terminal import lines

NAME = "algorithms"
SUMMARY = "the libraries' own algorithms for collectives, of the installations that -m names"


def list_algorithms(libraries: Sequence[str], *, json: bool, csv: bool) -> None:
    """Ask the libraries (all that are found, where none is named) and show what they offer. UsageError and
    MeasurementError as for a campaign: their cores are built.
    """
    from ictus.engine.backend import prepare_backend  # noqa: PLC0415 (polars takes most of a second)

    with Display() as display:
        backend = prepare_backend(tuple(map(parse_library, libraries)), "mpiexec", None, display)
        display(PreparationStep("asking the libraries for their algorithms"))
        offers = backend.offers()
    rows = [
        {"mpi": label, "operation": operation, "name": one.name, "number": one.number}
        for label, offer in offers.items()
        for operation, algorithms in offer.items()
        for one in algorithms
    ]
    print_answer(CommandAnswer("ictus.algorithms/1", rows, (), lambda: lines(_table(rows), width())), json, csv)


def _table(rows: Sequence[Mapping[str, Any]]) -> Table[Mapping[str, Any]]:
    """A block for each library, a line for each operation."""
    column = Column[Mapping[str, Any]]
    columns = (
        column("operation", "operation", lambda row: Cell(row["operation"], "bold"), "left", once=True),
        column("number", "number", lambda row: NONE if row["number"] is None else str(row["number"])),
        column("name", "algorithm", align="left"),
    )
    detail = "ictus run --algorithm OPERATION=NAME,..."
    labels = dict.fromkeys(row["mpi"] for row in rows)
    return Table(
        columns,
        [Block(f"Algorithms of {label}", detail, [row for row in rows if row["mpi"] == label]) for label in labels],
    )
