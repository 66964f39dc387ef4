"""How a study is told on the terminal: under what it was measured, tables, remarks, the result in a sentence."""

from collections.abc import Iterable, Iterator

from rich.text import Text

from ictus.render.console import wrapped


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
