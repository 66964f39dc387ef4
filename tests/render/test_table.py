"""One table model: what the terminal, the page and Markdown show of the same columns and rows."""

from dataclasses import dataclass

from ictus.render.markdown import table_lines
from ictus.render.page import Fact, Page, Section, render_page
from ictus.render.table import Block, Cell, Column, Table, Times, records
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
        asked="How many?",
        facts=(Fact("a", "b"),),
        sections=(Section("one", "One", (), tables=(TABLE,)),),
    )
    text = render_page(page).replace("\N{NO-BREAK SPACE}", " ")
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
