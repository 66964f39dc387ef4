"""Characters that a terminal can take: no control characters from names of other people, and ASCII where it has no
more.

A name, a version string of a library, the last words of a rank may hold escape sequences, which move the cursor, change
colours or the title, and texts that run backwards. Each such character is shown as one replacement, so that columns
keep their widths.
"""

import codecs
import contextlib
import io
import re
import sys
import textwrap
import unicodedata
from typing import TextIO

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"

_CONTROLS = {
    *range(0x20),
    *range(0x7F, 0xA0),
    *range(0x200E, 0x2010),  # marks of direction,
    *range(0x202A, 0x202F),  # embeddings and overrides,
    *range(0x2066, 0x206A),  # isolates
    0x061C,
} - {ord("\n"), ord("\t")}
_SHOWN = dict.fromkeys(_CONTROLS, REPLACEMENT)

_ASCII = {
    "µ": "u",
    "μ": "u",
    "…": "...",
    "×": "x",
    "·": ".",
    "–": "-",
    "—": "-",
    "−": "-",
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "±": "+-",
    "→": "->",
    "“": '"',
    "”": '"',
    "○": "o",
    "●": "*",
    "†": "+",
    "‡": "++",
    "█": "#",
    "─": "-",
    "│": "|",
}
_HANDLER = "ictus-ascii"


def shown(text: str) -> str:
    """The text without control characters, of the same length; line ends and tabs stay."""
    return text.translate(_SHOWN)


def folded(text: str, columns: int) -> str:
    """Each line of the text in lines of at most this number of columns, broken at spaces; further ones keep its
    indent. What is longer stays whole: a word such as a path, and a command in backquotes, for it is copied.
    """
    return "\n".join(folded_line for line in text.split("\n") for folded_line in _folded_line(line, columns))


def _folded_line(line: str, columns: int) -> list[str]:
    return fold(line, columns, line[: len(line) - len(line.lstrip())]) if len(line) > columns else [line]


_WHOLE = re.compile(r"`[^`\n]+`|\d %")
_NO_BREAK = "\ue000"
"""For private use: nobody's text has it."""


def fold(line: str, columns: int, indent: str = "", *, whole_words: bool = True) -> list[str]:
    """The lines of a text, broken at blanks, but for those in backquotes and before a percent sign. Without
    `whole_words` a word that has no room in a line is broken, where it is no command.
    """
    unbroken = _WHOLE.sub(lambda match: match[0].replace(" ", _NO_BREAK), line)
    broken = not whole_words and _NO_BREAK not in unbroken
    lines = textwrap.wrap(unbroken, columns, subsequent_indent=indent, break_long_words=broken, break_on_hyphens=False)
    return [folded_line.replace(_NO_BREAK, " ") for folded_line in lines]


_LONGEST_WORD, _BEGINNING = 1000, 100
_LONG_WORD = re.compile(rf"(\S{{{_BEGINNING}}})\S{{{_LONGEST_WORD - _BEGINNING},}}")


def shortened(text: str) -> str:
    """The text with the beginning of each word that has a thousand characters or more, which nobody reads."""
    return _LONG_WORD.sub(lambda match: f"{match[1]}... ({len(match[0]):,} characters)", text)


def shown_json(text: str) -> str:
    """The same for JSON, where such a character has an escape, and nothing is lost."""
    return (
        "".join(f"\\u{ord(character):04x}" if ord(character) in _SHOWN else character for character in text)
        if shown(text) != text
        else text
    )


def degrade_streams() -> None:
    """From here on what standard output and error cannot encode is written in ASCII; it ended in a traceback."""
    codecs.register_error(_HANDLER, _in_ascii)
    for stream in (sys.stdout, sys.stderr):
        _degrade(stream)


def _degrade(stream: TextIO | None) -> None:
    if isinstance(stream, io.TextIOWrapper) and stream.errors != _HANDLER:
        with contextlib.suppress(ValueError, OSError):  # closed
            stream.reconfigure(errors=_HANDLER)


def _in_ascii(error: UnicodeError) -> tuple[str | bytes, int]:
    """The error handler (codecs.register_error): a spelling in ASCII, such as `us` for the sign of microseconds."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spelled, error.object[error.start : error.end])), error.end


def _spelled(character: str) -> str:
    plain = _ASCII.get(character) or unicodedata.normalize("NFKD", character).encode("ascii", "ignore").decode("ascii")
    return plain or "?"
