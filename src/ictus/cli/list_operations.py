"""`ictus list operations`, `mockups` and `algorithms`: what can be measured, the meaning of its size, which of the
libraries have it, and the algorithms that they offer for their collectives.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ictus.engine.backend import known_availability, prepare_backend
from ictus.engine.event import PreparationStep
from ictus.model.availability import Availability
from ictus.model.library import library_names, parse_library
from ictus.model.registries import Member, Registries
from ictus.model.volume import block_words
from ictus.mpi.discover import survey
from ictus.render.output import CommandAnswer, print_answer, width
from ictus.render.progress import Display
from ictus.render.table import NONE, Block, Cell, Column, Table
from ictus.render.terminal import lines

OPERATIONS = "operations"
MOCKUPS = "mockups"

VOLUMES = {"none": "no data", "message": "n = the message", "nested": "n = that of each"}
"""What the size of an operation means that has no blocks."""


Known = Mapping[str, Mapping[str, Availability] | None]
"""The availability of operations in each library, by label and operation; None for a library whose core is not built,
so that it could not be asked.
"""


def list_operations(libraries: Sequence[str], *, mockups: bool, json: bool, csv: bool) -> None:
    """Ask the libraries for MPI's operations, or for the mock-ups that replace them. The cores of named libraries are
    built, with UsageError and MeasurementError as for a campaign; without names, all found libraries are asked whose
    cores are already built.
    """
    answers: Mapping[str, Sequence[Availability] | None]
    with Display() as display:
        if libraries:
            what = "looking for the libraries and building what asks them, once for each; the first time takes minutes"
            display(PreparationStep(what))
            answers = prepare_backend(
                tuple(map(parse_library, library_names(libraries))), "mpiexec", None, display
            ).availability()
        else:
            display(PreparationStep("asking the libraries for their operations"))
            answers = known_availability()
    availabilities: Known = {
        label: None if all_ is None else {availability.name: availability for availability in all_}
        for label, all_ in answers.items()
    }
    members = tuple(
        member for member in Registries.load().family("operation").members if bool(member.mockup_of) == mockups
    )
    none_found: Mapping[str | None, None] = {None: None}
    rows = [
        _row(label, member, None if of is None else of[member.name])
        for label, of in (availabilities or none_found).items()
        for member in members
        if of is None or member.name in of
    ]
    reasons = dict.fromkeys(f"{row['mpi']}: {row['reason']}" for row in rows if row["reason"])
    notes = (*reasons, *_unknown(availabilities, MOCKUPS if mockups else OPERATIONS))
    table = _table(availabilities, members, mockups=mockups)
    print_answer(CommandAnswer("ictus.operations/1", rows, notes, lambda: lines(table, width())), json, csv)


def _unknown(availabilities: Known, name: str) -> list[str]:
    """How to ask the libraries that were not asked."""
    if not availabilities:
        return [survey().none_found]
    return [
        f"{label}: unknown, because its core is not built; `ictus list {name} -m {label}` builds it"
        for label, of in availabilities.items()
        if of is None
    ]


def _row(label: str | None, member: Member, availability: Availability | None) -> dict[str, Any]:
    return {
        "mpi": label,
        "operation": member.name,
        "call": member.mpi_name,
        "form": member.form,
        "mockup_of": member.mockup_of or None,
        "guideline": member.guideline or None,
        "volume": member.volume,
        "blocks": block_words(member) if member.volume == "blocks" else None,
        "counts": member.varied,
        "since": member.since,
        "available": None if availability is None else availability.available,
        "large_counts": None if availability is None else availability.large_counts,
        "reason": "" if availability is None else availability.reason,
    }


def _table(availabilities: Known, members: Sequence[Member], *, mockups: bool) -> Table[Member]:
    """A line for each operation, a column for each library."""
    column = Column[Member]
    columns = (
        column("operation", "mock-up" if mockups else "operation", lambda row: Cell(row.name, "bold"), "left"),
        column("volume", "size", _size_words, "left"),
        column("guideline", "guideline", lambda row: row.guideline or NONE, "left")
        if mockups
        else column("since", "MPI", lambda row: row.since or NONE, "left"),
        *(
            column("available", label, partial(_availability_text, of=of), "left")
            for label, of in availabilities.items()
        ),
    )
    rows = [member for member in members if all(of is None or member.name in of for of in availabilities.values())]
    caption = "counts: family counts applies; large: counts beyond an int too"
    return Table(columns, [Block("Mock-ups" if mockups else "Operations", caption, rows)])


def _size_words(member: Member) -> str:
    return VOLUMES.get(member.volume, f"n = {block_words(member)}") + (", counts" if member.varied else "")


def _availability_text(member: Member, of: Mapping[str, Availability] | None) -> str:
    if of is None:
        return "?"
    availability = of[member.name]
    if not availability.available:
        return "no"
    return "yes, large" if availability.large_counts else "yes"


ALGORITHMS = "algorithms"
ALGORITHMS_SUMMARY = "the libraries' own algorithms for collectives, of the installations that -m names"


def list_algorithms(libraries: Sequence[str], *, json: bool, csv: bool) -> None:
    """Ask the libraries (without names all that are found) for their algorithms and show them. UsageError and
    MeasurementError as for a campaign: their cores are built.
    """
    with Display() as display:
        backend = prepare_backend(tuple(map(parse_library, library_names(libraries))), "mpiexec", None, display)
        display(PreparationStep("asking the libraries for their algorithms"))
        offers = backend.offers()
    rows = [
        {"mpi": label, "operation": operation, "name": algorithm.name, "number": algorithm.number}
        for label, offer in offers.items()
        for operation, algorithms in offer.items()
        for algorithm in algorithms
    ]
    table = _algorithm_table(rows)
    print_answer(CommandAnswer("ictus.algorithms/1", rows, (), lambda: lines(table, width())), json, csv)


def _algorithm_table(rows: Sequence[Mapping[str, Any]]) -> Table[Mapping[str, Any]]:
    """A block for each library, a line for each operation."""
    column = Column[Mapping[str, Any]]
    columns = (
        column("operation", "operation", lambda row: Cell(row["operation"], "bold"), "left", once=True),
        column("number", "number", lambda row: NONE if row["number"] is None else str(row["number"])),
        column("name", "algorithm", align="left"),
    )
    detail = "ictus run --algorithm OPERATION=ALGORITHMS,..."
    labels = dict.fromkeys(row["mpi"] for row in rows)
    return Table(
        columns,
        [Block(f"Algorithms of {label}", detail, [row for row in rows if row["mpi"] == label]) for label in labels],
    )
