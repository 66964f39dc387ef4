"""The counters of one process, as libictus-profile.so leaves them: rank-N.counters (profile.md)."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ictus.model.errors import UsageError
from ictus.model.input_file import ARRAY_BYTES, UnreadableFile, file_content
from ictus.programs.profile.imports import ImportedFunctions, parse_imports

Records = NDArray[Any]
"""Rows with named fields."""

_MAGIC, _VERSION = b"ICTUSPRF", 4
_IS_END = 1 << 16
"""In the call of a stream: of the waits that end such calls."""

_HEADER = np.dtype(
    [
        ("magic", "S8"),
        *((name, "<u4") for name in ("version", "header_bytes", "n_calls", "n_ops", "n_communicators", "n_types")),
        *((name, "<u4") for name in ("n_modules", "n_counters")),
        *((name, "<i4") for name in ("rank", "n_ranks")),
        *((name, "<u4") for name in ("finalised", "has_global_time")),
        *((name, "<i8") for name in ("began", "last")),
        ("ticks_per_second", "<f8"),
        *((name, "<u4") for name in ("n_streams", "room")),
        *((name, "S256") for name in ("host", "library")),
        ("clock", "S512"),
        ("import_bytes", "<u8"),
        *((name, "<u4") for name in ("spawned_worlds", "late_sessions")),
    ]
)
_COMMUNICATOR = np.dtype(
    [
        ("group_hash", "<u8"),
        *((name, "<u4") for name in ("n_ranks", "n_remote", "own_rank", "reserved")),
        *(("communicator", "S48"), ("ranks", "S192")),
    ]
)
_TYPE = np.dtype([("bytes", "<u8"), ("name", "S56")])
_COUNTER = np.dtype(
    [
        ("hash", "<u8"),
        ("ready", "<u4"),
        *((name, "<u2") for name in ("call", "op")),
        *((name, "<u4") for name in ("communicator", "type")),
        ("root", "<i4"),
        *((name, "<u2") for name in ("in_place", "module")),
        *((name, "<u8") for name in ("size_class", "site", "offset", "calls", "bytes", "ticks", "longest_ticks")),
        *((name, "<u8") for name in ("smallest", "largest")),
        *((name, "<u4") for name in ("stream", "ended")),
        ("padding", "V16"),
    ]
)
_STREAM = np.dtype(
    [
        *((name, "<u4") for name in ("state", "communicator", "call", "kept")),
        *((name, "<u8") for name in ("size_class", "seed", "calls", "mask")),
        ("padding", "V16"),
    ]
)
_ARRIVAL = np.dtype(
    [
        ("number", "<u8"),
        *((name, "<i8") for name in ("entered", "left")),
        ("entered_s", "<f8"),
        ("bound_s", "<f4"),
        ("row", "<u4"),
    ]
)


@dataclass(frozen=True)
class ProcessCounters:
    """One process: its place, and one row for each kind of call."""

    rank: int
    n_ranks: int
    host: str
    library: str
    finalised: bool
    """Whether it called MPI_Finalize."""
    elapsed_s: float
    """From the end of MPI_Init to MPI_Finalize, without it to the end of the last call."""
    rows: pl.DataFrame
    clock: str
    has_global_time: bool
    """Whether its clock was compared with rank 0's at the begin and at the end: else it has no arrivals."""
    arrivals: pl.DataFrame
    """Of sampled collectives, which are the same on all ranks (waiting.py), when they were called, and of nonblocking
    and persistent ones also the waits for them (`is_end`); `row` is that of `rows`."""
    imports: tuple[ImportedFunctions, ...]
    spawned_worlds: int = 0
    """That it made as the root, and whose calls are not counted; files of before have none."""
    late_sessions: int = 0
    """That began, or went on, after counting had ended: with the first sessions, or in MPI_Finalize."""


def read_counters(file: Path) -> ProcessCounters:
    """The counters of a process, which may still run.

    Raises:
        UsageError: it is not a file of counters, is cut off, or cannot be read.
    """
    try:
        content = file_content(file, ARRAY_BYTES)
    except UnreadableFile as error:
        raise UsageError(f"'{file}' cannot be read: {error.reason}") from error
    if len(content) < _HEADER.itemsize or not content.startswith(_MAGIC):
        raise UsageError(f"'{file}' is not a file of libictus-profile.so")
    header = np.frombuffer(content, _HEADER, 1)[0]
    if header["version"] != _VERSION:
        raise UsageError(
            f"'{file}' has format {header['version']}, this Ictus reads {_VERSION}: use the one that wrote it"
        )
    at = int(header["header_bytes"])

    def take(kind: np.dtype[Any], n: int) -> Records:
        nonlocal at
        if len(content) < at + n * kind.itemsize:
            raise UsageError(f"'{file}' is cut off at {len(content)} bytes: copy it again")
        taken = np.frombuffer(content, kind, n, at)
        at += n * kind.itemsize
        return taken

    n_calls, n_ops = int(header["n_calls"]), int(header["n_ops"])
    communicators = take(_COMMUNICATOR, int(header["n_communicators"]))
    types = take(_TYPE, int(header["n_types"]))
    modules = take(np.dtype([("path", "S512")]), int(header["n_modules"]))["path"]
    names = take(np.dtype([("name", "S32")]), -(-(n_calls + n_ops) // 4) * 4)["name"]
    counters = take(_COUNTER, n_calls + int(header["n_counters"]))
    numbers = np.flatnonzero((counters["ready"] == 1) & (counters["calls"] > 0))
    rows = counters[numbers]
    streams = take(_STREAM, int(header["n_streams"]))
    arrivals = take(_ARRIVAL, streams.size * int(header["room"])).reshape(streams.size, -1)
    imports = take(np.dtype("u1"), int(header["import_bytes"])).tobytes().partition(b"\0")[0]
    has_global_time = bool(header["has_global_time"])
    second = 1.0 / float(header["ticks_per_second"])
    return ProcessCounters(
        rank=int(header["rank"]),
        n_ranks=int(header["n_ranks"]),
        host=_text(header["host"]),
        library=_text(header["library"]),
        finalised=bool(header["finalised"]),
        elapsed_s=(int(header["last"]) - int(header["began"])) * second,
        rows=_frame(rows, communicators, types, modules, second).with_columns(
            operation=_operations(rows, names),
            op=_texts(names[n_calls + rows["op"].astype(np.int64)]),
            row=pl.Series(numbers, dtype=pl.Int64),
        ),
        clock=_text(header["clock"]),
        has_global_time=has_global_time,
        arrivals=_arrivals(streams[:0] if not has_global_time else streams, arrivals, communicators, names, second),
        imports=parse_imports(_text(imports)),
        spawned_worlds=int(header["spawned_worlds"]),
        late_sessions=int(header["late_sessions"]),
    )


def _text(value: bytes) -> str:
    return bytes(value).decode("utf-8", "replace")


def _texts(values: Iterable[bytes]) -> pl.Series:
    return pl.Series([_text(value) for value in values], dtype=pl.String)


def _operations(rows: Records, names: Records) -> pl.Series:
    """`Wait of Iallreduce` where that is all that it waits for."""
    calls = map(_text, names[rows["call"]])
    ended = (f" of {_text(names[index - 1])}" if index else "" for index in rows["ended"].astype(np.int64))
    return pl.Series([call + suffix for call, suffix in zip(calls, ended, strict=True)], dtype=pl.String)


def _arrivals(
    streams: Records, arrivals: Records, communicators: Records, names: Records, second: float
) -> pl.DataFrame:
    """All kept ones."""
    kept = np.minimum(streams["kept"], arrivals.shape[1]).astype(np.int64)
    of = np.repeat(np.arange(streams.size), kept)
    arrivals_of = np.concatenate([arrivals[:0].ravel(), *(arrivals[i, :n] for i, n in enumerate(kept))])
    stream = streams[of]
    communicator = communicators[stream["communicator"]]
    return pl.DataFrame(
        {
            "group": communicator["group_hash"],
            "communicator": _texts(communicator["communicator"]),
            "n_ranks": communicator["n_ranks"].astype(np.int64),
            "own_rank": communicator["own_rank"].astype(np.int64),
            "operation": _texts(names[stream["call"] % _IS_END]),
            "is_end": stream["call"] >= _IS_END,
            "stream_class": stream["size_class"].astype(np.int64),
            "number": arrivals_of["number"].astype(np.int64),
            "entered_s": arrivals_of["entered_s"].astype(np.float64),
            "bound_s": arrivals_of["bound_s"].astype(np.float64),
            "time_s": (arrivals_of["left"] - arrivals_of["entered"]) * second,
            "row": arrivals_of["row"].astype(np.int64),
        }
    )


def _frame(rows: Records, communicators: Records, types: Records, modules: Records, second: float) -> pl.DataFrame:
    """All but the names of calls and operators."""
    communicator_rows = communicators[rows["communicator"]]
    return pl.DataFrame(
        {
            "size_class": rows["size_class"].astype(np.int64),
            "group": communicator_rows["group_hash"],
            "communicator": _texts(communicator_rows["communicator"]),
            "n_ranks": communicator_rows["n_ranks"].astype(np.int64),
            "n_remote": communicator_rows["n_remote"].astype(np.int64),
            "ranks": _texts(communicator_rows["ranks"]),
            "datatype": _texts(types["name"][rows["type"]]),
            "type_bytes": types["bytes"][rows["type"]].astype(np.int64),
            "root": rows["root"].astype(np.int64),
            "in_place": rows["in_place"] == 1,
            "module": _texts(b"" if start == 0 else modules[start - 1] for start in rows["module"]),
            "offset": rows["offset"].astype(np.int64),
            "own_row": rows["hash"] != 0,
            "calls": rows["calls"].astype(np.int64),
            "bytes": rows["bytes"].astype(np.int64),
            "time_s": rows["ticks"] * second,
            "longest_s": rows["longest_ticks"] * second,
            "smallest": rows["smallest"].astype(np.int64),
            "largest": rows["largest"].astype(np.int64),
        }
    )
