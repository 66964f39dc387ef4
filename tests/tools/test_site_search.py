"""The search of the site: pages that answer come first, decisions last, and a page that is not found is said."""

from types import SimpleNamespace
from typing import Any

from tools.site_search import FOUND, LAST, SiteIndex, on_page_markdown

STOP = frozenset({"after", "own"})


def entry(location: str, title: str, text: str, **more: Any) -> dict[str, Any]:
    """As search_index.json has it."""
    page = SimpleNamespace(meta={}, file=SimpleNamespace(src_uri=location.replace(".html", ".md")))
    on_page_markdown("", page)
    return {"location": location, "title": title, "text": text, **page.meta["search"], **more}


def index(*entries: dict[str, Any]) -> SiteIndex:
    """With the boosts of Material for MkDocs."""
    boosts = {"title": 1e3, "text": 1.0, "tags": 1e6}
    fields = {name: {"boost": boost} for name, boost in boosts.items()}
    return SiteIndex.of({"config": {"separator": r"[\s\-]+", "fields": fields}, "docs": list(entries)}, STOP)


GUIDE = entry("how-to/a.html", "A guide", "<p>Of an upgrade.</p>")
DECISION = entry("decisions/0001-a.html", "Upgrade", "Upgrade, upgrade")
OTHER = entry("how-to/b.html#x", "Upgrades", "Before")


def test_a_title_is_before_a_text_and_a_decision_is_last() -> None:
    """Words are beginnings of words, and markup is none."""
    assert index(DECISION, GUIDE, OTHER).pages("upgrade") == ["how-to/b.html", "how-to/a.html", "decisions/0001-a.html"]
    assert index(GUIDE, OTHER).pages("up") == ["how-to/b.html", "how-to/a.html"]
    assert index(GUIDE, OTHER).pages("p") == []


def test_tags_are_before_titles_and_left_out_words_are_not_missed() -> None:
    """`before after` is found by its one word that is in the index."""
    tagged = entry("how-to/c.html", "C", "", tags=["before"])
    assert index(OTHER, tagged).pages("before after") == ["how-to/c.html", "how-to/b.html"]


def test_what_is_not_found_is_said() -> None:
    """Another page first, nothing, and a decision that was not put last."""
    assert list(index(DECISION, GUIDE, OTHER).misses({"upgrade": "how-to/b"})) == []
    assert list(index(GUIDE, OTHER).misses({"upgrade": "how-to/a", "slurm": "how-to/b"})) == [
        "the search for 'upgrade' finds how-to/b.html first, not how-to/a.html",
        "the search for 'slurm' finds nothing first, not how-to/b.html",
    ]
    unranked = {name: value for name, value in GUIDE.items() if name != "boost"}
    assert list(index(OTHER, DECISION, unranked).misses({"upgrade": "how-to/b"})) == [
        "the search for 'upgrade' finds decisions/0001-a.html before other pages"
    ]


def test_the_words_that_people_come_with_are_pages_of_use() -> None:
    """None of them is a decision."""
    assert not [page for page in FOUND.values() if page.startswith(LAST)]
