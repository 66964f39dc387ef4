"""Tables in Markdown, for the summary of a continuous integration."""

from collections.abc import Iterator
from typing import Any

from ictus.render.table import Table


def table_lines(table: Table[Any]) -> Iterator[str]:
    """The rows of all blocks below each other, without the blocks' headings; every time in its own unit."""
    view = table.view("markdown")
    yield f"| {' | '.join(escaped(column.heading) for column in view.columns)} |"
    yield f"|{'|'.join(' --- ' if column.align == 'left' else ' ---: ' for column in view.columns)}|"
    for block in view.blocks:
        for row in block.rows:
            yield f"| {' | '.join(escaped(cell.shown) for cell in row)} |"
    if view.note:
        yield from ("", view.note)


def escaped(text: str) -> str:
    """Text that no Markdown reader takes for anything else, on one line."""
    plain = " ".join(text.split()).replace("\\", "\\\\")
    for sign in "|<*_`":
        plain = plain.replace(sign, f"\\{sign}")
    return plain
