"""Sentences of a page: commands as code, numbers that stay on the line of their units, warnings as whole sentences."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from markupsafe import Markup

_UNITS = r"%|[KMGT]i?B|B|[nµmk]?s|min|h|Hz|[kMG]Hz|GB/s|MB/s|ppm|ppb|processes|process|launches|launch"
_WHOLE = r"(?P<whole><(?:code|style|script)\b.*?</(?:code|style|script)>)"
_APART = re.compile(rf"{_WHOLE}|(?<=\d) (?=(?:{_UNITS})(?![\w/]))", re.DOTALL)
_CODE = re.compile(r"`([^`]+)`|(?<![\w-])(--[a-z][a-z-]+)")


def unbroken(html: str) -> str:
    """A number stays on the line of its unit; what is copied into a shell stays as it was typed."""
    return _APART.sub(lambda match: match["whole"] or "\N{NO-BREAK SPACE}", html)


def with_code(text: str) -> "Markup":
    """The text as HTML: what stands in backquotes, and names of options, as code."""
    from markupsafe import Markup, escape  # noqa: PLC0415 (only who writes a page waits for it)

    parts, end = [], 0
    for match in _CODE.finditer(text):
        command = Markup("<code>{}</code>").format(match[1])
        made = command if match[1] else Markup('<code class="option">{}</code>').format(match[2])
        parts += [escape(text[end : match.start()]), made]
        end = match.end()
    return Markup().join((*parts, escape(text[end:])))


_LONG = re.compile(r"\S{25,}")


def breakable(text: str) -> "Markup":
    """The text as HTML: a long word, such as the spec of a clock, may be broken behind its commas and brackets."""
    from markupsafe import Markup, escape  # noqa: PLC0415 (only who writes a page waits for it)

    return Markup(_LONG.sub(lambda word: re.sub(r"(?<=[,(])", "<wbr>", word[0]), str(escape(text))))  # noqa: S704 (escaped)


_NAMES = re.compile(r"[^a-z]|[a-z]*[^a-z ,]")
"""What begins no sentence: a path, an option, a label such as `mpich:`."""


def sentence(text: str, names: tuple[str, ...] = ()) -> str:
    """The text as a whole sentence: a capital at its beginning, but for one of `names`, and a stop at its end."""
    first = text.partition(" ")[0]
    capital = text if _NAMES.match(first) or first.rstrip(",") in names else text[:1].upper() + text[1:]
    return capital if capital.endswith((".", "!", "?", ":")) else f"{capital}."
