"""A file that a suite printed, as clean lines: without colours and labels, each with its number and its errors."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property

from ictus.interchange.labels import raw_lines, unlabelled
from ictus.model.errors import UsageError

_OURS = re.compile(r"#\s*ictus:(.*)")
_NUMBER = re.compile(r"\+?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)
LONGEST_US = 30 * 86400 * 1e6
"""No benchmark waits a month for one call."""


@dataclass(frozen=True)
class OutputLine:
    """One line of a file."""

    source: str
    """The file."""
    number: int
    text: str
    foreign: bool = False
    """Whether another rank printed it than the one whose comments stand in the file."""
    merged: bool = False
    """Whether two lines became one."""
    unended: bool = False
    """Whether it is the last of its file, without a line end: it may have been cut."""

    @property
    def words(self) -> list[str]:
        """Split at blanks."""
        return self.text.split()

    @property
    def place(self) -> str:
        """`'out.txt', line 7`."""
        return f"'{self.source}', line {self.number}"

    @property
    def is_comment(self) -> bool:
        """Whether it begins with a #."""
        return self.text.lstrip().startswith("#")

    @property
    def said_by_export(self) -> Mapping[str, str]:
        """What an export of ours says in a comment, as the suite does not print it: `# ictus: label=mpich n=2`; empty
        for other lines.
        """
        match = _OURS.match(self.text.strip())
        return dict(part.partition("=")[::2] for part in match[1].split()) if match else {}

    def error(self, message: str) -> UsageError:
        """The error of this line."""
        return UsageError(f"{self.place}: {message}")

    def number_of(self, text: str, what: str, power: int = 0) -> float:
        """A printed number of 0 or more, times ten to the `power`, rounded once. Raises UsageError."""
        if not _NUMBER.fullmatch(text):
            raise self.error(f"{what} is '{text}', expected a number of 0 or more")
        return float(Decimal(text).scaleb(power))

    def time_of(self, text: str, what: str, power: int) -> float:
        """A printed time, times ten to the `power`, in seconds. UsageError for one that no call can have: none at all,
        or more than a month.
        """
        number = self.number_of(text, what, power)
        if not 0 < number <= LONGEST_US / 1e6:
            raise self.error(f"{what} is '{text}': no call takes {'no time' if not number else 'more than a month'}")
        return number

    def count_of(self, text: str, what: str) -> int:
        """A printed whole number of 0 or more. Raises UsageError."""
        if not (text.isascii() and text.isdigit()):
            raise self.error(f"{what} is '{text}', expected a whole number")
        return int(text)

    def check_order(self, least: float | None, middle: float, most: float | None, what: str) -> None:
        """UsageError for a `middle` outside its least and most: columns are swapped, or the line is damaged."""
        if (least is not None and least > middle) or (most is not None and middle > most):
            raise self.error(f"{what} is not between its minimum and maximum: the line is damaged")

    def cells(self, columns: Sequence[str], header: "OutputLine") -> Mapping[str, str]:
        """The words under the columns of a header. Raises UsageError where there are not as many."""
        if len(self.words) != len(columns):
            merged = "two lines of output are merged" if self.merged else "the line was cut short"
            raise self.error(
                f"{len(self.words)} values under the {len(columns)} columns of line {header.number}: {merged}, or "
                "other output is mixed into it"
            )
        return dict(zip(columns, self.words, strict=True))


@dataclass(frozen=True)
class OutputText:
    """A file that a suite printed, as text."""

    source: str
    text: str

    @cached_property
    def _raw(self) -> list[str]:
        return raw_lines(self.text)

    @cached_property
    def lines(self) -> tuple[OutputLine, ...]:
        """All lines, numbered from 1."""
        clean = unlabelled(self._raw)
        speaker = next(
            (
                clean_line.rank
                for clean_line in clean
                if clean_line.rank is not None and clean_line.text.lstrip().startswith("#")
            ),
            None,
        )
        unended = 0 if self.text.endswith(("\n", "\r")) else len(clean)
        return tuple(
            OutputLine(
                self.source,
                number,
                clean_line.text,
                clean_line.rank not in (None, speaker),
                clean_line.merged,
                number == unended,
            )
            for number, clean_line in enumerate(clean, start=1)
        )

    def between(self, first: int, end: int | None) -> str:
        """Lines from `first` on, up to the one before `end`, word for word."""
        return "\n".join(self._raw[first - 1 : None if end is None else end - 1]).rstrip() + "\n"

    def nothing_found(self, suite: str, begins: str) -> UsageError:
        """The error of a file without any launch."""
        return UsageError(f"'{self.source}' holds no output of {suite}: no line begins with '{begins}'")
