"""`ictus list operations` and `ictus list mockups`: what can be measured, what its size means, and which of the
libraries found have it.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text

from ictus.cli.console import width
from ictus.cli.output import Answer, give
from ictus.cli.progress import Display
from ictus.model.availability import Availability
from ictus.model.blocks import block_words
from ictus.model.library import parse_library
from ictus.model.registries import Member, Registries
from ictus.report.text_table import Block, Cell, Column, Row, table

NAME = "operations"
MOCKUPS = "mockups"

VOLUMES = {"none": "no data", "message": "n = the message", "nested": "n = that of each"}
"""What the size of an operation means that has no blocks."""


def list_operations(libraries: Sequence[str], *, mockups: bool, json: bool, csv: bool) -> None:
    """Ask the libraries (all that are found, where none is named) what they have: MPI's operations, or the mock-ups
    that stand for them. UsageError and MeasurementError as for a campaign: their cores are built.
    """
    from ictus.cli.execute import ready  # noqa: PLC0415 (polars takes most of a second)

    with Display().preparing() as tell:
        tell("looking for the libraries and building what asks them, once for each; the first time takes minutes")
        found = ready(tuple(map(parse_library, libraries)), "mpiexec", None, tell)
        tell("asking the libraries for their operations")
        known = found.availability()
    members = tuple(one for one in Registries.load().family("operation").members if bool(one.mockup_of) == mockups)
    names = {member.name for member in members}
    known = {label: tuple(one for one in all_ if one.name in names) for label, all_ in known.items()}
    rows = [_row(label, one, members) for label, all_ in known.items() for one in all_]
    reasons = tuple(dict.fromkeys(f"{row['mpi']}: {row['reason']}" for row in rows if row["reason"]))
    give(Answer("ictus.operations/1", rows, reasons, lambda: _lines(known, members, mockups=mockups)), json, csv)


def _row(label: str, one: Availability, members: Sequence[Member]) -> dict[str, Any]:
    member = next(member for member in members if member.name == one.name)
    return {
        "mpi": label,
        "operation": one.name,
        "call": member.mpi_name,
        "form": member.form,
        "mockup_of": member.mockup_of or None,
        "guideline": member.guideline or None,
        "volume": member.volume,
        "blocks": block_words(member) if member.volume == "blocks" else None,
        "counts": member.varied,
        "since": member.since,
        "available": one.available,
        "large_counts": one.large_counts,
        "reason": one.reason,
    }


def _lines(known: Mapping[str, Sequence[Availability]], members: Sequence[Member], *, mockups: bool) -> list[Text]:
    """A line for each operation, a column for each library."""
    columns = (
        Column("mock-up" if mockups else "operation", "left"),
        Column("size", "left"),
        Column("guideline" if mockups else "MPI", "left"),
        *(Column(label, "left") for label in known),
    )
    by_name = {label: {one.name: one for one in all_} for label, all_ in known.items()}
    rows: list[Row] = [
        (
            Cell(member.name, "bold"),
            VOLUMES.get(member.volume, f"n = {block_words(member)}") + (", counts" if member.varied else ""),
            (member.guideline if mockups else member.since) or "–",
            *(_said(of[member.name]) for of in by_name.values()),
        )
        for member in members
        if all(member.name in of for of in by_name.values())
    ]
    caption = "counts: family counts applies; large: counts beyond an int too"
    return table(columns, [Block("Mock-ups" if mockups else "Operations", caption, rows)], width())


def _said(one: Availability) -> str:
    if not one.available:
        return "no"
    return "yes, large" if one.large_counts else "yes"
