"""All processes of a profile together: one row for each kind of call, dearest first."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ictus.model.errors import UsageError
from ictus.programs.profile.counters import ProcessCounters, read_counters
from ictus.programs.profile.imports import ImportedFunctions, all_imports, unseen_calls
from ictus.programs.profile.sites import resolve_sites
from ictus.programs.profile.waiting import CALL, SampledCalls, waiting_in_calls, waiting_of_kinds

_KINDS = (
    *("operation", "size_class", "group", "communicator", "n_ranks", "n_remote", "ranks", "datatype", "type_bytes"),
    *("op", "root", "in_place", "site"),
)
_WAITING = ("waiting_s", "waiting_low_s", "waiting_high_s")
_TIMES = ("time_s", "waiting_s", "transfer_s")


@dataclass(frozen=True)
class AwaitedRank:
    """A process for which others waited."""

    rank: int
    share: float
    """Of all processes' time, that in which they waited for it."""


@dataclass(frozen=True)
class ProgramProfile:
    """The calls of a program."""

    library: str
    n_ranks: int
    elapsed_s: float
    """The longest time of a process."""
    mpi_share: float | None
    """Of the processes' time, the share that they spent in these calls; None where no time passed, or no call was
    counted, for then nothing is known.
    """
    waiting_share: float | None
    """Of the processes' time, the share that they waited in collectives for processes that came later; None where it
    is not known.
    """
    calls: pl.DataFrame
    """A row for each kind of call: what it is; `calls` of all processes and of those that made the fewest and most
    (`calls_least`, `calls_most`, among those that made it); `time_s` of all, `mean_s`, `longest_s`, and the `share`
    of all processes' time; `smallest_bytes` and `largest_bytes`, what a process contributes; `hosts`; `site`. Of
    blocking collectives, and of waits for one started collective, `waiting_s`, that part of `time_s` that is
    waiting for processes that came later, `waiting_low_s` and `waiting_high_s`, its limits, the same as
    `waiting_share`, `waiting_low_share` and `waiting_high_share` of all processes' time, `transfer_s`, the rest of
    `time_s`, and `sampled_calls`; null where it is not known. `by_rank` has `calls`, `time_s`, `waiting_s` and
    `transfer_s` of each `rank`.
    """
    ranks: pl.DataFrame
    """A row for each process: `time_s` in MPI; of the sampled kinds of calls `waiting_s` with its limits, and
    `transfer_s`; how long the others waited for it, `awaited_s`; and of the `sampled_calls` those to which it came
    last, `last_calls`.
    """
    arrivals: pl.DataFrame
    """The sampled calls themselves: `waiting_in_calls`."""
    clock: str
    """Which the arrivals were read from; empty where no time line is common to all."""
    not_counted: tuple[ImportedFunctions, ...]
    """What the objects of the program import from MPI beside the functions that are counted."""
    warnings: tuple[str, ...]

    @property
    def counts_calls(self) -> bool:
        """Whether any call was counted."""
        return self.calls.height > 0

    @property
    def most_awaited(self) -> AwaitedRank | None:
        """The process for which the others waited longest; None where no waiting is known."""
        if not self.waiting_share or self.ranks["awaited_s"].max() is None:
            return None
        worst = self.ranks.sort("awaited_s", descending=True, nulls_last=True).row(0, named=True)
        return AwaitedRank(
            worst["rank"], worst["awaited_s"] / float(self.ranks["awaited_s"].sum()) * self.waiting_share
        )


def load_profile(folder: Path | str) -> ProgramProfile:
    """The profile that `ictus profile` left in `folder`.

    Raises:
        UsageError: there is none, or a file of it is damaged.
    """
    files = sorted(Path(folder).glob("rank-*.counters"))
    if not files:
        raise UsageError(f"'{folder}' holds no profile: there is no rank-*.counters; `ictus profile` makes them")
    return summarise(tuple(map(read_counters, files)))


def summarise(processes: tuple[ProcessCounters, ...]) -> ProgramProfile:
    """The processes of one program, at least one, as one profile."""
    total_s = sum(process.elapsed_s for process in processes)

    def of_all(name: str) -> pl.Expr:
        return pl.col(name) / total_s if total_s > 0 else pl.lit(None, pl.Float64)

    rows = pl.concat(
        counters.rows.with_columns(rank=pl.lit(counters.rank, pl.Int64), host=pl.lit(counters.host))
        for counters in processes
    )
    sites = resolve_sites(rows.select("module", "offset").unique().iter_rows())
    named = pl.Series([sites[iter_row] for iter_row in rows.select("module", "offset").iter_rows()], dtype=pl.String)
    each = rows.with_columns(site=named)  # compilers make several calls of one line
    hosts = each.group_by("group", "n_ranks", "n_remote").agg(hosts=pl.col("host").n_unique())
    # In one order, so that the same files give the same sums, to the last digit.
    of_rank = each.group_by(*_KINDS, "rank", maintain_order=True).agg(
        pl.col("calls", "bytes", "time_s").sum(),
        pl.col("longest_s", "largest").max(),
        pl.col("smallest").min(),
    )
    counted = of_rank.group_by(*_KINDS, maintain_order=True).agg(
        calls_least=pl.col("calls").min(),
        calls_most=pl.col("calls").max(),
        calls=pl.col("calls").sum(),
        processes=pl.col("rank").n_unique(),
        bytes=pl.col("bytes").sum(),
        smallest_bytes=pl.col("smallest").min(),
        largest_bytes=pl.col("largest").max(),
        time_s=pl.col("time_s").sum(),
        longest_s=pl.col("longest_s").max(),
    )
    sampled = waiting_in_calls(_sampled(processes, each))
    of_rank = _with_waiting(of_rank, sampled.arrivals, (*_KINDS, "rank"))
    by_rank = of_rank.sort("rank").group_by(_KINDS).agg(by_rank=pl.struct("rank", "calls", *_TIMES))
    kinds = (
        _with_waiting(counted, sampled.arrivals, _KINDS)
        .join(hosts, on=["group", "n_ranks", "n_remote"], how="left", maintain_order="left")
        .join(by_rank, on=_KINDS, how="left", nulls_equal=True, maintain_order="left")
        .with_columns(
            mean_s=pl.col("time_s") / pl.col("calls"),
            share=of_all("time_s"),
            **{f"{column}_share": of_all(f"{column}_s") for column in ("waiting", "waiting_low", "waiting_high")},
        )
    )
    time_s = float(kinds["time_s"].sum())
    knows_waiting = total_s > 0 and kinds["waiting_s"].count() > 0
    return ProgramProfile(
        library=" ".join(processes[0].library.split()),  # MPICH aligns it with tabs
        n_ranks=processes[0].n_ranks,
        elapsed_s=max(process.elapsed_s for process in processes),
        mpi_share=time_s / total_s if total_s > 0 and kinds.height > 0 else None,
        waiting_share=float(kinds["waiting_share"].sum()) if knows_waiting else None,
        calls=kinds.sort(["time_s", *_KINDS], descending=[True, *(False for _ in _KINDS)]),
        ranks=_ranks(of_rank, kinds, sampled.arrivals),
        arrivals=sampled.arrivals,
        clock=processes[0].clock if all(process.has_global_time for process in processes) else "",
        not_counted=all_imports(process.imports for process in processes),
        warnings=tuple(_warnings(processes, each, sampled)),
    )


def _sampled(processes: tuple[ProcessCounters, ...], each: pl.DataFrame) -> pl.DataFrame:
    """The arrivals of all processes, each with the kind of its call."""
    arrivals = pl.concat(process.arrivals.with_columns(rank=pl.lit(process.rank, pl.Int64)) for process in processes)
    kind_columns = [name for name in _KINDS if name not in arrivals.columns]
    kinds = each.with_columns(ending=pl.col("operation")).select("rank", "row", "ending", *kind_columns)
    return arrivals.join(kinds, on=["rank", "row"], how="inner", maintain_order="left")


def _with_waiting(counted: pl.DataFrame, sampled: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """Of what is counted by the columns `by`, the waiting and the rest; null where it is not known."""
    waiting = waiting_of_kinds(sampled, counted, by)
    joined = counted.join(waiting, on=list(by), how="left", nulls_equal=True, maintain_order="left")
    return joined.with_columns(transfer_s=pl.col("time_s") - pl.col("waiting_s"))


def _ranks(of_rank: pl.DataFrame, kinds: pl.DataFrame, sampled: pl.DataFrame) -> pl.DataFrame:
    """The processes: sums of `of_rank`, and how long the others waited for each, of kinds that were sampled in part
    as much of all their waiting as of what was sampled.
    """
    has_waiting = pl.col("waiting_s").is_not_null()
    sums = of_rank.group_by("rank", maintain_order=True).agg(
        pl.col("time_s").sum(),
        *(pl.when(has_waiting.any()).then(pl.col(column).sum()).alias(column) for column in (*_WAITING, "transfer_s")),
    )
    is_last = pl.col("arrived_s") == pl.col("arrived_s").max().over(CALL)
    calls = sampled.with_columns(is_last=is_last).group_by("rank")
    part = pl.col("waiting_s") / pl.col("waiting_s").sum().over(_KINDS)
    awaited = (
        sampled.filter(pl.col("waiting_s") > 0)
        .with_columns(part=part)
        .join(kinds.select(*_KINDS, all_s="waiting_s"), on=_KINDS, how="inner", nulls_equal=True)
        .group_by("awaited")
        .agg(awaited_s=(pl.col("part") * pl.col("all_s")).sum())
    )
    return (
        sums.join(calls.agg(sampled_calls=pl.len(), last_calls=pl.col("is_last").sum()), on="rank", how="left")
        .join(awaited, left_on="rank", right_on="awaited", how="left")
        .with_columns(pl.when(pl.col("waiting_s").is_not_null()).then(pl.col("awaited_s").fill_null(0.0)))
        .sort("rank")
    )


def _warnings(processes: tuple[ProcessCounters, ...], each: pl.DataFrame, sampled: SampledCalls) -> Iterable[str]:
    n_ranks = processes[0].n_ranks
    if each.height == 0:
        yield unseen_calls(all_imports(process.imports for process in processes))
    if any(process.n_ranks != n_ranks for process in processes):
        yield "the files are of several programs: give each a folder of its own"
    elif len(processes) != n_ranks:
        yield f"{len(processes)} of {n_ranks} processes left their counters: the others are missing in all sums"
    open_ended = sum(not counters.finalised for counters in processes)
    if open_ended:
        yield (
            f"{open_ended} of {len(processes)} processes did not call MPI_Finalize: their calls count up to the last "
            f"that ended, their time ends there, and waiting is not proven without a last look at the clocks"
        )
    elif not all(process.has_global_time for process in processes):
        yield (
            "waiting is not proven: the clocks were not compared, for the program began with a session and not with "
            "MPI_Init, or its messages say why"
        )
    if worlds := sum(process.spawned_worlds for process in processes):
        yield f"calls in spawned worlds are not counted: the program spawned {worlds}, by MPI_Comm_spawn"
    if late := sum(process.late_sessions > 0 for process in processes):
        yield (
            f"calls after the end of counting are not counted: {late} of {len(processes)} processes began a session "
            f"after the last one had ended, or used one after MPI_Finalize"
        )
    if sampled.contradicted:
        yield (
            f"{sampled.contradicted} sampled calls are left out: threads used communicators of one name and the same "
            f"ranks at once; MPI_Comm_set_name tells them apart"
        )
    if lost := int(each.filter(~pl.col("own_row"))["calls"].sum()):
        yield f"{lost} calls are known by their operation alone: a process distinguishes 16384 kinds of calls"
