"""Documents about the code name what is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
ROOMS = (ROOT, ROOT / "src/ictus", ROOT / "native/src")
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`")
"""A path in a text: in code marks, with a folder."""


def missing(text: str) -> list[str]:
    """Paths of a text that lead nowhere; NAME and FAMILY stand for what a reader chooses."""
    named = [path for path in NAMED.findall(text) if "NAME" not in path and "FAMILY" not in path]
    assert len(named) > 10
    return [path for path in named if not any((room / path).exists() for room in ROOMS)]


@pytest.mark.parametrize("name", ["docs/architecture.md", "CONTRIBUTING.md"])
def test_every_path_that_is_named_exists(name: str) -> None:
    """What was moved is moved in the text too; a path that is none is found."""
    text = (ROOT / name).read_text("utf-8")
    assert missing(text) == []
    assert missing(text + " `measure/no_such_file.cpp`") == ["measure/no_such_file.cpp"]


def test_every_page_links_the_glossary() -> None:
    """A reader who meets a word for the first time is one click from its meaning."""
    pages = sorted((ROOT / "docs").glob("*.md"))
    assert len(pages) > 20
    assert [page.name for page in pages if "(glossary.md)" not in page.read_text("utf-8")] == ["glossary.md"]
