"""What a user reads names no file that a wheel lacks: no page of docs/, no tool, no target of the Makefile."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ictus.cli.app import app

ROOT = Path(__file__).parent.parent.parent
LACKING = re.compile(
    r"\b(?:docs|tools|tests|examples|requirements|packaging|containers|native)/\w|\b\w+\.md\b|"
    r"\bmake (?:setup|demo|test|check|docs|install|sim|bench)\b|\.venv\b|\bREADME\b|\bCHANGELOG\b|\bMakefile\b"
)
"""Names of the checkout."""
UNCLEAR = re.compile(
    r"\b(?:for want of|dearest|gone on with|put up with|strung together|held against|in vain|said nothing|"
    r"tells? nobody|of ours|anew|albeit|hitherto|whereof|wherein|lest|are said to|learnt wrongly|"
    r"holds nobody back|closed upon|exclude each other)\b|"
    r"(?:'|\bit|\bwhich) is no (?!longer|such|more|other)|"
    r"\bSay the version and end\b|; left out: |\bone a line\b"
)
"""What a reader whose mother tongue is not English reads twice; `'x' is no folder` is `'x' is not a folder`."""
PAGE_OF_THE_CHECKOUT = ROOT / "src/ictus/cli/reference.py"
"""Writes docs/cli.md."""


def texts(path: Path, pattern: re.Pattern[str] = LACKING) -> Iterator[str]:
    """All texts of a Python file in which the pattern is found, but its docstrings, which are for whoever reads the
    code.
    """
    text = path.read_text("utf-8")
    if not pattern.search(text):  # no need to parse most files
        return
    tree = ast.parse(text)
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


LITERAL = r'"(?:[^"\\\n]|\\.)*"'


def literals(path: Path) -> Iterator[str]:
    """All texts of a C++ file but its comments; neighbouring literals are one text."""
    code = re.sub(r"(?m)(^|\s)//.*", r"\1", path.read_text("utf-8"))
    for neighbours in re.finditer(rf"{LITERAL}(?:\s*{LITERAL})*", code):
        yield "".join(one[1:-1] for one in re.findall(LITERAL, neighbours[0]))


def sources() -> list[Path]:
    """Those of the core."""
    return [path for kind in ("*.cpp", "*.hpp") for path in sorted((ROOT / "native/src").rglob(kind))]


def helps(command: Any, name: str = "ictus") -> Iterator[tuple[str, str]]:
    """The help of a command, of its parameters and of its commands: docstrings that are shown."""
    yield name, command.help or ""
    for parameter in command.params:
        yield f"{name} {parameter.name}", getattr(parameter, "help", None) or ""
    for child in getattr(command, "commands", {}).values():
        yield from helps(child, f"{name} {child.name}")


def test_no_message_of_python_names_one() -> None:
    """Every text of every module."""
    files = [path for path in sorted((ROOT / "src/ictus").rglob("*.py")) if path != PAGE_OF_THE_CHECKOUT]
    found = [(path.name, text) for path in files for text in texts(path) if LACKING.search(text)]
    assert found == []


def test_no_message_of_the_core_names_one() -> None:
    """Every text of every source; an #include names a file of the core itself."""
    assert len(sources()) > 100
    found = [(path.name, text) for path in sources() for text in literals(path) if LACKING.search(text)]
    assert found == []


def test_no_help_names_one() -> None:
    """Of all commands, arguments and options."""
    shown = list(helps(app))
    assert len(shown) > 300
    assert [(where, text) for where, text in shown if LACKING.search(text)] == []


def test_no_shipped_page_names_one() -> None:
    """Pages of reports, and the registries' own words."""
    files = [*(ROOT / "src/ictus/render/template").iterdir(), ROOT / "src/ictus/model/describe.json"]
    assert [(path.name, found[0]) for path in files if (found := LACKING.search(path.read_text("utf-8")))] == []


def test_messages_and_pages_use_plain_words() -> None:
    """Of every module and every template."""
    found = [
        (path.name, text)
        for path in sorted((ROOT / "src/ictus").rglob("*.py"))
        for text in texts(path, UNCLEAR)
        if UNCLEAR.search(text)
    ]
    templates = [path for path in (ROOT / "src/ictus/render/template").iterdir() if path.suffix == ".j2"]
    found += [(path.name, one[0]) for path in templates if (one := UNCLEAR.search(path.read_text("utf-8")))]
    assert found == []


def test_the_core_uses_plain_words() -> None:
    """Every text of every source, and what Python knows of them."""
    found = [(path.name, text) for path in sources() for text in literals(path) if UNCLEAR.search(text)]
    described = (ROOT / "src/ictus/model/describe.json").read_text("utf-8")
    assert (found, UNCLEAR.search(described)) == ([], None)


def test_helps_use_plain_words() -> None:
    """Of all commands, arguments and options."""
    assert [(where, text) for where, text in helps(app) if UNCLEAR.search(text)] == []


@pytest.mark.parametrize(
    "text", ["'x' is no folder", "not tried, for want of --budget", "the dearest loses 665 ns", "clocks are read anew"]
)
def test_unclear_words_are_found(text: str) -> None:
    """The test itself can fail; `there is no folder` is plain."""
    assert UNCLEAR.search(text)
    assert not UNCLEAR.search("there is no folder, and the number is no longer read; the launches of others")


def test_neighbouring_literals_are_one_text(tmp_path: Path) -> None:
    """The test itself can fail: words that a line break divides are found, comments are none."""
    path = tmp_path / "source.cpp"
    path.write_text('refuse("missed for "\n       "want of slack"); // "in vain"\nputs("http://x");\n')
    assert list(literals(path)) == ["missed for want of slack", "http://x"]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('"""docs/heap.md"""\nHINT = f"see docs/heap.md, {1}"', ["see docs/heap.md, "]),
        ('def f():\n    """README"""\n    raise ValueError("run make setup")', ["run make setup"]),
    ],
)
def test_a_text_is_told_from_a_docstring(code: str, expected: list[str], tmp_path: Path) -> None:
    """The test itself can fail."""
    path = tmp_path / "module.py"
    path.write_text(code)
    assert [text for text in texts(path) if LACKING.search(text)] == expected
