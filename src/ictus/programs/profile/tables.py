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
    *("bytes", "time_s", "mean_s", "longest_s", "share"),
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
        Column[Row]("datatype", "datatype", lambda row: row["datatype"].removeprefix("MPI_"), "left", 4),
        Column[Row]("op", "operator", lambda row: row["op"].removeprefix("MPI_"), "left", 5),
        Column[Row]("root", "root", lambda row: "" if row["root"] is None else str(row["root"]), "right", 6),
        Column[Row]("site", "called at", align="left", importance=3),
        Column[Row]("calls", "calls"),
        Column[Row]("mean_s", "mean", lambda row: format_duration(row["mean_s"]), "right", 1),
        Column[Row]("share", "share of time", lambda row: "" if row["share"] is None else f"{row['share']:.2%}"),
    )
    return Table(columns, [Block("Calls by cost", "", rows)])


def _sizes(row: Row) -> str:
    if row["largest_bytes"] == 0:
        return ""
    ends = [size_text(row[one]) for one in ("smallest_bytes", "largest_bytes")]
    return ends[0] if row["smallest_bytes"] == row["largest_bytes"] else " … ".join(ends)


def _communicator(row: Row) -> str:
    return f"{row['communicator'] or 'unnamed'} ({row['n_ranks']})" if row["n_ranks"] else ""


def profile_sentence(profile: ProgramProfile) -> str:
    """The whole program in one sentence."""
    share = "" if profile.mpi_share is None else f", {profile.mpi_share:.1%} of it in MPI"
    return (
        f"{profile.calls['calls'].sum()} calls of {profile.n_ranks} processes in {profile.elapsed_s:.4g} s{share} "
        f"({profile.library})."
    )
