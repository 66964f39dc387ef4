"""Tables of overlap, for the terminal and the page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ictus.comparison.case_titles import processes
from ictus.model.quantity import format_duration, format_size
from ictus.render.table import NONE, Block, Column, Table, row_columns
from ictus.stats.median import MedianInterval
from ictus.studies.overlap.analysis import RunSummary
from ictus.studies.overlap.progress import LibraryProgress, progress_of
from ictus.studies.overlap.words import alike_text, helper_text, share_range, share_text

COLUMNS = row_columns(
    """
    mpi=key.library key.n key.operation key.size_bytes key.thread key.compute key.intervals_bytes
    blocking_s=blocking.median overhead_s=overhead.median overlap=overlap.median osu_overlap=osu imb_overlap=imb
    plain_blocking_s=plain_blocking.median plain_overlap=plain_overlap.median
    """,
    "ictus.overlap/2",
)

PLAIN = "plain"
"""Overlap of T_b without a thread."""
BEST = "least overhead with"


def overlap_table(summaries: Sequence[RunSummary]) -> Table[RunSummary]:
    """A block for each library, number of processes and operation, a line a run and size."""
    is_helped = any(summary.plain_overlap is not None for summary in summaries)
    blocks = []
    for library, n, operation in dict.fromkeys(
        (run_summary.key.library, run_summary.key.n, run_summary.key.operation) for run_summary in summaries
    ):
        run_summaries = [
            summary
            for summary in summaries
            if (summary.key.library, summary.key.n, summary.key.operation) == (library, n, operation)
        ]
        run_summaries.sort(key=lambda summary: summary.key.size_bytes)
        launches = max(summary.launches for summary in run_summaries)
        note = (
            f"; {PLAIN}: by T_b without a thread"
            if any(summary.plain_overlap for summary in run_summaries)
            else ", not clipped"
        )
        detail = f"{launches} launch{'' if launches == 1 else 'es'}; overlap 1 - overhead / T_b{note}"
        blocks.append(Block(f"{operation}, {library}, {processes(n)}", detail, run_summaries))
    return Table([column for column in _COLUMNS if column.title != PLAIN or is_helped], blocks)


def interval_text(share: MedianInterval) -> str:
    """`61 … 80 %`, or that there are too few launches for an interval."""
    if share.low is None or share.high is None:
        return NONE
    return share_range(share.low, share.high)


def libraries_of(summaries: Sequence[RunSummary]) -> tuple[str, ...]:
    """Every library, in the order of the summaries."""
    return tuple(dict.fromkeys(summary.key.library for summary in summaries))


@dataclass(frozen=True)
class _Beside:
    """One size and kind of computation, all libraries beside each other."""

    size_bytes: int
    compute: str
    of: Mapping[str, LibraryProgress]


def side_table(summaries: Sequence[RunSummary]) -> Table[_Beside]:
    """For each number of processes and operation: T_b, overlap without tests and the least overhead without a thread, a
    row for each size and compute kind, the libraries side by side.
    """
    progress = progress_of(summaries)
    column = Column[_Beside]
    columns = [
        column("size_bytes", "size", lambda row: format_size(row.size_bytes)),
        column("compute", "compute", lambda row: row.compute, "left"),
    ]
    for library in libraries_of(summaries):
        columns += [
            column("blocking_s", f"{library}: T_b", partial(_blocking, library=library)),
            column("", "no tests", partial(_alone, library=library)),
            column("", BEST, partial(_best, library=library), "left"),
        ]
    blocks = []
    for n, operation in dict.fromkeys((entry.n, entry.operation) for entry in progress):
        of_operation = [entry for entry in progress if (entry.n, entry.operation) == (n, operation)]
        rows = [
            _Beside(
                size,
                compute,
                {
                    entry.library: entry
                    for entry in of_operation
                    if (entry.size_bytes, entry.compute) == (size, compute)
                },
            )
            for size, compute in sorted({(entry.size_bytes, entry.compute) for entry in of_operation})
        ]
        detail = "overlap without a thread: without tests, and where the overhead is least"
        blocks.append(Block(f"{operation}, {processes(n)}", detail, rows))
    return Table(columns, blocks)


def _blocking(row: _Beside, library: str) -> str:
    progress = row.of.get(library)
    return NONE if progress is None else format_duration(progress.best.blocking.median)


def _alone(row: _Beside, library: str) -> str:
    progress = row.of.get(library)
    return NONE if progress is None else _alone_text(progress)


def _best(row: _Beside, library: str) -> str:
    progress = row.of.get(library)
    if progress is None:
        return NONE
    return f"{helper_text(progress.best).removeprefix('test ')}, {share_text(progress.best.overlap.median)}"


def progress_table(summaries: Sequence[RunSummary]) -> Table[LibraryProgress]:
    """For each number of processes and operation, the verdict at each size with the best and its interval."""
    progress = progress_of(summaries)
    blocks = [
        Block(operation, processes(n), [entry for entry in progress if (entry.n, entry.operation) == (n, operation)])
        for n, operation in dict.fromkeys((entry.n, entry.operation) for entry in progress)
    ]
    return Table(_PROGRESS_COLUMNS, blocks)


def _alone_text(progress: LibraryProgress) -> str:
    return NONE if progress.alone is None else share_text(progress.alone.overlap.median)


def _verdict(progress: LibraryProgress) -> str:
    return progress.verdict if progress.has_interval else f"{progress.verdict} (medians only)"


def _alike(progress: LibraryProgress) -> str:
    return alike_text(progress).removeprefix(", not told apart from ") or NONE


def _plain(summary: RunSummary) -> str:
    return "" if summary.plain_overlap is None else share_text(summary.plain_overlap.median)


_run = Column[RunSummary]
_COLUMNS = (
    _run("", "", helper_text, "left"),
    _run("size_bytes", "size", lambda summary: format_size(summary.key.size_bytes)),
    _run("compute", "compute", lambda run_summary: run_summary.key.compute, "left"),
    _run("blocking_s", "T_b", lambda row: format_duration(row.blocking.median), importance=5),
    _run("init_s", "init", lambda row: format_duration(row.init_s), importance=9),
    _run("test_s", "test", lambda row: format_duration(row.test_s), importance=8),
    _run("wait_s", "wait", lambda row: format_duration(row.wait_s), importance=7),
    _run("overhead_s", "overhead", lambda row: format_duration(row.overhead.median), importance=2),
    _run("overlap", "overlap", lambda row: share_text(row.overlap.median)),
    _run("overlap_low", "95 %", lambda row: interval_text(row.overlap), importance=1),
    _run("plain_overlap", PLAIN, _plain, importance=3),
    _run("osu_overlap", "OSU", lambda row: share_text(row.osu), importance=6),
    _run("imb_overlap", "IMB", lambda row: share_text(row.imb), importance=6),
)
_progress = Column[LibraryProgress]
_PROGRESS_COLUMNS = (
    _progress("mpi", "", lambda row: row.library, "left"),
    _progress("size_bytes", "size", lambda row: format_size(row.size_bytes)),
    _progress("compute", "compute", lambda row: row.compute, "left"),
    _progress("", "progress", _verdict, "left"),
    _progress("", "no tests", _alone_text),
    _progress("", "best", lambda row: helper_text(row.best), "left"),
    _progress("overlap", "overlap", lambda row: share_text(row.best.overlap.median)),
    _progress("overlap_low", "95 %", lambda row: interval_text(row.best.overlap)),
    _progress("", "as good", _alike, "left"),
)
