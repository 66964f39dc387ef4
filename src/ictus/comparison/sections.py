"""The parts of the page in their order, each with its meaning in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
from ictus.comparison.mode_table import mode_table
from ictus.comparison.rows import CaseRow, ComparisonRow
from ictus.comparison.tables import comparison_table, ranking_table, share_table
from ictus.comparison.words import first_places, mode_sentence, ranking_note, share_note
from ictus.model.errors import MeasurementError
from ictus.render.page import WARNINGS, Fact, FactGroup, Legend, Panel, Section, paragraphs
from ictus.stats.verdict import percent
from ictus.store.campaign import Campaign
from ictus.store.launch import Launch
from ictus.store.launch_files import CommandDocument
from ictus.store.manifest import CAMPAIGN, CampaignDocument

_ADJUSTED = {
    "holm": "Holm's adjustment keeps the chance of any false verdict in the whole table below {level}.",
    "bh": "Benjamini and Hochberg's adjustment keeps the false share of the verdicts below {level}.",
    "none": "Verdicts are not adjusted for the number of cases, so that some are false.",
}


LAUNCHES = paragraphs("""
    Each mark is one launch, in the order measured: median, quartiles (thick) and extremes (thin) of its kept samples.
    A hollow mark was disturbed by others on its cores. Grey ticks, where there are any, show the mode of the machine:
    the taller, the farther apart its cores were.

    In the first panel a launch's cases are put in relation to their library's medians. Cases of one launch move
    together, which is why the launch, and not the repetition, is the sample. A trend here would be a drift of the
    machine.
""")

SAMPLES = paragraphs("""
    The share of a launch's valid samples that took at most that long, one line a launch. Steps are modes, a flat top
    is a tail; the axis ends a little behind the 95th percentile. Outliers are still in: Tukey's fences remove them
    before the median is taken.
""")

START = paragraphs("""
    How far apart the ranks started: the latest start minus the earliest, over all valid samples, one line a launch. It
    is part of the makespan, so that a skew that is not small against a latency blurs it.

    The residual is what was left between the clocks when they were measured again at the end of a launch: by how much
    the model learnt at the beginning was wrong by then. Samples are mapped by the model interpolated between both
    measurements, whose own residual is among the factors.
""")

FACTORS = paragraphs("""
    All recorded conditions, as they were in force, not as they were requested. What could not be
    read is “unknown”. A value that differs between launches is shown as a range, or with the number of launches that
    have it.
""")

LETTERS = paragraphs("""
    “Not told apart” is not transitive: A may differ from C though B differs from neither. Then A has the letter a, B
    has a and b, and C has b.
""")

SHARES = paragraphs("""
    “All cases alike” is a factor's effect averaged over all cases; “by case” is how its effect differs from case to
    case. What is left varies from launch to launch: in part all cases of a launch alike, in part each for itself.

    Shares describe. Whether a difference is more than chance is for the comparison to say.
""")


def comparison(test: str, adjust: str, level: float, equivalence: float, *, paired: bool) -> tuple[str, ...]:
    """How to read the comparison table."""
    launches = "launches that both sides share, pair by pair" if paired else "independent launches"
    return paragraphs(f"""
        One row is one case. A launch gives one number to a case, the median of its valid samples, because repetitions
        inside a launch are not independent. The ratio compares these medians (Hodges and Lehmann); below 1 the first
        is faster.

        Drawn: the ratio with its {percent(1 - level)} interval; the grey band is ±{percent(equivalence)}. A ring is
        undecided.

        The test is {test} over {launches}. Stars mark the p-value of the case alone (* 0.05, ** 0.01, *** 0.001).
        {_ADJUSTED[adjust].format(level=percent(level))}

        “Undecided” is not “the same”: it says about how many more launches would tell.
    """)


def latency(*, synchronised: bool, few_launches: bool) -> tuple[str, ...]:
    """The meaning of the latency and of its bar."""
    what = (
        "Latency is the makespan: from the first rank's start to the last rank's end, on one global clock."
        if synchronised
        else "Clocks were not synchronised everywhere: latency is then the longest of the ranks' own durations."
    )
    bar = (
        "reaches from the smallest to the largest launch median (six launches give a 95 % interval)"
        if few_launches
        else "is its 95 % interval over launches"
    )
    return paragraphs(
        f"{what}\n\nA point is the median of the launch medians; the bar {bar}. Both axes are logarithmic."
    )


def ratio(equivalence: float) -> tuple[str, ...]:
    """How to read the ratio figures."""
    return paragraphs(f"""
        The table's ratios against message size. Points take the colour of the faster side; a triangle says which way,
        a diamond is the same, a square differs in distribution only, a ring is undecided.

        An interval that leaves the grey band of ±{percent(equivalence)} on one side shows a difference that matters.
    """)


@dataclass(frozen=True)
class ReportMaterial:
    """The material of the sections."""

    campaign: Campaign
    cases: Sequence[CaseRow]
    comparison: Comparison
    """Without rows where nothing is compared."""
    legend: Legend
    """Series of the page: libraries, or values of the compared factor."""
    libraries: Legend


def sections(material: ReportMaterial) -> tuple[Section, ...]:
    """Every section that has something to show."""
    chosen = picked(material.cases, material.comparison.by)
    made = (
        _warnings(material),
        goal_section(goal_of(material.campaign)),
        _ranking(material),
        _comparison(material),
        _shares(material),
        _latency(material),
        _ratio(material),
        _launches(
            material, chosen_panels=launch_panels(material.campaign, chosen, material.legend, material.comparison.by)
        ),
        _samples(material, sample_panels(material.campaign, chosen, material.legend, material.comparison.by)),
        _start(material),
        _factors(material),
    )
    return tuple(section for section in made if section is not None)


def _warnings(material: ReportMaterial) -> Section | None:
    items = tuple(material.comparison.warnings)
    if not items:
        return None
    return Section("warnings", "Warnings", WARNINGS, items=items)


def _ranking(material: ReportMaterial) -> Section | None:
    """The ranking of three or more values; None where there are no more than two."""
    rows, by = material.comparison.rankings, material.comparison.by
    if not rows:
        return None
    about = (ranking_note(rows, by), *LETTERS)
    return Section("ranking", "Ranking", about, tables=(ranking_table(rows, by),), note=first_places(rows))


def _comparison(material: ReportMaterial) -> Section | None:
    rows, judged = material.comparison.rows, material.comparison
    if not rows:
        return None
    tables = tuple(
        comparison_table(
            [row for row in rows if (row.a, row.b) == pair],
            judged.alternative,
            judged.level,
            judged.equivalence,
            legend=material.legend,
        )
        for pair in judged.pairs
    )
    by_mode = (mode_table(judged),) if any(row.result.by_stratum for row in rows) else ()
    about = comparison(judged.test, judged.adjust, judged.level, judged.equivalence, paired=judged.paired)
    about = (*about, *mode_sentence(judged.modes))
    return Section("comparison", "Comparison", about, tables=(*tables, *by_mode), note=_remarks(rows))


def _remarks(rows: Sequence[ComparisonRow], at_most: int = 8) -> str:
    """Remarks of the test on single cases, each text once with the number of its cases."""
    counts = Counter(remark for row in rows for remark in row.result.remarks)
    texts = [text if count == 1 else f"{text} ({count} cases)" for text, count in counts.most_common(at_most)]
    more = f"; and {len(counts) - at_most} more" if len(counts) > at_most else ""
    return f"Remarks on single cases: {'; '.join(texts)}{more}." if texts else ""


def _shares(material: ReportMaterial) -> Section | None:
    """Which factors matter; None if no factor varies."""
    shares = material.comparison.shares
    if shares is None:
        return None
    about = (share_note(shares), *SHARES)
    return Section("shares", "Which factors matter", about, tables=(share_table(shares),))


def _latency(material: ReportMaterial) -> Section | None:
    panels = latency_panels(material.cases, material.legend, material.comparison.by)
    if not panels:
        return None
    few = any(row.median_s is not None and row.low_s is None for row in material.cases)
    synchronised = {row.headline for row in material.cases} == {"makespan"}
    about = latency(synchronised=synchronised, few_launches=few)
    return Section("latency", "Latency", about, legend=material.legend.entries(), panels=panels)


def _ratio(material: ReportMaterial) -> Section | None:
    panels = ratio_panels(material.comparison.rows, material.legend, material.comparison.equivalence)
    if not panels:
        return None
    about = ratio(material.comparison.equivalence)
    return Section("ratio", "Ratio", about, legend=material.legend.entries(), panels=panels)


def _launches(material: ReportMaterial, chosen_panels: tuple[Panel, ...]) -> Section | None:
    panels = (*factor_panels(material.campaign, material.libraries), *chosen_panels)
    if not chosen_panels:
        return None
    return Section(
        "launches",
        "Launch by launch",
        LAUNCHES,
        legend=material.legend.entries(),
        panels=panels,
        note=_shown(material),
    )


def _shown(material: ReportMaterial) -> str:
    total = len({(tuple(row.case.items())) for row in material.cases})
    return f"Of {total} cases the smallest, middle and largest sizes are drawn." if total > 3 else ""


def _samples(material: ReportMaterial, panels: tuple[Panel, ...]) -> Section | None:
    if not panels:
        return None
    return Section("samples", "Samples", SAMPLES, legend=material.legend.entries(), panels=panels)


def _start(material: ReportMaterial) -> Section | None:
    legend = material.legend if material.comparison.by == "procsync" else material.libraries
    skews = skew_panels(material.campaign, legend, material.comparison.by)
    panels = (*skews, *residual_panels(material.campaign, material.libraries))
    if not panels:
        return None
    return Section("start", "Start and clocks", START, legend=legend.entries(), panels=panels)


def _factors(material: ReportMaterial) -> Section:
    campaign = material.campaign
    document = CampaignDocument.read(campaign.folder / CAMPAIGN).raw
    launches = [
        LaunchFacts(one.mpi, one.n, one.record, _command(one), bool(one.checksums)) for one in campaign.launches
    ]
    return Section("factors", "Factors", FACTORS, groups=(*factor_groups(document, launches), _judged(material)))


def _judged(material: ReportMaterial) -> FactGroup:
    judged = material.comparison
    rows = [Fact("interval", percent(1 - judged.level))]
    if judged.rows:
        rows = [
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
