"""`reprompi`: ReproMPI's mpibenchmark, in its raw, verbose and summary forms. `#Command-Line Arguments` begins
a launch.

    #@nprocs=2
    #@clocksync=HCA3
                                          test       nrep        count    runtime_sec
                                     MPI_Bcast          0            8   0.0000015620

The raw form has one run-time of each repetition: with `runtime_type=global` from the first start to the last end on the
global clock, with `local` the longest of the processes' own durations. The verbose form (-v) has start and end on every
process, so that all metrics of a sample are known. The summary form has statistics of the run-times; one of them is the
number of the launch. `errorcode` is 1 for a start that was missed, 2 for a call that outlasted its window: the flags of
our samples. `count` is one of elements, of a block where an operation has blocks.

A fault of ReproMPI: with -v and more than 3,000 repetitions the global times of those beyond are local ones. They are
left out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ictus.interchange.imb import instant
from ictus.interchange.operations import collective, datatype, own_name, word
from ictus.interchange.output_line import OutputLine, OutputText
from ictus.interchange.suite import (
    CaseList,
    PrintedCase,
    PrintedLaunch,
    ReadRequest,
    Suite,
    one_sample,
    sample_rows,
)
from ictus.model.sample import LATE, LONG, REJECTED

_BEGIN = "#Command-Line Arguments"
_FACT = re.compile(r"#@(\w+)=(.*)")
_DATE = re.compile(r"#\s*Benchmark started at (.+?)\s*$")
_SURE = 3000
"""Repetitions of which the verbose form has global times."""
_STATISTICS = ("median", "mean", "min", "max")
_START, _END, _GLOBAL_START, _GLOBAL_END = "loc_tstart_sec", "loc_tend_sec", "gl_tstart_sec", "gl_tend_sec"
_KNOWN = {
    "process", "test", "nrep", "count", "total_nrep", "valid_nrep", "errorcode", "runtime_sec", _START, _END,
    _GLOBAL_START, _GLOBAL_END, "mean_sec", "median_sec", "min_sec", "max_sec", "var_sec2", "var_sec", "stddev_sec",
}  # fmt: skip

_LONGEST = "the longest of the processes' own durations"

Row = tuple[OutputLine, Mapping[str, str]]


@dataclass
class _Run:
    """What lines say of a launch."""

    first: OutputLine
    command: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    started: str = "unknown"
    header: OutputLine | None = None
    rows: list[Row] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def is_global(self) -> bool:
        """Whether its clocks were synchronised."""
        return self.facts.get("clocksync", "None").lower() != "none"

    @property
    def columns(self) -> list[str]:
        """Those of its table."""
        return [] if self.header is None else self.header.words


def read_reprompi(output: OutputText, request: ReadRequest) -> Sequence[PrintedLaunch]:
    """The launches of a file: one for each line with a command."""
    runs: list[_Run] = []
    for line in output.lines:
        if line.text.startswith(_BEGIN):
            runs.append(_Run(line, line.text.partition(":")[2].strip()))
        elif runs:
            _take(runs[-1], line)
    if not runs:
        raise output.nothing_found("ReproMPI", _BEGIN)
    ends = [*(run.first.number for run in runs[1:]), None]
    return [_launch(run, output.between(run.first.number, end), request) for run, end in zip(runs, ends, strict=True)]


def _take(run: _Run, line: OutputLine) -> None:
    fact, date = _FACT.match(line.text), _DATE.match(line.text)
    if fact:
        run.facts[fact[1]] = fact[2].strip()
    elif date:
        run.started = instant(date[1])
    elif line.words and line.words[0] in ("test", "process"):
        strange = next((name for name in line.words if name not in _KNOWN), None)
        if strange is not None:
            raise line.error(f"unknown column '{strange}'")
        run.header = line
    elif line.words and not line.text.startswith("#") and run.header is not None:
        run.rows.append((line, line.cells(run.columns, run.header)))


def _launch(run: _Run, text: str, request: ReadRequest) -> PrintedLaunch:
    if not run.rows:
        raise run.first.error("no row of numbers follows this line: the program ended early")
    printed = run.facts.get("nprocs")
    n = run.first.count_of(printed, "nprocs") if printed is not None else request.n
    if n is None:
        raise run.first.error("the file does not have '#@nprocs='; say the number of processes with -n")
    if request.n not in (None, n):
        raise run.first.error(f"this launch has {n} processes, -n says {request.n}; leave -n out")
    cases = CaseList()
    for case, line in _cases(run, n, request):
        cases.add(case, line)
    window = run.facts.get("window_s")
    return PrintedLaunch(
        program=run.command.split()[0] if run.command else "mpibenchmark",
        version=run.facts.get("reproMPIcommitSHA1", "unknown"),
        line=run.first.number,
        n=n,
        cases=tuple(cases.found.values()),
        text=text,
        started=run.started,
        procsync=_procsync(run),
        clock={"mpi_wtime": "wtime"}.get(word(run.facts.get("clock", "")), word(run.facts.get("clock", "unknown"))),
        clocksync=word(run.facts.get("clocksync", "none")),
        window_s=None if window is None else run.first.number_of(window, "window_s"),
        warnings=tuple(run.warnings),
    )


def _procsync(run: _Run) -> str:
    """Ours where it is the same start, else theirs."""
    said = run.facts.get("procsync", "MPI_Barrier")
    if said == "window" and "window_s" in run.facts:
        return f"window(size={run.first.number_of(run.facts['window_s'], 'window_s'):g}s)"
    same = {"MPI_Barrier": "barrier(library)", "dissem_barrier": "barrier(dissemination)", "None": "none"}
    return same.get(said, f"reprompi_{word(said)}")


def _cases(run: _Run, n: int, request: ReadRequest) -> Iterator[tuple[PrintedCase, OutputLine]]:
    """The cases of a launch, each with its first line."""
    if request.statistic is not None and "nrep" in run.columns:
        raise run.rows[0][0].error(
            f"every repetition is there: leave --statistic {request.statistic} out; --summary of other commands decides"
        )
    if "process" in run.columns:
        if not {_START, _END, "nrep"} <= set(run.columns):
            raise run.rows[0][0].error(f"the verbose form needs the columns nrep, {_START} and {_END}")
        made = (_verbose(run, n, own) for own in _by_case(run))
    elif "runtime_sec" in run.columns and "nrep" in run.columns:
        made = (_raw(run, own) for own in _by_case(run))
    else:
        made = (_summarised(run, own, request) for own in _by_case(run))
    for numbers, own in zip(made, _by_case(run), strict=True):
        line, cells = own[0]
        element = line.count_of(run.facts.get("datatype_extent_bytes", "1"), "datatype_extent_bytes")
        name = cells["test"]
        yield (
            PrintedCase(
                operation=collective(name.removeprefix("MPI_")) or own_name("reprompi", name),
                size_bytes=element * line.count_of(cells["count"], "count"),
                datatype=datatype(run.facts.get("datatype", "MPI_BYTE")),
                line=line.number,
                **vars(numbers),
            ),
            line,
        )


def _by_case(run: _Run) -> list[list[Row]]:
    """The rows of each call and count, in the order of the file."""
    found: dict[tuple[str, str], list[Row]] = {}
    for line, cells in run.rows:
        if "test" not in cells or "count" not in cells:
            raise line.error("the columns 'test' and 'count' are missing")
        found.setdefault((cells["test"], cells["count"]), []).append((line, cells))
    return list(found.values())


@dataclass(frozen=True)
class _Numbers:
    """What a case is measured by, as in `PrintedCase`."""

    headline: str
    samples: NDArray[np.void]
    number: str
    calls: int = 1
    statistic: str | None = None


def _flag(line: OutputLine, cells: Mapping[str, str]) -> int:
    """The flags of a sample; bits beyond the two that are documented mean that it was not accepted."""
    code = line.count_of(cells.get("errorcode", "0"), "errorcode")
    return code if code <= LATE | LONG else REJECTED


def _raw(run: _Run, rows: Sequence[Row]) -> _Numbers:
    _check_numbered(rows, [line.count_of(cells["nrep"], "nrep") for line, cells in rows])
    times_s = [line.number_of(cells["runtime_sec"], "runtime_sec") for line, cells in rows]
    flags = np.array([_flag(*row) for row in rows], np.uint16)
    field, number = _runtime(run)
    samples = sample_rows(len(rows), flags, **{field: times_s})
    return _Numbers(field, samples, f"runtime_sec of each repetition, {number}")


def _runtime(run: _Run) -> tuple[str, str]:
    """The field of a sample that ReproMPI's run-time is, and in words."""
    if run.facts.get("runtime_type") == "global" and run.is_global:
        return "makespan", "from the first start to the last end on the global clock"
    return "local_max", _LONGEST


def _check_numbered(rows: Sequence[Row], numbers: Sequence[int]) -> None:
    """UsageError for repetitions that are not 0, 1, 2, ..."""
    wrong = next((i for i, number in enumerate(numbers) if number != i), None)
    if wrong is not None:
        raise rows[wrong][0].error(f"repetition {numbers[wrong]}, expected {wrong}: lines are missing, or there twice")


def _verbose(run: _Run, n: int, rows: Sequence[Row]) -> _Numbers:
    """Samples from the stamps of every process."""
    each: dict[int, list[Row]] = {}
    for line, cells in rows:
        each.setdefault(line.count_of(cells["process"], "process"), []).append((line, cells))
    if sorted(each) != list(range(n)):
        raise rows[0][0].error(f"{_case_name(rows)} has {len(each)} processes, the launch has {n}")
    for own in each.values():
        _check_numbered(own, [line.count_of(cells["nrep"], "nrep") for line, cells in own])
    lengths = {len(own) for own in each.values()}
    if len(lengths) > 1:
        shortest = min(each.values(), key=len)
        raise shortest[-1][0].error(f"{_case_name(rows)} ends here for one process, for others later")
    n_samples = lengths.pop()

    def stamps(column: str) -> NDArray[np.float64]:
        table = [[line.number_of(cells[column], column) for line, cells in each[rank]] for rank in range(n)]
        return np.array(table, np.float64)

    flags = np.bitwise_or.reduce([[_flag(*row) for row in each[rank]] for rank in range(n)]).astype(np.uint16)
    local = np.maximum(stamps(_END) - stamps(_START), 0.0)
    times = {"local_max": local.max(0), "local_mean": local.mean(0), "local_min": local.min(0), "root": local[0]}
    if not run.is_global or _GLOBAL_START not in run.columns:
        return _Numbers("local_max", sample_rows(n_samples, flags, **times), _LONGEST)
    starts = stamps(_GLOBAL_START)
    times |= {
        "start": starts.min(0) - starts.min(),
        "start_skew": starts.max(0) - starts.min(0),
        "makespan": np.maximum(stamps(_GLOBAL_END).max(0) - starts.min(0), 0.0),
    }
    if n_samples > _SURE:
        flags[_SURE:] |= REJECTED
        run.warnings.append(
            f"{_case_name(rows)}: ReproMPI prints local times as global ones beyond repetition {_SURE}; left out"
        )
    number = "from the first start to the last end of each repetition on the global clock"
    return _Numbers("makespan", sample_rows(n_samples, flags, **times), number)


def _case_name(rows: Sequence[Row]) -> str:
    """`MPI_Bcast of count 8`."""
    return f"{rows[0][1]['test']} of count {rows[0][1]['count']}"


def _summarised(run: _Run, rows: Sequence[Row], request: ReadRequest) -> _Numbers:
    """One number of the launch: the statistic that was asked for, else the first there is."""
    line, cells = rows[0]
    if len(rows) > 1:
        raise rows[1][0].error(f"{_case_name(rows)} is there a second time, after line {line.number}")
    there = [name for name in _STATISTICS if f"{name}_sec" in cells]
    if not there:
        raise line.error(f"no column of {', '.join(f'{name}_sec' for name in _STATISTICS)}")
    wanted = request.statistic or there[0]
    if wanted not in there:
        raise line.error(f"no column '{wanted}_sec'; there are {', '.join(f'{name}_sec' for name in there)}")
    valid = line.count_of(cells.get("valid_nrep", "1"), "valid_nrep")
    if valid == 0:
        run.warnings.append(f"line {line.number}: no repetition of {_case_name(rows)} is valid")
    field, meaning = _runtime(run)
    value_s = line.number_of(cells[f"{wanted}_sec"], f"{wanted}_sec") if valid else 0.0
    number = f"{wanted}_sec as printed, the {wanted} of {{calls}} repetitions, each {meaning}"
    return _Numbers(field, one_sample(valid=valid > 0, **{field: value_s}), number, valid, wanted)


REPROMPI = Suite(
    name="reprompi",
    title="ReproMPI",
    read=read_reprompi,
    unknown=("validation",),
    statistics=_STATISTICS,
)
