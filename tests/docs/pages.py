"""What pages hold for machines: fenced blocks with the mark before them, and the command lines of `ictus`."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ictus.cli.app import app

ROOT = Path(__file__).parents[2]
TUTORIALS = ROOT / "docs" / "tutorials"
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
_BLOCK = re.compile(
    r'^(?:<!-- (?P<mark>[^\n]*) -->\n)?```(?P<language>\w+)(?: title="(?P<title>[^"\n]+)")?\n(?P<text>.*?)^```$',
    re.MULTILINE | re.DOTALL,
)
_INDENTED = re.compile(r"^ {4}(?:\$ )?((?:[A-Z_]+=\S+ )*(?:\S*/)?ictus [a-z].*)$", re.MULTILINE)
_INLINE = re.compile(r"`((?:[A-Z_]+=\S+ )*ictus [a-z][^`]*)`")
_SEPARATORS = set("();<>|&")


@dataclass(frozen=True)
class PageBlock:
    """A fenced block: a file where it has a title, commands where its language is sh."""

    language: str
    title: str | None
    mark: str
    text: str


def blocks(text: str) -> list[PageBlock]:
    """All fenced blocks of a page, in order."""
    found = _BLOCK.finditer(text)
    return [PageBlock(one["language"], one["title"], one["mark"] or "", one["text"]) for one in found]


def shown_commands(text: str) -> Iterator[str]:
    """Lines with `ictus` in blocks of a page: fenced ones in the language sh, and indented ones."""
    joined = text.replace("\\\n", " ")
    for block in blocks(joined):
        if block.language == "sh":
            yield from block.text.splitlines()
    yield from (line for line in _INDENTED.findall(joined) if "[OPTIONS]" not in line and "COMMAND" not in line)


def inline_commands(text: str) -> list[str]:
    """Commands in the middle of a sentence."""
    return _INLINE.findall(text)


def calls(line: str) -> Iterator[list[str]]:
    """The words after `ictus`, of each call of it in a line for a shell; none where the line leaves words out (...)."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="();<>|&")
    lexer.whitespace_split = True
    words: list[str] = []
    for word in (*lexer, ";"):
        if set(word) <= _SEPARATORS:
            names = [Path(one).name for one in words]
            if "ictus" in names and "..." not in words:
                yield words[names.index("ictus") + 1 :]
            words = []
        else:
            words.append(word)


def parse(words: list[str]) -> None:
    """By the parser of the command line. Raises its error for what it does not know."""
    command = app
    name, context = "ictus", command.make_context("ictus", [], resilient_parsing=True)
    while hasattr(command, "commands") and words:
        if words[0] not in command.commands:
            raise LookupError(f"{name} has no command '{words[0]}'")
        name, words = words[0], words[1:]
        command = command.commands[name]
        own = {"resilient_parsing": True} if hasattr(command, "commands") else {}
        context = command.make_context(name, [] if own else list(words), parent=context, **own)


def refusal(line: str) -> Exception | None:
    """What the parser says against a command line, or the rules of the shell."""
    try:
        for words in calls(line):
            parse(words)
    except Exception as error:  # noqa: BLE001 (whatever it is, the line cannot be typed)
        return error
    return None
