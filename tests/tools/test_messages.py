"""What a user reads names no file that a wheel lacks: no page of docs/, no tool, no target of the Makefile."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from ictus.cli.app import app

ROOT = Path(__file__).parent.parent.parent
LACKING = re.compile(
    r"\b(?:docs|tools|tests|examples|requirements|packaging|containers|native)/\w|\b\w+\.md\b|"
    r"\bmake (?:setup|demo|test|check|docs|install|sim|bench)\b|\.venv\b|\bREADME\b|\bCHANGELOG\b|\bMakefile\b"
)
"""Names of the checkout."""
PAGE_OF_THE_CHECKOUT = ROOT / "src/ictus/cli/reference.py"
"""Writes docs/cli.md."""


def texts(path: Path) -> Iterator[str]:
    """All texts of a Python file but its docstrings, which are for whoever reads the code."""
    text = path.read_text("utf-8")
    if not LACKING.search(text):  # no need to parse most files
        return
    tree = ast.parse(text)
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


def literals(path: Path) -> Iterator[str]:
    """All texts of a C++ file but its comments."""
    for line in path.read_text("utf-8").splitlines():
        yield from re.findall(r'"((?:[^"\\]|\\.)*)"', re.sub(r"(^|\s)//.*", "", line))


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
    files = [path for kind in ("*.cpp", "*.hpp") for path in sorted((ROOT / "native/src").rglob(kind))]
    assert len(files) > 100
    found = [(path.name, text) for path in files for text in literals(path) if LACKING.search(text)]
    assert found == []


def test_no_help_names_one() -> None:
    """Of all commands, arguments and options."""
    shown = list(helps(get_command(app)))
    assert len(shown) > 300
    assert [(where, text) for where, text in shown if LACKING.search(text)] == []


def test_no_shipped_page_names_one() -> None:
    """Pages of reports, and the registries' own words."""
    files = [*(ROOT / "src/ictus/render/template").iterdir(), ROOT / "src/ictus/model/describe.json"]
    assert [(path.name, found[0]) for path in files if (found := LACKING.search(path.read_text("utf-8")))] == []


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
