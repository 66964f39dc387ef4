"""Tables of overlap, for the terminal."""

from collections.abc import Sequence

from rich.text import Text

from ictus.model.quantity import format_duration, format_size
from ictus.overlap.summary import RunSummary
from ictus.report.clock_labels import processes
from ictus.report.overlap_rows import helper_text, share_text
from ictus.report.text_table import Block, Column, table
from ictus.stats.median_interval import MedianInterval

HEAD = ("", "size", "compute", "T_b", "init", "test", "wait", "overhead", "overlap", "95 %", "OSU", "IMB")
"""Columns, in the terminal and on the page."""

_COLUMNS = (
    Column("", "left"),
    Column("size"),
    Column("compute", "left"),
    Column("T_b", importance=3),
    Column("init", importance=5),
    Column("test", importance=6),
    Column("wait", importance=4),
    Column("overhead", importance=2),
    Column("overlap"),
    Column("95 %", importance=1),
    Column("OSU", importance=7),
    Column("IMB", importance=8),
)


def overlap_tables(summaries: Sequence[RunSummary], width: int) -> list[Text]:
    """A block for each library, number of processes and operation: a line a run and size."""
    return table(_COLUMNS, [Block(title, detail, rows) for title, detail, rows in blocks(summaries)], width)


def blocks(summaries: Sequence[RunSummary]) -> list[tuple[str, str, list[tuple[str, ...]]]]:
    """Title, detail and rows of each library, number of processes and operation."""
    found = []
    for place in dict.fromkeys((one.key.library, one.key.n, one.key.operation) for one in summaries):
        own = [one for one in summaries if (one.key.library, one.key.n, one.key.operation) == place]
        own.sort(key=lambda one: one.key.size_bytes)
        launches = max(one.launches for one in own)
        detail = f"{launches} launch{'' if launches == 1 else 'es'}; overlap 1 - overhead / T_b, not clipped"
        found.append((f"{place[2]}, {place[0]}, {processes(place[1])}", detail, [_row(one) for one in own]))
    return found


def _row(one: RunSummary) -> tuple[str, ...]:
    times = (one.blocking.median, one.init_s, one.test_s, one.wait_s, one.overhead.median)
    return (
        helper_text(one),
        format_size(one.key.size_bytes),
        one.key.compute,
        *map(format_duration, times),
        share_text(one.overlap.median),
        interval_text(one.overlap),
        share_text(one.osu),
        share_text(one.imb),
    )


def interval_text(share: MedianInterval) -> str:
    """`61 … 80 %`, or that there are too few launches for an interval."""
    if share.low is None or share.high is None:
        return "–"
    return f"{100 * share.low:.0f} … {100 * share.high:.0f} %"
