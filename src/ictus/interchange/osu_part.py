"""One program of an OSU log: its title, its comments, its rows, and what went wrong, line by line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ictus.interchange.failure_words import quoted, says_all_is_well, says_failure
from ictus.interchange.operations import datatype, word
from ictus.interchange.osu_columns import columns_in, forms_of_row, full_columns, printed_case
from ictus.interchange.osu_title import OsuTitle, changes_facts, stands_above
from ictus.interchange.output_line import OutputLine
from ictus.interchange.row_form import begins_like_row, check_form, ends_with_row, is_damaged_row, is_numeric
from ictus.interchange.start_command import RequestError, StartCommand, StatedCount
from ictus.interchange.suite import CaseList, PrintedCase, ReadRequest, one_sample
from ictus.model.errors import UsageError
from ictus.model.sample import REJECTED

_STARTUP = re.compile(
    r"nprocs:\s*(\d+),\s*min:\s*(\S+)\s*(m?s|us),\s*max:\s*(\S+)\s*(m?s|us),\s*avg:\s*(\S+)\s*(m?s|us)\s*$"
)
_POWERS = {"s": 0, "ms": -3, "us": -6}
_HELLO = re.compile(r"This is a test with (\d+) processes")
_WRONG_SIZE = re.compile(r"VALIDATION ERROR.*\bmessage size (\d+)", re.IGNORECASE)
_SAME_ANYWHERE = (
    "m", "message-size", "M", "mem-limit", "f", "full", "c", "validation", "u", "validation-warmup", "z", "tail-lat",
    "G", "graph", "P", "papi", "d", "accelerator", "T", "type", "i", "iterations",
)  # fmt: skip
"""Options that do not change what a row is, or that the title, a comment or a column tells."""
_BUFFERS = {"H": "host", "D": "device", "M": "managed", "MH": "managed_mh", "MD": "managed_md"}


@dataclass
class OsuPart:
    """A program, while its lines are read."""

    title: OsuTitle
    begin: int
    """Its first line: a command or a comment may stand above the title."""
    request: ReadRequest
    command: StartCommand | None = None
    cases: CaseList = field(default_factory=CaseList)
    warnings: list[str] = field(default_factory=list)
    stated: list[StatedCount] = field(default_factory=list)
    error: UsageError | None = None
    incomplete: str = ""
    label: str | None = None
    started: str = "unknown"
    header: OutputLine | None = None
    columns: tuple[str, ...] = ()
    ended: OutputLine | None = None
    """The line that ended the table: rows below it are of nothing that is known."""
    doubtful: list[str] = field(default_factory=list)
    """Comments below the last row: they belong to rows that follow."""
    width: int = 0
    last: OutputLine | None = None

    def __post_init__(self) -> None:
        """Take what the command says."""
        if self.command is None:
            return
        if self.command.n is not None:
            self.stated.append(StatedCount(self.command.n, self.command.line))
        self.title.facts.update(_options(self.command.options, self.title.facts))
        self.title.datatype = _datatype(self.command.options) or self.title.datatype

    def take(self, line: OutputLine) -> bool:
        """Read a line; whether it belongs to this program. One that does not is of the next one."""
        if self.error is not None:
            return not (line.is_comment and stands_above(line))
        try:
            return self._comment(line) if line.is_comment else self._text(line)
        except RequestError:
            raise
        except UsageError as error:
            self.error = error
            return True

    def end_before(self, title: OsuTitle) -> None:
        """Another title follows; what stands before it on its line may be a row of this table."""
        before = title.line.text.partition("#")[0]
        damaged = begins_like_row(before) or self._ends_with_row(before)
        if self.header is not None and before.strip() and damaged and self.error is None:
            self.error = title.line.error(f"a row stands before a title: '{quoted(title.line.text)}'")

    def fail(self, line: OutputLine) -> None:
        """Take words of failure."""
        match = _WRONG_SIZE.search(line.text)
        if match:
            self._reject(int(match[1]))
        if not self.incomplete:
            self.incomplete = f"line {line.number}: {quoted(line.text)}"

    def _comment(self, line: OutputLine) -> bool:
        ours = line.said_by_export
        if ours:
            self.label, self.started = ours.get("label"), ours.get("started", "unknown")
            if "n" in ours:
                self.stated.append(StatedCount(line.count_of(ours["n"], "n"), line))
            return True
        columns = columns_in(line)
        if not columns and self._ends_with_row(line.text):
            raise line.error(f"a row stands behind a comment: '{quoted(line.text)}'")
        if self.last is None:
            if columns and self.columns not in ((), columns):
                raise line.error("a second line of columns, unlike the one above it, without a row in between")
            if columns:
                self.header, self.columns = line, columns
            else:
                self.title.take(line)
            return True
        if columns or changes_facts(line) or stands_above(line):
            self.ended = self.ended or line
            return False
        self.doubtful.append(line.text)
        return True

    def _text(self, line: OutputLine) -> bool:
        if self.title.is_startup or self.title.is_hello:
            self._without_table(line)
            return True
        if says_all_is_well(line.text):
            return True
        words = line.words
        numeric = all(map(is_numeric, words))
        if self.ended is not None and numeric:
            raise line.error(f"a row below line {self.ended.number}, where another table begins, and no title above it")
        if self.header is None and numeric:
            raise line.error("a row of numbers without a line of columns above it")
        if self.header is None or self.ended is not None:
            if says_failure(line.text):
                self.fail(line)
        elif self._is_row(words):
            self._row(line)
        elif self._ends_with_row(line.text) and not numeric:
            what = "two lines of output are merged" if line.merged else "a row stands behind other words, or is damaged"
            raise line.error(f"{what}: '{quoted(line.text)}'")
        elif says_failure(line.text):
            self.fail(line)
        elif is_damaged_row(len(self.columns), line):
            line.cells(self.columns, self.header)
            raise line.error(f"it begins like a row of the table, but is not one: '{quoted(line.text)}'")
        return True

    def _is_row(self, words: Sequence[str]) -> bool:
        """Whether a line has the form of a row: its numbers are checked where they are read."""
        if len(self.columns) == 1:
            return len(words) == 1 and is_numeric(words[0])
        return words[0].isdecimal() and len(words) in map(len, forms_of_row(self.columns))

    def _ends_with_row(self, text: str) -> bool:
        """Whether a line has a row at its end, in any form that rows of this table have."""
        return any(ends_with_row(len(form), text) for form in forms_of_row(self.columns) if form)

    def _row(self, line: OutputLine) -> None:
        assert self.header is not None, "rows are read below a header"
        columns = full_columns(self.columns, line)
        cells = line.cells(columns, self.header)
        if self.width not in (0, len(columns)):
            raise line.error(f"{len(columns)} values, rows above it have {self.width}")
        check_form(line, self.last)
        if self.last is not None and "Size" in cells and int(cells["Size"]) < int(self.last.words[0]):
            raise line.error(f"Size {cells['Size']} below {self.last.words[0]}: sizes of OSU ascend, it is not a row")
        for text in self.doubtful:
            self.title.add_unknown(text)
        self.doubtful.clear()
        case, why = printed_case(self.title, columns, cells, line, self.request)
        if why:
            self.warnings.append(f"line {line.number}: {why}; its case has no valid sample")
        self.cases.add(case, line)
        self.width, self.last = len(columns), line

    def _without_table(self, line: OutputLine) -> None:
        """A line of osu_init, or of osu_hello."""
        startup, hello = _STARTUP.match(line.text.strip()), _HELLO.match(line.text.strip())
        if hello:
            self.stated.append(StatedCount(int(hello[1]), line))
        elif startup:
            self.stated.append(StatedCount(int(startup[1]), line))
            least, most, mean = (
                line.time_of(startup[position], name, _POWERS[startup[position + 1]])
                for position, name in ((2, "min"), (4, "max"), (6, "avg"))
            )
            line.check_order(least, mean, most, "avg")
            self.cases.add(self._startup(line, local_mean=mean, local_min=least, local_max=most), line)
            self.last = line
        elif says_failure(line.text):
            self.fail(line)
        elif line.text.lstrip().startswith("nprocs:"):
            raise line.error(f"expected 'nprocs: N, min: T ms, max: T ms, avg: T ms', found '{quoted(line.text)}'")

    def _startup(self, line: OutputLine, **times: float) -> PrintedCase:
        return PrintedCase(
            operation=self.title.operation,
            size_bytes=0,
            datatype=self.title.datatype,
            line=line.number,
            headline="local_mean",
            samples=one_sample(valid=True, **times),
            number="avg as printed, the mean over processes of one start of MPI",
            calls=1,
            statistic=self.request.statistic or "mean",
        )

    def _reject(self, size_bytes: int) -> None:
        """The row of this size is wrong, as a line below it says."""
        for key, case in self.cases.printed_cases.items():
            if case.size_bytes == size_bytes and case.samples["flags"][0] == 0:
                samples = case.samples.copy()
                samples["flags"] = REJECTED
                self.cases.printed_cases[key] = replace(case, samples=samples, validated=False)
                self.warnings.append(f"line {case.line}: the result was wrong; its case has no valid sample")


def _datatype(words: Sequence[str]) -> str | None:
    """That of the command, which a comment of the table says too in versions that have it; None where it has none, or
    several.
    """
    values = [value for name, value in pairwise(words) if name in ("-T", "--type")]
    type_name = values[0].upper() if len(values) == 1 and "," not in values[0] else None
    return None if type_name in (None, "ALL", "MPI_CHAR") else datatype(str(type_name))


def _options(words: Sequence[str], facts: Mapping[str, str]) -> dict[str, str]:
    """What options change, where no comment says it: buffers, and all that are not known to be harmless."""
    buffer_facts: dict[str, str] = {}
    places = [_BUFFERS[argument] for argument in words if argument in _BUFFERS]
    if len(places) == 2 and "send" not in facts:
        buffer_facts |= {"send": places[0], "receive": places[1]}
    others, keep = [], False
    for argument in words:
        if argument.startswith("-"):
            name = argument.lstrip("-").partition("=")[0]
            is_known = name in _SAME_ANYWHERE or (
                argument[:2].lstrip("-") in _SAME_ANYWHERE and argument[2:3].isdecimal()
            )
            keep = not is_known
        if keep and argument not in _BUFFERS:
            others.append(argument.lstrip("-"))
        if argument == "managed":
            buffer_facts["memory"] = "managed"
    if others:
        buffer_facts["options"] = f"is_{word('_'.join(others))}"
    return buffer_facts
