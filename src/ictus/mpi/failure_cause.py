"""What an MPI library and its launcher print when a launch fails, reduced to the lines that say why.

Open MPI prints help messages, blocks between two lines of dashes, and hints behind them; hydra prints a box behind the
library's error. The last lines therefore rarely say the cause. Each flavour knows what it adds to every failure
(`Flavour.afterwords`); of the rest the first block counts that is no warning, or the first line about an error with the
lines that follow it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import dropwhile, groupby, takewhile
from pathlib import Path

from ictus.mpi.flavours import FLAVOURS

MOST_LINES = 12
_TAIL_LINES = 8
_RULE = re.compile(r"\s*-{20,}\s*")
_ERROR = re.compile(
    r"error|fatal|abort|fail|cannot|could not|unable|denied|not found|no such|refused|timed out|unreachable|no route",
    re.IGNORECASE,
)
_WARNING = re.compile(r"\s*\W*warning\b", re.IGNORECASE)
_STREAMS = ("stderr.txt", "stdout.txt")


@dataclass(frozen=True)
class Excerpt:
    """Lines of what a launch printed."""

    lines: tuple[str, ...]
    says_why: bool = True
    """False where no line names a cause: then these are the last ones."""

    @property
    def sentence(self) -> str:
        """The first paragraph that says more than that there was a failure, as one line."""
        paragraphs = [
            " ".join(paragraph_lines)
            for empty, paragraph_lines in groupby(map(str.strip, self.lines), lambda line: not line)
            if not empty
        ]
        return next((paragraph for paragraph in paragraphs if not _is_foreword(paragraph)), next(iter(paragraphs), ""))


def readable(text: bytes) -> str:
    """The text without bytes that are no UTF-8 and without control characters: launchers print beyond their buffers."""
    decoded = text.decode("utf-8", "ignore")
    return "".join(character for character in decoded if character.isprintable() or character in "\n\t")


def excerpt_of(text: str) -> Excerpt | None:
    """The lines that say why; None where there are no lines."""
    parts = list(_parts(text.splitlines()))
    told = [part for part in parts if not _is_afterword(part[0])]
    grave = [part for part in told if not _WARNING.match(part[0])]
    for index, part in enumerate(grave):
        if len(part) > 1 or _ERROR.search(part[0]):
            return Excerpt(_short(part if len(part) > 1 else _stretch(grave[index:])))
    lines = [line for part in told or parts for line in part if line.strip()]
    return Excerpt(tuple(lines[-_TAIL_LINES:]), says_why=False) if lines else None


def cause_sentence(folder: Path) -> str:
    """The cause of a failed launch in one line, from what it printed into files of `folder`; empty where it printed
    nothing.
    """
    best = _best(folder)
    if best is None:
        return ""
    sentence = best[1].sentence.rstrip(".")
    return sentence if best[1].says_why else f"nothing printed says why, at last: {sentence}"


def _best(folder: Path) -> tuple[str, Excerpt] | None:
    """The file that says why, else the first that says anything, with its excerpt."""
    excerpts = [(name, excerpt) for name in _STREAMS if (excerpt := excerpt_of(_text(folder / name))) is not None]
    return next((pair for pair in excerpts if pair[1].says_why), excerpts[0] if excerpts else None)


def quoted_cause(folder: Path, silent: str = " and printed nothing") -> str:
    """The cause of a failed launch as the end of a sentence, from what it printed into files of `folder`; where it
    printed nothing, `silent`.
    """
    best = _best(folder)
    return silent if best is None else _quoted(*best)


def quoted_output(text: str) -> str:
    """As `quoted_cause`, from all that a program printed."""
    excerpt = excerpt_of(text)
    return " and printed nothing" if excerpt is None else _quoted("its output", excerpt)


def _quoted(name: str, excerpt: Excerpt) -> str:
    verb = "says" if excerpt.says_why else "ends with"
    return f"; {name} {verb}:\n" + "\n".join(f"    {line}".rstrip() for line in excerpt.lines)


def steering_sentence(steering: Iterable[str]) -> str:
    """`Variables that steer the library: OMPI_MCA_pml=ucx (shell)`; nothing where there is none."""
    named = ", ".join(steering)
    return f"Variables that steer the library: {named}" if named else ""


def with_steering(reason: str, steering: Iterable[str]) -> str:
    """The reason of a failure, with such variables in a line of its own."""
    return "\n".join(filter(None, (reason, steering_sentence(steering))))


def _text(path: Path) -> str:
    try:
        return readable(path.read_bytes())
    except OSError:
        return ""


def _parts(lines: list[str]) -> Iterator[list[str]]:
    """Each block between two lines of dashes, and each line outside of one."""
    block: list[str] | None = None
    for line in lines:
        if _RULE.fullmatch(line):
            if block:
                yield _trimmed(block)
            block = [] if block is None else None
        elif block is not None:
            block.append(line.rstrip())
        elif line.strip():
            yield [line.rstrip()]
    if block:
        yield from ([line] for line in block if line.strip())


def _trimmed(block: list[str]) -> list[str]:
    """A block without empty lines at both ends."""
    begun = list(dropwhile(lambda line: not line.strip(), block))
    return list(reversed(list(dropwhile(lambda line: not line.strip(), reversed(begun))))) or [""]


CALLS_MARK = re.compile(r"ictus-bench: calls of case (\d+) (begin|end)$")
"""Lines of rank 0 of the core around the calls of each case, where ICTUS_MARK_CALLS is set; never a cause."""


def _is_afterword(line: str) -> bool:
    return CALLS_MARK.match(line) is not None or any(
        re.match(pattern, line.strip()) for member in FLAVOURS for pattern in member.afterwords
    )


def _is_foreword(paragraph: str) -> bool:
    return any(re.match(pattern, paragraph) for member in FLAVOURS for pattern in member.forewords)


def _stretch(parts: list[list[str]]) -> list[str]:
    """A line about an error, and the single lines behind it: an error's stack."""
    return [part[0] for part in takewhile(lambda part: len(part) == 1, parts)]


def _short(lines: list[str]) -> tuple[str, ...]:
    return tuple(lines) if len(lines) <= MOST_LINES else (*lines[:MOST_LINES], "...")
