"""The parts of the page in their order."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ictus.comparison.case_row import CaseRow
from ictus.comparison.case_titles import LIBRARY
from ictus.comparison.comparison import Comparison
from ictus.comparison.factors import LaunchFacts, factor_groups
from ictus.comparison.figures import (
    factor_panels,
    latency_panels,
    launch_panels,
    picked,
    ratio_panels,
    residual_panels,
    sample_panels,
    skew_panels,
)
from ictus.comparison.goal import goal_of, goal_section
from ictus.comparison.launch_warnings import launch_warnings
from ictus.comparison.mode_table import mode_table
from ictus.comparison.over_processes import scaling_groups, scaling_section
from ictus.comparison.ranking_words import first_places, ranking_note, share_note, share_sentence
from ictus.comparison.rows import ComparisonRow
from ictus.comparison.section_words import (
    FACTORS,
    LAUNCHES,
    LETTERS,
    SAMPLES,
    SHARES,
    START,
    comparison,
    latency,
    ratio,
)
from ictus.comparison.tables import comparison_table, ranking_table, share_table
from ictus.comparison.unknown_words import missing_sentences
from ictus.comparison.words import mode_sentence
from ictus.model.errors import MeasurementError
from ictus.model.quantity import percent
from ictus.render.page import WARNINGS, Fact, FactGroup, FoldedRow, Legend, Panel, Section
from ictus.stats.compare import STRATA
from ictus.store.campaign import Campaign
from ictus.store.launch import Launch
from ictus.store.launch_files import CommandDocument
from ictus.store.manifest import CAMPAIGN, CampaignDocument


@dataclass(frozen=True)
class ReportData:
    """What the sections show."""

    campaign: Campaign
    cases: Sequence[CaseRow]
    comparison: Comparison
    """Without rows where nothing is compared."""
    legend: Legend
    """Series of the page: libraries, or values of the compared factor."""
    libraries: Legend


def sections(report_data: ReportData) -> tuple[Section, ...]:
    """Every section that has something to show."""
    chosen = picked(report_data.cases, report_data.comparison.by)
    regardless = bool(report_data.comparison.rows) and report_data.comparison.modes is None
    made = (
        _warnings(report_data),
        goal_section(goal_of(report_data.campaign, STRATA[1] if regardless else STRATA[0])),
        _ranking(report_data),
        _comparison(report_data),
        _latency(report_data),
        _processes(report_data),
        _ratio(report_data),
        _launches(
            report_data,
            chosen_panels=launch_panels(report_data.campaign, chosen, report_data.legend, report_data.comparison.by),
        ),
        _samples(
            report_data, sample_panels(report_data.campaign, chosen, report_data.legend, report_data.comparison.by)
        ),
        _start(report_data),
        _shares(report_data),
        _factors(report_data),
    )
    return tuple(section for section in made if section is not None)


def _warnings(report_data: ReportData) -> Section | None:
    items = (*report_data.comparison.warnings, *launch_warnings(report_data.campaign))
    if not items:
        return None
    return Section("warnings", "What could be wrong", WARNINGS, items=items)


def _ranking(report_data: ReportData) -> Section | None:
    """The ranking of three or more values; None where there are no more than two."""
    rows, by = report_data.comparison.rankings, report_data.comparison.by
    if not rows:
        return None
    about = (ranking_note(rows, by), *LETTERS)
    return Section(
        "ranking",
        "Ranking",
        about,
        tables=(ranking_table(rows, by, report_data.comparison.reduction.summary),),
        note=first_places(rows),
    )


def _comparison(report_data: ReportData) -> Section | None:
    rows, judged = report_data.comparison.rows, report_data.comparison
    if not rows:
        return None
    tables = tuple(
        comparison_table(
            [row for row in rows if (row.a, row.b) == pair],
            judged.alternative,
            judged.level,
            judged.equivalence,
            legend=report_data.legend,
        )
        for pair in judged.pairs
    )
    by_mode = (mode_table(judged),) if any(row.result.by_stratum for row in rows) else ()
    about = comparison(judged.test, judged.adjust, judged.level, judged.equivalence, paired=judged.paired)
    about = (*about, *mode_sentence(judged.modes))
    return Section(
        "comparison",
        "Comparison",
        about,
        tables=(*tables, *by_mode),
        note=" ".join((*missing_sentences(rows), _remarks(rows))).rstrip(),
    )


def _remarks(rows: Sequence[ComparisonRow], at_most: int = 8) -> str:
    """Remarks of the test on single cases, each text once with the number of its cases."""
    counts = Counter(remark for row in rows for remark in row.result.remarks)
    texts = [text if count == 1 else f"{text} ({count} cases)" for text, count in counts.most_common(at_most)]
    more_text = f"; and {len(counts) - at_most} more" if len(counts) > at_most else ""
    return f"Remarks on single cases: {'; '.join(texts)}{more_text}." if texts else ""


def _shares(report_data: ReportData) -> Section | None:
    """Which factors matter; None if no factor varies."""
    shares = report_data.comparison.shares
    if shares is None:
        return None
    about = (*share_sentence(shares), *SHARES)
    return Section("shares", "Which factors matter", about, tables=(share_table(shares),), note=share_note(shares))


def _latency(report_data: ReportData) -> Section | None:
    panels = latency_panels(report_data.cases, report_data.legend, report_data.comparison.by)
    if not panels:
        return None
    has_no_interval = any(row.median_s is not None and row.low_s is None for row in report_data.cases)
    metrics = {row.metric for row in report_data.cases}
    modes = report_data.comparison.modes
    apart = report_data.comparison.stratified and modes is not None and modes.several
    about = latency(metrics, report_data.campaign.reduction, few_launches=has_no_interval, modes_apart=apart)
    return Section("latency", "Latency", about, legend=report_data.legend.entries(), panels=panels)


def _processes(report_data: ReportData) -> Section | None:
    """Latency over processes; None where their number does not vary."""
    blocks = report_data.campaign.plan.size_is == "block"
    groups = scaling_groups(report_data.cases, report_data.comparison.by, blocks=blocks)
    return scaling_section(groups, report_data.legend, report_data.campaign.reduction.caption)


def _ratio(report_data: ReportData) -> Section | None:
    panels = ratio_panels(report_data.comparison.rows, report_data.legend, report_data.comparison.equivalence)
    if not panels:
        return None
    about = ratio(report_data.comparison.equivalence)
    return Section("ratio", "Ratio", about, legend=report_data.legend.entries(), panels=panels)


def _launches(report_data: ReportData, chosen_panels: tuple[Panel, ...]) -> Section | None:
    panels = (*factor_panels(report_data.campaign, report_data.libraries), *chosen_panels)
    if not chosen_panels:
        return None
    return Section(
        "launches",
        "Launch by launch",
        LAUNCHES,
        legend=report_data.legend.entries(),
        panels=panels,
        note=_shown(report_data),
    )


def _shown(report_data: ReportData) -> str:
    total = len({(tuple(row.case.items())) for row in report_data.cases})
    return f"Of {total} cases the smallest, middle and largest sizes are drawn." if total > 3 else ""


def _samples(report_data: ReportData, panels: tuple[Panel, ...]) -> Section | None:
    if not panels:
        return None
    return Section("samples", "Samples", SAMPLES, legend=report_data.legend.entries(), panels=panels)


def _start(report_data: ReportData) -> Section | None:
    legend = report_data.legend if report_data.comparison.by == "procsync" else report_data.libraries
    skews = skew_panels(report_data.campaign, legend, report_data.comparison.by)
    panels = (*skews, *residual_panels(report_data.campaign, report_data.libraries))
    if not panels:
        return None
    return Section("start", "Start and clocks", START, legend=legend.entries(), panels=panels)


def _factors(report_data: ReportData) -> Section:
    campaign = report_data.campaign
    document = CampaignDocument.read(campaign.folder / CAMPAIGN).raw
    launches = [
        LaunchFacts(launch.mpi, launch.n, launch.record, _command(launch), bool(launch.checksums))
        for launch in campaign.launches
    ]
    groups = (*factor_groups(document, launches), _judged(report_data))
    folded = tuple(FoldedRow(group.title, _count(len(group.rows)), "", groups=(group,)) for group in groups)
    return Section("factors", "Factors", FACTORS, folded=folded)


def _count(values: int) -> str:
    return "1 value" if values == 1 else f"{values} values"


def _judged(report_data: ReportData) -> FactGroup:
    judged = report_data.comparison
    reduction = report_data.campaign.reduction
    reduced = [Fact("metric", reduction.metric), Fact("summary", f"{report_data.campaign.summary} of each launch")]
    reduced.append(Fact("outliers", "kept" if reduction.factor is None else f"beyond fences of {reduction.factor:g}"))
    rows = [*reduced, Fact("interval", percent(1 - judged.level))]
    if judged.rows:
        rows = [
            *reduced,
            Fact("compared by", "library" if judged.by == LIBRARY else judged.by),
            Fact("test", f"{judged.test}, {'paired by launch' if judged.paired else 'independent launches'}"),
            Fact("p shown", judged.alternative),
            Fact("adjustment", f"{judged.adjust}, over {len(judged.rows)} cases"),
            Fact("level", percent(judged.level)),
            Fact("same within", percent(judged.equivalence)),
        ]
    return FactGroup("Judgement", tuple(rows))


def _command(launch: Launch) -> Mapping[str, object]:
    """command.json where the launch has one; that others wrote may not. MeasurementError for one that changed."""
    path = launch.folder / CommandDocument.FILE
    launch.checksums.check_file(path)
    try:
        return CommandDocument.read(path).raw
    except MeasurementError:
        return {}
