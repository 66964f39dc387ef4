"""`osu`: OSU Micro-Benchmarks, one program an operation. A title line begins the output of a launch.

    # OSU MPI Broadcast Latency Test v7.4
    # Datatype: MPI_CHAR.
    # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
    4                       0.39              0.35              0.43         200

Average, minimum and maximum of a collective are over processes, of each one's mean over the calls. Percentiles are of
the calls, each the mean over processes. The number of processes is in no table: it is that of the command that the log
echoes, two for programs of two, else what the user says. Sizes are those of a block where an operation has blocks, of
reduce_scatter the total.

A latency between two processes is half a round trip, and stays it: no operation of ours is that, so it keeps the name
`osu_latency`; osu_multi_lat is its mean over pairs that measure at the same time. Of bandwidths the time of a message
is computed, so that all numbers are times and a shorter one is the better one.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from ictus.interchange.failure_words import quoted, says_failure
from ictus.interchange.osu_columns import columns_in
from ictus.interchange.osu_part import OsuPart
from ictus.interchange.osu_title import changes_facts, stands_above, title_in
from ictus.interchange.osu_writing import write_osu
from ictus.interchange.output_line import OutputLine, OutputText
from ictus.interchange.start_command import RequestError, StartCommand, StatedCount, agreed_count, start_command
from ictus.interchange.suite import UNKNOWN_CALLS, PrintedLaunch, ReadRequest, Suite, launches_in
from ictus.model.errors import UsageError

_OTHER_SUITES = re.compile(r"#\s+Intel\s*\(R\) MPI Benchmarks|#Command-Line Arguments|# nThread \d+ nGpus")
_ITERATIONS = ("-i", "--iterations")


@dataclass
class _Log:
    """A file, while its lines are read."""

    output: OutputText
    request: ReadRequest
    parts: list[OsuPart | UsageError] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    part: OsuPart | None = None
    """The program whose lines are read; None above the first title, and below a command."""
    command: StartCommand | None = None
    above: list[OutputLine] = field(default_factory=list)
    """Comments that belong to the next title."""
    untitled: OutputLine | None = None
    """A line of columns without a title above it."""

    def take(self, line: OutputLine) -> None:
        """Read a line."""
        title = title_in(line)
        if line.foreign:
            self._of_another_rank(line, is_title=title is not None)
        elif title is not None:
            if self.part is not None:
                self.part.end_before(title)
            begin = min([line.number, *(output_line.number for output_line in self.above)])
            command = self.command
            if command is not None:
                begin = min(begin, command.line.number)
                self.command = None if command.program else replace(command, options=())
            self.part = OsuPart(title, begin, self.request, command)
            for title_line in self.above:
                title.take(title_line)
            self.above, self.untitled = [], None
            self.parts.append(self.part)
        elif _OTHER_SUITES.match(line.text):
            self.notes.append(f"line {line.number}: output of another suite is left out")
            self.part, self.command, self.above, self.untitled = None, None, [], None
        elif line.text.strip():
            self._below(line)

    def _below(self, line: OutputLine) -> None:
        command = start_command(line)
        if command is not None:
            self.part, self.command, self.above, self.untitled = None, command, [], None
        elif self.part is not None:
            sound = self.part.error is None
            if not self.part.take(line):
                self.above.append(line)
            elif sound and self.part.error is not None:
                self.above = []  # comments of rows without a title, not of the next title
        elif line.is_comment:
            self._comment(line)
        elif self.untitled is not None and line.words[0].isdecimal():
            self.parts.append(line.error(f"rows below line {self.untitled.number}, and no title says of what"))
            self.untitled = None
        elif self.command is not None and says_failure(line.text):
            self.notes.append(f"line {line.number}: a launch failed before its title: {quoted(line.text)}")

    def _comment(self, line: OutputLine) -> None:
        if stands_above(line) or changes_facts(line):
            self.above.append(line)
            return
        try:
            self.untitled = line if columns_in(line) else self.untitled
        except UsageError:  # of no program that is known
            return

    def _of_another_rank(self, line: OutputLine, *, is_title: bool) -> None:
        if self.part is None:
            return
        if is_title and self.part.error is None:
            self.part.error = line.error("several ranks print the title: each process ran alone, as a launch of one")
        elif says_failure(line.text):
            self.part.fail(line)


def read_osu(output: OutputText, request: ReadRequest) -> Sequence[PrintedLaunch]:
    """The launches of a file: one for each title."""
    log = _Log(output, request)
    for line in output.lines:
        log.take(line)
    if not log.parts:
        raise output.nothing_found("OSU Micro-Benchmarks", "# OSU")
    begins = [part.begin for part in log.parts if isinstance(part, OsuPart)]
    read: list[PrintedLaunch | UsageError] = []
    for part in log.parts:
        if isinstance(part, UsageError):
            read.append(part)
        elif part.title.is_hello:
            log.notes.append(f"line {part.title.line.number}: {part.title.program} prints no times; it is passed over")
        else:
            end = next((begin for begin in begins if begin > part.begin), None)
            read.append(_launch(part, output.between(part.begin, end), request))
    if not read:
        raise UsageError(f"'{output.source}' holds only programs of OSU Micro-Benchmarks that print no times")
    return launches_in(read, log.notes)


def _launch(part: OsuPart, text: str, request: ReadRequest) -> PrintedLaunch | UsageError:
    title = part.title
    if part.error is not None:
        return part.error
    if not part.cases.printed_cases:
        why = f" ({part.incomplete})" if part.incomplete else ""
        return title.line.error(f"no row of numbers follows this title: the program ended early{why}")
    warnings = list(part.warnings)
    n_requested = request.n
    stated = [*part.stated, *([StatedCount(2, title.line)] if title.needs_two else [])]
    if title.needs_two and n_requested not in (None, 2):
        warnings.append(f"line {title.line.number}: {title.program} runs on 2 processes, -n {n_requested} is not of it")
        n_requested = None
    n = agreed_count(stated, n_requested, "this launch")
    if n is None:
        raise RequestError(f"{title.line.place}: OSU does not print the number of processes; say it with -n")
    return PrintedLaunch(
        program=title.program,
        version=title.version,
        line=title.line.number,
        n=n,
        cases=tuple(
            replace(case, calls=_calls(part)) if case.calls == UNKNOWN_CALLS else case
            for case in part.cases.printed_cases.values()
        ),
        text=text,
        started=part.started,
        warnings=tuple(warnings),
        label=part.label,
        incomplete=part.incomplete,
        started_with="" if part.command is None else part.command.started_with,
    )


def _calls(part: OsuPart) -> int:
    """Calls that the command asks for."""
    words = () if part.command is None else part.command.options
    for word, value in pairwise(words):
        if word in _ITERATIONS and value.isdecimal():
            return int(value)
    return UNKNOWN_CALLS


OSU = Suite(
    name="osu",
    title="OSU Micro-Benchmarks",
    read=read_osu,
    unknown=("single calls",),
    statistics=("mean", "p50", "p90", "p95", "p99"),
    write=write_osu,
)
