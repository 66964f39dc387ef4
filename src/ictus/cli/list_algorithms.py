"""`ictus list algorithms`: what the libraries on this machine let one choose for their collectives."""

from collections.abc import Mapping, Sequence

from rich.text import Text

from ictus.engine.event import Preparing
from ictus.model.algorithm import Offer
from ictus.model.library import parse_library
from ictus.render.console import width
from ictus.render.output import Answer, print_answer
from ictus.render.progress import Display
from ictus.render.terminal import Block, Cell, Column, table

NAME = "algorithms"
SUMMARY = "the libraries' own algorithms for collectives, of the installations that -m names"


def list_algorithms(libraries: Sequence[str], *, json: bool, csv: bool) -> None:
    """Ask the libraries (all that are found, where none is named) and show what they offer. UsageError and
    MeasurementError as for a campaign: their cores are built.
    """
    from ictus.engine.backend import prepare_backend  # noqa: PLC0415 (polars takes most of a second)

    with Display() as display:
        backend = prepare_backend(tuple(map(parse_library, libraries)), "mpiexec", None, display)
        display(Preparing("asking the libraries for their algorithms"))
        offers = backend.offers()
    rows = [
        {"mpi": label, "operation": operation, "name": one.name, "number": one.number}
        for label, offer in offers.items()
        for operation, algorithms in offer.items()
        for one in algorithms
    ]
    print_answer(Answer("ictus.algorithms/1", rows, (), lambda: _lines(offers)), json, csv)


def _lines(offers: Mapping[str, Offer]) -> list[Text]:
    """A block for each library, a line for each operation."""
    columns = (Column("operation", "left"), Column("number"), Column("algorithm", "left"))
    blocks = []
    for label, offer in offers.items():
        rows = [
            (
                Cell("" if place else operation, "bold"),
                "–" if one.number is None else str(one.number),
                one.name,
            )
            for operation, algorithms in offer.items()
            for place, one in enumerate(algorithms)
        ]
        blocks.append(Block(f"Algorithms of {label}", "ictus run --algorithm OPERATION=NAME,...", rows))
    return table(columns, blocks, width())
