"""What other suites would have reported of the calls of a campaign.

The makespan of the same call after every process synchronisation: rows beside those of the lenses.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import polars as pl

from ictus.comparison.comparison import frame_of
from ictus.comparison.warnings import campaign_warnings
from ictus.model.errors import UsageError
from ictus.model.registries import Registries
from ictus.model.spec import Spec
from ictus.store.campaign import Campaign
from ictus.studies.lens.analysis import PROCSYNC, LensRow, Seen, judged, lens_rows
from ictus.studies.lens.material import Group, LensMaterial, LensSummary, material
from ictus.studies.lens.suites.lens import MICRO, Printed, SuiteReport
from ictus.studies.lens.suites.measured import SuiteSamples
from ictus.studies.lens.suites.registry import find_look


@dataclass(frozen=True)
class Lenses:
    """What other suites, and other process synchronisations, would have reported."""

    rows: tuple[LensRow, ...]
    confidence: float
    warnings: tuple[str, ...]

    def to_frame(self) -> pl.DataFrame:
        """One row per library, case and lens: a column for every factor, then the numbers. Times in seconds."""
        return frame_of(row.as_row() for row in self.rows)


def lenses(campaign: Campaign, *names: str, procsyncs: Sequence[str] = (), confidence: float = 0.95) -> Lenses:
    """What the suites of these lenses (all that the campaign has the data for) would have reported of its calls, in
    relation to the medians of the campaign's first method; before them the rows of `procsyncs`.

    Raises UsageError for an unknown lens, and for one whose method the campaign did not measure.
    """
    known = material(campaign)
    rows = lens_rows(known, tuple(map(find_look, names)) or None, confidence)
    starts = start_rows(known, procsyncs, confidence) if procsyncs else ()
    return Lenses((*starts, *rows), confidence, campaign_warnings(campaign))


def start_rows(
    material: LensMaterial, procsyncs: Sequence[str] | None = None, confidence: float = 0.95
) -> tuple[LensRow, ...]:
    """A row for each library, case and process synchronisation of which single calls were timed, or those named.

    UsageError for one that was not measured.
    """
    registries = Registries.load()
    wanted = None if procsyncs is None else {registries.check("procsync", text) for text in procsyncs}
    seen = [one for group in material.groups for one in _starts(material, group) if _asked(one, wanted)]
    missing = (wanted or set()) - {one.method.procsync for one in seen}
    if missing:
        name = registries.short("procsync", min(missing))
        raise UsageError(f"procsync '{name}' was not measured in '{material.campaign.folder}'")
    return judged(material, seen, confidence)


def _asked(seen: Seen, wanted: set[Spec] | None) -> bool:
    return wanted is None or seen.method.procsync in wanted


def _starts(material: LensMaterial, group: Group) -> Iterator[Seen]:
    for method in group.ways:
        if method.scheme != material.first.scheme:
            continue
        launches = zip(material.measured(group, method), material.summarised(group, method), strict=True)
        reports = tuple(_report(*launch) for launch in launches)
        if any(report is not None for report in reports):
            name = Registries.load().short("procsync", method.procsync)
            yield Seen(group, PROCSYNC, name, str(method.procsync), method, reports)


def _report(measured: SuiteSamples | None, summary: LensSummary | None) -> SuiteReport | None:
    """Makespan (or the slowest rank, where clocks are not synchronised), and what else tells starts apart."""
    if measured is None or summary is None or summary.median_s is None:
        return None
    skew = float("nan") if summary.start_skew_s is None else summary.start_skew_s
    return SuiteReport(
        summary.headline,
        (
            Printed(summary.headline, summary.median_s * MICRO, decimals=3),
            Printed("slowest rank's median", float(measured.ranks.median.max()) * MICRO, decimals=3),
            Printed("mean over ranks", float(measured.ranks.mean.mean()) * MICRO, decimals=3),
            Printed("start skew", skew * MICRO, decimals=3),
            Printed("valid, %", 100 * summary.valid / summary.attempted, "", 1),
        ),
    )
