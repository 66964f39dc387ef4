"""Tables for the terminal: aligned, within the width, the least important columns given up first."""

from collections.abc import Sequence
from dataclasses import replace
from operator import itemgetter

import pytest

from ictus.render.output import warn
from ictus.render.table import Align, Block, Cell, Column, Table
from ictus.render.terminal import lines as table_lines

Row = Sequence[Cell | str]


def heading(title: str, align: Align = "right", importance: int = 0, short: str = "") -> Column[Row]:
    """A column whose place in a row `table` fills in."""
    return Column("", title, None, align, importance, short)


def table(columns: Sequence[Column[Row]], blocks: Sequence[Block[Row]]) -> Table[Row]:
    """A table whose rows are cells in the order of the columns."""
    return Table([replace(column, cell=itemgetter(place)) for place, column in enumerate(columns)], blocks)


COLUMNS = (heading("size"), heading("time", "point", 2), heading("who", "left", 1), heading("ratio", "point"))
BLOCKS = (
    Block("First", "in µs", [("8 B", "0.412", "mpich", "1.5"), ("64 KiB", "123", "openmpi", "NA")]),
    Block("Second", "", [("1 KiB", "12.3", "x", Cell("10.25", "bold"))]),
)


def lines(width: int) -> list[str]:
    """The table as plain text."""
    return [line.plain for line in table_lines(table(COLUMNS, BLOCKS), width)]


def test_numbers_are_aligned_at_the_point_and_blocks_line_up() -> None:
    """Whole text: points below each other, NA at the right, no line ends in blanks."""
    assert lines(100) == [
        "First  in µs",
        "    size     time  who      ratio",
        "     8 B    0.412  mpich     1.5",
        "  64 KiB  123      openmpi     NA",
        "",
        "Second",
        "    size     time  who      ratio",
        "   1 KiB   12.3    x        10.25",
    ]


def test_a_mark_behind_a_number_moves_no_point() -> None:
    """Whole numbers and fractions, with and without a mark: units stay below units."""
    rows = [("8 B", "0.412†"), ("1 KiB", "12.3"), ("2 KiB", "123†"), ("4 KiB", "456"), ("8 KiB", "NA"), ("", "<.0001")]
    shown = [line.plain for line in table_lines(table(COLUMNS[:2], [Block("", "", rows)]), 100)]
    assert shown[2:] == [
        "    8 B    0.412†",
        "  1 KiB   12.3",
        "  2 KiB  123†",
        "  4 KiB  456",
        "  8 KiB        NA",
        "           <.0001",
    ]


def test_columns_of_the_highest_number_go_first() -> None:
    """One column too wide: importance 2 goes; still too wide: 1 goes; 0 never."""
    assert lines(32)[1] == "    size  who      ratio"
    assert lines(20)[1] == "    size  ratio"
    assert lines(3)[1] == "    size  ratio"


def test_short_texts_come_first_and_what_is_given_up_is_named() -> None:
    """A cell that has a short form keeps its column; a column that goes is named under the table."""
    columns = (
        heading("size"),
        heading("a_long_name", short="a_lon…"),
        heading("p", importance=1),
        heading("verdict", "left"),
    )
    rows = [("8 B", "1.0", "0.5", Cell("undecided: about 9 more", short="undecided: ~9 more"))]
    shown = {
        width: [line.plain for line in table_lines(table(columns, [Block("T", "", rows)]), width)]
        for width in (60, 41, 36)
    }
    assert shown[60][1:] == ["  size  a_long_name    p  verdict", "   8 B          1.0  0.5  undecided: about 9 more"]
    assert shown[41][1:] == ["  size  a_lon…    p  verdict", "   8 B     1.0  0.5  undecided: ~9 more"]
    assert shown[36][1:] == [
        "  size  a_lon…  verdict",
        "   8 B     1.0  undecided: ~9 more",
        "",
        "Not shown in 36 columns: p (--json",
        "has all).",
    ]


def test_a_column_without_a_heading_is_not_listed_as_missing() -> None:
    """The stars repeat p: `p, ` named nothing."""
    columns = (heading("size"), heading("p", importance=1), heading("", importance=2), heading("verdict", "left"))
    rows = [("8 B", "0.001", "**", "faster by very much")]
    shown = {
        width: [line.plain for line in table_lines(table(columns, [Block("T", "", rows)]), width)] for width in (34, 30)
    }
    assert not any("Not shown" in line for line in shown[34])
    assert " ".join(shown[30][-2:]).endswith("Not shown in 30 columns: p (--json has all).")


def test_a_table_without_headings_has_no_line_for_them() -> None:
    """Facts: title, then rows."""
    found = table_lines(table((heading("", "left"),) * 2, [Block("Machine", "", [("host", "here")])]), 40)
    assert [line.plain for line in found] == ["Machine", "  host  here"]


def test_a_last_column_of_sentences_is_folded() -> None:
    """Below itself, with all its words and no line too wide; not a word alone, nor where there is little room."""
    claim = "The longer the window, the fewer samples are invalid."
    columns = (heading("study", "left"), heading("finding", "left"))

    def shown(text: str, width: int) -> list[str]:
        return [line.plain for line in table_lines(table(columns, [Block("All", "", [("window", text)])]), width)][2:]

    assert shown(claim, 40) == [
        "  window  The longer the window, the",
        "          fewer samples are invalid.",
    ]
    assert shown(claim, 80) == [f"  window  {claim}"]
    assert shown(claim, 30) == [f"  window  {claim}"]
    assert shown("x" * 50, 40) == [f"  window  {'x' * 50}"]


@pytest.mark.parametrize(("terminal", "lines_of_it"), [(True, 2), (False, 1)])
def test_warnings_are_folded_for_people_and_whole_for_programs(
    terminal: bool, lines_of_it: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is searched for is on one line; a terminal of 80 columns is not exceeded."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("NO_COLOR", "1")
    if terminal:
        monkeypatch.setenv("FORCE_COLOR", "1")
    else:
        monkeypatch.delenv("FORCE_COLOR", raising=False)
    warn(["the latency is less than ten times the proven error of the clocks in every case of this campaign"])
    said = capsys.readouterr().err.splitlines()
    assert len(said) == lines_of_it
    assert said[0].startswith("warning: the latency")
    assert not terminal or max(map(len, said)) <= 80
