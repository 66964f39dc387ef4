"""The page of a diagnosis: one self-contained HTML file with the meaning of each finding in words. The same folder
gives the same bytes.
"""

from collections.abc import Sequence

from ictus.diagnosis.analysis import CaseDiagnosis
from ictus.diagnosis.figures import (
    DrawnCase,
    autocorrelation_panels,
    drift_panels,
    launch_panels,
    mean_panels,
    median_panels,
    sample_panels,
    size_legend,
)
from ictus.diagnosis.tables import diagnosis_table, findings
from ictus.render.page import WARNINGS, Fact, Legend, Page, Section, day, paragraphs, render_page
from ictus.stats.mean import DRAWS
from ictus.store.campaign import Campaign

OVERVIEW = paragraphs("""
    One row is one case of one library. All numbers are about the kept samples, of which a launch's median is
    taken.

    “Worth” is the number of independent samples that would tell as much as the launch's correlated ones. A drift is
    what a straight line through the launch gains, relative to its middle. Both p-values ask whether the launch medians
    are normal; a small one says that they are not.
""")

SAMPLES = paragraphs("""
    How long the calls of one launch took: counts, and the smooth density behind them. The solid line is the median,
    the dashed one the mean.

    One narrow hump is a steady call. Two humps mean that a call takes one of two ways, and a single number hides one of
    them. Look for a buffer that is reused every other time, or a neighbour on the network. A long right tail pulls the
    mean away from the median, which is why the median is reported.
""")

AUTOCORRELATION = paragraphs("""
    How much a repetition resembles an earlier one, by their distance (the lag): 1 is equal, 0 is nothing. Of
    independent samples nineteen of twenty bars stay inside the grey band.

    Bars that fall slowly mean phases: the launch was slow for a while, then fast. Peaks at equal distances mean
    something periodic, such as a timer or a daemon. Either way an interval computed from these samples as if they were
    independent is too narrow. Ictus does not do that: a launch is one number.

    The second figure of a case takes only samples so far apart that as many are left as the first is worth. A
    correlation that falls with the lag is gone there; a periodic one may remain. Their mean is the same; only its
    interval becomes right.
""")

DRIFT = paragraphs("""
    The launch in time: every point is the median or the mean of a bin of equally many calls in a row. The dashed line
    goes through the medians. If calls did not follow at an even pace, the axis counts calls.

    Medians and means apart: stalls, spread over the launch. A slope: the latency creeps. If clocks drift apart, a
    makespan grows with time although no call gets slower. If the warm-up is too short, the line falls at the beginning.
    The p-value allows for bins that resemble their neighbours.
""")

MEANS = paragraphs("""
    If a benchmark took the mean of so many samples, how would that mean scatter? Samples of the launch are drawn at
    random, a fixed number at a time, a thousand times. Beside it the same means against normal quantiles: on the line
    they are normal, and only there does an interval of mean and standard error hold what it promises.

    Drawn at random, samples are independent. Those of a launch that are correlated behave like as many as they are
    worth.
""")

LAUNCHES = paragraphs("""
    The mean of every launch with its 95 % interval from the launch's own samples, widened by what their correlation
    takes away. Where the intervals of two launches do not overlap, the launches differ by more than their samples can
    explain: measuring longer in one launch will not tell which is right. More launches will.
""")

MEDIANS = paragraphs("""
    The launch medians that every verdict is made of: their spread, and their quantiles against normal ones. The
    rank-sum test does not need normal values. Welch's t-test and any “mean ± standard error” do. With fewer than ten
    launches both tests of normality see only strong departures.

    Kolmogorov-Smirnov is taken with mean and spread estimated from the same medians (Lilliefors): the plain test would
    call nearly everything normal.
""")


MOST_DRAWN = 6
"""Cases with figures, about ten each; more would make the page heavy."""


def diagnosis_page(
    campaign: Campaign, rows: Sequence[CaseDiagnosis], looked: Sequence[DrawnCase], warnings: Sequence[str], again: str
) -> str:
    """The page as HTML: all rows as a table, the cases that are looked into as figures; `again` makes it once more."""
    legend = Legend(campaign.labels)
    entries = legend.entries(tuple(case.diagnosis.row.mpi for case in looked))
    lags = autocorrelation_panels(looked, legend)
    sections = [
        Section("warnings", "Warnings", WARNINGS, items=tuple(warnings)),
        Section("overview", "Overview", OVERVIEW, tables=(diagnosis_table(rows),), note=_drawn(rows, looked)),
        Section("samples", "Samples", SAMPLES, legend=entries, panels=sample_panels(looked, legend)),
        Section("autocorrelation", "Autocorrelation", AUTOCORRELATION, entries, panels=lags),
        Section("drift", "Drift", DRIFT, Legend(("median", "mean")).entries(), panels=drift_panels(looked)),
        Section("means", "Means of samples", MEANS, size_legend().entries(), panels=mean_panels(looked)),
        Section("launches", "Launch by launch", LAUNCHES, legend=entries, panels=launch_panels(looked, legend)),
        Section("medians", "Launch medians", MEDIANS, legend=entries, panels=median_panels(looked, legend)),
    ]
    sentences = list(findings(rows))
    return render_page(
        Page(
            title=f"What the samples of {' and '.join(campaign.labels)} are like",
            where=f"{day(campaign.created)} · {campaign.machine.get('host', 'unknown host')}",
            reproduce_command=again,
            ictus=campaign.ictus,
            question="Asked: are the samples independent, steady and normal enough for what is computed from them?",
            lead=sentences[0],
            answers=tuple(sentences[1:]),
            pairs=(),
            facts=_facts(campaign, rows, looked),
            sections=tuple(section for section in sections if section.items or section.tables or section.panels),
        )
    )


def _facts(campaign: Campaign, rows: Sequence[CaseDiagnosis], looked: Sequence[DrawnCase]) -> tuple[Fact, ...]:
    slots = ", ".join(str(slot) for slot in dict.fromkeys(case.samples.slot for case in looked))
    facts = [
        Fact("cases", str(len(rows))),
        Fact("launches", str(len(campaign.launches))),
        Fact("samples drawn of slot", slots or "none"),
        *([Fact("each launch", str(campaign.reduction))] if campaign.reduction.caption else []),
        Fact("means", f"{DRAWS:,} of each size, seed {campaign.seed}"),
    ]
    return tuple(facts)


def _drawn(rows: Sequence[CaseDiagnosis], looked: Sequence[DrawnCase]) -> str:
    if len(looked) == len(rows):
        return ""
    which = f"{len(looked)} of {len(rows)} rows are drawn below"
    return f"{which}; --op, --sizes, --mpi and --case choose others, --launch another launch."
