"""What a launcher or a terminal puts around the lines of a program: colours, the number of the rank, the time.

    0: # OSU MPI Latency Test v7.4                            srun --label, flux --label-io
    [0] # OSU MPI Latency Test v7.4                           mpiexec -l, -prepend-rank
    [1,0]<stdout>:# OSU MPI Latency Test v7.4                 Open MPI 4 --tag-output
    [prterun-node-77@1,0]<stdout>: # OSU MPI ...              Open MPI 5 --output tag
    Wed Mar  4 10:11:12 2026<stdout>:# OSU MPI ...            --timestamp-output

A label is taken off where one of its form stands before a comment: the tables of every suite begin with one. A file may
have labels in one part only. Where several ranks have lines, the comments of a table are of one rank; lines of others
are no rows.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_LINE_END = re.compile(r"\r*\n|\r")
_CLOCK = r"(?:[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d (?:\w+ )?\d{4}|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*)"
_STREAM = r"<(?:stdout|stderr|stddiag)>"
_FORMS = (
    re.compile(rf"\[?{_CLOCK}\]?\s*\[(?:[^\[\],]*,)?(?P<rank>\d+)\](?:\[[^\]]*\])?\s*{_STREAM}:\s?"),
    re.compile(rf"\[(?:[^\[\],]*,)?(?P<rank>\d+)\](?:\[[^\]]*\])?\s*(?:\[?{_CLOCK}\]?\s*)?{_STREAM}:\s?"),
    re.compile(rf"\[?{_CLOCK}\]?\s*{_STREAM}:\s?"),
    re.compile(rf"\[?{_CLOCK}\]?:?\s+"),
    re.compile(r"\s*\[(?P<rank>\d+)\] ?"),
    re.compile(r"\s*(?P<rank>\d+): ?"),
)
"""A label at the beginning of a line, the longest form first."""
_MERGED = re.compile(_STREAM)


@dataclass(frozen=True)
class Unlabelled:
    """A line without its label."""

    text: str
    rank: int | None = None
    """Who printed it, where a label says so."""
    merged: bool = False
    """Whether a second label stands in the line: two lines became one."""


def raw_lines(text: str) -> list[str]:
    """The lines as an editor numbers them. A form feed or a separator of Unicode ends no line."""
    lines = _LINE_END.split(text)
    return lines[:-1] if lines and not lines[-1] else lines


def unlabelled(lines: Sequence[str]) -> list[Unlabelled]:
    """Each line without colours and without its label."""
    plain = [_ANSI.sub("", line) for line in lines]
    forms = [form for form in _FORMS if any(_before_comment(form, line) for line in plain)]
    return [_without_label(line, forms) for line in plain]


def _before_comment(form: "re.Pattern[str]", line: str) -> bool:
    match = form.match(line)
    return match is not None and line[match.end() :].lstrip().startswith("#")


def _without_label(line: str, forms: "Sequence[re.Pattern[str]]") -> Unlabelled:
    for form in forms:
        match = form.match(line)
        if match:
            rank = match.groupdict().get("rank")
            behind = line[match.end() :]
            return Unlabelled(behind, None if rank is None else int(rank), merged=bool(_MERGED.search(behind)))
    return Unlabelled(line)
