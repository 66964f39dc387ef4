"""When the blocks of a campaign begin whose launches are spread over a time (`--over`).

Launches that follow one another see one moment of the machine. So the time is cut in equal parts, one for each block,
and each block begins at a random instant of its part: the blocks cover the time, and no disturbance that comes at even
intervals can meet all of them. The first begins at once, all others as much earlier: when somebody starts a campaign is
as random as any instant. The instants follow from the recorded seed and the number of the block.

A campaign that gets more launches later spreads these over the same time again, from then on.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ictus.model.plan import Plan
from ictus.model.random import SplitMix64
from ictus.store.journal import JournalEntry

_STREAM = int.from_bytes(b"over", "big")
"""Tells the instants' random numbers from those of the schedule, which have the same seed."""


def random_begin_s(seed: int, part_s: float, number: int, first: int = 0) -> float:
    """Seconds from the begin of block `first` to that of block `number`, of which each has a part of `part_s`."""
    return round(part_s * (number - first + _uniform(seed, number) - _uniform(seed, first)), 3)


def _uniform(seed: int, number: int) -> float:
    """The place of a block in its part, in [0, 1)."""
    generator = SplitMix64(seed ^ _STREAM)
    generator.skip(number)
    return (generator.next_u64() >> 11) / 2**53


@dataclass(frozen=True)
class BlockSeries:
    """Blocks that were planned together."""

    first: int
    """The number of the first block."""
    n_blocks: int
    begun_s: float
    """When the first may begin, seconds after the campaign's start."""


@dataclass(frozen=True)
class BlockTimes:
    """The begins of all blocks. One behind the last of its series goes on in the same rhythm."""

    seed: int
    over_s: float
    series: tuple[BlockSeries, ...]

    def begin_s(self, block: int) -> float:
        """When a block begins, seconds after the campaign's start."""
        series = next(block_series for block_series in reversed(self.series) if block_series.first <= block)
        return series.begun_s + random_begin_s(self.seed, self.over_s / series.n_blocks, block, series.first)


def planned_times(plan: Plan) -> BlockTimes | None:
    """The begins of a campaign that starts now; None where the plan spreads nothing."""
    if plan.over_s is None:
        return None
    assert plan.seed is not None, "a design is made of a seeded plan"
    return BlockTimes(plan.seed, plan.over_s, (BlockSeries(0, plan.launches, 0.0),))


def times_of(plan: Plan, entries: Sequence[JournalEntry]) -> BlockTimes | None:
    """The begins of a campaign with this journal, which has its start, and the times when it got more launches."""
    times, began = planned_times(plan), first_start(entries)
    if times is None or began is None:
        return times
    extended = [entry for entry in entries if entry.event == "extended" and entry.launches and entry.before is not None]
    if not extended:
        return times
    first = BlockSeries(0, extended[0].before or 1, 0.0)
    return BlockTimes(times.seed, times.over_s, (first, *_added(extended, began)))


def _added(extended: Iterable[JournalEntry], began: str) -> Iterator[BlockSeries]:
    for entry in extended:
        assert entry.launches is not None
        assert entry.before is not None
        yield BlockSeries(entry.before, max(entry.launches - entry.before, 1), seconds_between(began, entry.time))


def first_start(entries: Iterable[JournalEntry]) -> str | None:
    """When a campaign was started first, ISO 8601; None in an empty journal."""
    return next((entry.time for entry in entries if entry.event == "start" and entry.time), None)


def seconds_between(first: str, second: str) -> float:
    """From one ISO 8601 time to another; 0 where another program wrote one without a zone."""
    try:
        return (datetime.fromisoformat(second) - datetime.fromisoformat(first)).total_seconds()
    except (TypeError, ValueError):
        return 0.0


def time_after(began: str, seconds: float) -> datetime:
    """The time of day so long after an ISO 8601 time, in the zone of here."""
    return (datetime.fromisoformat(began) + timedelta(seconds=seconds)).astimezone()
