"""What a reader of a page may choose one of: the values that name its rows and figures, by what they are."""

import re
from collections.abc import Iterable, Mapping

from ictus.render.table import Block, Cell, View

_COLUMNS = {
    **dict.fromkeys(("operation", "call", "function"), "operation"),
    **dict.fromkeys(("verdict", "result", "faster", "state"), "verdict"),
    **{name: name for name in ("size", "library", "processes", "start", "guideline", "algorithm")},
}
"""Titles of columns whose cells are chosen by, with the name of the choice."""
_SIDE = "name"
"""Key of the column whose cells are series of the page."""
_PROCESSES = re.compile(r"\d+ process(es)?")
_SIZE = re.compile(r"\d[\d.,]* ?(?:[KMGT]i)?B")
_OF_SIZE = re.compile(rf"^(MPI_\S*[^,\s]) ({_SIZE.pattern})$")
_NUMBERS = re.compile(r",?[^,]*\bin (?:ns|µs|ms|s): .*")
"""What a block's rows have in common: `makespan in µs: mpich 1.01, openmpi 1.12`; nobody chooses by it."""
_UNIT = re.compile(r".*\bin (ns|µs|ms|s)")

_LIBRARY = "library "

Choices = Mapping[str, list[str]]


def heading_choices(*headings: str) -> dict[str, list[str]]:
    """Of `MPI_Bcast, 8 B` and `2 processes, library mpich, window`: operation, size, processes, library, and whatever
    else is a setting.
    """
    choices: dict[str, list[str]] = {}
    texts = (_OF_SIZE.sub(r"\1, \2", _NUMBERS.sub("", heading)) for heading in headings)
    for part in (part for text in texts for part in text.split(", ") if part and not _UNIT.fullmatch(part)):
        name = (
            "operation" if part.startswith("MPI_") else
            "processes" if _PROCESSES.fullmatch(part) else
            "size" if _SIZE.fullmatch(part) else
            "library" if part.startswith(_LIBRARY) else
            "setting"
        )  # fmt: skip
        choices.setdefault(name, []).append(part.removeprefix(_LIBRARY))
    return choices


def row_choices(view: View, block: Block[tuple[Cell, ...]], row: tuple[Cell, ...]) -> Choices:
    """Of one row: what its block's heading says, and its own cells."""
    choices = heading_choices(block.title, block.detail) if view.kind or len(view.blocks) > 1 else {}
    for column, cell in zip(view.columns, row, strict=True):
        name = "series" if column.key == _SIDE else _COLUMNS.get(column.title)
        if name is not None and (text := _value(cell, name)):
            choices[name] = [text]
    return choices


def is_filtered(views: Iterable[View]) -> bool:
    """Whether rows differ in anything that they are chosen by, so that the page has filters."""
    rows = [row_choices(view, block, row) for view in views for block in view.blocks for row in block.rows]
    named = {(name, value) for says in rows for name, values in says.items() for value in values if name != "series"}
    apart = [name for name, value in named if not all(value in says.get(name, ()) for says in rows)]
    return any(apart.count(name) > 1 for name in apart)


def _value(cell: Cell, name: str) -> str:
    """The text; of `undecided: about 12 more` what comes first."""
    text = cell.continued or cell.shown
    return re.split(r"[,:;(]", text)[0].strip() if name == "verdict" else text.strip()
