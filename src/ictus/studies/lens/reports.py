"""What other suites would have reported of the calls of a campaign."""

from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from ictus.comparison.comparison import frame_of
from ictus.comparison.warnings import campaign_warnings
from ictus.store.campaign import Campaign
from ictus.studies.lens.analysis import LensRow, lens_rows
from ictus.studies.lens.material import material
from ictus.studies.lens.start_rows import start_rows
from ictus.studies.lens.suites.registry import find_look


@dataclass(frozen=True)
class Lenses:
    """What other suites, and other process synchronisations, would have reported."""

    rows: tuple[LensRow, ...]
    confidence: float
    warnings: tuple[str, ...]

    def to_frame(self) -> pl.DataFrame:
        """One row per library, case and lens: a column for every factor, then the numbers. Times in seconds."""
        return frame_of(row.flat() for row in self.rows)


def lenses(campaign: Campaign, *names: str, procsyncs: Sequence[str] = (), confidence: float = 0.95) -> Lenses:
    """What the suites of these lenses (all that the campaign has the data for) would have reported of its calls, in
    relation to the medians of the campaign's first method; before them the rows of `procsyncs`.

    Raises UsageError for an unknown lens, and for one whose method the campaign did not measure.
    """
    known = material(campaign)
    rows = lens_rows(known, tuple(map(find_look, names)) or None, confidence)
    starts = start_rows(known, procsyncs, confidence) if procsyncs else ()
    return Lenses((*starts, *rows), confidence, campaign_warnings(campaign))
