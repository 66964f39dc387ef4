"""What part of the time inside collectives is waiting for processes that come later, which no library can
mend: arithmetic on the arrivals of sampled calls.

A process waits for those without whom its call cannot end, whatever the algorithm: all others; in a broadcast or a
scatter for the root; in a gather or a reduction the root alone for all; in a scan for lower ranks. It arrives at a
nonblocking or persistent call when it starts it, and waits in the MPI_Wait for it (docs/decisions/0046).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from ictus.stats.ratio_of_sums import ratio_of_sums

CALL = ("group", "communicator", "n_ranks", "operation", "stream_class", "number")
"""What names one call of all processes of a communicator."""

_FROM_ROOT = ("Bcast", "Scatter", "Scatterv")
_TO_ROOT = ("Gather", "Gatherv", "Reduce")
_FROM_LOWER = ("Scan", "Exscan")
_OF_SEVERAL_SIZES = ("Gatherv", "Scatterv", "Allgatherv", "Alltoallv", "Alltoallw")
"""Here a process may have nothing to wait for, which is not known: that it waits is the most that there can be."""


@dataclass(frozen=True)
class SampledCalls:
    """Calls that all their processes have sampled."""

    arrivals: pl.DataFrame
    """A row for each process of each call: what `waiting_in_calls` was given, `waiting_s` with its proven limits
    `waiting_low_s` and `waiting_high_s`, and `awaited`, the rank that it waited for: of those that it needs, the last.
    """
    calls: int
    contradicted: int
    """Calls that are left out, for a process left before one without whom it could not: calls of different
    communicators were taken for one.
    """


def waiting_in_calls(arrivals: pl.DataFrame) -> SampledCalls:
    """Waiting of each process in each call. A row is one arrival: CALL, `own_rank` in the communicator, `rank` in the
    program, `root`, `size_class`, `entered_s` on the global clock with its proven `bound_s` (NaN: nothing is proven),
    `time_s` inside; or, where `is_end`, one wait for a started call, whose kind of call is `ending`.
    """
    starts, ends = arrivals.filter(~pl.col("is_end")), arrivals.filter("is_end")
    bound = pl.col("bound_s").fill_nan(float("inf"))
    of_all = starts.unique((*CALL, "own_rank"), keep="any").filter(pl.len().over(CALL) == pl.col("n_ranks"))
    arrived = of_all.sort(*CALL, "own_rank").with_columns(
        arrived_s=pl.col("entered_s"),
        latest=_awaited(pl.col("entered_s")),
        earliest_latest=_awaited(pl.col("entered_s") - bound),
        latest_latest=_awaited(pl.col("entered_s") + bound),
        waits=_waits(),
        awaited=_awaited_rank(),
    )
    awaited = ("arrived_s", "latest", "earliest_latest", "latest_latest", "waits", "awaited")
    of_started = arrived.filter(_is_started()).select(*CALL, "own_rank", *awaited)
    waiting = ends.unique((*CALL, "own_rank"), keep="any").join(of_started, on=(*CALL, "own_rank"), how="inner")
    timed = pl.concat([arrived.filter(~_is_started()), waiting.sort(*CALL, "own_rank").select(arrived.columns)])
    differences = timed.with_columns(
        waiting_s=pl.col("latest") - pl.col("entered_s"),
        waiting_low_s=pl.col("earliest_latest") - (pl.col("entered_s") + bound),
        waiting_high_s=pl.col("latest_latest") - (pl.col("entered_s") - bound),
    )
    left_early = (
        pl.col("waits") & ~_form().is_in(_OF_SEVERAL_SIZES) & (pl.col("waiting_low_s") > pl.col("time_s") + bound)
    )
    is_wrong = differences.with_columns(wrong=left_early.fill_null(value=False).any().over(CALL))
    right = is_wrong.filter(~pl.col("wrong")).with_columns(
        pl.when(pl.col("waits"))
        .then(pl.col(column).fill_null(0.0).clip(0.0, pl.col("time_s")))
        .otherwise(0.0)
        .alias(column)
        for column in ("waiting_s", "waiting_low_s", "waiting_high_s")
    )
    calls, all_calls = (frame.select(CALL).n_unique() for frame in (right, timed))
    kept = right.with_columns(operation="ending").drop(
        "latest", "earliest_latest", "latest_latest", "waits", "wrong", "ending", "is_end"
    )
    return SampledCalls(kept, calls, all_calls - calls)


def _is_started() -> pl.Expr:
    """Nonblocking or persistent, by the name: no blocking collective begins with an I."""
    return pl.col("operation").str.contains("^I|_init$")


def _form() -> pl.Expr:
    """The blocking operation that does the same."""
    bare = pl.col("operation").str.replace("^I", "").str.replace("_init$", "")
    return bare.str.slice(0, 1).str.to_uppercase() + bare.str.slice(1)


def _awaited(time: pl.Expr) -> pl.Expr:
    """Of the processes that a process has to wait for, the last; rows are in the order of `own_rank` in each call."""
    of_lower = time.shift(1).cum_max().over(CALL)
    return _by_form(time.filter(pl.col("own_rank") == pl.col("root")).max().over(CALL), of_lower, time.max().over(CALL))


def _awaited_rank() -> pl.Expr:
    """Which that is."""
    time, rank = pl.col("entered_s"), pl.col("rank")
    comes_later = time == time.cum_max()
    of_lower = pl.when(comes_later).then(rank).forward_fill().shift(1).over(CALL)
    of_root = rank.filter(pl.col("own_rank") == pl.col("root")).max().over(CALL)
    return _by_form(of_root, of_lower, rank.sort_by(time).last().over(CALL))


def _by_form(of_root: pl.Expr, of_lower: pl.Expr, of_all: pl.Expr) -> pl.Expr:
    """What holds for an operation: of the root, of the ranks below, or of all."""
    is_from_root, is_from_lower = (_form().is_in(forms) for forms in (_FROM_ROOT, _FROM_LOWER))
    return pl.when(is_from_root).then(of_root).when(is_from_lower).then(of_lower).otherwise(of_all)


def _waits() -> pl.Expr:
    """Whether a process has to wait for any other: not where nothing is moved."""
    operation, is_root = _form(), pl.col("own_rank") == pl.col("root")
    moves = (pl.col("size_class") > 0) | operation.is_in(("Barrier", *_OF_SEVERAL_SIZES))
    takes_part = pl.when(operation.is_in(_FROM_ROOT)).then(~is_root).when(operation.is_in(_TO_ROOT)).then(is_root)
    return moves & takes_part.otherwise(pl.lit(value=True))


def waiting_of_kinds(sampled: pl.DataFrame, kinds: pl.DataFrame, by: Sequence[str]) -> pl.DataFrame:
    """For each of `kinds` (which have `calls` and `time_s`) that was sampled, by the columns `by`: `waiting_s` of all
    its calls, from `waiting_low_s` to `waiting_high_s`, and `sampled_calls`. The limits are the clocks' proven ones,
    and 95 % intervals of what was not sampled.
    """
    waits = ("waiting_s", "waiting_low_s", "waiting_high_s")
    of_unit = tuple(dict.fromkeys((*by, *CALL)))
    units = sampled.group_by(of_unit, maintain_order=True).agg(pl.col("time_s", *waits).sum(), sampled_calls=pl.len())
    totals = kinds.select(*by, all_calls="calls", all_s="time_s")
    joined = units.join(totals, on=list(by), how="inner", nulls_equal=True, maintain_order="left")
    rows = []
    for key, group_frame in joined.group_by(*by, maintain_order=True):
        times_s = group_frame["time_s"].to_numpy()
        if times_s.sum() <= 0:
            continue
        n, all_s = int(group_frame["sampled_calls"].sum()), float(group_frame["all_s"][0])
        ratios = [
            ratio_of_sums(group_frame[name].to_numpy(), times_s, n / int(group_frame["all_calls"][0])) for name in waits
        ]
        low, high = ratios[1].ratio - ratios[1].half_width, ratios[2].ratio + ratios[2].half_width
        values = (ratios[0].ratio, float(np.clip(low, 0.0, 1.0)), float(np.clip(high, 0.0, 1.0)))
        scaled = {name: value * all_s for name, value in zip(waits, values, strict=True)}
        rows.append({**dict(zip(by, key, strict=True)), **scaled, "sampled_calls": n})
    schema: dict[str, pl.DataType] = {name: kinds.schema[name] for name in by}
    schema |= dict.fromkeys(waits, pl.Float64()) | {"sampled_calls": pl.Int64()}
    return pl.DataFrame(rows, schema, orient="row")
