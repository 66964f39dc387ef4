"""Prose on a terminal: folded at its width at spaces; what is copied, and what a pipe reads, stays one line."""

import io

import pytest
from rich.console import Console

from ictus.cli.app import FIRST
from ictus.cli.main import main
from ictus.render.characters import folded
from ictus.render.console import SafeConsole
from ictus.render.output import next_line

SENTENCE = (
    "No difference between mpich and openmpi is proven: none of 8 cases can be decided by so few launches. "
    "`ictus run camp --launches 12` measures more."
)


def printed(console: Console, *lines: object) -> list[str]:
    """What the lines of a console are."""
    for line in lines:
        console.print(line)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue().splitlines()


def console(*, terminal: bool) -> SafeConsole:
    """As `output` makes it, into a string."""
    return SafeConsole(
        file=io.StringIO(), force_terminal=terminal, width=80, soft_wrap=True, color_system=None, legacy_windows=False
    )


def test_prose_is_folded_at_spaces_on_a_terminal_only() -> None:
    """No word is broken, none is lost; a pipe gets one line."""
    lines = printed(console(terminal=True), SENTENCE)
    assert len(lines) > 1
    assert max(map(len, lines)) <= 80
    assert " ".join(lines) == SENTENCE
    assert printed(console(terminal=False), SENTENCE) == [SENTENCE]


def test_the_next_command_stays_one_line() -> None:
    """It is copied into a shell."""
    onward = f"ictus run {'folder/' * 12}camp --launches 24"
    assert printed(console(terminal=True), next_line(onward)) == [f"Next: {onward}"]


def test_further_lines_keep_the_indent_and_paths_stay_whole() -> None:
    """A list of sizes, a path longer than the terminal."""
    text = f"head\n  bcast: {', '.join(['64Ki'] * 20)}\n{'/long' * 30} end"
    head, *sizes, path, end = folded(text, 80).split("\n")
    assert head == "head"
    assert all(line.startswith("  ") and len(line) <= 80 for line in sizes)
    assert (path, end) == ("/long" * 30, "end")


def test_ictus_without_words_fits_80_columns() -> None:
    """The first thing that anybody sees."""
    assert max(map(len, FIRST.splitlines())) <= 80


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        """It is one."""
        return True


def test_errors_are_folded_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists of known names are long; a log keeps one line."""
    monkeypatch.setenv("COLUMNS", "80")
    text = {}
    for name, stream in (("terminal", _Terminal()), ("pipe", io.StringIO())):
        monkeypatch.setattr("sys.stderr", stream)
        with pytest.raises(SystemExit) as end:
            main(["run", "--dry-run", "--launcher", "simulated", "--op", "bcats"])
        assert end.value.code == 2
        text[name] = stream.getvalue()
    assert max(map(len, text["terminal"].splitlines())) <= 80
    assert len(text["pipe"].splitlines()) == 1
    assert text["terminal"].split() == text["pipe"].split()
