"""Where text goes: results to standard output, warnings and progress to standard error; no colour off a terminal."""

import os
import shutil
import sys
import textwrap
from collections.abc import Iterable, Iterator

from rich.console import Console
from rich.text import Text

WIDEST = 100
"""Tables never need more columns than this, and degrade where there are fewer."""


class ProgressConsole(Console):
    """Standard error. Its reader may go away (`2>&1 | head`): what is being measured goes on to its end, unseen."""

    def on_broken_pipe(self) -> None:
        """From here on standard error goes nowhere."""
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stderr.fileno())
        os.close(nowhere)


def output() -> Console:
    """The console for results. Off a terminal: plain text of the full width, so that a pipe loses nothing."""
    return Console(file=sys.stdout, highlight=False, soft_wrap=True, emoji=False, markup=False)


def errors() -> Console:
    """The console for warnings and progress."""
    return ProgressConsole(file=sys.stderr, highlight=False, soft_wrap=True, emoji=False, markup=False)


def width() -> int:
    """Columns that a table may use: those of the terminal (COLUMNS counts too), at most `WIDEST`."""
    return min(WIDEST, max(40, shutil.get_terminal_size(fallback=(WIDEST, 24)).columns))


def wrapped(text: str, style: str, columns: int, indent: str = "") -> Iterator[Text]:
    """The lines of a sentence, broken at the terminal's width; those after the first are indented."""
    for line in textwrap.wrap(text, columns, break_on_hyphens=False, subsequent_indent=indent):
        yield Text(line, style)


def warn(warnings: Iterable[str]) -> None:
    """Write each warning as one line to standard error."""
    console = errors()
    for warning in warnings:
        console.print("warning: ", style="yellow", end="")
        console.print(warning)
