"""`osu`: OSU Micro-Benchmarks, one program an operation. A title line begins the output of a launch.

    # OSU MPI Broadcast Latency Test v7.4
    # Datatype: MPI_CHAR.
    # Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations
    4                       0.39              0.35              0.43         200

Average, minimum and maximum of a collective are over processes, of each one's mean over the calls. Percentiles are of
the calls, each the mean over processes. The number of processes is nowhere in the output. Sizes are those of a block
where an operation has blocks, of reduce_scatter the total.

A latency between two processes is half a round trip, and stays it: no operation of ours is that, so it keeps the name
`osu_latency`. Of bandwidths the time of a message is computed, so that all numbers are times and a shorter one is the
better one.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ictus.interchange.operations import WHOLE_IS_PRINTED, collective, datatype, own_name, word
from ictus.interchange.suite import (
    MICRO,
    UNKNOWN_CALLS,
    CaseList,
    ExportedCase,
    ExportedLaunch,
    OutputLine,
    OutputText,
    PrintedCase,
    PrintedLaunch,
    ReadRequest,
    Suite,
    WrittenOutput,
    one_sample,
)

_TITLE = re.compile(r"#\s*(OSU\s.+?)\s+v?(\d[\w.-]*)\s*$")
_DATATYPE = re.compile(r"#\s*Datatype:\s*(\w+)")
_FACTS = (
    (re.compile(r"#\s*Window creation:\s*(\w+)"), "window"),
    (re.compile(r"#\s*Synchronization:\s*(\w+)"), "synchronization"),
    (re.compile(r"\[\s*pairs:\s*(\d+)\s*\]"), "pairs"),
    (re.compile(r"\[\s*window size:\s*(\d+)\s*\]"), "messages"),
)
"""Lines below the title that say what is measured, and the parameter that each becomes."""

_AVERAGES = ("Avg Latency(us)", "Latency (us)", "Pure Comm.(us)")
_BANDWIDTHS = ("Bandwidth (MB/s)", "MB/s")
_RATE = "Messages/s"
_SMALLEST = ("Min Latency(us)", "Min Comm.(us)")
_LARGEST = ("Max Latency(us)", "Max Comm.(us)")
_PERCENTILE = r"P\d+ Tail (?:Lat\(us\)|BW\(MB/s\))"
_NAMES = (
    "Transmit Size", "Size", *_AVERAGES, *_SMALLEST, *_LARGEST, "Iterations", "Validation", "Overall(us)",
    "Compute(us)", "Coll. Init(us)", "Init(us)", "MPI_Test(us)", "MPI_Wait(us)", "Overlap(%)", "Bandwidth (MB/s)",
    "MB/s", _RATE,
)  # fmt: skip
_COLUMN = re.compile("|".join((_PERCENTILE, *sorted(map(re.escape, _NAMES), key=len, reverse=True))))

_WORDS = {
    "broadcast": "bcast",
    "all-to-all": "alltoall",
    "all-to-allv": "alltoallv",
    "all-to-allw": "alltoallw",
}
_OF_TITLES = re.compile(r"non-?blocking|persistent|personalized exchange|latency|test|collective")
_PROGRAMS = {
    "latency": "latency",
    "bandwidth": "bw",
    "bi-directional bandwidth": "bibw",
    "multiple bandwidth / message rate": "mbw_mr",
    "multi latency": "multi_lat",
    "multi-threaded latency": "latency_mt",
    "multi-process latency": "latency_mp",
}
"""Programs by what their titles say, where it is not a collective."""


@dataclass
class _Table:
    """What lines above a row say of it."""

    title: OutputLine
    program: str
    version: str
    datatype: str = "char"
    facts: Mapping[str, str] = field(default_factory=dict)
    header: OutputLine | None = None
    columns: tuple[str, ...] = ()
    label: str | None = None
    n: int | None = None
    started: str = "unknown"


def read_osu(output: OutputText, request: ReadRequest) -> Sequence[PrintedLaunch]:
    """The launches of a file: one for each title."""
    tables: list[tuple[_Table, CaseList, list[str]]] = []
    for line in output.lines:
        title = _TITLE.match(line.text.strip())
        if title:
            tables.append((_Table(line, title[1], title[2]), CaseList(), []))
        elif tables and line.text.lstrip().startswith("#"):
            _comment(tables[-1][0], line)
        elif tables and line.words and line.words[0].replace(".", "", 1).isdigit():
            table, cases, warnings = tables[-1]
            for case in _row(table, line, request, warnings):
                cases.add(case, line)
    if not tables:
        raise output.nothing_found("OSU Micro-Benchmarks", "# OSU")
    ends = [*(table.title.number for table, _, _ in tables[1:]), None]
    return [
        _launch(table, cases, warnings, output.between(table.title.number, end), request)
        for (table, cases, warnings), end in zip(tables, ends, strict=True)
    ]


def _comment(table: _Table, line: OutputLine) -> None:
    """Take what a line that begins with # says of the rows below it."""
    text = line.text.strip()
    told, kind = line.said_by_export, _DATATYPE.match(text)
    if told:
        table.label, table.started = told.get("label"), told.get("started", "unknown")
        table.n = line.count_of(told["n"], "n") if "n" in told else None
        return
    if kind:
        table.datatype = "char" if kind[1] == "MPI_CHAR" else datatype(kind[1])
        return
    for pattern, name in _FACTS:
        found = pattern.search(text)
        if found:
            table.facts = {**table.facts, name: word(found[1])}
    columns = tuple(_COLUMN.findall(text))
    if columns and any(one in columns for one in (*_AVERAGES, *_BANDWIDTHS)):
        strange = _COLUMN.sub("", text).replace("#", "").strip()
        if strange:
            raise line.error(f"unknown column '{strange}'")
        table.header, table.columns = line, columns


def _row(table: _Table, line: OutputLine, request: ReadRequest, warnings: list[str]) -> Iterator[PrintedCase]:
    if table.header is None:
        raise line.error("a row of numbers without a line of columns above it")
    cells = line.cells(table.columns, table.header)
    size_bytes = line.count_of(cells["Size"], "Size") if "Size" in cells else 0
    calls = line.count_of(cells["Iterations"], "Iterations") if "Iterations" in cells else UNKNOWN_CALLS
    column = _chosen(table, request, line)
    value, says = _time(column, cells, size_bytes, line)
    wrong = cells.get("Validation", "Pass").lower() not in ("pass", "-")
    if wrong or value is None:
        why = "the result was wrong (Validation)" if wrong else f"{column} is 0"
        warnings.append(f"line {line.number}: {why}; its case has no valid sample")
    times = {"local_mean": value or 0.0}
    if column in _AVERAGES:
        for metric, names in (("local_min", _SMALLEST), ("local_max", _LARGEST)):
            name = next((one for one in names if one in cells), None)
            if name is not None:
                times[metric] = line.number_of(cells[name], name, MICRO)
    operation = _operation(table)
    yield PrintedCase(
        operation=operation,
        size_bytes=size_bytes,
        datatype=table.datatype,
        line=line.number,
        headline="local_mean",
        samples=one_sample(valid=not wrong and value is not None, **times),
        number=f"{says} as printed, {_meaning(operation, column)}",
        calls=calls,
        statistic=request.statistic or "mean",
        whole_is_printed=operation.removeprefix("i").removesuffix("_init") in WHOLE_IS_PRINTED,
        validated="Validation" in cells and not wrong,
    )


def _chosen(table: _Table, request: ReadRequest, line: OutputLine) -> str:
    """The column with the number of the launch. Raises UsageError where there is none of the wanted statistic."""
    wanted = request.statistic or "mean"
    if wanted == "mean":
        rate: tuple[str, ...] = (_RATE,) if _RATE in table.columns else ()
        return next(one for one in (*rate, *table.columns) if one in (*rate, *_AVERAGES, *_BANDWIDTHS))
    found = next((one for one in table.columns if one.startswith(f"{wanted.upper()} Tail")), None)
    if found is None:
        raise line.error(f"no column '{wanted.upper()} Tail ...' in line {table.header.number if table.header else 0}")
    return found


def _time(column: str, cells: Mapping[str, str], size_bytes: int, line: OutputLine) -> tuple[float | None, str]:
    """Seconds of a column, None for a rate of 0; and in words where they come from."""
    if "(us)" in column:
        return line.number_of(cells[column], column, MICRO), column
    rate = line.number_of(cells[column], column, 0 if column == _RATE else 6)
    amount = 1 if column == _RATE else size_bytes
    return (amount / rate if rate else None), f"{'1' if column == _RATE else 'size'} over {column}"


def _meaning(operation: str, column: str) -> str:
    """What a column is, `{calls}` for the number of calls."""
    if "(us)" not in column:
        return "the time of a message"
    if re.match(r"P\d", column):
        return f"the {column.partition(' ')[0].lower()} of {{calls}} calls, each the mean over processes"
    if operation.startswith("osu_latency"):
        return "half the mean round trip of {calls} calls"
    whose = "the mean" if operation.startswith("osu_") else "the mean over processes of each one's mean"
    return f"{whose} of {{calls}} calls"


def _operation(table: _Table) -> str:
    """Our operation for a title, or the program's own name."""
    title = re.sub(r"^OSU\s+(MPI(-\w+)?\s+)?", "", table.program, flags=re.IGNORECASE).lower()
    form = "nonblocking" if re.search(r"non-?blocking", title) else "blocking"
    form = "persistent" if "persistent" in title else form
    about = _OF_TITLES.sub(" ", title).split()
    found = collective(_WORDS.get(about[0], about[0]), form) if len(about) == 1 else None
    if found is not None and not table.facts:
        return found
    plain = " ".join(title.removesuffix("test").split())
    return own_name("osu", _PROGRAMS.get(plain, plain), **table.facts)


def _launch(table: _Table, cases: CaseList, warnings: Sequence[str], text: str, request: ReadRequest) -> PrintedLaunch:
    if not cases.found:
        raise table.title.error("no row of numbers follows this title: the program ended early")
    n = table.n or request.n
    if n is None:
        raise table.title.error("OSU does not print the number of processes; say it with -n")
    return PrintedLaunch(
        program=table.program,
        version=table.version,
        line=table.title.number,
        n=n,
        cases=tuple(cases.found.values()),
        text=text,
        started=table.started,
        warnings=tuple(warnings),
        label=table.label,
    )


_TITLES = {
    **{name: name.capitalize() for name in ("allgather", "allgatherv", "allreduce", "barrier", "gather", "gatherv")},
    **{name: name.capitalize() for name in ("reduce", "reduce_scatter", "reduce_scatter_block", "scatter", "scatterv")},
    "bcast": "Broadcast",
    "alltoall": "All-to-All Personalized Exchange",
    "alltoallv": "All-to-Allv Personalized Exchange",
    "alltoallw": "All-to-Allw Personalized Exchange",
    "osu_latency": "",
}
"""Titles without `Latency Test`, by operation."""


def write_osu(launch: ExportedLaunch) -> WrittenOutput:
    """All tables of a launch, one below the other, in the full form. The version of OSU is that whose form it is."""
    known = [case for case in launch.cases if case.operation in _TITLES and case.mean_s is not None]
    tables: dict[tuple[str, str], list[ExportedCase]] = {}
    for case in known:
        tables.setdefault((case.operation, case.datatype), []).append(case)
    parts = ["\n".join(_written(launch, *key, rows)) for key, rows in tables.items()]
    left_out = tuple(dict.fromkeys(case.operation for case in launch.cases if case not in known))
    return WrittenOutput("\n".join(parts), left_out)


def _written(launch: ExportedLaunch, operation: str, kind: str, rows: Sequence[ExportedCase]) -> Iterator[str]:
    title = " ".join(("# OSU MPI", *_TITLES[operation].split(), "Latency Test v7.4"))
    started = "" if launch.started == "unknown" else f" started={launch.started}"
    full = all(row.min_s is not None and row.max_s is not None for row in rows)
    counted = all(row.calls != UNKNOWN_CALLS for row in rows)
    yield title
    yield f"# ictus: label={launch.label} n={launch.n}{started}"
    yield f"# Datatype: MPI_{kind.upper()}."
    columns = ["Avg Latency(us)", *(("Min Latency(us)", "Max Latency(us)") if full else ())]
    size = "# " if operation == "barrier" else f"{'# Size':<10}"
    yield size + "".join(f"{one:>18}" for one in columns) + (f"{'Iterations':>12}" if counted else "")
    for row in rows:
        times = (row.mean_s, *((row.min_s, row.max_s) if full else ()))
        first = "" if operation == "barrier" else f"{row.size_bytes:<10}"
        numbers = "".join(f"{1e6 * (one or 0.0):>18.4f}" for one in times)
        yield first + numbers + (f"{row.calls:>12}" if counted else "")
    yield ""


OSU = Suite(
    name="osu",
    title="OSU Micro-Benchmarks",
    read=read_osu,
    unknown=("single calls",),
    statistics=("mean", "p50", "p90", "p95", "p99"),
    write=write_osu,
)
