"""What a line inside a table looks like: a row, or a row that something damaged."""

import re

from ictus.interchange.output_line import OutputLine

_NUMBER = r"[-+]?\d[\d.,]*(?:[eE][-+]?\d+)?"
_CELL = rf"(?:{_NUMBER}|Pass|Fail|-)"
_NUMERIC = re.compile(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?")
_TIME_OF_SHELL = re.compile(r"\s*[\d.:]+user\s+[\d.:]+system\s|\s*\d+inputs\+\d+outputs\s|\s*\(\d+")
"""What `time` prints below a program."""


def is_numeric(word: str) -> bool:
    """Whether a word is meant as a number."""
    return _NUMERIC.fullmatch(word) is not None


def begins_like_row(text: str) -> bool:
    """Whether a line begins as a row does."""
    return re.match(r"\s*[-+.]?\d", text) is not None


def ends_with_row(n_columns: int, text: str) -> bool:
    """Whether a line has a row at its end, behind a warning without a line end."""
    if n_columns == 1:
        return re.search(r"\s{2,}\d+\.\d+$", text.rstrip()) is not None
    match = re.search(rf"\d\s+{_CELL}(?:\s+{_CELL}){{{n_columns - 2}}}$", text.strip(), re.IGNORECASE)
    return match is not None and "." in match[0]


def is_damaged_row(n_columns: int, line: OutputLine) -> bool:
    """Whether a line that is no row begins like one, or has all its numbers behind another word."""
    words = line.words
    if _TIME_OF_SHELL.match(line.text):
        return False
    strange = re.search(r"\d|^(?:[-+]?(?:nan|inf\w*)|[-*?]+)$", words[0], re.IGNORECASE) is not None
    is_row = len(words) == n_columns > 1 and all(map(is_numeric, words[1:]))
    return begins_like_row(line.text) or (is_row and (strange or n_columns > 2))


def check_form(line: OutputLine, above: OutputLine | None) -> None:
    """UsageError for a row whose numbers have other decimals than those of the row above, in a suite that prints all
    with the same: it is of something else, or was cut; and where the file ends inside its last number.
    """
    if above is None:
        return
    check_not_cut(line, above)
    for here, above_word in zip(line.words, above.words, strict=False):
        if is_numeric(here) and is_numeric(above_word) and _decimals(here) != _decimals(above_word):
            raise line.error(
                f"'{here}' has not the decimals of '{above_word}' in line {above.number}: the row was cut, or is of "
                "something else"
            )


def check_not_cut(line: OutputLine, above: OutputLine | None) -> None:
    """UsageError where the file ends inside the last number of this row: the row above it has more digits."""
    if line.unended and above is not None and _decimals(line.words[-1]) < _decimals(above.words[-1]):
        raise line.error(f"the file ends in this row, and its last number has fewer digits: '{line.words[-1]}'")


def _decimals(number: str) -> int:
    """Digits behind the point."""
    return len(number.partition(".")[2])
