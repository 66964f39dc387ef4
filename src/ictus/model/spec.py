"""The grammar of names: `hca3(drift=regression(fitpoints=500),offset=skampi)`.

    spec      = name [ "(" [ argument { "," argument } ] ")" ]
    argument  = [ key "=" ] value
    value     = spec | number [ unit ]

The parser knows the syntax only; the registries know which names and keys exist (registries.py).
"""

import functools
import re
from dataclasses import dataclass

from ictus.model.errors import UsageError

UNITS = ("ns", "us", "ms", "s", "ppm", "Ki", "Mi", "Gi")

_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_KEY = re.compile(r"([a-z][a-z0-9_]*)\s*=")
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?(?![0-9.])", re.ASCII)
_UNIT = re.compile(r"[A-Za-zµ%]+")
_BLANKS = re.compile(r"\s*")

_DEEPEST = 32
"""Deeper nesting is a slip of the keyboard, and must not end in a RecursionError."""


@dataclass(frozen=True)
class Number:
    """A number as it was written, with its unit ("" for none)."""

    text: str
    unit: str = ""

    def __str__(self) -> str:
        return self.text + self.unit


@dataclass(frozen=True)
class Spec:
    """A member of a family with arguments; `str(spec)` is its canonical text, without blanks, by which it is sorted."""

    name: str
    arguments: "tuple[Argument, ...]" = ()

    def __lt__(self, other: "Spec") -> bool:
        return str(self) < str(other)

    def __repr__(self) -> str:
        return f"Spec({str(self)!r})"

    def __str__(self) -> str:
        return f"{self.name}({','.join(map(str, self.arguments))})" if self.arguments else self.name

    def argument(self, key: str) -> "Spec | Number | None":
        """Value of the argument with this key, None where there is none."""
        return next((argument.value for argument in self.arguments if argument.key == key), None)


@dataclass(frozen=True)
class Argument:
    """One argument; `key` is None for a positional one."""

    key: str | None
    value: Spec | Number

    def __str__(self) -> str:
        return str(self.value) if self.key is None else f"{self.key}={self.value}"


def parse_spec(text: str) -> Spec:
    """Parse one spec; raises UsageError that names the text, the position (from 1) and what was expected."""
    return _parsed(text)


@functools.lru_cache(maxsize=4096)  # a campaign names few members in many cases
def _parsed(text: str) -> Spec:
    reader = _Reader(text)
    spec = reader.spec(depth=0)
    reader.end()
    return spec


def parse_operation(text: str) -> Spec:
    """Parse an operation, also in MPI's spelling; UsageError as `parse_spec`."""
    return parse_spec(operation_text(text))


def operation_text(text: str) -> str:
    """Our spelling of an operation: `MPI_Reduce_scatter` and `reduce-scatter` are `reduce_scatter`."""
    name, parenthesis, arguments = text.strip().partition("(")
    return name.lower().replace("-", "_").removeprefix("mpi_") + parenthesis + arguments


def parse_value(text: str) -> Spec | Number:
    """Parse the value of an argument: a number with or without a unit, or a spec."""
    reader = _Reader(text)
    value = reader.value(depth=0)
    reader.end()
    return value


def split_list(text: str) -> tuple[str, ...]:
    """Split at top-level commas: `bcast,window(a,b)` is two items. Items are stripped; an empty one is a UsageError."""
    items, depth, begin = [], 0, 0
    for position, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
            if depth < 0:
                raise UsageError(f"'{text}': the ')' at position {position + 1} closes nothing")
        elif character == "," and depth == 0:
            items.append(text[begin:position].strip())
            begin = position + 1
    if depth:
        raise UsageError(f"'{text}': {depth} '(' without ')'")
    items.append(text[begin:].strip())
    if not all(items):
        raise UsageError(f"'{text}': a list has an empty item; items are separated by single commas")
    return tuple(items)


class _Reader:
    """Recursive descent over one text; blanks between words are skipped."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def spec(self, depth: int) -> Spec:
        if depth > _DEEPEST:
            raise self._error(f"nested deeper than {_DEEPEST} levels")
        name = self._match(_NAME)
        if name is None:
            raise self._error("expected a name (lower-case letters, digits, '-' and '_')")
        return Spec(name, self._arguments(depth) if self._take("(") else ())

    def value(self, depth: int) -> Spec | Number:
        number = self._match(_NUMBER)
        if number is None:
            return self.spec(depth)
        unit = _UNIT.match(self._text, self._at)
        if unit is None:
            return Number(number)
        if unit.group() not in UNITS:
            raise self._error(f"unknown unit '{unit.group()}'; units are {', '.join(UNITS)}")
        self._at = unit.end()
        return Number(number, unit.group())

    def end(self) -> None:
        if self._peek():
            raise self._error(f"unexpected '{self._peek()}' after the end")

    def _arguments(self, depth: int) -> tuple[Argument, ...]:
        arguments: list[Argument] = []
        if self._take(")"):
            return ()
        while True:
            arguments.append(self._argument(depth, after_key=bool(arguments) and arguments[-1].key is not None))
            if self._take(")"):
                return tuple(arguments)
            if not self._take(","):
                raise self._error("expected ',' or ')'")

    def _argument(self, depth: int, after_key: bool) -> Argument:
        self._skip_blanks()
        key = _KEY.match(self._text, self._at)
        if key is not None:
            self._at = key.end()
        elif after_key and self._peek():
            raise self._error("positional arguments come before those with a key")
        return Argument(key.group(1) if key else None, self.value(depth + 1))

    def _match(self, pattern: re.Pattern[str]) -> str | None:
        self._skip_blanks()
        match = pattern.match(self._text, self._at)
        if match is None:
            return None
        self._at = match.end()
        return match.group()

    def _take(self, character: str) -> bool:
        taken = self._peek() == character
        self._at += taken
        return taken

    def _peek(self) -> str:
        self._skip_blanks()
        return self._text[self._at : self._at + 1]

    def _skip_blanks(self) -> None:
        blanks = _BLANKS.match(self._text, self._at)
        self._at = blanks.end() if blanks else self._at

    def _error(self, expectation: str) -> UsageError:
        return UsageError(f"'{self._text}', position {self._at + 1}: {expectation}")
