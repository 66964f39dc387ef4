"""Sections of pages that a measurement wrote: each names the command that writes it, which is there."""

import re
from pathlib import Path

import pytest
from tests.engines import ROOT
from tests.page_tables import WRITE, PageTable
from tools.marked_page import Marks

BEGIN = re.compile(r"^<!-- ([\w -]+): written by `(.+)` -->$", re.MULTILINE)
SECTIONS = {
    found[1]: (page, found[2])
    for page in (ROOT / "docs").rglob("*.md")
    for found in BEGIN.finditer(page.read_text("utf-8"))
}


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_names_the_command_that_writes_it(name: str) -> None:
    """A test, or a tool, that knows the section by its name; between the marks stands something."""
    page, command = SECTIONS[name]
    words = command.split()
    path = words[-1] if words[-1].endswith(".py") else f"{words[2].replace('.', '/')}.py"
    assert f'"{name}"' in (ROOT / path).read_text("utf-8")
    marks = Marks(name, command)
    assert marks.end in page.read_text("utf-8")
    assert "|" in marks.of(page)


def test_all_measured_sections_are_found() -> None:
    """As many as there are ends of sections."""
    ends = sum(page.read_text("utf-8").count("<!-- end of ") for page in (ROOT / "docs").rglob("*.md"))
    assert len(SECTIONS) == ends >= 14


def test_only_what_stands_between_the_marks_is_written() -> None:
    """What stood there goes, what is around stays; a page without the marks is refused."""
    marks = Marks("x", "make x")
    assert (
        marks.replaced(f"a\n{marks.begin}\nold\n{marks.end}\nb", "new") == f"a\n{marks.begin}\n\nnew\n\n{marks.end}\nb"
    )
    with pytest.raises(ValueError, match="the page has no"):
        marks.replaced("a", "new")


def test_a_table_is_written_where_that_is_asked_for_and_never_of_fewer_campaigns(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Whole, or a row of it."""
    monkeypatch.setattr("tests.page_tables.ROOT", tmp_path)
    table = PageTable("x", "page.md", "test_x.py")
    page = tmp_path / "docs" / "page.md"
    page.parent.mkdir()
    page.write_text(f"{table.marks.begin}\n\n| a | 1 |\n| b | 2 |\n\n{table.marks.end}\n")
    monkeypatch.delenv(WRITE, raising=False)
    table.show_row("| b | 3 |", "| b |")
    assert table.text == "| a | 1 |\n| b | 2 |"
    monkeypatch.setenv(WRITE, "1")
    table.show_row("| b | 3 |", "| b |")
    assert table.text == "| a | 1 |\n| b | 3 |"
    monkeypatch.setenv("ICTUS_CAMPAIGNS", "0.5")
    with pytest.raises(AssertionError, match="fewer campaigns"):
        table.show("| c | 4 |")
    with pytest.raises(AssertionError, match="has no row"):
        table.show_row("| c | 4 |", "| c |")
