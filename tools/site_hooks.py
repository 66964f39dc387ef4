"""Hooks of MkDocs (mkdocs.yml): what the site has besides docs, and that it needs nothing from elsewhere."""

import re
from pathlib import Path
from typing import Any

from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[1]
OUTSIDE = ("CONTRIBUTING.md", "CHANGELOG.md")
_TO_DOCS = re.compile(r"\]\(docs/")
_TO_ROOT = re.compile(r"\]\(\.\./\.\./(?=CONTRIBUTING|CHANGELOG|examples/)")
_FIGURE = re.compile(r'<img alt="(?P<label>[^"]*)" src="(?:\.\./)*img/(?P<path>[\w/-]+\.svg)" ?/?>')
_FETCHED = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=["']?(?:https?:)?//[^"' >]+""")


def on_files(files: Files, config: Any) -> Files:
    """The pages at the root of the clone, and the examples that pages link, as if they were in docs."""
    examples = [path.relative_to(ROOT) for path in (ROOT / "examples").rglob("*") if path.is_file()]
    for name in (*OUTSIDE, *map(str, sorted(examples))):
        files.append(File.generated(config, name, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links that are right in the clone, as they are right in the site."""
    if page.file.src_uri in OUTSIDE:
        return _TO_DOCS.sub("](", markdown)
    return _TO_ROOT.sub("](../", markdown)


def on_page_content(html: str, **_: Any) -> str:
    """Figures that Ictus drew become part of the page, so that they follow its light and its dark colours."""
    return _FIGURE.sub(_inlined, html)


def _inlined(image: re.Match[str]) -> str:
    path = ROOT / "docs" / "img" / image["path"]
    if not path.is_file():
        return image[0]  # MkDocs warns of it
    svg = path.read_text("utf-8")
    return f'<div class="figure" role="img" aria-label="{image["label"]}">{svg[svg.index("<svg") :].strip()}</div>'


def on_post_build(config: Any) -> None:
    """The site is read without a network: nothing in it is fetched from elsewhere."""
    for page in Path(config.site_dir).rglob("*.html"):
        fetched = _FETCHED.search(page.read_text("utf-8"))
        if fetched:
            raise PluginError(f"{page.name} fetches from elsewhere: {fetched[0]}")
