"""`imb`: Intel MPI Benchmarks, all tables of MPI-1, NBC, RMA, EXT and IO. A line with the version begins a launch.

    #    Intel(R) MPI Benchmarks 2021.11, MPI-1 part
    # Benchmarking Bcast
    # #processes = 2
           #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]
                8          200         0.15         0.17         0.16

t_min, t_max and t_avg are over processes, of each one's mean over the repetitions; t is the largest. A table of fewer
processes than the launch has is one of `comm first(...)`: the others wait. With `-multi` groups measure at the same
time, which is a benchmark of its own here, as is what overlaps (t_pure there is of one process alone). Sizes are those
of a block where an operation has blocks, of reduce_scatter the total.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from ictus.interchange.operations import WHOLE_IS_PRINTED, collective, own_name
from ictus.interchange.output_line import OutputLine, OutputText
from ictus.interchange.suite import (
    MICRO,
    CaseList,
    ExportedCase,
    ExportedLaunch,
    PrintedCase,
    PrintedLaunch,
    ReadRequest,
    Suite,
    WrittenOutput,
    one_sample,
)

_VERSION = re.compile(r"#\s+Intel\s*\(R\) MPI Benchmarks\s+(.+?),?\s+(\S+) part\s*$")
_DATE = re.compile(r"#\s*Date\s*:\s*(.+?)\s*$")
_BENCHMARK = re.compile(r"#\s*Benchmarking\s+(Multi-)?(\S+)")
_PROCESSES = re.compile(r"#\s*#processes = (\d+)")
_GROUPS = re.compile(r"#\s*\(\s*(\d+) groups of (\d+) processes")
_WAITING = re.compile(r"#\s*\(\s*(\d+) additional process")
_MODE = re.compile(r"#\s*MODE:\s*(\S+)")
_FAILED = re.compile(r"(out-of-mem|int-overflow|time-out)\.?")
_COLUMNS = {
    "Group", "#bytes", "#repetitions", "t[usec]", "t_min[usec]", "t_max[usec]", "t_avg[usec]", "t_ovrl[usec]",
    "t_pure[usec]", "t_CPU[usec]", "overlap[%]", "Mbytes/sec", "Msg/sec", "defects",
}  # fmt: skip
_SAME = {"sendrecv": "sendrecv_ring", "exchange": "exchange"}
"""Benchmarks that are no collectives, and are the same call as an operation of ours."""
_REDUCING = ("reduce", "accumulate")


@dataclass
class _Run:
    """What lines say of the launch, and of the table that is being read."""

    first: OutputLine
    version: str
    program: str
    started: str = "unknown"
    label: str | None = None
    name: str = ""
    multi: bool = False
    mode: str = ""
    processes: int | None = None
    groups: int = 1
    waiting: int = 0
    header: OutputLine | None = None
    n: int | None = None
    cases: CaseList = field(default_factory=CaseList)
    warnings: list[str] = field(default_factory=list)

    def begin_table(self, multi: str | None, name: str) -> None:
        """A benchmark begins; nothing of the one before holds."""
        self.name, self.multi, self.mode = name, bool(multi), ""
        self.processes, self.groups, self.waiting, self.header = None, 1, 0, None


def read_imb(output: OutputText, request: ReadRequest) -> Sequence[PrintedLaunch]:
    """The launches of a file: one for each line with a version."""
    runs: list[_Run] = []
    for line in output.lines:
        version = _VERSION.match(line.text)
        if version:
            runs.append(_Run(line, version[1], f"IMB-{version[2].replace('-', '')}"))
        elif runs and line.words and (line.words[0] in _COLUMNS):
            _header(runs[-1], line)
        elif runs and line.text.lstrip().startswith("#"):
            _comment(runs[-1], line)
        elif runs and runs[-1].header is not None and line.words and line.words[0].isdigit():
            _row(runs[-1], line)
    if not runs:
        raise output.nothing_found("Intel MPI Benchmarks", "#    Intel(R) MPI Benchmarks")
    ends = [*(run.first.number for run in runs[1:]), None]
    return [_launch(run, output.between(run.first.number, end), request) for run, end in zip(runs, ends, strict=True)]


def _comment(run: _Run, line: OutputLine) -> None:
    """Take what a line that begins with # says."""
    text = line.text.strip()
    benchmark, date, ours = _BENCHMARK.match(text), _DATE.match(text), line.said_by_export
    if benchmark:
        run.begin_table(benchmark[1], benchmark[2])
    elif date:
        run.started = instant(date[1])
    elif ours:
        run.label = ours.get("label")
    for pattern, name in ((_PROCESSES, "processes"), (_WAITING, "waiting")):
        found = pattern.match(text)
        if found:
            setattr(run, name, int(found[1]))
    groups, mode = _GROUPS.match(text), _MODE.match(text)
    if groups:
        run.groups, run.processes = int(groups[1]), int(groups[2])
    if mode:
        run.mode = mode[1].lower()


def instant(text: str) -> str:
    """`Mon Nov 23 07:44:26 2026` in ISO 8601, without a zone: none is printed; "unknown" for another form."""
    try:
        return datetime.strptime(text, "%a %b %d %H:%M:%S %Y").isoformat()  # noqa: DTZ007 (no zone is known)
    except ValueError:
        return "unknown"


def _header(run: _Run, line: OutputLine) -> None:
    strange = next((word for word in line.words if word not in _COLUMNS), None)
    if strange is not None:
        raise line.error(f"unknown column '{strange}'")
    if not run.name or run.processes is None:
        raise line.error("a line of columns without '# Benchmarking' and '# #processes' above it")
    total = run.processes * run.groups + run.waiting
    if run.n not in (None, total):
        raise line.error(f"{total} processes in all, an earlier table of this launch has {run.n}")
    run.n, run.header = total, line


def _row(run: _Run, line: OutputLine) -> None:
    """Add the case of a row; a size that was not measured becomes a warning."""
    assert run.header is not None, "rows are read below a header"
    columns = run.header.words
    failed = _FAILED.search(line.text)
    if failed:
        size = line.words[1 if columns[0] == "Group" else 0]
        run.warnings.append(f"line {line.number}: {run.name} of {size} B was not measured: {failed[1]}")
        return
    cells = line.cells(columns, run.header)
    size_bytes = line.count_of(cells["#bytes"], "#bytes") if "#bytes" in cells else 0
    times_s, headline, number = _times(run, dict(cells), size_bytes, line)
    wrong = line.number_of(cells.get("defects", "0"), "defects") > 0
    if wrong or not times_s:
        why = f"the result was wrong (defects {cells.get('defects')})" if wrong else "its rate is 0"
        run.warnings.append(f"line {line.number}: {why}; its case has no valid sample")
    operation = _operation(run, columns, cells.get("Group"))
    plain = operation.removeprefix("i")
    run.cases.add(
        PrintedCase(
            operation=operation,
            size_bytes=size_bytes,
            datatype="float" if any(one in run.name.lower() for one in _REDUCING) else "byte",
            line=line.number,
            headline=headline,
            samples=one_sample(valid=not wrong and bool(times_s), **(times_s or {headline: 0.0})),
            number=number,
            calls=line.count_of(cells["#repetitions"], "#repetitions"),
            whole_is_printed=plain in WHOLE_IS_PRINTED,
            together=run.processes if run.waiting and run.groups == 1 else None,
            validated="defects" in cells and not wrong,
        ),
        line,
    )


def _times(run: _Run, cells: dict[str, str], size_bytes: int, line: OutputLine) -> tuple[dict[str, float], str, str]:
    """The fields of a sample, empty for a rate of 0; which is the number of the launch; and what that is."""

    def seconds(column: str) -> float:
        return line.number_of(cells[column], column, MICRO)

    if "t_avg[usec]" in cells:
        fields = {"local_mean": "t_avg[usec]", "local_min": "t_min[usec]", "local_max": "t_max[usec]"}
        found = {name: seconds(column) for name, column in fields.items() if column in cells}
        mean = "the mean over processes of each one's mean of {calls} calls"
        return found, "local_mean", f"t_avg[usec] as printed, {mean}"
    if "t_pure[usec]" in cells:
        pure = "the mean of {calls} calls of the process that overlaps longest"
        return {"local_mean": seconds("t_pure[usec]")}, "local_mean", f"t_pure[usec] as printed, {pure}"
    if "t[usec]" in cells:
        half = "half of " if run.name.lower().startswith("pingpong") else ""
        longest = f"{half}the largest over processes of each one's mean of {{calls}} calls"
        return {"local_max": seconds("t[usec]")}, "local_max", f"t[usec] as printed, {longest}"
    column, amount = ("Msg/sec", 1) if "Msg/sec" in cells else ("Mbytes/sec", size_bytes)
    rate = line.number_of(cells[column], column, 0 if column == "Msg/sec" else 6)
    number = f"{'1' if amount == 1 else 'size'} over {column} as printed, the time of a message"
    return ({"local_max": amount / rate} if rate else {}), "local_max", number


def _operation(run: _Run, columns: Sequence[str], group: str | None) -> str:
    """Our operation for a benchmark, or the benchmark's own name with what it is about."""
    name = run.name.lower()
    overlaps = "t_pure[usec]" in columns
    plain = name.removesuffix("_pure")
    form = "nonblocking" if plain.startswith("i") and collective(plain[1:]) else "blocking"
    ours = collective(plain[1:] if form == "nonblocking" else plain, form) or _SAME.get(name)
    if ours is not None and not run.multi and not overlaps and not run.mode:
        return ours
    about: dict[str, object] = {"mode": run.mode.replace("-", "_")} if run.mode else {}
    if run.multi:
        about |= {"groups": run.groups} | ({"group": group} if group is not None else {})
    return own_name("imb", f"multi_{name}" if run.multi else name, **about)


def _launch(run: _Run, text: str, request: ReadRequest) -> PrintedLaunch:
    if not run.cases.found or run.n is None:
        raise run.first.error("no row of numbers follows this line: the program ended early")
    if request.n not in (None, run.n):
        raise run.first.error(f"this launch has {run.n} processes, -n says {request.n}; leave -n out")
    return PrintedLaunch(
        program=run.program,
        version=run.version,
        line=run.first.number,
        n=run.n,
        cases=tuple(run.cases.found.values()),
        text=text,
        started=run.started,
        warnings=tuple(run.warnings),
        label=run.label,
    )


_PAIR = "imb_pingpong"
_BENCHMARKS = {
    **{
        name: name.capitalize()
        for name in (
            "allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "barrier", "bcast", "exchange", "gather",
            "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block", "scatter", "scatterv",
        )
    },
    "sendrecv_ring": "Sendrecv",
    _PAIR: "PingPong",
}  # fmt: skip
"""IMB's names, by operation."""
_MESSAGES = {"sendrecv_ring": 2, "exchange": 4}
"""Messages of a repetition whose bytes IMB counts in Mbytes/sec."""
_WIDTH = 13


def write_imb(launch: ExportedLaunch) -> WrittenOutput:
    """A launch in the form of IMB-MPI1 2021."""
    tables: dict[str, list[ExportedCase]] = {}
    left_out: dict[str, None] = {}
    for case in launch.cases:
        needed = (case.max_s,) if case.operation == _PAIR else (case.min_s, case.max_s, case.mean_s)
        if case.operation in _BENCHMARKS and None not in needed:
            tables.setdefault(case.operation, []).append(case)
        else:
            left_out.setdefault(case.operation)
    lines = ["#    Intel(R) MPI Benchmarks 2021.11, MPI-1 part", f"# ictus: label={launch.label}"]
    if launch.started != "unknown":
        moment = datetime.fromisoformat(launch.started)
        lines.append(f"# Date                  : {moment.strftime('%a %b %d %H:%M:%S %Y')}")
    for operation, rows in tables.items():
        lines += ["", *_written(operation, launch.n, rows)]
    text = "\n".join((*lines, "", "", "# All processes entering MPI_Finalize", ""))
    return WrittenOutput(text if tables else "", tuple(left_out))


def _written(operation: str, n: int, rows: Sequence[ExportedCase]) -> Iterator[str]:
    """One table."""
    times = ["t[usec]"] if operation == _PAIR else ["t_min[usec]", "t_max[usec]", "t_avg[usec]"]
    rates = ["Mbytes/sec"] if operation in (_PAIR, *_MESSAGES) else []
    sizes = [] if operation == "barrier" else ["#bytes"]
    columns = [*sizes, "#repetitions", *times, *rates]
    rule = f"#{'-' * (_WIDTH * len(columns) - 1)}"
    yield from (rule, f"# Benchmarking {_BENCHMARKS[operation]} ", f"# #processes = {n} ", rule)
    yield "".join(f"{name:>{_WIDTH}}" for name in columns)
    for row in rows:
        longest = row.max_s or 0.0
        shown = [longest] if operation == _PAIR else [row.min_s or 0.0, longest, row.mean_s or 0.0]
        moved = row.size_bytes * _MESSAGES.get(operation, 1)
        rate = [moved / longest / 1e6 if longest else 0.0] if rates else []
        numbers = [f"{1e6 * one:.4f}" for one in shown] + [f"{one:.2f}" for one in rate]
        whole = [*([row.size_bytes] if sizes else []), row.calls]
        yield "".join(f"{one:>{_WIDTH}}" for one in (*whole, *numbers))


IMB = Suite(
    name="imb",
    title="Intel MPI Benchmarks",
    read=read_imb,
    unknown=("single calls",),
    write=write_imb,
)
