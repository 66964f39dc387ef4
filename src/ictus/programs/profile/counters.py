"""The counters of one process, as libictus-profile.so leaves them: rank-N.counters (profile.md)."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ictus.model.errors import UsageError

Records = NDArray[Any]
"""Rows with named fields."""

_MAGIC, _VERSION = b"ICTUSPRF", 1

_HEADER = np.dtype(
    [
        ("magic", "S8"),
        *((name, "<u4") for name in ("version", "header_bytes", "n_calls", "n_ops", "n_communicators", "n_types")),
        *((name, "<u4") for name in ("n_modules", "n_counters")),
        *((name, "<i4") for name in ("rank", "n_ranks")),
        *((name, "<u4") for name in ("finalised", "reserved")),
        *((name, "<u8") for name in ("began_ns", "last_ns")),
        *((name, "S256") for name in ("host", "library")),
    ]
)
_COMMUNICATOR = np.dtype(
    [("group_hash", "<u8"), ("n_ranks", "<u4"), ("n_remote", "<u4"), ("communicator", "S48"), ("ranks", "S192")]
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
        *((name, "<u8") for name in ("size_class", "site", "offset", "calls", "bytes", "ns", "longest_ns")),
        *((name, "<u8") for name in ("smallest", "largest")),
        ("padding", "V24"),
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


def read_counters(file: Path) -> ProcessCounters:
    """The counters of a process, which may still run.

    Raises:
        UsageError: it is no file of counters, is cut off, or cannot be read.
    """
    try:
        content = file.read_bytes()
    except OSError as error:
        raise UsageError(f"'{file}' cannot be read: {error.strerror}") from error
    if len(content) < _HEADER.itemsize or not content.startswith(_MAGIC):
        raise UsageError(f"'{file}' is no file of libictus-profile.so")
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
    rows = take(_COUNTER, n_calls + int(header["n_counters"]))
    rows = rows[(rows["ready"] == 1) & (rows["calls"] > 0)]
    return ProcessCounters(
        rank=int(header["rank"]),
        n_ranks=int(header["n_ranks"]),
        host=_text(header["host"]),
        library=_text(header["library"]),
        finalised=bool(header["finalised"]),
        elapsed_s=(int(header["last_ns"]) - int(header["began_ns"])) * 1e-9,
        rows=_frame(rows, communicators, types, modules).with_columns(
            operation=_texts(names[rows["call"]]), op=_texts(names[n_calls + rows["op"].astype(np.int64)])
        ),
    )


def _text(value: bytes) -> str:
    return bytes(value).decode("utf-8", "replace")


def _texts(values: Iterable[bytes]) -> pl.Series:
    return pl.Series([_text(one) for one in values], dtype=pl.String)


def _frame(rows: Records, communicators: Records, types: Records, modules: Records) -> pl.DataFrame:
    """All but the names of calls and operators."""
    own = communicators[rows["communicator"]]
    return pl.DataFrame(
        {
            "size_class": rows["size_class"].astype(np.int64),
            "group": own["group_hash"],
            "communicator": _texts(own["communicator"]),
            "n_ranks": own["n_ranks"].astype(np.int64),
            "n_remote": own["n_remote"].astype(np.int64),
            "ranks": _texts(own["ranks"]),
            "datatype": _texts(types["name"][rows["type"]]),
            "type_bytes": types["bytes"][rows["type"]].astype(np.int64),
            "root": rows["root"].astype(np.int64),
            "in_place": rows["in_place"] == 1,
            "module": _texts(b"" if one == 0 else modules[one - 1] for one in rows["module"]),
            "offset": rows["offset"].astype(np.int64),
            "own_row": rows["hash"] != 0,
            "calls": rows["calls"].astype(np.int64),
            "bytes": rows["bytes"].astype(np.int64),
            "time_s": rows["ns"] * 1e-9,
            "longest_s": rows["longest_ns"] * 1e-9,
            "smallest": rows["smallest"].astype(np.int64),
            "largest": rows["largest"].astype(np.int64),
        }
    )
