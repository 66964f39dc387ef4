"""Tables and sentences of round trips."""

from collections.abc import Callable, Sequence

from ictus.model.quantity import format_duration
from ictus.render.table import Block, Column, Table
from ictus.render.unit import time_unit
from ictus.studies.rtt.analysis import OffsetQuality, PairSummary

_TIMES = (
    ("least_s", "least", 0),
    ("median_s", "median", 0),
    ("mean_s", "mean", 5),
    ("p95_s", "p95", 2),
    ("p99_s", "p99", 3),
    ("largest_s", "largest", 1),
)


def pair_name(summary: PairSummary) -> str:
    """`0, 1`, and whether they are on one host."""
    return f"{summary.reference}, {summary.client}{'' if summary.same_host else ' (two hosts)'}"


def round_trip_table(pairs: Sequence[PairSummary]) -> Table[PairSummary]:
    """A line for each pair, the quickest first."""
    unit = time_unit([pair.median_s for pair in pairs])
    columns = (
        Column[PairSummary]("client", "ranks", pair_name, "left"),
        *(_time(key, title, importance, unit.number) for key, title, importance in _TIMES),
        Column[PairSummary]("skewness", "skewness", lambda summary: f"{summary.skewness:.1f}", "point", 4),
    )
    ordered = sorted(pairs, key=lambda pair_summary: pair_summary.median_s)
    launches_text = f", medians of {pairs[0].launches} launches" if pairs[0].launches > 1 else ""
    detail = f"{pairs[0].exchanges} exchanges a pair{launches_text}, round trips in {unit.name}"
    return Table(columns, [Block("Round trips", detail, ordered)])


def _time(key: str, title: str, importance: int, number: Callable[[float | None], str]) -> Column[PairSummary]:
    return Column[PairSummary](key, title, lambda summary: number(getattr(summary, key)), "point", importance)


def quality_table(summary: PairSummary) -> Table[OffsetQuality]:
    """The offset from the first N exchanges of a pair, and their cost."""
    unit = time_unit([quality.bound_s for quality in summary.quality])
    columns = (
        Column[OffsetQuality]("n", "exchanges", lambda row: str(row.n), "point"),
        Column[OffsetQuality]("difference_s", "from the best", lambda row: unit.number(row.difference_s), "point"),
        Column[OffsetQuality]("bound_s", "proven to", lambda row: unit.number(row.bound_s), "point"),
        Column[OffsetQuality]("cost_s", "takes", lambda row: format_duration(row.cost_s)),
    )
    return Table(
        columns,
        [Block(f"Offset of ranks {pair_name(summary)}", f"of the quickest exchange, in {unit.name}", summary.quality)],
    )


def rtt_sentence(pairs: Sequence[PairSummary]) -> str:
    """Between which ranks messages are quickest and slowest, and how many exchanges are enough for an offset."""
    ordered = sorted(pairs, key=lambda pair: pair.median_s)
    least, most = ordered[0], ordered[-1]
    text = f"Between ranks {pair_name(least)} a round trip takes {format_duration(least.median_s)}"
    if most is not least:
        text += f", between ranks {pair_name(most)} {format_duration(most.median_s)}"
    final = most.quality[-1].bound_s
    enough = next(quality for quality in most.quality if quality.bound_s <= 1.1 * final)
    return (
        f"{text} (medians). After {enough.n} exchange{'' if enough.n == 1 else 's'} ({format_duration(enough.cost_s)}) "
        f"the bound of the slower pair's offset is within 10 % of what {most.exchanges} give, {format_duration(final)}."
    )


_MOST_PAIRS = 6
"""Pairs that are drawn: the quickest, the slowest, and some between."""


def shown(pairs: Sequence[PairSummary]) -> tuple[PairSummary, ...]:
    """At most six pairs, evenly from the quickest to the slowest."""
    ordered = sorted(pairs, key=lambda pair: pair.median_s)
    if len(ordered) <= _MOST_PAIRS:
        return tuple(ordered)
    return tuple(ordered[round(number * (len(ordered) - 1) / (_MOST_PAIRS - 1))] for number in range(_MOST_PAIRS))
