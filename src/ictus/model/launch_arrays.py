"""The small arrays beside launch.json: their columns (file-format.md), and how lists of objects become arrays.

These arrays grow with cases, blocks, ranks and hosts; launch.json does not. A missing value is NaN, -1 or an empty
text; an unknown text is "unknown".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Row = Mapping[str, Any]

LAUNCH_FORMAT = 2
"""Version of launch.json that is written; 1 is read as well."""

NO_ROOT, ROTATING_ROOT = -1, -2
ROTATING = "rotating"
"""How format 1 writes ROTATING_ROOT."""


@dataclass(frozen=True)
class ArrayColumn:
    """One column: a number of this NumPy type, or a text ("S", as wide as the longest in UTF-8)."""

    dtype: str
    absent: object = None
    """What a missing value becomes; None where a value must be there."""
    optional: bool = True


def _required(dtype: str) -> ArrayColumn:
    return ArrayColumn(dtype, optional=False)


_COUNT, _FLAG, _TIME = ArrayColumn("<i8", -1), ArrayColumn("|i1", -1), ArrayColumn("<f8", np.nan)
_TEXT = ArrayColumn("S", "unknown")

CASES: Mapping[str, ArrayColumn] = {
    "case_id": _required("<u4"),
    **dict.fromkeys(("operation", "mpi_name"), _TEXT),
    **dict.fromkeys(("size_bytes", "block_bytes", "moved_bytes", "count"), _COUNT),
    **dict.fromkeys(("datatype", "operator"), _TEXT),
    **dict.fromkeys(("root", "timed_root"), ArrayColumn("<i4", NO_ROOT)),
    "in_place": _FLAG,
    **dict.fromkeys(("layout", "comm"), _TEXT),
    "comm_size": ArrayColumn("<i4", -1),
    **dict.fromkeys(("counts", "procsync", "scheme", "repetition", "cache"), _TEXT),
    "cache_bytes": _COUNT,
    "warmup": _COUNT,
    "calls": ArrayColumn("<i8", 1),
    "set_up_s": ArrayColumn("S", ""),
    "validated": _required("|i1"),
    "block": ArrayColumn("<i4", 0),
    "headline": _required("S"),
    **dict.fromkeys(("attempted", "valid", "late", "long"), _required("<i8")),
    "rejected": ArrayColumn("<i8", 0),
    **dict.fromkeys(("window_s", "started_s", "elapsed_s"), _TIME),
}
"""cases.npy, shape (cases,), in measuring order."""

CASE_RANKS: Mapping[str, ArrayColumn] = {
    "n": ArrayColumn("<i8", 0),
    **dict.fromkeys(("mean_s", "min_s", "max_s", "median_s"), _TIME),
}
"""case_ranks.npy, shape (cases, ranks): each rank's own durations over the valid samples."""

BLOCKS: Mapping[str, ArrayColumn] = {
    "opening_elapsed_s": _TIME,
    "opening_messages": _COUNT,
    "opening_bound_s": _TIME,
    "closing_elapsed_s": _TIME,
    "closing_messages": _COUNT,
    **dict.fromkeys(("closing_bound_s", "residual_max_s", "interpolated_residual_max_s"), _TIME),
}
"""blocks.npy, shape (blocks,): the clock measurements that open and close each block, over all ranks."""

CLOCKS: Mapping[str, ArrayColumn] = dict.fromkeys(
    ("slope", "intercept_s", "slope_error", "bound_s", "residual_s", "interpolated_residual_s", "closing_bound_s"),
    _TIME,
)
"""clocks.npy, shape (blocks, ranks)."""

RANKS: Mapping[str, ArrayColumn] = {
    "host": ArrayColumn("<i4", -1),
    "node": ArrayColumn("S", ""),
    "pid": _COUNT,
    "epoch_ticks": _COUNT,
    "cpu": ArrayColumn("<i4", -1),
    "cpus_allowed": _TEXT,
    **dict.fromkeys(("cpu_time_s", "run_queue_delay_s", "elapsed_s"), _TIME),
    **dict.fromkeys(("max_rss_bytes", "voluntary_switches", "involuntary_switches", "page_faults"), _COUNT),
    "keeps_freed_memory": _FLAG,
    "domain_leader": ArrayColumn("<i4", -1),
}
"""ranks.npy, shape (ranks,); `host` is an index into hosts.npy, `node` what the batch system calls it."""

HOSTS: Mapping[str, ArrayColumn] = {
    "name": _TEXT,
    "n_ranks": ArrayColumn("<i4", -1),
    "kind": ArrayColumn("<i4", -1),
    **dict.fromkeys(("load_average_1", "load_average_5", "load_average_15", "steal_s", "busy_s"), _TIME),
}
"""hosts.npy, shape (hosts,); `kind` is an index into `kinds` of launch.json."""

ARRAYS: Mapping[str, Mapping[str, ArrayColumn]] = {
    "cases": CASES,
    "case_ranks": CASE_RANKS,
    "blocks": BLOCKS,
    "clocks": CLOCKS,
    "ranks": RANKS,
    "hosts": HOSTS,
}
"""All of them, by the names that launch.json gives them."""


def array_of(rows: Sequence[Row], columns: Mapping[str, ArrayColumn], name: str) -> Array:
    """The rows as a structured array, shape (rows,).

    ValueError names the row, the column and what was expected, as in `cases[3].valid: expected ..., found 'many'`.
    """
    filled = {
        key: [_value(row, key, column, f"{name}[{i}]") for i, row in enumerate(rows)] for key, column in columns.items()
    }
    array = np.zeros(len(rows), [(key, _dtype(column, filled[key])) for key, column in columns.items()])
    for key, values in filled.items():
        array[key] = values
    return array


def grid_of(
    rows: Sequence[Row], lists: Mapping[str, str], columns: Mapping[str, ArrayColumn], n_ranks: int, name: str
) -> Array:
    """Lists with one entry a rank as a structured array, shape (rows, ranks). `lists` says where each column's list is,
    `opening.slope`; a list that is not there is absent values.

    ValueError names the row, the list and what was expected.
    """
    array = np.zeros((len(rows), n_ranks), [(key, column.dtype) for key, column in columns.items()])
    for i, row in enumerate(rows):
        for key, column in columns.items():
            entries = within(row, lists[key])
            if entries is None:
                entries = [None] * n_ranks
            path = f"{name}[{i}].{lists[key]}"
            if not isinstance(entries, list) or len(entries) != n_ranks:
                raise ValueError(f"{path}: expected a list of {n_ranks} numbers, one a rank")
            array[key][i] = [_value({key: entry}, key, column, path) for entry in entries]
    return array


def within(row: Row, path: str) -> Any:
    """The value at a path such as `opening.slope`; None without one."""
    entry: Any = row
    for part in path.split("."):
        entry = entry.get(part) if isinstance(entry, Mapping) else None
    return entry


def conform(array: Array, columns: Mapping[str, ArrayColumn]) -> Array:
    """An array that was read, with the columns that are known here in their types; others are left out.

    ValueError names the column that is missing or of another kind, and what was expected.
    """
    have: Mapping[str, Any] = array.dtype.fields or {}
    types = []
    for key, column in columns.items():
        if key in have:
            kind = have[key][0].kind
            if (
                (kind == "S") != (column.dtype == "S")
                or kind not in "Sbiuf"
                or (kind == "f" and "f" not in column.dtype)
            ):
                raise ValueError(f"column '{key}' holds {have[key][0]}, expected {_kind(column)}")
        elif not column.optional:
            raise ValueError(f"column '{key}' is missing")
        wide = have[key][0].str if key in have and column.dtype == "S" else column.dtype
        types.append((key, f"S{len(str(column.absent))}" if wide == "S" else wide))
    result: Array = np.zeros(array.shape, types)
    for key, column in columns.items():
        result[key] = array[key] if key in have else _stored(column.absent)
    return result


def _value(row: Row, key: str, column: ArrayColumn, where: str) -> Any:
    """A value as the column holds it; a key that is there with null has no meaning for a text, which is empty then."""
    value = row.get(key)
    if value is None:
        if not column.optional:
            raise ValueError(f"{where}.{key}: expected {_kind(column)}, found nothing")
        return b"" if column.dtype == "S" and key in row else _stored(column.absent)
    if column.dtype == "S" and isinstance(value, str):
        return value.encode()
    is_integer = isinstance(value, int)
    if column.dtype == "S" or not (is_integer or (isinstance(value, float) and column.dtype == "<f8")):
        raise ValueError(f"{where}.{key}: expected {_kind(column)}, found {value!r}")
    return value


def _stored(value: object) -> object:
    return value.encode() if isinstance(value, str) else value


def _dtype(column: ArrayColumn, values: Iterable[Any]) -> str:
    return column.dtype if column.dtype != "S" else f"S{max([1, *map(len, values)])}"


def _kind(column: ArrayColumn) -> str:
    kinds = {"S": "a text", "<f8": "a number", "|i1": "a truth value"}
    return kinds.get(column.dtype, "a whole number")
