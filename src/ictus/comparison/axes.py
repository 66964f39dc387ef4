"""Figures of comparisons and cases as axes of matplotlib, for notebooks and scripts of the user."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_titles import LIBRARY
from ictus.comparison.figures import latency_panels, ratio_panels
from ictus.comparison.rows import ComparisonRow
from ictus.model.unknown import unknown
from ictus.render.page import Legend

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def ratio_axes(kind: str, rows: Sequence[ComparisonRow], equivalence: float) -> "tuple[Axes, ...]":
    """One axes for each pair, operation and number of processes. Raises UsageError for another kind."""
    from ictus.render.paper import paper_figures  # noqa: PLC0415 (only who draws waits for matplotlib)

    _check(kind, "ratio")
    with paper_figures() as figures:
        sides = tuple(dict.fromkeys(side for row in rows for side in (row.a, row.b)))
        return figures.axes(ratio_panels(rows, Legend(sides), equivalence))


def latency_axes(kind: str, rows: Sequence[CaseRow]) -> "tuple[Axes, ...]":
    """One axes for each operation and number of processes. Raises UsageError for another kind."""
    from ictus.render.paper import paper_figures  # noqa: PLC0415 (only who draws waits for matplotlib)

    _check(kind, "latency")
    with paper_figures() as figures:
        labels = tuple(dict.fromkeys(row.mpi for row in rows))
        return figures.axes(latency_panels(rows, Legend(labels), LIBRARY))


def _check(kind: str, choices: str) -> None:
    if kind != choices:
        raise unknown(f"plot '{kind}'", kind, [choices])
