"""The table of cases, for every output."""

from collections.abc import Sequence
from functools import partial

from ictus.comparison import clock_bounds, heap
from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_titles import group_detail, group_key, grouped, operation_title, size_title, varying
from ictus.model.quantity import percent
from ictus.render.table import NONE, UNKNOWN, Block, Cell, Column, Table, Times
from ictus.render.unit import three_digits


def case_table(rows: Sequence[CaseRow], confidence: float, caption: str = "") -> Table[CaseRow]:
    """One block per operation and whatever else varies; the libraries of one size stand below each other. Why samples
    are not valid has columns where some are not, and so have bandwidth and message rate of windows of messages, which
    are those of all pairs together. `caption` says what launches stand for, where that is unusual.
    """
    names = varying([row.case for row in rows])
    column = Column[CaseRow]
    columns = (
        column("size_bytes", "size", lambda row: size_title(row.case), once=True),
        column("mpi", "library", lambda row: row.mpi, "left"),
        column(
            "median_s",
            rows[0].summary if rows else "median",
            lambda row: Cell(marked(row.median_s, near=row.near_clock_bound, heap_matters=row.heap_matters), "bold"),
            "point",
        ),
        column("low_s", f"{percent(confidence)} interval", lambda row: Times(row.low_s, row.high_s), "range", 1),
        *(
            (
                column("bytes_per_s", "bandwidth", lambda row: _rate(row.bytes_per_s, 1e9), "point", 1, unit="GB/s"),
                column(
                    "messages_per_s",
                    "messages",
                    lambda row: _rate(row.messages_per_s, 1e6),
                    "point",
                    1,
                    unit="million/s",
                ),
            )
            if any(row.messages for row in rows)
            else ()
        ),
        column("min_s", "min … max", lambda row: Times(row.min_s, row.max_s), "range", 4),
        column("n_launches", "launches", lambda row: str(row.n_launches), importance=5),
        column("valid_share", "valid", lambda row: share_of(row.valid_share), importance=2),
        *(
            column(why, why, partial(_invalid_share, why=why), importance=3)
            for why in ("late", "long")
            if any(getattr(row, why) for row in rows)
        ),
        column("start_skew_s", "skew", _skew_ns, importance=6, unit="ns"),
    )
    blocks = [
        Block(operation_title(block[0].case), group_detail(block[0].case, names), block)
        for block in grouped(rows, lambda row: group_key(row.case, names))
    ]
    near, heap_matters = (any(getattr(row, mark) for row in rows) for mark in ("near_clock_bound", "heap_matters"))
    return Table(columns, blocks, " ".join(filter(None, (caption, note(near, heap_matters)))))


def note(near: bool, heap_matters: bool) -> str:
    """What the marks of a table mean."""
    return " ".join((clock_bounds.NOTE,) * near + (heap.NOTE,) * heap_matters)


def _skew_ns(row: CaseRow) -> str:
    return NONE if row.start_skew_s is None else f"{row.start_skew_s * 1e9:.0f}"


def _rate(per_second: float | None, unit: float) -> str:
    return NONE if per_second is None else three_digits(per_second / unit)


def _invalid_share(row: CaseRow, why: str) -> str:
    return share_of(getattr(row, why) / row.attempted if row.attempted else None)


def marked(seconds: float | None, *, near: bool, heap_matters: bool) -> Times:
    """A time with the marks that `note` explains."""
    return Times(seconds, mark=clock_bounds.MARK * near + heap.MARK * heap_matters)


def share_of(share: float | None) -> str:
    """`99.5 %`; NA where it is not known."""
    return UNKNOWN if share is None else f"{100 * share:.3g} %"
