"""How a study is told on the terminal: under what it was measured, tables, remarks, the result in a sentence."""

import textwrap
from collections.abc import Iterable, Iterator

from rich.text import Text


def told(
    setting: str, tables: Iterable[Text], notes: Iterable[str], sentences: Iterable[str], columns: int
) -> Iterator[Text]:
    """The lines of a study."""
    yield from wrapped(f"{setting}.", "dim", columns)
    yield Text()
    yield from tables
    yield Text()
    for note in notes:
        yield from wrapped(note, "dim", columns)
    for sentence in sentences:
        yield from wrapped(sentence, "bold", columns)


def wrapped(text: str, style: str, columns: int) -> Iterator[Text]:
    """The lines of a sentence, broken at the terminal's width."""
    for line in textwrap.wrap(text, columns, break_on_hyphens=False):
        yield Text(line, style)
