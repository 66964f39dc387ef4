"""TOML that would take a parser's stack or minutes is refused before it is parsed; nothing else is."""

from pathlib import Path

import pytest

from ictus.model.errors import UsageError
from ictus.model.toml import read_toml


def read(folder: Path, text: str) -> dict[str, object]:
    (folder / "plan.toml").write_text(text, "utf-8")
    return read_toml(folder / "plan.toml")


@pytest.mark.parametrize(
    "text",
    [
        "a = " + "[" * 3000 + "]" * 3000,
        "a = " + "{a = " * 3000 + "1" + "}" * 3000,
        ".".join("a" * 50_000) + " = 1",
        "[" + ".".join("a" * 50_000) + "]",
        " . ".join(["'a'", '"b"'] * 25_000) + " = 1",
        'a = "' + "]" * 100 + '"\nb = ' + "[" * 65 + "]" * 65,
        "# [[[[\n" + "b = " + "[" * 65 + "]" * 65,
    ],
    ids=["lists", "tables", "dotted keys", "a dotted heading", "quoted keys", "behind a text", "behind a comment"],
)
def test_deep_nesting_is_refused_before_it_is_parsed(tmp_path: Path, text: str) -> None:
    """A RecursionError ended with exit code 1, and 50,000 parts of a key took longer than 25 s."""
    with pytest.raises(UsageError, match="nests brackets or a key deeper than 64"):
        read(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a = " + "[" * 64 + "]" * 64, None),
        ("a = '" + "[." * 1000 + "'", "[." * 1000),
        ('a = "' + '\\"[.' * 1000 + '"', '"[.' * 1000),
        ('a = """' + '[.\n"' * 1000 + '"""', '[.\n"' * 1000),
        ("a = '''" + "{.\n'" * 1000 + "'''", "{.\n'" * 1000),
        ("a = 1 # " + "[." * 1000, 1),
        ("a = [" + "1.5, " * 1000 + "]", [1.5] * 1000),
        ("\n".join(f"b{number}.c = [{number}]" for number in range(1000)) + "\na = 1", 1),
    ],
    ids=["64 lists", "literal", "basic", "long basic", "long literal", "comment", "numbers", "many"],
)
def test_brackets_and_points_in_texts_do_not_count(tmp_path: Path, text: str, value: object) -> None:
    """Nor do those of one value after the other."""
    found = read(tmp_path, text)["a"]
    assert value is None or found == value


UNENDED = {"a text": 'a = "' + '\\"' * 500_000, "a long text": 'a = """' + '\\"""' * 250_000 + "\\"}
"""A million bytes: a search for the end from each quotation mark took hours."""


@pytest.mark.parametrize(
    "text",
    ["a = " + "9" * 5000, "a = '\x00'", "a = [", 'a = "', "a = '''", "a = 9999-99-99", *UNENDED.values()],
    ids=["digits", "zero byte", "list", "text", "long text", "date", *UNENDED],
)
def test_what_the_parser_refuses_is_a_usage_error(tmp_path: Path, text: str) -> None:
    """5,000 digits were a ValueError of Python's own."""
    with pytest.raises(UsageError, match=r"plan '.*plan.toml' is not TOML"):
        read(tmp_path, text)
