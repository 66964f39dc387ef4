"""One table model: what the terminal, the page and Markdown show of the same columns and rows."""

from dataclasses import dataclass
from enum import Enum

import pytest
from tests.page_text import read_aloud

from ictus.model.spec import Spec
from ictus.render.markdown import table_lines
from ictus.render.page import Fact, Page, Section, render_page
from ictus.render.table import Block, Cell, Column, Table, Times, records, row_columns
from ictus.render.terminal import lines
from ictus.render.unit import UNITS


@dataclass(frozen=True)
class Timing:
    """A row of data."""

    size: int
    who: str
    median_s: float | None
    low_s: float | None
    high_s: float | None


ROWS = (
    Timing(8, "mpich", 1.5e-6, 1.25e-6, 2e-6),
    Timing(8, "a|b", 2.25e-5, None, 3e-5),
    Timing(64, "mpich", None, None, None),
)
COLUMNS = (
    Column[Timing]("size", "size", lambda row: f"{row.size} B", once=True),
    Column[Timing]("who", "who", align="left"),
    Column[Timing](
        "median_s",
        "median",
        lambda row: Cell(Times(row.median_s, mark="†" if row.who == "a|b" else ""), "bold"),
        "point",
    ),
    Column[Timing]("low_s", "interval", lambda row: Times(row.low_s, row.high_s), "range", 1),
    Column[Timing]("", "", lambda _: Cell("", drawing="<svg/>"), only=("page",)),
)
TABLE = Table(COLUMNS, (Block("MPI_Bcast", "2 processes", ROWS),), note="† is a mark.")


def test_the_terminal_shows_times_in_one_unit_and_names_it() -> None:
    """Whole text: the unit in the heading, a dash for an interval without an end, a size once."""
    assert [line.plain for line in lines(TABLE, 80)] == [
        "MPI_Bcast  2 processes, times in µs",
        "  size  who    median  interval",
        "   8 B  mpich    1.50  1.25 … 2.00",
        "        a|b     22.5†  –",
        "  64 B  mpich      NA  –",
        "",
        "† is a mark.",
    ]


def test_markdown_shows_the_same_rows_with_a_unit_each() -> None:
    """The columns of the terminal; signs that Markdown takes for its own are escaped."""
    assert list(table_lines(TABLE))[:4] == [
        "| size | who | median | interval |",
        "| ---: | --- | ---: | ---: |",
        "| 8 B | mpich | 1.50 µs | 1.25 µs … 2.00 µs |",
        "|  | a\\|b | 22.5 µs† | – |",
    ]


def test_the_page_shows_the_same_texts_and_its_drawings() -> None:
    """Every text of the terminal is on the page; what is not ours is escaped."""
    page = Page(
        title="T",
        where="",
        reproduce_command="",
        ictus="1",
        question="How many?",
        facts=(Fact("a", "b"),),
        sections=(Section("one", "One", (), tables=(TABLE,)),),
    )
    text = read_aloud(render_page(page))
    for block in TABLE.view("terminal").blocks:
        for row in block.rows:
            for cell in row:
                assert f">{cell.shown}</" in text, cell
    assert text.count("<svg/>") == len(ROWS)
    assert "times in µs" in text


def test_a_block_may_name_its_unit() -> None:
    """Tables that are read beside each other have the same unit."""
    view = Table(COLUMNS, [Block("A", "", ROWS, UNITS[2])]).view("terminal")
    assert view.blocks[0].detail == "times in ms"
    assert view.blocks[0].rows[0][2].shown == "0.00150"


def test_every_key_names_a_value_of_the_rows_for_scripts() -> None:
    """JSON and CSV hold every column that has a key."""
    for row in records(ROWS):
        assert {column.key for column in COLUMNS if column.key} <= row.keys()


class Kind(Enum):
    """What JSON has the value of."""

    FAST = "fast"


@dataclass(frozen=True)
class Interval:
    """A middle and its limits."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Result:
    """What a row has inside."""

    kind: Kind
    time: Interval | None
    spec: Spec


@dataclass(frozen=True)
class Judged:
    """A row whose values are not all its own."""

    mpi: str
    result: Result
    parts: tuple[Result, ...] = ()


HCA3 = Spec("hca3")
TIME = Interval(2.0, 1.0, 3.0)
PLACES = "mpi verdict=result.kind time_s=result.time.median time_low_s time_high_s result.spec parts parts.verdict=kind"


def test_values_are_read_where_the_columns_say_in_their_order() -> None:
    """From objects inside, with the limits beside their middle, and lists of objects; an enumeration is its value."""
    row = Judged("mpich", Result(Kind.FAST, TIME, HCA3), (Result(Kind.FAST, None, HCA3),))
    assert list(records([row], row_columns(PLACES))[0].items()) == [
        ("mpi", "mpich"),
        ("verdict", "fast"),
        ("time_s", 2.0),
        ("time_low_s", 1.0),
        ("time_high_s", 3.0),
        ("spec", "hca3"),
        ("parts", [{"verdict": "fast"}]),
    ]


def test_nothing_on_the_way_is_nothing_at_its_end() -> None:
    """Of the middle and of its limits."""
    (row,) = records([Judged("mpich", Result(Kind.FAST, None, HCA3))], row_columns(PLACES))
    assert (row["time_s"], row["time_low_s"], row["time_high_s"]) == (None, None, None)


def test_pairs_are_read_by_number_and_the_rest_from_one_of_them() -> None:
    """As the columns of a link and its line, whose names are declared."""
    columns = row_columns("mpi=0.mpi dimensions=0.result.time.low 1.*", "ictus.dims/1")

    @dataclass(frozen=True)
    class Answer:
        processes: int
        answer: tuple[int, ...]
        best: tuple[int, ...]
        fault: Kind

    pair = (Judged("mpich", Result(Kind.FAST, TIME, HCA3)), Answer(8, (4, 2), (2, 4), Kind.FAST))
    assert records([pair], columns) == [
        {"mpi": "mpich", "dimensions": 1.0, "processes": 8, "answer": [4, 2], "best": [2, 4], "fault": "fast"}
    ]


def test_a_place_of_no_declared_column_is_refused() -> None:
    """Where the schema has not got it."""
    with pytest.raises(ValueError, match=r"ictus\.dims/1 has no column colour, mood"):
        row_columns("mood 1.colour", "ictus.dims/1")
