"""`nccl`: nccl-tests and rccl-tests, one program an operation (`all_reduce_perf`). `# nThread 1 nGpus 1 ...` begins the
output of a launch.

    #       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
            1048576   262144     float     sum      -1   339.61    3.09    3.09       0   335.85    3.12    3.12       0

Buffers are on devices, a process has one or several of them, and the library is not MPI: no operation of ours is that.
So a case is `nccl_all_reduce(buffers=device,place=out)`, and `place=in` for the second time of a row. The time is the
mean over the calls, as rank 0 measured it or, with MPI, averaged over ranks. Sizes are as printed. `#wrong` counts
elements that were not right; N/A says that nothing was checked. Processes are ranks, one for each device.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ictus.interchange.failure_words import quoted, says_all_is_well, says_failure
from ictus.interchange.operations import header_fact, own_name, with_facts, word
from ictus.interchange.output_line import OutputLine, OutputText
from ictus.interchange.row_form import check_not_cut, ends_with_row, is_damaged_row
from ictus.interchange.start_command import RequestError, StartCommand, StatedCount, agreed_count, start_command
from ictus.interchange.suite import (
    MICRO,
    UNKNOWN_CALLS,
    CaseList,
    PrintedCase,
    PrintedLaunch,
    ReadRequest,
    Suite,
    launches_in,
    one_sample,
)
from ictus.model.errors import UsageError

_BEGIN = re.compile(r"#\s*nThreads?:?\s+(\d+)\s+nGpus:?\s+(\d+)\s+(.*)$", re.IGNORECASE)
_PROGRAM = re.compile(r"(?:\S*[$>%+]\s*)?(?:\w+=\S+\s+)*(?:\S*/)?(\w+)_perf(?:_mpi)?(?:\s|$)")
_STARTING = re.compile(r"#\s*Collective test starting:\s*(\w+?)_perf")
_TESTS = re.compile(r"#\s*nccl-tests version\s")
_VERSION = re.compile(r"(?:#\s*(?:nccl-tests\s+version|NCCL version)|NCCL version|rccl-tests:\s*Version)\s+(\S+)")
_RANK = re.compile(r"#\s*Rank\s+(\d+)\b")
_HEADER = re.compile(r"#\s*size\s+count\b")
_ITERATIONS = re.compile(r"(?<!warmup )(?<!agg )iters:?\s+(\d+)")
_SETTINGS = re.compile(r"(agg iters|graph|unalign|blocking|parallel_init):?\s+(\d+)")
_ENDED = re.compile(r"#\s*(?:Avg bus bandwidth|Out of bounds values|Errors with asterisks)")
_OUT_OF_BOUNDS = re.compile(r"#\s*Out of bounds values\s*:\s*(\d+)\s+(\w+)")
_SAYS_NOTHING = re.compile(
    r"#\s*$|#\s*(?:Using devices|Rank\s|\(B\)|out-of-place|in-place|Avg bus|Out of bounds|Collective test|nccl-tests"
    r"|NCCL version)",
    re.IGNORECASE,
)
_COLUMNS = ("size", "count", "type", "redop", "root")
_OLD_COLUMNS = ("time", "algbw", "busbw", "#wrong")
_PLACES = ("out", "in")
_WORDS = {"out": "out of place", "in": "in place"}
_UNCHECKED = ("N/A", "n/a", "-")


@dataclass
class _NcclLaunch:
    """A launch, while its lines are read."""

    first: OutputLine
    begin: int
    name: str
    gpus: int
    settings: str
    command: StartCommand | None
    version: str = "unknown"
    ranks: set[int] = field(default_factory=set)
    header: OutputLine | None = None
    columns: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    cases: CaseList = field(default_factory=CaseList)
    last: OutputLine | None = None
    ended: bool = False
    warnings: list[str] = field(default_factory=list)
    incomplete: str = ""
    error: UsageError | None = None

    def take(self, line: OutputLine) -> None:
        """Read a line; the first error stays."""
        if self.error is None:
            try:
                self._comment(line) if line.is_comment else self._text(line)
            except UsageError as error:
                self.error = error

    def _comment(self, line: OutputLine) -> None:
        text = line.text.strip()
        rank, version, bounds = _RANK.match(text), _VERSION.match(text), _OUT_OF_BOUNDS.match(text)
        if _HEADER.match(text):
            if self.last is not None:
                raise line.error("a second line of columns inside a table")
            self.header, self.columns = line, _columns(line)
        elif rank:
            self.ranks.add(int(rank[1]))
        elif version:
            self.version = version[1]
        elif _ENDED.match(text):
            self.ended = True
            if bounds and (bounds[1] != "0" or bounds[2] != "OK"):
                self.incomplete = self.incomplete or f"line {line.number}: {quoted(text)}"
        elif not _SAYS_NOTHING.match(text) and self.last is None:
            self.unknown = tuple(dict.fromkeys((*self.unknown, word(text))))

    def _text(self, line: OutputLine) -> None:
        version = _VERSION.match(line.text.strip())
        if version:
            self.version = version[1]
        elif says_all_is_well(line.text):
            return
        elif self.header is None or self.ended:
            if says_failure(line.text):
                self.incomplete = self.incomplete or f"line {line.number}: {quoted(line.text)}"
        elif line.words[0].isdecimal() and len(line.words) == len(self.columns):
            check_not_cut(line, self.last)
            cases = list(self._cases(line))
            if cases and not cases[0].size_bytes:  # sizes that are too small for all ranks become 0, each of them
                self.warnings.append(f"line {line.number}: nothing was moved (size 0); the row is left out")
                cases = []
            for case in cases:
                self.cases.add(case, line)
            self.last = line
        elif ends_with_row(len(self.columns) - len(_COLUMNS), line.text) and not line.words[0].isdecimal():
            raise line.error(f"a row stands behind other words, or is damaged: '{quoted(line.text)}'")
        elif says_failure(line.text):
            self.incomplete = self.incomplete or f"line {line.number}: {quoted(line.text)}"
        elif is_damaged_row(len(self.columns), line):
            line.cells(self.columns, self.header)

    def _cases(self, line: OutputLine) -> Iterator[PrintedCase]:
        """Out of place and in place."""
        assert self.header is not None, "rows are read below a header"
        cells = line.cells(self.columns, self.header)
        size = line.count_of(cells["size"], "size")
        line.count_of(cells["count"], "count")
        calls = _ITERATIONS.search(self.settings)
        for buffers in _PLACES:
            if cells.get(f"time {buffers}") in (None, *_UNCHECKED):
                continue
            time_s = line.time_of(cells[f"time {buffers}"], f"time ({_WORDS[buffers]})", MICRO)
            for rate in ("algbw", "busbw"):
                line.number_of(cells[f"{rate} {buffers}"], rate)
            wrong = cells.get(f"#wrong {buffers}", "N/A")
            bad = wrong not in _UNCHECKED and line.number_of(wrong, "#wrong") > 0
            if bad:
                self.warnings.append(
                    f"line {line.number}: the result was wrong (#wrong {wrong}, {_WORDS[buffers]}); its case has no "
                    "valid sample"
                )
            yield PrintedCase(
                operation=with_facts(own_name("nccl", self.name), self._facts(buffers, cells.get("root", "-1"))),
                size_bytes=size,
                datatype=word(cells["type"]),
                operator=word(cells.get("redop", "none")) if cells.get("redop", "none") != "none" else "sum",
                line=line.number,
                headline="local_mean",
                samples=one_sample(valid=not bad, local_mean=time_s),
                number="time as printed, the mean of {calls} calls",
                calls=int(calls[1]) if calls else UNKNOWN_CALLS,
                validated=wrong not in _UNCHECKED and not bad,
            )

    def _facts(self, buffers: str, root: str) -> dict[str, str]:
        facts = {"buffers": "device", "place": buffers}
        facts |= {} if root == "-1" else {"root": root}
        for name, value in _SETTINGS.findall(self.settings):
            if value != ("1" if name == "agg iters" else "0"):
                facts[word(name)] = value
        return {**facts, **({"header": header_fact(self.unknown)} if self.unknown else {})}


def _columns(line: OutputLine) -> tuple[str, ...]:
    """The columns, those that are there twice with the place behind them. UsageError for unknown ones."""
    words = [
        {"error": "#wrong", "wrong": "#wrong"}.get(heading, heading) for heading in line.text.replace("#", " ").split()
    ]
    strange = next((heading for heading in words if heading not in (*_COLUMNS, *_OLD_COLUMNS)), None)
    if strange is not None or "time" not in words:
        raise line.error(f"unknown column '{strange}'" if strange else "no column of times")
    counts: dict[str, int] = {}
    columns = []
    for heading in words:
        occurrence = counts[heading] = counts.get(heading, -1) + 1
        if occurrence >= (1 if heading in _COLUMNS else len(_PLACES)):
            raise line.error(f"column '{heading}' is there too often")
        columns.append(heading if heading in _COLUMNS else f"{heading} {_PLACES[occurrence]}")
    return tuple(columns)


def read_nccl(output: OutputText, request: ReadRequest) -> Sequence[PrintedLaunch]:
    """The launches of a file: one for each line with the settings."""
    runs: list[_NcclLaunch] = []
    current: _NcclLaunch | None = None
    command: StartCommand | None = None
    named, begin, version = "", 0, "unknown"
    for line in output.lines:
        settings, starting = _BEGIN.match(line.text.strip()), _STARTING.match(line.text.strip())
        started, program = start_command(line), None if line.is_comment else _PROGRAM.match(line.text.strip())
        if line.foreign or not line.text.strip():
            if current is not None and says_failure(line.text):
                current.incomplete = current.incomplete or f"line {line.number}: {quoted(line.text)}"
        elif settings:
            name = named or (command.program or "").removesuffix("_mpi").removesuffix("_perf") if command else named
            gpus = int(settings[1]) * int(settings[2])
            current = _NcclLaunch(line, begin or line.number, name, gpus, settings[3], command, version)
            command, named, begin, version = None, "", 0, "unknown"
            runs.append(current)
        elif starting:
            current, named, begin = None, starting[1], begin or line.number
        elif _TESTS.match(line.text.strip()):
            current, begin = None, begin or line.number
            match = _VERSION.match(line.text.strip())
            version = match[1] if match else version
        elif started is not None or program is not None:
            current, command, begin = None, started, line.number
            named = program[1] if program is not None else ""
        elif current is not None:
            current.take(line)
    if not runs:
        raise output.nothing_found("nccl-tests", "# nThread")
    ends = [*(run.begin for run in runs[1:]), None]
    return launches_in(
        [_launch(run, output.between(run.begin, end), request) for run, end in zip(runs, ends, strict=True)]
    )


def _launch(run: _NcclLaunch, text: str, request: ReadRequest) -> PrintedLaunch | UsageError:
    if run.error is not None:
        return run.error
    if not run.cases.printed_cases:
        why = f" ({run.incomplete})" if run.incomplete else ""
        return run.first.error(f"no row of numbers follows this line: the program ended early{why}")
    if not run.name:
        return run.first.error(
            "nothing says which program it is: a line with its command (./build/all_reduce_perf ...), or '# Collective "
            "test starting', must stand above it"
        )
    stated = [StatedCount(len(run.ranks), run.first)] if run.ranks else []
    if run.command is not None and run.command.n is not None:
        stated.append(StatedCount(run.command.n * run.gpus, run.command.line))
    n = agreed_count(stated, request.n, "this launch")
    if n is None:
        raise RequestError(f"{run.first.place}: no line '# Rank ...' says how many ranks there are; say it with -n")
    return PrintedLaunch(
        program=f"{run.name}_perf",
        version=run.version,
        line=run.first.number,
        n=n,
        cases=tuple(run.cases.printed_cases.values()),
        text=text,
        procsync="none",
        clock="unknown",
        warnings=tuple(run.warnings),
        incomplete=run.incomplete
        or ("" if run.ended else f"line {run.first.number}: the output ends without '# Avg bus bandwidth'"),
        started_with="" if run.command is None else run.command.started_with,
    )


NCCL = Suite(
    name="nccl",
    title="nccl-tests",
    read=read_nccl,
    unknown=("single calls",),
    prints_library_version=True,
)
