"""All processes of a profile together: one row for each kind of call, dearest first."""

import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ictus.model.errors import UsageError
from ictus.programs.profile.counters import ProcessCounters, read_counters

_KINDS = (
    *("operation", "size_class", "group", "communicator", "n_ranks", "n_remote", "ranks", "datatype", "type_bytes"),
    *("op", "root", "in_place", "site"),
)


@dataclass(frozen=True)
class ProgramProfile:
    """The calls of a program."""

    library: str
    n_ranks: int
    elapsed_s: float
    """The longest time of a process."""
    mpi_share: float | None
    """Of the processes' time, the share that they spent in these calls; None where no time passed."""
    calls: pl.DataFrame
    """A row for each kind of call: what it is; `calls` of all processes and of those that made the fewest and most
    (`calls_least`, `calls_most`, among those that made it); `time_s` of all, `mean_s`, `longest_s`, and the `share` of
    all processes' time; `smallest_bytes` and `largest_bytes`, what a process contributes; `hosts`; `site`.
    """
    warnings: tuple[str, ...]


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
    total_s = sum(one.elapsed_s for one in processes)
    found = pl.concat(
        one.rows.with_columns(rank=pl.lit(one.rank, pl.Int64), host=pl.lit(one.host)) for one in processes
    )
    sites = resolve_sites(found.select("module", "offset").unique().iter_rows())
    named = pl.Series([sites[one] for one in found.select("module", "offset").iter_rows()], dtype=pl.String)
    each = found.with_columns(site=named)  # compilers make several calls of one line
    hosts = each.group_by("group", "n_ranks", "n_remote").agg(hosts=pl.col("host").n_unique())
    of_rank = each.group_by(*_KINDS, "rank").agg(
        pl.col("calls", "bytes", "time_s").sum(),
        pl.col("longest_s", "largest").max(),
        pl.col("smallest").min(),
    )
    kinds = (
        of_rank.group_by(*_KINDS)
        .agg(
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
        .join(hosts, on=["group", "n_ranks", "n_remote"], how="left")
        .with_columns(
            mean_s=pl.col("time_s") / pl.col("calls"),
            share=pl.col("time_s") / total_s if total_s > 0 else pl.lit(None, pl.Float64),
        )
    )
    time_s = float(kinds["time_s"].sum())
    return ProgramProfile(
        library=processes[0].library,
        n_ranks=processes[0].n_ranks,
        elapsed_s=max(one.elapsed_s for one in processes),
        mpi_share=time_s / total_s if total_s > 0 else None,
        calls=kinds.sort(["time_s", *_KINDS], descending=[True, *(False for _ in _KINDS)]),
        warnings=tuple(_warnings(processes, each)),
    )


def _warnings(processes: tuple[ProcessCounters, ...], each: pl.DataFrame) -> Iterable[str]:
    n_ranks = processes[0].n_ranks
    if any(one.n_ranks != n_ranks for one in processes):
        yield "the files are of several programs: give each a folder of its own"
    elif len(processes) != n_ranks:
        yield f"{len(processes)} of {n_ranks} processes left their counters: the others are missing in all sums"
    open_ended = sum(not one.finalised for one in processes)
    if open_ended:
        yield (
            f"{open_ended} of {len(processes)} processes did not call MPI_Finalize: their calls count up to the last "
            f"that ended, and their time ends there"
        )
    if lost := int(each.filter(~pl.col("own_row"))["calls"].sum()):
        yield f"{lost} calls are known by their operation alone: a process distinguishes 16384 kinds of calls"


def resolve_sites(sites: Iterable[tuple[str, int]]) -> Mapping[tuple[str, int], str]:
    """`file.c:12` for return addresses in modules, by addr2line; `module+0x1a2b` where it does not know."""
    known = list(sites)
    found = {site: _unresolved(*site) for site in known}
    for module in Counter(module for module, _ in known):
        own = [site for site in known if site[0] == module]
        if not module:
            continue
        # The call lies before the address that it returns to.
        addresses = "".join(f"{offset - 1:#x}\n" for _, offset in own)
        try:
            done = subprocess.run(
                ("addr2line", "-e", module),
                input=addresses,
                capture_output=True,
                text=True,
                errors="replace",
                check=False,
            )
        except OSError:
            continue
        for site, line in zip(own, done.stdout.splitlines(), strict=False):
            place = line.split(" (discriminator")[0]
            if not place.startswith("??") and not place.endswith((":?", ":0")):
                found[site] = f"{Path(place.rpartition(':')[0]).name}:{place.rpartition(':')[2]}"
    return found


def _unresolved(module: str, offset: int) -> str:
    return f"{Path(module).name}+{offset:#x}" if module else ""
