"""Reads files in TOML: plans, guidelines of users. Writes plans."""

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ictus.model.errors import UsageError
from ictus.model.input_file import named_text

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_BARE = re.compile(r"[A-Za-z0-9_-]+")
"""A key that stands without quotation marks."""
_DEEPEST = 64
"""So many brackets may be open at once, and so many parts a key or a number may have: the parser calls itself for each
bracket, and its time grows with the square of a key's parts.
"""
_SIGNS = re.compile(
    r'"""(?:\\.?|[^\\])*?(?:"""|\Z)|\'\'\'.*?(?:\'\'\'|\Z)|"(?:\\.|[^"\\\n])*"?|\'[^\'\n]*\'?|#[^\n]*|(?P<sign>[][{}.=,\n])',
    re.DOTALL,
)
"""Texts and comments, whose content does not count, and the signs that do. A text without an end is one too: else each
quotation mark in it would begin a search to the end of the file.
"""


def read_toml(path: Path, what: str = "plan") -> dict[str, Any]:
    """The content of the TOML file, unchecked; UsageError that names it, as `what`, when it cannot be read."""
    text = named_text(path, what)
    if _is_too_deep(text):
        raise UsageError(f"{what} '{path}' nests brackets or a key deeper than {_DEEPEST}; no {what} needs that")
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: also of a number with more digits than Python takes
        raise UsageError(f"{what} '{path}' is not TOML: {error}") from error


def toml_text(values: Mapping[str, Any]) -> str:
    """The values as a TOML file, which `read_toml` reads as the same values; those that are None are left out."""
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in values.items() if value is not None)


def _key(text: str) -> str:
    return text if _BARE.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def _value(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{_key(key)} = {_value(entry)}' for key, entry in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")


def _is_too_deep(text: str) -> bool:
    depth = parts = 0
    for match in _SIGNS.finditer(text):
        sign = match["sign"]
        if sign == ".":
            parts += 1
        elif sign is not None:
            depth, parts = depth + (sign in "[{") - (sign in "]}"), 0
        if max(depth, parts) > _DEEPEST:
            return True
    return False
