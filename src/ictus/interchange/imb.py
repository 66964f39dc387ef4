"""`imb`: Intel MPI Benchmarks, all tables of MPI-1, NBC, RMA, EXT, IO, MT and P2P. A line with the version begins a
launch.

    #    Intel(R) MPI Benchmarks 2021.11, MPI-1 part
    # Benchmarking Bcast
    # #processes = 2
           #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
                8          200         0.15         0.17         0.16

t_min, t_max and t_avg are over processes, of each one's mean over the repetitions; t is the largest. A table of fewer
processes than the launch has is one of `comm first(...)`: the others wait. With `-multi` groups measure at the same
time, which is a benchmark of its own here, as is what overlaps (t_pure there is of one process alone). Sizes are those
of a block where an operation has blocks, of reduce_scatter the total; of the MT part those of all threads of a process.

Datatypes and the operator stand in the head, options that change what is measured (`-map`, `-off_cache`, `-sync`) in
the calling sequence.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from ictus.interchange.failure_words import quoted, says_all_is_well, says_failure
from ictus.interchange.imb_head import ImbHead, head_in, instant, options
from ictus.interchange.imb_table import COLUMNS, ImbDatatypes, ImbTable
from ictus.interchange.imb_writing import write_imb
from ictus.interchange.operations import datatype, word
from ictus.interchange.output_line import OutputLine, OutputText
from ictus.interchange.row_form import begins_like_row, check_form, ends_with_row, is_damaged_row
from ictus.interchange.start_command import StartCommand, StatedCount, agreed_count, start_command
from ictus.interchange.suite import CaseList, PrintedLaunch, ReadRequest, Suite, launches_in
from ictus.model.errors import UsageError
from ictus.model.sample import REJECTED

_OTHER_SUITES = re.compile(r"#\s*OSU\s.*(?:Test|v\d)|#Command-Line Arguments|# nThread \d+ nGpus")
_DATE = re.compile(r"#\s*Date\s*:\s*(.+?)\s*$")
_BENCHMARK = re.compile(r"#\s*Benchmarking\s+(Multi-)?(\S+)")
_TYPE = re.compile(r"#\s*MPI_(Datatype|Op)(\s+for reductions)?\s*:\s*(MPI_\w+)")
_CALLING = re.compile(r"#\s*Calling sequence was")
_THREADS = re.compile(r"#\s*MPI Thread Environment:\s*(\S+)")
_ENDED = re.compile(r"#\s*All processes entering MPI_Finalize")
_NOTHING_DONE = re.compile(r"#\s*NO SUCCESSFUL EXECUTIONS")
_NOT_MEASURED = re.compile(r"(out-of-mem|int-overflow|time-out)\.?")
_WRONG = re.compile(r"\bError\s+\w+\s*,\s*size\s*=\s*(\d+)")
_CHECK_FAILED = re.compile(r"CHECK FAILURES|invalid buffer", re.IGNORECASE)
_IGNORED = re.compile(r"WARNING:?\s.*data_type\s+\S+\s+is ignored for\s+(.+?)\s*$", re.IGNORECASE)


@dataclass
class _ImbLaunch:
    """A launch, while its lines are read."""

    first: OutputLine
    version: str
    program: str
    begin: int
    command: StartCommand | None
    started: str = "unknown"
    label: str | None = None
    kinds: ImbDatatypes = field(default_factory=ImbDatatypes)
    options: dict[str, str] = field(default_factory=dict)
    calling: bool = False
    """Whether the next comment is the calling sequence."""
    table: ImbTable | None = None
    stated: list[StatedCount] = field(default_factory=list)
    cases: CaseList = field(default_factory=CaseList)
    warnings: list[str] = field(default_factory=list)
    incomplete: str = ""
    ended: bool = False
    error: UsageError | None = None

    def take(self, line: OutputLine) -> None:
        """Read a line that is neither empty nor of another launch."""
        if self.error is not None:
            return
        try:
            if line.words[0] in COLUMNS:
                if self.table is None:
                    raise line.error("a line of columns without '# Benchmarking' and '# #processes' above it")
                self.table.begin_rows(line)
                self._count(self.table, line)
            elif line.is_comment:
                self._comment(line)
            else:
                self._text(line)
        except UsageError as error:
            self.error = error

    def fail(self, line: OutputLine, why: str = "") -> None:
        """Note the first words of failure."""
        self.incomplete = self.incomplete or f"line {line.number}: {why or quoted(line.text)}"

    def _count(self, table: ImbTable, line: OutputLine) -> None:
        total = table.total
        stated_total = self.stated[0].n if self.stated else None
        if stated_total not in (None, total):
            raise line.error(f"{total} processes in all, an earlier table of this launch has {stated_total}")
        if total is not None and not self.stated:
            self.stated.append(StatedCount(total, table.counted or line))

    def _comment(self, line: OutputLine) -> None:
        text = line.text.strip()
        benchmark, kind, ours = _BENCHMARK.match(text), _TYPE.match(text), line.said_by_export
        date, threads = _DATE.match(text), _THREADS.match(text)
        if self.table is not None and self.table.header is not None and ends_with_row(len(self.table.columns), text):
            raise line.error(f"a row stands behind a comment: '{quoted(text)}'")
        if benchmark:
            self.table = ImbTable(benchmark[2], bool(benchmark[1]), line)
        elif _ENDED.match(text):
            self.ended, self.table = True, None
        elif self.table is not None and _NOTHING_DONE.match(text):
            self.fail(line, f"{self.table.name} has no successful execution")
        elif ours:
            self.label = ours.get("label")
        elif self.table is not None and self.table.last is None:
            self.table.take(line)
        elif date:
            self.started = instant(date[1])
        elif kind:
            self._kind(kind[1], kind[3], reduces=kind[2] is not None)
        elif threads:
            self.options["thread_level"] = word(threads[1])
        elif _CALLING.match(text):
            self.calling = True
        elif self.calling and text.strip("# "):
            self.calling = False
            self.options |= options(text.strip("# ").split()[1:])

    def _kind(self, what: str, name: str, *, reduces: bool) -> None:
        if what == "Op":
            self.kinds = replace(self.kinds, operator=word(name.removeprefix("MPI_")))
        elif reduces:
            self.kinds = replace(self.kinds, reduced=datatype(name))
        else:
            self.kinds = replace(self.kinds, moved=datatype(name))

    def _text(self, line: OutputLine) -> None:
        ignored, wrong = _IGNORED.search(line.text), _WRONG.search(line.text)
        if ignored:
            names = tuple(name.strip(" .,").lower() for name in re.split(r"[,\s]+", ignored[1]))
            self.kinds = replace(self.kinds, ignored=(*self.kinds.ignored, *names))
            self.warnings.append(f"line {line.number}: {quoted(line.text)}")
        elif says_all_is_well(line.text):
            return
        elif self.table is None or self.table.header is None:
            if says_failure(line.text):
                self.fail(line)
            elif self.table is not None and begins_like_row(line.text):
                raise line.error(f"a row of '{self.table.name}' without a line of columns: this form is not read")
        elif wrong or _CHECK_FAILED.search(line.text):
            self._reject(self.table, None if wrong is None else int(wrong[1]))
            self.fail(line)
        else:
            self._row(self.table, line)

    def _row(self, table: ImbTable, line: OutputLine) -> None:
        """A line inside a table."""
        words = line.words
        failed = _NOT_MEASURED.search(line.text)
        if failed and words[0].isdecimal():
            size = words[1 if table.columns[0] == "Group" else 0]
            why = f"{table.name} of {size} B was not measured: {failed[1]}"
            self.warnings.append(f"line {line.number}: {why}")
            self.fail(line, why)
        elif words[0].isdecimal() and len(words) == len(table.columns):
            check_form(line, table.last)
            case, why = table.case(line, self.options, self.kinds)
            if why:
                self.warnings.append(f"line {line.number}: {why}; its case has no valid sample")
            self.cases.add(case, line)
            table.last = line
        elif ends_with_row(len(table.columns), line.text) and not words[0].isdecimal():
            raise line.error(f"a row stands behind other words, or is damaged: '{quoted(line.text)}'")
        elif says_failure(line.text):
            self.fail(line)
        elif is_damaged_row(len(table.columns), line):
            assert table.header is not None, "rows are read below a header"
            line.cells(table.columns, table.header)
            raise line.error(f"it begins like a row of the table, but is not one: '{quoted(line.text)}'")

    def _reject(self, table: ImbTable, size_bytes: int | None) -> None:
        """A check failed: of the row of this size, which follows or stands above; else of the next one."""
        if size_bytes is None:
            table.next_is_wrong = True
            return
        table.wrong.add(size_bytes)
        table.next_is_wrong = True
        for key, case in self.cases.printed_cases.items():
            if case.size_bytes == size_bytes and case.line > table.line.number and case.samples["flags"][0] == 0:
                samples = case.samples.copy()
                samples["flags"] = REJECTED
                self.cases.printed_cases[key] = replace(case, samples=samples, validated=False)
                table.next_is_wrong = False
                self.warnings.append(f"line {case.line}: the result was wrong; its case has no valid sample")


def read_imb(output: OutputText, request: ReadRequest) -> Sequence[PrintedLaunch]:
    """The launches of a file: one for each line with a version."""
    runs: list[_ImbLaunch] = []
    notes: list[str] = []
    current: _ImbLaunch | None = None
    command: StartCommand | None = None
    for line in output.lines:
        head, started = head_in(line), start_command(line)
        if line.foreign:
            if current is not None and says_failure(line.text):
                current.fail(line)
        elif head is not None or (current is None and _BENCHMARK.match(line.text.strip())):
            begin = line.number if command is None else command.line.number
            current_head = head or ImbHead("unknown", "IMB")
            current = _ImbLaunch(
                line, current_head.version, current_head.program, begin, command, options=dict(current_head.facts)
            )
            command = None
            runs.append(current)
            if head is None:
                current.take(line)
        elif _OTHER_SUITES.match(line.text):
            notes.append(f"line {line.number}: output of another suite is left out")
            current = None
        elif started is not None and not (current is not None and line.is_comment):
            current, command = None, started
        elif current is not None and line.text.strip():
            current.take(line)
    if not runs:
        raise output.nothing_found("Intel MPI Benchmarks", "#    Intel(R) MPI Benchmarks")
    ends = [*(run.begin for run in runs[1:]), None]
    read = [_launch(run, output.between(run.begin, end), request) for run, end in zip(runs, ends, strict=True)]
    return launches_in(read, notes)


def _launch(run: _ImbLaunch, text: str, request: ReadRequest) -> PrintedLaunch | UsageError:
    if run.error is not None:
        return run.error
    if not run.cases.printed_cases:
        why = f" ({run.incomplete})" if run.incomplete else ""
        return run.first.error(f"no row of numbers follows this line: the program ended early{why}")
    if run.command is not None and run.command.n is not None:
        run.stated.append(StatedCount(run.command.n, run.command.line))
    n = agreed_count(run.stated, request.n, "this launch")
    assert n is not None, "a table says how many"
    silent = f"line {run.first.number}: the output ends without 'All processes entering MPI_Finalize'"
    return PrintedLaunch(
        program=run.program,
        version=run.version,
        line=run.first.number,
        n=n,
        cases=tuple(run.cases.printed_cases.values()),
        text=text,
        started=run.started,
        warnings=tuple(run.warnings),
        label=run.label,
        incomplete=run.incomplete or ("" if run.ended else silent),
        started_with="" if run.command is None else run.command.started_with,
    )


IMB = Suite(
    name="imb",
    title="Intel MPI Benchmarks",
    read=read_imb,
    unknown=("single calls",),
    write=write_imb,
    adapts_calls=True,
)
