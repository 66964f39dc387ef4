"""The one table model: a feature declares its columns once, and every output shows the same columns and rows.

    def case_table(rows: Sequence[CaseRow]) -> Table[CaseRow]:
        columns = (
            Column[CaseRow]("size_bytes", "size", lambda row: format_size(row.size_bytes), once=True),
            Column[CaseRow]("mpi", "library", lambda row: row.mpi, "left"),
            Column[CaseRow]("median_s", "median", lambda row: Cell(Times(row.median_s), "bold"), "point"),
            Column[CaseRow]("low_s", "95 % interval", lambda row: Times(row.low_s, row.high_s), "range", 1),
            Column[CaseRow]("n_launches", "launches", lambda row: str(row.n_launches), importance=5),
        )
        return Table(columns, [Block("MPI_Bcast", "2 processes", rows)], note="The meaning of its marks.")

The terminal prints `terminal.lines(case_table(rows), width())`, the page has `Section(tables=(case_table(rows),))`,
Markdown is `markdown.table_lines(case_table(rows))`. Scripts get `records(rows, CASE_COLUMNS)`: `row_columns` says how
each declared column is read from a row; rows that are mappings, or whose fields are the columns, need none.
`Column.key` is the name of the value in JSON and CSV. A column for one output only (a drawing on the page) has `only`.
Where sizes, ranks or libraries are the columns, each is a `Column` with the key of its cells, and a row is one line.
`Times` have one unit per block; the block's heading names it.
"""

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Generic, Literal, TypeVar

from ictus.model.columns.registry import BY_NAME
from ictus.model.quantity import format_duration
from ictus.model.spec import Spec
from ictus.render.unit import TimeUnit, time_unit

R = TypeVar("R")
Output = Literal["terminal", "page", "markdown"]
Align = Literal["left", "right", "point", "range"]
UNKNOWN, NONE = "NA", "–"
"""An unknown value, and no value."""


class Times:
    """One time, or the two ends of an interval, in seconds; None where it is not known. `mark` stands behind it."""

    def __init__(self, *seconds: float | None, mark: str = "") -> None:
        self.seconds, self.mark = seconds, mark

    def text(self, number: Callable[[float | None], str]) -> str:
        """`12.3†`; `12.3 … 12.9` of an interval, a dash where an end of it is unknown."""
        if len(self.seconds) > 1 and any(time_s is None or math.isnan(time_s) for time_s in self.seconds):
            return NONE
        return " … ".join(map(number, self.seconds)) + self.mark


@dataclass(frozen=True)
class Cell:
    """The cell of one column in one row."""

    text: str | Times
    style: str = ""
    """A style of rich that the page knows too: `bold`, `dim`, or a colour."""
    short: str = ""
    """The text where room is scarce."""
    colour: str = ""
    """A name of the figures' scheme, for the page."""
    drawing: str = ""
    """An SVG that the page shows instead of the text."""
    sort: float | str | None = None
    """What the page sorts the row by, where the column can be sorted."""
    continued: str = ""
    """The text of the rows above that it continues, where it is blank for that."""

    @property
    def shown(self) -> str:
        """The text; times have become text in a `Table.view`."""
        return self.text if isinstance(self.text, str) else self.text.text(_own_unit)


@dataclass(frozen=True)
class Column(Generic[R]):
    """One column: its name in scripts, its heading for people, and its cell of a row."""

    key: str
    """The name of its value in JSON and CSV; its first, where it shows several. Empty: it repeats others."""
    title: str
    cell: Callable[[R], Cell | Times | str] | None = None
    """None: the row's value of `key`, as text."""
    align: Align = "right"
    """`point` aligns numbers at their decimal point, `range` is for `low … high`: left on the terminal, else right."""
    importance: int = 0
    """A narrow terminal never gives up 0; of the others the highest goes first."""
    short: str = ""
    """The title where room is scarce; empty: there is no shorter one."""
    unit: str = ""
    """Stands behind the title, where all cells share a unit that is not a block's unit of time."""
    once: bool = False
    """Blank in rows that continue the one above: those with the same text in the first column."""
    only: Sequence[Output] = ("terminal", "page", "markdown")
    sortable: bool = False
    """The page sorts by it when its title is pressed."""
    colour: str = ""
    """A name of the figures' scheme, for the title on the page."""
    ends: tuple[str, str] | None = None
    """What the two ends of the axis of drawings mean."""
    tells_apart: bool = False
    """Part of what names a row: never given up where two rows of a block would look alike without it."""

    @property
    def heading(self) -> str:
        """Title and unit."""
        return f"{self.title}, {self.unit}" if self.unit else self.title

    def of(self, row: R) -> Cell:
        """The cell of a row."""
        made = _value_text(_at(row, self.key)) if self.cell is None else self.cell(row)
        return made if isinstance(made, Cell) else Cell(made)


@dataclass(frozen=True)
class Block(Generic[R]):
    """Rows under a heading; the columns of all blocks of a table line up."""

    title: str
    detail: str
    rows: Sequence[R]
    unit: TimeUnit | None = None
    """The unit of its `Times`; None: the unit that suits them."""
    times: str | None = "times"
    """What its `Times` are: `errors` gives `errors in µs`; None: the detail names the unit itself."""


@dataclass(frozen=True)
class View:
    """A table as one output shows it: its own columns, and cells whose times have become text."""

    columns: tuple[Column[Any], ...]
    blocks: tuple[Block[tuple[Cell, ...]], ...]
    title: str = ""
    kind: str = ""
    note: str = ""


@dataclass(frozen=True)
class Table(Generic[R]):
    """Columns and the rows that they say something of."""

    columns: Sequence[Column[R]]
    blocks: Sequence[Block[R]]
    note: str = ""
    """What its marks mean; empty where there are none."""
    title: str = ""
    """Its caption on the page, where it has several blocks."""
    kind: str = ""
    """A class of the page's style, for a layout of its own; `marks`: one sign a cell, which needs little room."""
    important_first: bool = False
    """The page puts columns of low `importance` numbers first: a narrow window has to be scrolled for the rest."""

    def view(self, output: Output) -> View:
        """The columns and rows of one output."""
        columns = tuple(column for column in self.columns if output in column.only)
        if output == "page" and self.important_first:
            columns = tuple(sorted(columns, key=lambda column: column.importance))
        own_units = output == "markdown"
        blocks = tuple(_resolved(columns, block, own_units=own_units) for block in self.blocks)
        return View(columns, blocks, self.title, self.kind, self.note)


@dataclass(frozen=True)
class RowColumns:
    """How the columns of rows for scripts are read from a row object: what `row_columns` makes."""

    paths: Mapping[str, str]
    """By name, the attributes that lead from a row to its value."""
    lists: Mapping[str, "RowColumns"]
    """Of the columns that list objects, how each of these is read."""

    def record(self, row: Any) -> dict[str, Any]:
        """The row as JSON has it."""
        return {name: self._value(name, _at(row, path)) for name, path in self.paths.items()}

    def _value(self, name: str, value: Any) -> Any:
        return [self.lists[name].record(entry) for entry in value] if name in self.lists else _plain(value)


def row_columns(places: str = "", schema: str = "") -> RowColumns:
    """The columns of a `schema`, those that model/columns declares, in that order; without one those of `places`.

    `places` says where a value is that is no attribute of the row with the column's name: `result.unit` is the `unit`
    of the row's `result`, `n_a=result.n` has another name there, `1.n` is of the second of a pair, and `row.*` leads to
    all columns that are not named. None on the way gives None. Limits such as `local_low_s` lie beside their middle,
    where that is a `median` or `mean`. `launches.slot=place` is of the objects that the column `launches` lists.
    ValueError for an unknown column.
    """
    pairs = (entry.partition("=") for entry in places.split())
    words = {name if equals else name.rpartition(".")[2]: path or name for name, equals, path in pairs}
    prefix = words.pop("*", "").removesuffix("*")
    told = {name: path for name, path in words.items() if name != path}
    names = list(BY_NAME[schema].columns if schema else words)
    if unknown := words.keys() - set(names):
        raise ValueError(f"{schema} has no column {', '.join(sorted(unknown))}")
    own_paths = {name: ("" if name in words else prefix) + name.rpartition(".")[2] for name in names}
    paths = {name: told.get(name) or _limit(name, told) or own_paths[name] for name in names}
    listed = dict.fromkeys(name.partition(".")[0] for name in names if "." in name)
    lists = {
        head: RowColumns({name.partition(".")[2]: paths[name] for name in names if name.startswith(f"{head}.")}, {})
        for head in listed
    }
    return RowColumns({name: path for name, path in paths.items() if "." not in name}, lists)


_LIMIT = re.compile(r"_(low|high)(?=_|$)")


def _limit(name: str, told: Mapping[str, str]) -> str:
    """Where the limit of an interval is; empty where the column is none."""
    limit, (parent, _, middle) = _LIMIT.search(name), told.get(_LIMIT.sub("", name), "").rpartition(".")
    return f"{parent}.{limit[1]}" if limit is not None and middle in ("median", "mean") else ""


def _at(row: Any, path: str) -> Any:
    """The value at the end of a path; None where something on the way is."""
    if isinstance(row, Mapping):
        return row[path]
    for name in path.split("."):
        row = None if row is None else row[int(name)] if name.isdigit() else getattr(row, name)
    return row


def record(row: Any, columns: RowColumns | None = None) -> Mapping[str, Any]:
    """A row for scripts: what its columns read; without them a mapping itself, or the fields of the row."""
    if columns is not None:
        return columns.record(row)
    return row if isinstance(row, Mapping) else {name: _plain(value) for name, value in vars(row).items()}


def records(rows: Iterable[Any], columns: RowColumns | None = None) -> list[Mapping[str, Any]]:
    """Rows for scripts: what JSON and CSV hold."""
    return [record(row, columns) for row in rows]


def _resolved(columns: Sequence[Column[R]], block: Block[R], *, own_units: bool) -> Block[tuple[Cell, ...]]:
    """The block with its cells as text; its detail names the unit of its times."""
    rows = [tuple(column.of(row) for column in columns) for row in block.rows]
    times = [cell.text for row in rows for cell in row if isinstance(cell.text, Times)]
    unit = block.unit or time_unit(time.seconds[0] for time in times if len(time.seconds) == 1)
    number = _own_unit if own_units else unit.number
    texts = [tuple(_as_text(cell, number) for cell in row) for row in rows]
    above = [None, *(row[0].text for row in texts)][: len(texts)]
    texts_once = [
        tuple(
            Cell("", continued=cell.shown) if column.once and row[0].text == before else cell
            for column, cell in zip(columns, row, strict=True)
        )
        for row, before in zip(texts, above, strict=True)
    ]
    named = f"{block.times} in {unit.name}".strip() if times and block.times is not None and not own_units else ""
    detail = ", ".join(filter(None, (block.detail, named)))
    return Block(block.title, detail, texts_once)


def _as_text(cell: Cell, number: Callable[[float | None], str]) -> Cell:
    return replace(cell, text=cell.text.text(number)) if isinstance(cell.text, Times) else cell


def _own_unit(seconds: float | None) -> str:
    return UNKNOWN if seconds is None or math.isnan(seconds) else format_duration(seconds)


def _plain(value: Any) -> Any:
    """The value as JSON has it, and CSV."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Spec):
        return str(value)
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def _value_text(value: Any) -> str:
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)


def short(label: str, at_most: int = 19) -> str:
    """A label that has room beside its line."""
    return label if len(label) <= at_most else f"{label[: at_most - 1]}…"
