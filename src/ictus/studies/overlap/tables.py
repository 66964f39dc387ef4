"""Tables of overlap, for the terminal and the page."""

from collections.abc import Sequence

from rich.text import Text

from ictus.model.quantity import format_duration, format_size
from ictus.render.terminal import Block, Column, table
from ictus.stats.median import MedianInterval
from ictus.studies.clocks.labels import processes
from ictus.studies.overlap.analysis import RunSummary
from ictus.studies.overlap.progress import LibraryProgress, progress_of
from ictus.studies.overlap.words import alike_text, helper_text, share_range, share_text

_NONE = "–"
PLAIN = "plain"
"""Overlap of T_b without a thread."""

_COLUMNS = (
    Column("", "left"),
    Column("size"),
    Column("compute", "left"),
    Column("T_b", importance=5),
    Column("init", importance=9),
    Column("test", importance=8),
    Column("wait", importance=7),
    Column("overhead", importance=2),
    Column("overlap"),
    Column("95 %", importance=1),
    Column(PLAIN, importance=3),
    Column("OSU", importance=6),
    Column("IMB", importance=6),
)
Rows = list[tuple[str, ...]]


def overlap_tables(summaries: Sequence[RunSummary], width: int) -> list[Text]:
    """A block for each library, number of processes and operation, a line a run and size; then all libraries side by
    side.
    """
    shown = [Block(title, detail, rows) for title, detail, rows in blocks(summaries)]
    beside = [Block(title, detail, rows) for title, detail, rows in side_by_side(summaries)]
    columns = tuple(Column(name, "left" if name in ("compute", BEST) else "right") for name in side_head(summaries))
    return [
        *table(_columns(summaries), shown, width),
        *([Text(), *table(columns, beside, width)] if beside else []),
    ]


def _columns(summaries: Sequence[RunSummary]) -> tuple[Column, ...]:
    """Without that for threads where there is none."""
    return tuple(column for column in _COLUMNS if column.heading != PLAIN or _is_helped(summaries))


def _is_helped(summaries: Sequence[RunSummary]) -> bool:
    return any(one.plain_overlap is not None for one in summaries)


def head(summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    """Headings of the rows of `blocks`."""
    return tuple(column.heading for column in _columns(summaries))


def blocks(summaries: Sequence[RunSummary]) -> list[tuple[str, str, Rows]]:
    """Title, detail and rows of each library, number of processes and operation."""
    found = []
    for place in dict.fromkeys((one.key.library, one.key.n, one.key.operation) for one in summaries):
        own = [one for one in summaries if (one.key.library, one.key.n, one.key.operation) == place]
        own.sort(key=lambda one: one.key.size_bytes)
        launches = max(one.launches for one in own)
        helped = any(one.plain_overlap for one in own)
        more = f"; {PLAIN}: by T_b without a thread" if helped else ", not clipped"
        detail = f"{launches} launch{'' if launches == 1 else 'es'}; overlap 1 - overhead / T_b{more}"
        found.append(
            (
                f"{place[2]}, {place[0]}, {processes(place[1])}",
                detail,
                [_row(one, _is_helped(summaries)) for one in own],
            )
        )
    return found


def _row(one: RunSummary, is_helped: bool) -> tuple[str, ...]:
    times = (one.blocking.median, one.init_s, one.test_s, one.wait_s, one.overhead.median)
    return (
        helper_text(one),
        format_size(one.key.size_bytes),
        one.key.compute,
        *map(format_duration, times),
        share_text(one.overlap.median),
        interval_text(one.overlap),
        *(("" if one.plain_overlap is None else share_text(one.plain_overlap.median),) if is_helped else ()),
        share_text(one.osu),
        share_text(one.imb),
    )


def interval_text(share: MedianInterval) -> str:
    """`61 … 80 %`, or that there are too few launches for an interval."""
    if share.low is None or share.high is None:
        return _NONE
    return share_range(share.low, share.high)


BEST = "least overhead with"


def libraries_of(summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    """Every library, in the order of the summaries."""
    return tuple(dict.fromkeys(one.key.library for one in summaries))


def side_head(summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    """Columns of the table with the libraries side by side."""
    return ("size", "compute", *(name for one in libraries_of(summaries) for name in (f"{one}: T_b", "no tests", BEST)))


def side_by_side(summaries: Sequence[RunSummary]) -> list[tuple[str, str, Rows]]:
    """Of each number of processes and operation: T_b, overlap without tests and the least overhead without a thread, a
    row for each size and compute kind, the libraries beside each other.
    """
    progress, libraries = progress_of(summaries), libraries_of(summaries)
    found = []
    for n, operation in dict.fromkeys((one.n, one.operation) for one in progress):
        own = {
            (one.size_bytes, one.compute, one.library): one
            for one in progress
            if (one.n, one.operation) == (n, operation)
        }
        rows = []
        for size, compute in sorted({key[:2] for key in own}):
            cells = [_side(own.get((size, compute, library))) for library in libraries]
            rows.append((format_size(size), compute, *(cell for three in cells for cell in three)))
        detail = "overlap without a thread: without tests, and where the overhead is least"
        found.append((f"{operation}, {processes(n)}", detail, rows))
    return found


def _side(one: LibraryProgress | None) -> tuple[str, str, str]:
    """One library's part of a row."""
    if one is None:
        return (_NONE, _NONE, _NONE)
    alone = _NONE if one.alone is None else share_text(one.alone.overlap.median)
    best = f"{helper_text(one.best).removeprefix('test ')}, {share_text(one.best.overlap.median)}"
    return (format_duration(one.best.blocking.median), alone, best)


PROGRESS_HEAD = ("", "size", "compute", "progress", "no tests", "best", "overlap", "95 %", "as good")


def progress_sheets(summaries: Sequence[RunSummary]) -> list[tuple[str, str, Rows]]:
    """Of each number of processes and operation, the verdict at each size with the best and its interval."""
    progress = progress_of(summaries)
    found = []
    for n, operation in dict.fromkeys((one.n, one.operation) for one in progress):
        own = [one for one in progress if (one.n, one.operation) == (n, operation)]
        found.append((operation, processes(n), [_progress_row(one) for one in own]))
    return found


def _progress_row(one: LibraryProgress) -> tuple[str, ...]:
    return (
        one.library,
        format_size(one.size_bytes),
        one.compute,
        one.verdict if one.has_interval else f"{one.verdict} (medians only)",
        _NONE if one.alone is None else share_text(one.alone.overlap.median),
        helper_text(one.best),
        share_text(one.best.overlap.median),
        interval_text(one.best.overlap),
        alike_text(one).removeprefix(", not told apart from ") or _NONE,
    )
