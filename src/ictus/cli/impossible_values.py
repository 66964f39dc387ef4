"""What no option of any command can mean: refused before the command does anything, by the option's name."""

import os
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ictus.model.errors import UsageError

_MAY_BE_EMPTY = frozenset({"launcher_options", "core_flags"})
"""Parameters of which a blank value says: none of these words."""
_PROGRAM = "words"
"""The parameter of a program and its words: after the first one they are that program's own."""
_ANY_CHARACTER = frozenset({_PROGRAM, "env", "places"})
"""Programs, variables of ranks and folders may have line breaks."""
_LONGEST_NAME, _LONGEST_PATH = 255, 4095
"""Bytes, on Linux (NAME_MAX, PATH_MAX)."""


def check_possible(parameters: Sequence[Any], typed: Mapping[str, Any]) -> None:
    """UsageError for a typed value that is blank, is no UTF-8 (documents hold nothing else), has control characters (a
    line break would end a line of a job script) or is longer than a path can be. `typed` are the words by the name of
    their parameter.
    """
    for parameter in parameters:
        for text in _texts(typed.get(parameter.name), first_alone=parameter.name == _PROGRAM):
            reason = _reason(text, parameter)
            if reason:
                raise UsageError(f"{_title(parameter)} '{text}': {reason}")


def _texts(value: Any, *, first_alone: bool) -> Iterator[str]:
    values = value if isinstance(value, (list, tuple)) else (value,)
    yield from (text for text in (values[:1] if first_alone else values) if isinstance(text, str))


def _reason(text: str, parameter: Any) -> str | None:
    is_path = getattr(parameter.type_descriptor, "annotation", None) in (Path, list[Path])
    if any("\ud800" <= character <= "\udfff" for character in text):
        return "it is not UTF-8; give another"
    if not text.strip() and parameter.name not in _MAY_BE_EMPTY:
        return "it is blank; give a value or leave it out"
    if not is_path and parameter.name not in _ANY_CHARACTER and any(map(_is_control, text)):
        return "it has a control character; leave it out"
    longest = max(len(os.fsencode(part)) for part in text.split("/"))
    if is_path and (longest > _LONGEST_NAME or len(os.fsencode(text)) > _LONGEST_PATH):
        return f"a name has {_LONGEST_NAME} bytes at most, a path {_LONGEST_PATH:,}"
    return None


def _is_control(character: str) -> bool:
    return unicodedata.category(character) == "Cc"


def _title(parameter: Any) -> str:
    if parameter.param_type_name == "option":
        return str(max(parameter.opts, key=len))
    return str(parameter.metavar or parameter.name).upper()
