"""Documents about the code name what is there, and the code names pages that are there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
ROOMS = (ROOT, ROOT / "src/ictus", ROOT / "native/src")
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]*)`")
"""A path in a text: in code marks, with a folder."""
PAGE = re.compile(r"\b(?:docs/)?((?:[a-z0-9-]+/)*[a-z0-9-]+\.md)\b")
"""A page in a comment, a docstring or a message: by its name, or from docs on."""
SOURCES = (".py", ".cpp", ".hpp", ".h", ".f90", ".c")


def missing(text: str) -> list[str]:
    """Paths of a text that lead nowhere; NAME and FAMILY stand for what a reader chooses."""
    named = [path for path in NAMED.findall(text) if "NAME" not in path and "FAMILY" not in path]
    assert len(named) > 10
    return [path for path in named if not any((room / path).exists() for room in ROOMS)]


@pytest.mark.parametrize("name", ["docs/explanation/architecture.md", "CONTRIBUTING.md"])
def test_every_path_that_is_named_exists(name: str) -> None:
    """What was moved is moved in the text too; a path that is none is found."""
    text = (ROOT / name).read_text("utf-8")
    assert missing(text) == []
    assert missing(text + " `measure/no_such_file.cpp`") == ["measure/no_such_file.cpp"]


def test_every_page_links_the_glossary() -> None:
    """A reader who meets a word for the first time is one click from its meaning."""
    pages = sorted(page for page in DOCS.rglob("*.md") if page.parent.name != "decisions")
    assert len(pages) > 30
    assert [page.name for page in pages if "glossary.md)" not in page.read_text("utf-8")] == ["glossary.md"]


def pages_named(text: str) -> set[str]:
    """Names of pages in a text."""
    return {Path(name).name for name in PAGE.findall(text)}


def test_every_page_that_the_code_names_exists() -> None:
    """In comments, help and messages by its name alone, which only one page has."""
    names = [page.name for page in DOCS.rglob("*.md") if page.stem not in ("index", "README")]
    assert len(names) == len(set(names))
    sources = [path for room in ("src", "native") for path in (ROOT / room).rglob("*") if path.suffix in SOURCES]
    assert len(sources) > 300
    named = {name for path in sources for name in pages_named(path.read_text("utf-8"))}
    assert named - set(names) == set()
    assert pages_named("as in docs/no-such-page.md, and told.md.") == {"no-such-page.md", "told.md"}


def test_every_link_of_the_readme_leads_to_a_file() -> None:
    """Links of all other pages are checked where the site is built."""
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", (ROOT / "README.md").read_text("utf-8"))
    assert len(links) > 20
    assert [link for link in links if not (ROOT / link).is_file()] == []
