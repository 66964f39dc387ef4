"""Tables for the terminal: aligned text without lines. On a narrow terminal a table takes the short form of its texts,
then drops its least important columns and names them. A column that tells two rows apart stays.
"""

import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rich.text import Text

from ictus.render.table import Block, Cell, Column, Table, short

_GAP = 2
_SENTENCE = 24
"""Columns that folded text needs at least."""
_WHOLE_PART = re.compile(r"^[^\d.]*\d*")

Columns = Sequence[Column[Any]]
Rows = Sequence[Sequence[Cell]]


def lines(table: Table[Any], width: int) -> list[Text]:
    """The lines of a table not wider than `width`, as far as its columns of importance 0 allow; no line ends in
    blanks. A last column of sentences is folded. The last lines name the columns that were given up, and say what its
    marks mean.
    """
    view = table.view("terminal")
    if not view.blocks:
        return []
    if view.kind == "marks":
        table_text = [line for block in view.blocks for line in _marks(view.columns, block, width)]
    else:
        table_text = _laid_out(view.columns, view.blocks, [block.rows for block in view.blocks], width)
    note = textwrap.wrap(view.note, width)
    return [*table_text, Text(), *(Text(line, "dim") for line in note)] if note else table_text


def stacked(tables: Iterable[Table[Any]], width: int) -> list[Text]:
    """The lines of several tables, an empty line between two."""
    text_lines: list[Text] = []
    for table in tables:
        text_lines += [Text(), *lines(table, width)] if text_lines else lines(table, width)
    return text_lines


def _marks(columns: Columns, block: Block[Any], width: int) -> Iterator[Text]:
    """A table with one sign per cell: vertical titles, names shortened as far as needed."""
    names = [row[0].short or row[0].shown for row in block.rows]
    longest = max(map(len, names))
    titles = [column.heading for column in columns[1:]]
    each = 2 if 2 + longest + 2 + 2 * len(titles) <= width else 1
    room = max(12, min(longest, width - 4 - each * len(titles)))
    height = max(map(len, titles))
    yield _title(block)
    for line in range(height):
        letters = "".join(title.rjust(height)[line].ljust(each) for title in titles)
        yield Text((" " * (room + 4) + letters).rstrip(), "dim")
    for name, row in zip(names, block.rows, strict=True):
        text = Text("  " + short(name, room).ljust(room + 2))
        for cell in row[1:]:
            text.append(cell.shown.ljust(each), cell.style or None)
        text.rstrip()
        yield text


def _laid_out(columns: Columns, blocks: Sequence[Block[Any]], cells: Sequence[Rows], width: int) -> list[Text]:
    if sum(_widths(columns, cells)) + _GAP * len(columns) > width:
        columns = [replace(column, title=column.short, unit="") if column.short else column for column in columns]
        cells = [[[replace(cell, text=cell.short or cell.text) for cell in row] for row in rows] for rows in cells]
    aligned = [_aligned(column, [row[index] for rows in cells for row in rows]) for index, column in enumerate(columns)]
    widths = _widths(columns, cells)
    kept_columns = _shown(columns, _telling_apart(columns, cells), widths, width)
    text_lines: list[Text] = []
    at = 0
    for block, rows in zip(blocks, cells, strict=True):
        text_lines += [Text(), _title(block)] if text_lines else [_title(block)]
        if any(column.title for column in columns):
            text_lines.append(
                _line([(_placed(columns[i], columns[i].heading, widths[i]), "dim") for i in kept_columns])
            )
        for row in rows:
            text_lines += _folded(
                [(_placed(columns[i], aligned[i][at], widths[i]), row[i].style) for i in kept_columns], width
            )
            at += 1
    return text_lines + _given_up(columns, kept_columns, width)


def _given_up(columns: Columns, kept_columns: Sequence[int], width: int) -> list[Text]:
    """Which columns there was no room for; one without a heading, such as that of stars, repeats another."""
    headings = [column.heading for index, column in enumerate(columns) if index not in kept_columns]
    missing = ", ".join(filter(None, headings))
    if not missing:
        return []
    text = f"Not shown in {width} columns: {missing} (--json has all)."
    return [Text(), *(Text(line, "dim") for line in textwrap.wrap(text, width))]


def _widths(columns: Columns, cells: Sequence[Rows]) -> list[int]:
    """Characters that each column takes."""
    aligned = [_aligned(column, [row[index] for rows in cells for row in rows]) for index, column in enumerate(columns)]
    return [max([len(column.heading), *map(len, texts)]) for column, texts in zip(columns, aligned, strict=True)]


def _title(block: Block[Any]) -> Text:
    return Text.assemble((block.title, "bold"), (f"  {block.detail}" if block.detail else "", "dim"))


def _aligned(column: Column[Any], cells: Sequence[Cell]) -> list[str]:
    """Texts of a column; numbers to be aligned at the point get blanks behind until all fractions, marks included, are
    equally long.
    """
    if column.align != "point":
        return [cell.shown for cell in cells]
    behind = max((_fraction(cell.shown) for cell in cells), default=0)
    texts = [cell.shown for cell in cells]
    return [text + " " * (behind - _fraction(text) if any(map(str.isdigit, text)) else 0) for text in texts]


def _fraction(text: str) -> int:
    """Length of what follows the whole part: decimal point, digits, a mark; 0 for a whole number, `NA` or nothing."""
    return len(_WHOLE_PART.sub("", text, count=1))


def _telling_apart(columns: Columns, cells: Sequence[Rows]) -> set[int]:
    """Indices of the fewest important columns by which all rows differ that differ in any that names them."""
    naming = sorted((i for i, column in enumerate(columns) if column.tells_apart), key=lambda i: columns[i].importance)

    def different(kept: Sequence[int]) -> int:
        return sum(len({tuple(row[i].shown for i in kept) for row in rows}) for rows in cells)

    kept: list[int] = []
    for index in naming:
        if columns[index].importance == 0 or different([*kept, index]) > different(kept):
            kept.append(index)
    return set(kept)


def _shown(columns: Columns, kept: Collection[int], widths: Sequence[int], width: int) -> list[int]:
    """Indices of the columns that fit: those of the highest importance number go first, all of one number together."""
    fitting = list(range(len(columns)))
    importance = [0 if i in kept else column.importance for i, column in enumerate(columns)]
    while sum(widths[i] for i in fitting) + _GAP * len(fitting) > width:
        least = max((importance[i] for i in fitting), default=0)
        if least == 0:
            break
        fitting = [i for i in fitting if importance[i] < least]
    return fitting


def _placed(column: Column[Any], text: str, width: int) -> str:
    return text.ljust(width) if column.align in ("left", "range") else text.rjust(width)


def _folded(parts: Sequence[tuple[str, str]], width: int) -> list[Text]:
    """The line of a row; where its last text is too long, more lines below with the rest of it."""
    *before, (last, style) = parts
    start = sum(_GAP + len(text) for text, _ in before) + _GAP
    if start + len(last.rstrip()) <= width or width - start < _SENTENCE or " " not in last.strip():
        return [_line(parts)]
    first, *following = textwrap.wrap(last, width - start, break_on_hyphens=False)
    return [_line([*before, (first, style)]), *(Text(" " * start).append(line, style or None) for line in following)]


def _line(parts: Sequence[tuple[str, str]]) -> Text:
    line = Text()
    for text, style in parts:
        line.append(" " * _GAP)
        line.append(text, style or None)
    line.rstrip()
    return line
