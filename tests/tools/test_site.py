"""The site: pages outside docs are right in it, figures become part of their page, nothing comes from elsewhere."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from mkdocs.exceptions import PluginError
from tools.site_hooks import on_page_content, on_page_markdown, on_post_build

from tools import site_hooks


def page(name: str) -> SimpleNamespace:
    """A page as a hook is given it."""
    return SimpleNamespace(file=SimpleNamespace(src_uri=name))


def test_links_of_the_clone_are_those_of_the_site() -> None:
    """From a page to a file at the root, and from there into docs."""
    text = "[a](../../CONTRIBUTING.md#x) [b](../../examples/ci/x.yml) [c](../glossary.md)"
    assert (
        on_page_markdown(text, page("how-to/a.md"))
        == "[a](../CONTRIBUTING.md#x) [b](../examples/ci/x.yml) [c](../glossary.md)"
    )
    assert (
        on_page_markdown("[a](docs/x/y.md) [b](CHANGELOG.md)", page("CONTRIBUTING.md"))
        == "[a](x/y.md) [b](CHANGELOG.md)"
    )


def test_a_figure_becomes_part_of_its_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its label; a picture of another kind stays a picture."""
    monkeypatch.setattr(site_hooks, "ROOT", tmp_path)
    figure = tmp_path / "docs" / "img" / "a" / "b.svg"
    figure.parent.mkdir(parents=True)
    figure.write_text("<?xml version='1.0'?>\n<svg>drawn</svg>\n")
    shown = on_page_content('<p><img alt="Errors" src="../img/a/b.svg" /> <img alt="x" src="../img/c.png" /></p>')
    drawn = '<div class="figure" role="img" aria-label="Errors"><svg>drawn</svg></div>'
    assert shown == f'<p>{drawn} <img alt="x" src="../img/c.png" /></p>'


@pytest.mark.parametrize(
    ("text", "fetches"),
    [
        ('<script src="https://elsewhere.example/shim"></script>', True),
        ('<link rel="stylesheet" href="//elsewhere.example/font.css">', True),
        ('<script src="assets/a.js"></script> <a href="https://elsewhere.example/">there</a>', False),
    ],
)
def test_nothing_is_fetched_from_elsewhere(text: str, fetches: bool, tmp_path: Path) -> None:
    """A link is no fetching."""
    (tmp_path / "page.html").write_text(f"<html>{text}</html>")
    config = SimpleNamespace(site_dir=str(tmp_path))
    if fetches:
        with pytest.raises(PluginError, match="elsewhere"):
            on_post_build(config)
    else:
        on_post_build(config)
