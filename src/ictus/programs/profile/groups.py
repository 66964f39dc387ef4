"""The calls of a program by what is asked first: by function, by place, by size, by communicator. Arithmetic on the
rows of a profile.
"""

from typing import Any

import polars as pl

from ictus.programs.profile.analysis import ProgramProfile

GROUPINGS = {
    "function": ("operation",),
    "place": ("operation", "site"),
    "size": ("operation", "size_class"),
    "communicator": ("communicator", "group", "n_ranks", "n_remote", "ranks"),
}
"""Columns of the kinds of calls that each groups them by."""

_NAMES = ("operation", "site", "communicator", "n_ranks", "n_remote", "ranks")
_TIMES = (
    *("time_s", "share", "waiting_s", "waiting_low_s", "waiting_high_s"),
    *("waiting_share", "waiting_low_share", "waiting_high_share", "transfer_s"),
)


def grouped_rows(profile: ProgramProfile, by: str) -> list[dict[str, Any]]:
    """A row for each group of `by`, dearest first: its names (null: it has several), `calls`, `bytes`, the times as
    those of the kinds, and `by_rank`. Waiting is the sum over the kinds of which it is known; null where it is of none.
    """
    keys, calls = GROUPINGS[by], profile.calls
    if calls.height == 0:
        return []
    named = [pl.col(name) if name in keys else pl.lit(None).alias(name) for name in _NAMES]
    groups = calls.group_by(keys, maintain_order=True).agg(
        pl.col("calls", "bytes").sum(),
        pl.col("smallest_bytes").min(),
        pl.col("largest_bytes").max(),
        *(_known_sum(time) for time in _TIMES),
    )
    selected = groups.select(
        *named,
        *("smallest_bytes", "largest_bytes", "calls", "bytes", *_TIMES[:1]),
        *((pl.col("time_s") / pl.col("calls")).alias("mean_s"), *_TIMES[1:]),
        *(key for key in keys if key not in _NAMES),
    )
    joined = selected.join(_by_rank(calls, keys), on=keys, how="left", nulls_equal=True, maintain_order="left")
    order = ["time_s", *keys]
    return (
        joined.sort(order, descending=[True, *(False for _ in keys)])
        .drop(key for key in keys if key not in _NAMES)
        .to_dicts()
    )


def _by_rank(calls: pl.DataFrame, keys: tuple[str, ...]) -> pl.DataFrame:
    """The same of each process."""
    of_ranks = calls.select(*keys, "by_rank").explode("by_rank").unnest("by_rank")
    sums = of_ranks.group_by(*keys, "rank", maintain_order=True).agg(
        pl.col("calls").sum(), *(_known_sum(column) for column in ("time_s", "waiting_s", "transfer_s"))
    )
    each = pl.struct("rank", "calls", "time_s", "waiting_s", "transfer_s")
    return sums.sort("rank").group_by(keys).agg(by_rank=each)


def _known_sum(name: str) -> pl.Expr:
    return pl.when(pl.col(name).is_not_null().any()).then(pl.col(name).sum()).alias(name)
