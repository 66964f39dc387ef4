"""The cases of a campaign: every library's numbers over its launches."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from ictus.comparison.case_row import CASE_COLUMNS, CaseRow, frame_of
from ictus.comparison.case_rows import case_rows
from ictus.comparison.warnings import campaign_warnings
from ictus.model.reduction import USUAL, Reduction
from ictus.render.table import records
from ictus.store.campaign import Campaign

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Cases:
    """Every library's cases over its launches."""

    rows: tuple[CaseRow, ...]
    confidence: float
    warnings: tuple[str, ...]
    reduction: Reduction = USUAL
    """How each launch became one number."""

    def to_frame(self) -> pl.DataFrame:
        """One row per library and case: a column for every factor, then the numbers. Times in seconds."""
        return frame_of(records(self.rows, CASE_COLUMNS))

    def plot(self, kind: str = "latency") -> "tuple[Axes, ...]":
        """The latency over message sizes, as the report draws it: axes of matplotlib, one for each operation and number
        of processes, a line for each library.

        Raises UsageError for another kind than `latency`.
        """
        from ictus.comparison.axes import latency_axes  # noqa: PLC0415 (who shows numbers waits for no drawing)

        return latency_axes(kind, self.rows)


def cases(campaign: Campaign, confidence: float = 0.95) -> Cases:
    """Median of the launches' numbers of every library and case, with its interval over launches."""
    rows = tuple(case_rows(campaign, confidence))
    return Cases(rows, confidence, campaign_warnings(campaign, rows), campaign.reduction)
