"""What is wrong with a folder: where, and what was found against what was expected."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong. Texts are empty where they have no meaning."""

    launch: str
    file: str
    case: str
    field: str
    found: str
    expected: str


@dataclass(frozen=True)
class CaseLocation:
    """A file, and the case in it."""

    launch: str = ""
    file: str = ""
    case: str = ""

    def wrong(self, field: str, actual: object, expected: object) -> Problem:
        """A field that is not as expected."""
        return Problem(self.launch, self.file, self.case, field, _text(actual), _text(expected))


_MOST = 3
"""At most this number of samples of one case that break one rule are shown one by one."""


def first_few(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The first few of a field in a case, and how many there are more."""
    counts = Counter[tuple[str, str, str, str]]()
    last: dict[tuple[str, str, str, str], Problem] = {}
    for problem in problems:
        key = (problem.launch, problem.file, problem.case, problem.field.partition("[")[0])
        counts[key] += 1
        if counts[key] <= _MOST:
            yield problem
        last[key] = problem
    for key, count in counts.items():
        if count > _MOST:
            problem = last[key]
            yield Problem(
                problem.launch,
                problem.file,
                problem.case,
                key[-1],
                f"{count - _MOST} more like these",
                problem.expected,
            )


def _text(value: object) -> str:
    text = f"{value:.12g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 120 else f"{text[:117]}..."
