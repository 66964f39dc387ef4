"""The columns of OSU tables, and the number of a launch in a row of them."""

import re
from collections.abc import Mapping, Sequence

from ictus.interchange.operations import WHOLE_IS_PRINTED
from ictus.interchange.osu_title import HALF_ROUND_TRIPS, OsuTitle
from ictus.interchange.output_line import OutputLine
from ictus.interchange.start_command import RequestError
from ictus.interchange.suite import MICRO, UNKNOWN_CALLS, PrintedCase, ReadRequest, one_sample

_AVERAGES = ("Avg Latency(us)", "Latency (us)", "Latency(us)", "Pure Comm.(us)")
_BANDWIDTHS = (
    "Bandwidth (MB/s)", "Bandwidth(MB/s)", "Bi-Bandwidth (MB/s)", "Bi-Bandwidth(MB/s)", "Aggregate Bandwidth (MB/s)",
    "MB/s",
)  # fmt: skip
_RATE = "Messages/s"
_SMALLEST = ("Min Latency(us)", "Min Comm.(us)")
_LARGEST = ("Max Latency(us)", "Max Comm.(us)")
_PERCENTILE = r"P\d+ Tail (?:Lat\(us\)|BW\(MB/s\))"
_NAMES = (
    "Transmit Size", "Size", *_AVERAGES, *_BANDWIDTHS, *_SMALLEST, *_LARGEST, "Iterations", "Validation", "Overall(us)",
    "Compute(us)", "Coll. Init(us)", "Init(us)", "MPI_Test(us)", "MPI_Wait(us)", "Overlap(%)", _RATE,
)  # fmt: skip
_COLUMN = re.compile("|".join((_PERCENTILE, *sorted(map(re.escape, _NAMES), key=len, reverse=True))))
_UNNAMED = ("Min Latency(us)", "Max Latency(us)", "Iterations")
"""What -f adds to the rows of some programs that do not name it."""
_LARGEST_RATES = {6: 1e15, 0: 1e13}
"""By the power of ten of a rate's unit: more bytes, or messages, a second no machine moves."""


def columns_in(line: OutputLine) -> tuple[str, ...]:
    """The columns that a comment names; empty for another comment. UsageError for one that is not known."""
    text = line.text.strip()
    columns = tuple(_COLUMN.findall(text))
    remainder = _COLUMN.sub("", text).replace("#", "").strip()
    named = any(average in columns for average in (*_AVERAGES, *_BANDWIDTHS, _RATE))
    if named and remainder:
        raise line.error(f"unknown column '{remainder}'")
    twice = next((column for column in columns if columns.count(column) > 1), None)
    if named and twice is not None:
        raise line.error(f"column '{twice}' is there twice: two tables stand side by side")
    if not named and columns[:1] == ("Size",) and re.match(r"#\s*Size\s{2,}", text):
        raise line.error("no column of this line is one of times, bandwidths or rates that is known")
    return columns if named else ()


def forms_of_row(columns: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The columns that a row may have: those that are named, and where they end with an average three more."""
    named = tuple(columns)
    return (named, (*named, *_UNNAMED)) if named[-1:] and named[-1] in _AVERAGES else (named,)


def full_columns(columns: Sequence[str], line: OutputLine) -> tuple[str, ...]:
    """The columns of this row."""
    return next((form for form in forms_of_row(columns) if len(form) == len(line.words)), tuple(columns))


def printed_case(
    title: OsuTitle, columns: Sequence[str], cells: Mapping[str, str], line: OutputLine, request: ReadRequest
) -> tuple[PrintedCase, str]:
    """The case of a row, and why it has no valid sample, if so."""
    size_bytes = line.count_of(cells["Size"], "Size") if "Size" in cells else 0
    calls = line.count_of(cells["Iterations"], "Iterations") if "Iterations" in cells else UNKNOWN_CALLS
    column = _chosen(columns, request, line)
    value, says = _time(column, cells, size_bytes, line)
    wrong = cells.get("Validation", "Pass").lower() not in ("pass", "-")
    why = f"{column} is 0" if value is None else ""
    why = f"the result was wrong (Validation is {cells['Validation']})" if wrong else why
    operation = title.operation
    plain = operation.partition("(")[0]
    return PrintedCase(
        operation=operation,
        size_bytes=size_bytes,
        datatype=title.datatype,
        operator=title.operator,
        line=line.number,
        headline="local_mean",
        samples=one_sample(valid=not why, **_times(column, value, cells, line)),
        number=f"{says} as printed, {_meaning(plain, column)}",
        calls=calls,
        statistic=request.statistic or "mean",
        whole_is_printed=plain.removeprefix("i").removesuffix("_init") in WHOLE_IS_PRINTED,
        validated="Validation" in cells and not wrong,
    ), why


def _times(column: str, value: float | None, cells: Mapping[str, str], line: OutputLine) -> dict[str, float]:
    """The fields of a sample, in seconds."""
    times = {"local_mean": value or 0.0}
    averages = next((average for average in _AVERAGES if average in cells), None)
    for metric, names in (("local_min", _SMALLEST), ("local_max", _LARGEST)):
        name = next((candidate for candidate in names if candidate in cells), None)
        if name is not None and averages is not None:
            times[metric] = line.time_of(cells[name], name, MICRO)
    if averages is not None:
        middle = line.time_of(cells[averages], averages, MICRO)
        line.check_order(times.get("local_min"), middle, times.get("local_max"), averages)
    return times if column in _AVERAGES else {"local_mean": value or 0.0}


def _chosen(columns: Sequence[str], request: ReadRequest, line: OutputLine) -> str:
    """The column with the number of the launch. Raises UsageError where there is none of the wanted statistic."""
    statistic = request.statistic or "mean"
    if statistic == "mean":
        rate: tuple[str, ...] = (_RATE,) if _RATE in columns else ()
        return next(column for column in (*rate, *columns) if column in (*rate, *_AVERAGES, *_BANDWIDTHS))
    tail = next((column for column in columns if column.startswith(f"{statistic.upper()} Tail")), None)
    if tail is None:
        raise RequestError(f"{line.place}: no column '{statistic.upper()} Tail ...'; there are {', '.join(columns)}")
    return tail


def _time(column: str, cells: Mapping[str, str], size_bytes: int, line: OutputLine) -> tuple[float | None, str]:
    """Seconds of a column, None for a rate of 0; and in words where they come from."""
    if "(us)" in column:
        return line.time_of(cells[column], column, MICRO), column
    power = 0 if column == _RATE else 6
    rate = line.number_of(cells[column], column, power)
    if rate > _LARGEST_RATES[power]:
        raise line.error(f"{column} is '{cells[column]}': no machine moves as much")
    if column == _RATE and "MB/s" in cells:
        _check_rates(cells, size_bytes, rate, line)
    amount = 1 if column == _RATE else size_bytes
    return (amount / rate if rate and amount else None), f"{'1' if column == _RATE else 'size'} over {column}"


def _check_rates(cells: Mapping[str, str], size_bytes: int, rate: float, line: OutputLine) -> None:
    """UsageError where bytes and messages a second are not of one measurement: columns are swapped, or damaged."""
    moved = line.number_of(cells["MB/s"], "MB/s", 6)
    rounding = 10.0 ** (6 - len(cells["MB/s"].partition(".")[2]))
    if abs(moved - rate * size_bytes) > rounding + 0.001 * moved:
        raise line.error(
            f"MB/s is '{cells['MB/s']}', but {cells[_RATE]} Messages/s of {size_bytes} B are "
            f"{rate * size_bytes / 1e6:.2f}: the line is damaged"
        )


def _meaning(operation: str, column: str) -> str:
    """What a column is, `{calls}` for the number of calls."""
    if "(us)" not in column:
        return "the time of a message"
    if re.match(r"P\d", column):
        return f"the {column.partition(' ')[0].lower()} of {{calls}} calls, each the mean over processes"
    if operation in HALF_ROUND_TRIPS:
        return "half the mean round trip of {calls} calls"
    if operation == "osu_multi_lat":
        return "half the mean round trip of {calls} calls, averaged over pairs of processes"
    whose = "the mean" if operation.startswith("osu_") else "the mean over processes of each one's mean"
    return f"{whose} of {{calls}} calls"
