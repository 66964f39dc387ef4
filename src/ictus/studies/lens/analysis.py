"""What every suite, and every process synchronisation, would report about a campaign's launches, beside the makespan:
one row for each library, case and lens.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from ictus.comparison.case_row import frame_of
from ictus.comparison.evidence import SIDE_BY_SIDE, ComparisonEvidence, side_by_side
from ictus.comparison.warnings import campaign_warnings
from ictus.model.errors import UsageError
from ictus.model.plan_parts import Method
from ictus.model.registries import Registries
from ictus.model.spec import Number, Spec
from ictus.render.table import records, row_columns
from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.verdict import CaseRules
from ictus.store.campaign import Campaign
from ictus.studies.lens.material import Group, LensData, LensSummary, read_lens_data
from ictus.studies.lens.suites.lens import MICRO, Printed, SuiteReport
from ictus.studies.lens.suites.measured import SuiteSamples
from ictus.studies.lens.suites.registry import ALL, Look, find_look

LENS, PROCSYNC = "lens", "procsync"
"""The kinds of rows."""


@dataclass(frozen=True)
class LensRow:
    """One lens on one case of one library, over its launches. Times in seconds, None where there are none."""

    mpi: str
    case: Mapping[str, Any]
    """The factors of the case, `procsync`, `scheme` and `repetition` left out."""
    kind: str
    """`lens`, or `procsync` for the makespan after another process synchronisation."""
    lens: str
    """Short: `skampi(window)`, `harmonize`."""
    spec: str
    """In full."""
    measured_by: Method
    headline: str
    """What the suite calls the number."""
    headline_s: float
    """It, median over the launches that have it, with a reference beside it or without."""
    printed: tuple[Printed, ...]
    """The suite's line: of each number the median over launches."""
    reference: str
    """What the ratio is to: `makespan`, or `local_max` where clocks are not synchronised."""
    result: CaseComparison
    """Headline (a) against the reference (b), launch by launch."""
    ratio_min: float | None
    """The smallest and the largest ratio of any launch."""
    ratio_max: float | None

    @property
    def reference_s(self) -> float | None:
        """The makespan, median over launches of the launches' medians."""
        return self.result.median_b

    @property
    def printed_texts(self) -> list[str]:
        """The suite's line as `name=text`."""
        return [f"{number.name}={number.text}" for number in self.printed]


COLUMNS = row_columns(
    """
    measured_by.procsync measured_by.scheme measured_by.repetition n_launches=result.n_a result.ratio result.ratio_low
    result.ratio_high printed=printed_texts
    """,
    "ictus.lens/1",
)


@dataclass(frozen=True)
class ViewedGroup:
    """A lens on a group of cases, with its result for each launch."""

    group: Group
    kind: str
    lens: str
    spec: str
    method: Method
    reports: tuple[SuiteReport | None, ...]


def lens_rows(
    lens_data: LensData, looks: Sequence[Look] | None = None, confidence: float = 0.95
) -> tuple[LensRow, ...]:
    """The rows of all lenses, or of `looks`, for which the campaign has the data.

    UsageError for a lens whose method the campaign did not measure, or that needs raw data where there are none.
    """
    return judged(lens_data, viewed(lens_data, looks), confidence)


def viewed(lens_data: LensData, looks: Sequence[Look] | None = None) -> tuple[ViewedGroup, ...]:
    """What these lenses see, group by group, each in the order of the lenses. UsageError as `lens_rows`."""
    chosen = tuple(map(find_look, ALL)) if looks is None else tuple(looks)
    groups = (
        _looked(lens_data, group, look, explicit=looks is not None) for group in lens_data.groups for look in chosen
    )
    views = tuple(viewed_group for viewed_group in groups if viewed_group is not None)
    if not views and chosen:
        raise UsageError(
            f"'{lens_data.campaign.folder}' has no case that a lens can look at; `ictus lens` measures such"
        )
    return views


def judged(lens_data: LensData, views: Sequence[ViewedGroup], confidence: float) -> tuple[LensRow, ...]:
    """The rows: each way's headlines against the medians of the campaign's first method in the same launches."""
    references = [lens_data.summarised(group.group, lens_data.first) for group in views]
    pairs = [
        (
            [None if report is None else report.headline_s for report in viewed_group.reports],
            [None if summary is None else summary.median_s for summary in summaries],
        )
        for viewed_group, summaries in zip(views, references, strict=True)
    ]
    results = compare_cases(
        [a for a, _ in pairs], [b for _, b in pairs], CaseRules(paired=True, adjust="none", level=1 - confidence)
    )
    names = [
        next((lens_summary.headline for lens_summary in summaries if lens_summary is not None), "makespan")
        for summaries in references
    ]
    return tuple(map(_row, views, names, pairs, results))


def _looked(lens_data: LensData, group: Group, look: Look, *, explicit: bool) -> ViewedGroup | None:
    """The lens's view of a group; None without data for it."""
    method = _method_of(look, group.ways)
    samples_each = () if method is None else lens_data.measured(group, method)
    raw = any(samples is not None and samples.local is not None for samples in samples_each)
    if method is None or (look.lens.needs_raw and not raw):
        if explicit:
            lacking = "a method that was not measured" if method is None else "raw data, which were not kept"
            raise UsageError(f"lens '{look.label}' needs {lacking} in '{lens_data.campaign.folder}'")
        return None
    reports = tuple(None if suite_samples is None else look.report(suite_samples) for suite_samples in samples_each)
    if not any(report is not None for report in reports):
        return None
    return ViewedGroup(group, LENS, look.label, str(look.spec), method, reports)


def _method_of(look: Look, ways: Mapping[Method, int]) -> Method | None:
    """The method among `ways` that the lens looks at, with whatever number of calls it was measured."""
    for calls in sorted({number for way in ways for number in _counts(way)}, reverse=True):
        try:
            method = look.method(calls).checked(Registries.load())
        except UsageError:  # a member that this version's core does not have, or a number out of its range
            continue
        if method in ways:
            return method
    return None


def _counts(way: Method) -> Iterator[int]:
    """All whole numbers that a method names: one of them, or their product, is its number of calls."""
    numbers = [_count(spec, key) for spec, key in ((way.scheme, "calls"), (way.repetition, "nrep"))]
    yield from (number for number in numbers if number is not None)
    yield (numbers[0] or 1) * (numbers[1] or 1)


def _count(spec: Spec, key: str) -> int | None:
    value = spec.argument(key)
    return int(float(value.text)) if isinstance(value, Number) else None


def _row(
    view: ViewedGroup,
    reference: str,
    pairs: tuple[Sequence[float | None], Sequence[float | None]],
    result: CaseComparison,
) -> LensRow:
    with_report = [report for report in view.reports if report is not None]
    ratios = [a / b for a, b in zip(*pairs, strict=True) if a is not None and b]
    return LensRow(
        mpi=view.group.mpi,
        case=view.group.case,
        kind=view.kind,
        lens=view.lens,
        spec=view.spec,
        measured_by=view.method,
        headline=with_report[0].headline,
        headline_s=float(np.median([report.headline_s for report in with_report])),
        printed=_medians(with_report),
        reference=reference,
        result=result,
        ratio_min=min(ratios, default=None),
        ratio_max=max(ratios, default=None),
    )


def _medians(reports: Sequence[SuiteReport]) -> tuple[Printed, ...]:
    """The median over launches of each number of the line."""
    columns = zip(*(report.numbers for report in reports), strict=True)
    return tuple(
        replace(column[0], value=float(np.median([printed.value for printed in column]))) for column in columns
    )


@dataclass(frozen=True)
class Lenses:
    """The reports that other suites, and other process synchronisations, would have given."""

    rows: tuple[LensRow, ...]
    confidence: float
    warnings: tuple[str, ...]
    evidence: ComparisonEvidence = SIDE_BY_SIDE
    """What the ratios rest on."""

    def to_frame(self) -> pl.DataFrame:
        """One row per library, case and lens: a column for every factor, then the numbers. Times in seconds."""
        return frame_of(records(self.rows, COLUMNS))


def lenses(campaign: Campaign, *names: str, procsyncs: Sequence[str] = (), confidence: float = 0.95) -> Lenses:
    """What the suites of these lenses (all that the campaign has the data for) would have reported of its calls, in
    relation to the medians of the campaign's first method; before them the rows of `procsyncs`.

    Raises UsageError for an unknown lens, and for one whose method the campaign did not measure.
    """
    lens_data = read_lens_data(campaign)
    rows = lens_rows(lens_data, tuple(map(find_look, names)) or None, confidence)
    starts = start_rows(lens_data, procsyncs, confidence) if procsyncs else ()
    return Lenses((*starts, *rows), confidence, campaign_warnings(campaign), side_by_side(campaign, paired=True))


def start_rows(
    lens_data: LensData, procsyncs: Sequence[str] | None = None, confidence: float = 0.95
) -> tuple[LensRow, ...]:
    """A row for each library, case and process synchronisation of which single calls were timed, or those named.

    UsageError for one that was not measured.
    """
    registries = Registries.load()
    requested = None if procsyncs is None else {registries.check("procsync", text) for text in procsyncs}
    views = [
        start for group in lens_data.groups for start in _starts(lens_data, group) if _is_requested(start, requested)
    ]
    missing = (requested or set()) - {viewed_group.method.procsync for viewed_group in views}
    if missing:
        name = registries.short("procsync", min(missing))
        raise UsageError(f"procsync '{name}' was not measured in '{lens_data.campaign.folder}'")
    return judged(lens_data, views, confidence)


def _is_requested(view: ViewedGroup, requested: set[Spec] | None) -> bool:
    return requested is None or view.method.procsync in requested


def _starts(lens_data: LensData, group: Group) -> Iterator[ViewedGroup]:
    for method in group.ways:
        if method.scheme != lens_data.first.scheme:
            continue
        launches = zip(lens_data.measured(group, method), lens_data.summarised(group, method), strict=True)
        reports = tuple(_report(*launch) for launch in launches)
        if any(report is not None for report in reports):
            name = Registries.load().short("procsync", method.procsync)
            yield ViewedGroup(group, PROCSYNC, name, str(method.procsync), method, reports)


def _report(measured: SuiteSamples | None, summary: LensSummary | None) -> SuiteReport | None:
    """Makespan (or the slowest rank, where clocks are not synchronised), and the other differences between starts."""
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
