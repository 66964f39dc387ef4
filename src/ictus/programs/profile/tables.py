"""A profile as tables: time by function, place, size and communicator, the kinds of calls, the processes."""

from collections.abc import Mapping, Sequence
from typing import Any

from ictus.model.quantity import format_duration, size_text
from ictus.programs.profile.analysis import AwaitedRank, ProgramProfile
from ictus.render.table import Block, Column, Table
from ictus.render.unit import three_digits

Row = Mapping[str, Any]

_SHOWN = (
    *("operation", "smallest_bytes", "largest_bytes", "communicator", "n_ranks", "n_remote", "ranks", "hosts"),
    *("datatype", "type_bytes", "op", "root", "in_place", "site", "processes", "calls", "calls_least", "calls_most"),
    *("bytes", "time_s", "mean_s", "longest_s", "share", "waiting_s", "waiting_low_s", "waiting_high_s"),
    *("waiting_share", "waiting_low_share", "waiting_high_share", "transfer_s", "sampled_calls", "by_rank"),
)
_TITLES = {
    "function": "Time by function",
    "place": "Time by place",
    "size": "Time by size",
    "communicator": "Time by communicator",
}


def profile_rows(profile: ProgramProfile) -> list[dict[str, Any]]:
    """The kinds of calls, as JSON has them."""
    rows = profile.calls.select(_SHOWN).to_dicts()
    return [{**row, "root": None if row["root"] == -1 else row["root"]} for row in rows]


def profile_table(rows: Sequence[Row]) -> Table[Row]:
    """The kinds of calls as people read them: each column that names one is there where it tells two apart."""
    columns = (
        *(_operation(), _sizes(), _communicator(2), _site(3)),
        *_costs(1),
        Column[Row]("datatype", "datatype", lambda row: _bare(row["datatype"]), "left", 4, tells_apart=True),
        Column[Row]("op", "operator", lambda row: _bare(row["op"]), "left", 5, tells_apart=True),
        Column[Row]("root", "root", lambda row: _count(row["root"]), "right", 6, tells_apart=True),
        Column[Row]("in_place", "in place", lambda row: "yes" if row["in_place"] else "", "left", 7, tells_apart=True),
        _ranks(8),
    )
    return Table(columns, [Block("Calls by cost", "", rows)])


def group_table(rows: Sequence[Row], by: str) -> Table[Row]:
    """The calls grouped by function, place, size or communicator (groups.py)."""
    names = {
        "function": (_operation(),),
        "place": (_site(0), _operation()),
        "size": (_operation(), _sizes()),
        "communicator": (_communicator(0), _ranks(3)),
    }
    volume = Column[Row]("bytes", "volume", lambda row: _volume(row["bytes"]), "right", 2)
    return Table((*names[by], volume, *_costs(3)), [Block(_TITLES[by], "", rows)])


def _operation() -> Column[Row]:
    return Column("operation", "function", align="left", tells_apart=True)


def _sizes() -> Column[Row]:
    return Column("smallest_bytes", "bytes", _from_to, tells_apart=True)


def _communicator(importance: int) -> Column[Row]:
    return Column("communicator", "communicator", _communicator_text, "left", importance, tells_apart=True)


def _ranks(importance: int) -> Column[Row]:
    return Column("ranks", "ranks", align="left", importance=importance, tells_apart=True)


def _site(importance: int) -> Column[Row]:
    return Column("site", "called at", lambda row: row["site"] or "unknown", "left", importance, tells_apart=True)


def _costs(mean: int) -> tuple[Column[Row], ...]:
    """What calls cost; `mean` is the importance of the mean time of a call."""
    return (
        Column("calls", "calls"),
        Column("mean_s", "mean", lambda row: format_duration(row["mean_s"]), "right", mean),
        Column("share", "share of time", lambda row: _share(row["share"])),
        Column("waiting_share", "waiting", lambda row: _share(row["waiting_share"])),
        Column("waiting_low_share", "95 %", _interval, "range", 4),
    )


def rank_table(rows: Sequence[Row]) -> Table[Row]:
    """The processes: who waits, and for whom."""
    columns = (
        Column[Row]("rank", "rank"),
        Column[Row]("time_s", "in MPI", lambda row: format_duration(row["time_s"])),
        Column[Row]("waiting_s", "waiting", lambda row: _time(row["waiting_s"])),
        Column[Row]("waiting_low_s", "95 %", _range, "range", 2),
        Column[Row]("transfer_s", "not waiting", lambda row: _time(row["transfer_s"])),
        Column[Row]("awaited_s", "others waited for it", lambda row: _time(row["awaited_s"])),
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


def _bare(name: str) -> str:
    return name.removeprefix("MPI_")


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.2%}"


def _interval(row: Row) -> str:
    low, high = row["waiting_low_share"], row["waiting_high_share"]
    return "" if low is None else f"{low:.2%} … {high:.2%}"


def _from_to(row: Row) -> str:
    if row["largest_bytes"] == 0:
        return ""
    ends = [size_text(row[column]) for column in ("smallest_bytes", "largest_bytes")]
    return ends[0] if row["smallest_bytes"] == row["largest_bytes"] else " … ".join(ends)


def _volume(size_bytes: int) -> str:
    """`12.3 MiB`; empty where nothing is moved."""
    for unit, scale in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size_bytes >= scale:
            return f"{three_digits(size_bytes / scale)} {unit}"
    return f"{size_bytes} B" if size_bytes else ""


def _communicator_text(row: Row) -> str:
    if not row["n_ranks"]:
        return ""
    between = f" and {row['n_remote']}" if row["n_remote"] else ""
    return f"{row['communicator'] or 'unnamed'} ({row['n_ranks']}{between})"


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
        share += f", {waiting_words(profile.waiting_share, profile.most_awaited)}"
    return (
        f"{profile.calls['calls'].sum():,} calls{_together(profile.n_ranks)} in {profile.elapsed_s:.4g} s{share} "
        f"({profile.library})."
    )


_NEARLY_ALL = 0.9


def waiting_words(share: float, most: AwaitedRank | None) -> str:
    """`51.0% waiting for rank 3`, where that is nearly all of the waiting; both are of all processes' time."""
    if most is None:
        return f"{share:.1%} waiting for late processes"
    if most.share >= _NEARLY_ALL * share:
        return f"{share:.1%} waiting for rank {most.rank}"
    return f"{share:.1%} waiting for late processes, most for rank {most.rank} ({most.share:.1%})"


def _together(n: int) -> str:
    """Calls are counted on every process: two that call 400 times each make 800."""
    return " of 1 process" if n == 1 else f" of {n} processes together"
