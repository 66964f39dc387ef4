"""Text for the terminal, broken at its width."""

import textwrap
from collections.abc import Iterator

from rich.text import Text


def wrapped(text: str, style: str, columns: int) -> Iterator[Text]:
    """The lines of a sentence."""
    for line in textwrap.wrap(text, columns, break_on_hyphens=False):
        yield Text(line, style)
