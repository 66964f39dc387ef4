"""The search of the site, as the browser does it: Material's index, ranked by lunr. `python -m tools.site_search WORDS`
prints the pages that somebody who types these words sees, first ones first.

The browser ranks by BM25 without the length of texts. A title counts 1,000 times its text, the tags of a page count a
million times. A word that is typed is the beginning of a word. Words such as `own` and `after` are not in the index.
Then entries of whole pages rise, and those with all words (integrations/search of Material for MkDocs). `FOUND` are
words that people come with: the build of the site fails where they find another page first.
"""

import json
import math
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from pathlib import Path
from typing import Any, Self

from mkdocs.exceptions import PluginError

SITE = Path(__file__).resolve().parents[1] / "build" / "site"
FOUND = {
    "upgrade": "how-to/upgrade",
    "before after": "how-to/upgrade",
    "which library faster": "tutorials/compare-libraries",
    "how much faster": "tutorials/compare-libraries",
    "cluster healthy": "how-to/healthy-cluster",
    "slow node": "how-to/healthy-cluster",
    "slow allreduce": "how-to/slow-allreduce",
    "why slow": "how-to/slow-allreduce",
    "repetitions": "how-to/repetitions",
    "how many launches": "how-to/repetitions",
    "gate ci": "tutorials/gate-in-ci",
    "own operation": "how-to/own-operation",
    "osu logs": "how-to/import",
    "slurm": "how-to/clusters",
    "figure paper": "how-to/paper-figure",
    "reproduce paper": "tutorials/repeat-a-paper",
}
"""Words that are typed, and the page that answers."""
RANKED = 1e5
"""Boost of every page but those of `LAST`: above what a word in a title counts more than one in a text."""
LAST = ("decisions/", "CHANGELOG")
"""Pages that explain history, not use: found after all others."""
_K1 = 1.2


def on_page_markdown(_: str, page: Any, **_more: Any) -> None:
    """Hook of MkDocs: each page gets its boost."""
    page.meta.setdefault("search", {})["boost"] = 1.0 if page.file.src_uri.startswith(LAST) else RANKED


def on_post_build(config: Any) -> None:
    """Hook of MkDocs: the search finds what it must, or the build fails."""
    misses = list(load(Path(config.site_dir)).misses(FOUND))
    if misses:
        raise PluginError("; ".join(misses))


@dataclass(frozen=True)
class SiteIndex:
    """Entries of a site, a page or a section each, as the browser indexes them."""

    entries: list[dict[str, Any]]
    words: list[dict[str, Counter[str]]]
    """Of each entry, by field."""
    boosts: dict[str, float]
    """Of each field."""
    left_out: frozenset[str]
    """Words that are not in the index."""
    separator: re.Pattern[str]

    @classmethod
    def of(cls, index: dict[str, Any], left_out: frozenset[str]) -> Self:
        """From what search_index.json holds."""
        separator = re.compile(index["config"]["separator"])
        boosts = {name: float(field["boost"]) for name, field in index["config"]["fields"].items()}
        words = [
            {name: Counter(set_apart(separator, document.get(name, ""), left_out)) for name in boosts}
            for document in index["docs"]
        ]
        return cls(index["docs"], words, boosts, left_out, separator)

    @cached_property
    def rarity(self) -> dict[str, float]:
        """Of each word: its inverse document frequency, over all fields."""
        entries = Counter(word for fields in self.words for counts in fields.values() for word in counts)
        return {word: math.log(1 + abs((len(self.words) - n + 0.5) / (n + 0.5))) for word, n in entries.items()}

    def pages(self, query: str) -> list[str]:
        """Pages with words that begin like those of `query`, the best one first."""
        typed = set(set_apart(self.separator, query))
        begun = {word: [known for known in typed if word.startswith(known)] for word in self.rarity}
        begun = {word: ones for word, ones in begun.items() if ones}
        scores: defaultdict[str, float] = defaultdict(float)
        for entry, fields in zip(self.entries, self.words, strict=True):
            score, seen = 0.0, set()
            for name, counts in fields.items():
                for word in counts.keys() & begun.keys():
                    seen.update(begun[word])
                    often = (_K1 + 1) * counts[word] / (_K1 + counts[word])
                    score += len(begun[word]) * self.rarity[word] * often * self.boosts[name]
            page, _, section = entry["location"].partition("#")
            rise = (not section) + len(seen) / (len(seen | typed - self.left_out) or 1)
            scores[page] = max(scores[page], score * entry.get("boost", 1.0) * (1 + rise**2))
        return sorted((page for page, score in scores.items() if score > 0), key=lambda page: -scores[page])

    def misses(self, wanted: dict[str, str]) -> Iterator[str]:
        """Sentences about `wanted`, words and their page: another page is first, or one of `LAST` is before others."""
        for query, page in wanted.items():
            answers = self.pages(query)
            if not answers or answers[0] != f"{page}.html":
                yield f"the search for '{query}' finds {(answers or ['nothing'])[0]} first, not {page}.html"
            is_last = [answer.startswith(LAST) for answer in answers]
            if is_last != sorted(is_last):
                yield f"the search for '{query}' finds {answers[is_last.index(True)]} before other pages"


def load(site: Path) -> SiteIndex:
    """The index of a built site, without the words that its browser leaves out."""
    script = next((site / "assets" / "javascripts" / "workers").glob("search.*.js")).read_text("utf-8")
    left_out = re.search(r'\["a","able",[^\]]*\]', script)
    if left_out is None:
        raise ValueError("the site's search has no list of words that it leaves out: has Material for MkDocs changed?")
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    return SiteIndex.of(index, frozenset(json.loads(left_out[0])))


def set_apart(
    separator: re.Pattern[str], text: str | list[str], left_out: frozenset[str] = frozenset()
) -> Iterator[str]:
    """The words of a text, or of tags, without markup."""
    plain = unescape(re.sub(r"<[^>]*>", " ", " ".join(text) if isinstance(text, list) else text))
    return (word for word in map(str.lower, separator.split(plain)) if word and word not in left_out)


if __name__ == "__main__":
    print("\n".join(load(SITE).pages(" ".join(sys.argv[1:]))[:10]))
