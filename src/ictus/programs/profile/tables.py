"""A profile as a table: the kinds of calls, dearest first."""

from collections.abc import Mapping
from typing import Any

from ictus.model.quantity import format_duration, size_text
from ictus.programs.profile.analysis import ProgramProfile
from ictus.render.table import Block, Column, Table

Row = Mapping[str, Any]

_SHOWN = (
    *("operation", "smallest_bytes", "largest_bytes", "communicator", "n_ranks", "n_remote", "ranks", "hosts"),
    *("datatype", "type_bytes", "op", "root", "in_place", "site", "processes", "calls", "calls_least", "calls_most"),
    *("bytes", "time_s", "mean_s", "longest_s", "share", "waiting_s", "waiting_low_s", "waiting_high_s"),
    *("waiting_share", "waiting_low_share", "waiting_high_share", "sampled_calls"),
)


def profile_rows(profile: ProgramProfile) -> list[dict[str, Any]]:
    """What JSON and CSV have."""
    rows = profile.calls.select(_SHOWN).to_dicts()
    return [{**row, "root": None if row["root"] == -1 else row["root"]} for row in rows]


def profile_table(rows: list[dict[str, Any]]) -> Table[Row]:
    """The rows as people read them."""
    columns = (
        Column[Row]("operation", "operation", align="left"),
        Column[Row]("smallest_bytes", "bytes", _sizes),
        Column[Row]("communicator", "communicator", _communicator, "left", 2),
        Column[Row]("site", "called at", align="left", importance=3),
        Column[Row]("calls", "calls"),
        Column[Row]("mean_s", "mean", lambda row: format_duration(row["mean_s"]), "right", 1),
        Column[Row]("share", "share of time", lambda row: _share(row["share"])),
        Column[Row]("waiting_share", "waiting", lambda row: _share(row["waiting_share"])),
        Column[Row]("waiting_low_share", "95 %", _interval, "range", 4),
        Column[Row]("datatype", "datatype", lambda row: row["datatype"].removeprefix("MPI_"), "left", 4),
        Column[Row]("op", "operator", lambda row: row["op"].removeprefix("MPI_"), "left", 5),
        Column[Row]("root", "root", lambda row: "" if row["root"] is None else str(row["root"]), "right", 6),
    )
    return Table(columns, [Block("Calls by cost", "", rows)])


def rank_table(rows: list[dict[str, Any]]) -> Table[Row]:
    """The processes: who waits, and who comes last."""
    columns = (
        Column[Row]("rank", "rank"),
        Column[Row]("time_s", "in MPI", lambda row: format_duration(row["time_s"])),
        Column[Row]("waiting_s", "waiting", lambda row: _time(row["waiting_s"])),
        Column[Row]("waiting_low_s", "95 %", _range, "range", 2),
        Column[Row]("last_calls", "came last", lambda row: _count(row["last_calls"])),
        Column[Row]("sampled_calls", "of sampled calls", lambda row: _count(row["sampled_calls"]), "right", 1),
    )
    return Table(columns, [Block("Processes", "", rows)])


def _time(seconds: float | None) -> str:
    return "" if seconds is None else format_duration(seconds)


def _range(row: Row) -> str:
    low, high = row["waiting_low_s"], row["waiting_high_s"]
    return "" if low is None else f"{format_duration(low)} … {format_duration(high)}"


def _count(number: int | None) -> str:
    return "" if number is None else str(number)


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.2%}"


def _interval(row: Row) -> str:
    low, high = row["waiting_low_share"], row["waiting_high_share"]
    return "" if low is None else f"{low:.2%} … {high:.2%}"


def _sizes(row: Row) -> str:
    if row["largest_bytes"] == 0:
        return ""
    ends = [size_text(row[one]) for one in ("smallest_bytes", "largest_bytes")]
    return ends[0] if row["smallest_bytes"] == row["largest_bytes"] else " … ".join(ends)


def _communicator(row: Row) -> str:
    return f"{row['communicator'] or 'unnamed'} ({row['n_ranks']})" if row["n_ranks"] else ""


def profile_sentence(profile: ProgramProfile) -> str:
    """The whole program in one sentence."""
    if not profile.counts_calls:
        processes = "1 process" if profile.n_ranks == 1 else f"{profile.n_ranks} processes"
        return (
            f"Nothing is known of the program's calls: {processes} called MPI_Init and, in {profile.elapsed_s:.4g} s, "
            f"none of the functions that are counted ({profile.library})."
        )
    share = "" if profile.mpi_share is None else f", {profile.mpi_share:.1%} of it in MPI"
    if profile.waiting_share is not None:
        share += f", {profile.waiting_share:.1%} waiting for late processes"
    return (
        f"{profile.calls['calls'].sum():,} calls{_together(profile.n_ranks)} in {profile.elapsed_s:.4g} s{share} "
        f"({profile.library})."
    )


def _together(n: int) -> str:
    """Calls are counted on every process: two that call 400 times each make 800."""
    return " of 1 process" if n == 1 else f" of {n} processes together"
