"""The cases of a ReproMPI launch: from repetitions, from the stamps of every process, or from a summary."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ictus.interchange.operations import collective, datatype, own_name, reduces, with_facts, word
from ictus.interchange.output_line import OutputLine
from ictus.interchange.reprompi_run import END, GLOBAL_END, GLOBAL_START, START, ReproMpiRun, Row
from ictus.interchange.suite import (
    PrintedCase,
    ReadRequest,
    one_sample,
    sample_rows,
)
from ictus.model.sample import LATE, LONG, REJECTED

_SURE = 3000
"""Repetitions of which the verbose form has global times."""
STATISTICS = ("median", "mean", "min", "max")
"""Those that a summary may have, ReproMPI's own first."""

_LONGEST = "the longest of the processes' own durations"


def printed_cases(run: ReproMpiRun, n: int, request: ReadRequest) -> Iterator[tuple[PrintedCase, OutputLine]]:
    """The cases of a launch, each with its first line."""
    if request.statistic is not None and "nrep" in run.columns:
        raise run.rows[0][0].error(
            f"every repetition is there: leave --statistic {request.statistic} out; --summary of other commands decides"
        )
    if "process" in run.columns:
        if not {START, END, "nrep"} <= set(run.columns):
            raise run.rows[0][0].error(f"the verbose form needs the columns nrep, {START} and {END}")
        made = (_verbose(run, n, case_rows) for case_rows in _by_case(run))
    elif "runtime_sec" in run.columns and "nrep" in run.columns:
        made = (_raw(run, case_rows) for case_rows in _by_case(run))
    else:
        made = (_summarised(run, case_rows, request) for case_rows in _by_case(run))
    for numbers, case_rows in zip(made, _by_case(run), strict=True):
        line, cells = case_rows[0]
        element = line.count_of(run.facts.get("datatype_extent_bytes", "1"), "datatype_extent_bytes")
        name = cells["test"]
        yield (
            PrintedCase(
                operation=with_facts(
                    collective(name.removeprefix("MPI_")) or own_name("reprompi", name), run.case_facts
                ),
                operator=word(run.facts.get("operation", "MPI_SUM").removeprefix("MPI_")) if reduces(name) else "sum",
                size_bytes=element * line.count_of(cells["count"], "count"),
                datatype=datatype(run.facts.get("datatype", "MPI_BYTE")),
                line=line.number,
                **vars(numbers),
            ),
            line,
        )


def _by_case(run: ReproMpiRun) -> list[list[Row]]:
    """The rows of each call and count, in the order of the file."""
    rows_by_case: dict[tuple[str, str], list[Row]] = {}
    for line, cells in run.rows:
        if "test" not in cells or "count" not in cells:
            raise line.error("the columns 'test' and 'count' are missing")
        rows_by_case.setdefault((cells["test"], cells["count"]), []).append((line, cells))
    return list(rows_by_case.values())


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


def _raw(run: ReproMpiRun, rows: Sequence[Row]) -> _Numbers:
    _check_numbered(rows, [line.count_of(cells["nrep"], "nrep") for line, cells in rows])
    times_s = [line.time_of(cells["runtime_sec"], "runtime_sec", 0) for line, cells in rows]
    flags = np.array([_flag(*row) for row in rows], np.uint16)
    field, number = _runtime(run)
    samples = sample_rows(len(rows), flags, **{field: times_s})
    return _Numbers(field, samples, f"runtime_sec of each repetition, {number}")


def _runtime(run: ReproMpiRun) -> tuple[str, str]:
    """The field of a sample that ReproMPI's run-time is, and in words."""
    if run.facts.get("runtime_type") == "global" and run.is_global:
        return "makespan", "from the first start to the last end on the global clock"
    return "local_max", _LONGEST


def _check_numbered(rows: Sequence[Row], numbers: Sequence[int]) -> None:
    """UsageError for repetitions that are not 0, 1, 2, ..."""
    wrong = next((i for i, number in enumerate(numbers) if number != i), None)
    if wrong is not None:
        raise rows[wrong][0].error(f"repetition {numbers[wrong]}, expected {wrong}: lines are missing, or there twice")


def _verbose(run: ReproMpiRun, n: int, rows: Sequence[Row]) -> _Numbers:
    """Samples from the stamps of every process."""
    each: dict[int, list[Row]] = {}
    for line, cells in rows:
        each.setdefault(line.count_of(cells["process"], "process"), []).append((line, cells))
    if sorted(each) != list(range(n)):
        raise rows[0][0].error(f"{_case_name(rows)} has {len(each)} processes, the launch has {n}")
    for case_rows in each.values():
        _check_numbered(case_rows, [line.count_of(cells["nrep"], "nrep") for line, cells in case_rows])
    lengths = {len(rows_of_case) for rows_of_case in each.values()}
    if len(lengths) > 1:
        shortest = min(each.values(), key=len)
        raise shortest[-1][0].error(f"{_case_name(rows)} ends here for one process, for others later")
    n_samples = lengths.pop()

    def stamps(column: str) -> NDArray[np.float64]:
        table = [[line.number_of(cells[column], column) for line, cells in each[rank]] for rank in range(n)]
        return np.array(table, np.float64)

    flags = np.bitwise_or.reduce([[_flag(*row) for row in each[rank]] for rank in range(n)]).astype(np.uint16)
    local = stamps(END) - stamps(START)
    if local.min() < 0:
        rank, repetition = divmod(int(local.argmin()), n_samples)
        raise each[rank][repetition][0].error("the call ends before it begins")
    times = {"local_max": local.max(0), "local_mean": local.mean(0), "local_min": local.min(0), "root": local[0]}
    if not run.is_global or GLOBAL_START not in run.columns:
        return _Numbers("local_max", sample_rows(n_samples, flags, **times), _LONGEST)
    starts = stamps(GLOBAL_START)
    times |= {
        "start": starts.min(0) - starts.min(),
        "start_skew": starts.max(0) - starts.min(0),
        "makespan": np.maximum(stamps(GLOBAL_END).max(0) - starts.min(0), 0.0),
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


def _summarised(run: ReproMpiRun, rows: Sequence[Row], request: ReadRequest) -> _Numbers:
    """One number of the launch: the statistic that was asked for, else the first there is."""
    line, cells = rows[0]
    if len(rows) > 1:
        raise rows[1][0].error(f"{_case_name(rows)} is there a second time, after line {line.number}")
    statistics = [name for name in STATISTICS if f"{name}_sec" in cells]
    if not statistics:
        raise line.error(f"no column of {', '.join(f'{name}_sec' for name in STATISTICS)}")
    statistic = request.statistic or statistics[0]
    if statistic not in statistics:
        raise line.error(f"no column '{statistic}_sec'; there are {', '.join(f'{name}_sec' for name in statistics)}")
    valid = line.count_of(cells.get("valid_nrep", "1"), "valid_nrep")
    printed_s = {name: line.number_of(cells[f"{name}_sec"], f"{name}_sec") for name in statistics} if valid else {}
    for name in printed_s.keys() & {"median", "mean"}:
        line.check_order(printed_s.get("min"), printed_s[name], printed_s.get("max"), f"{name}_sec")
    if valid == 0:
        run.warnings.append(f"line {line.number}: no repetition of {_case_name(rows)} is valid")
    field, meaning = _runtime(run)
    value_s = line.time_of(cells[f"{statistic}_sec"], f"{statistic}_sec", 0) if valid else 0.0
    number = f"{statistic}_sec as printed, the {statistic} of {{calls}} repetitions, each {meaning}"
    return _Numbers(field, one_sample(valid=valid > 0, **{field: value_s}), number, valid, statistic)


def too_few(run: ReproMpiRun) -> str:
    """Where a case has fewer repetitions than the head promises."""
    promised = run.facts.get("nrep", "")
    if "nrep" not in run.columns or not promised.isdecimal():
        return ""
    for rows in _by_case(run):
        numbers = {int(cells["nrep"]) for _, cells in rows if cells["nrep"].isdecimal()}
        if len(numbers) < int(promised):
            return f"line {rows[-1][0].number}: {_case_name(rows)} has {len(numbers)} of {promised} repetitions"
    return ""
