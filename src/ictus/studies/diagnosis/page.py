"""The page of a diagnosis: one self-contained HTML file. The same folder gives the same bytes."""

from collections.abc import Sequence

from ictus.render.page import WARNINGS, Fact, Legend, Page, Section, day, render_page
from ictus.stats.mean import DRAWS
from ictus.store.campaign import Campaign
from ictus.studies.diagnosis import prose
from ictus.studies.diagnosis.analysis import CaseDiagnosis
from ictus.studies.diagnosis.figures import (
    Looked,
    autocorrelation_panels,
    drift_panels,
    launch_panels,
    mean_panels,
    median_panels,
    sample_panels,
    size_legend,
)
from ictus.studies.diagnosis.tables import diagnosis_table
from ictus.studies.diagnosis.words import findings

MOST_DRAWN = 6
"""Cases that are drawn, each with ten figures or so; nobody looks at more."""


def diagnosis_page(
    campaign: Campaign, rows: Sequence[CaseDiagnosis], looked: Sequence[Looked], warnings: Sequence[str], again: str
) -> str:
    """The page as HTML: all rows as a table, the cases that are looked into as figures; `again` makes it once more."""
    legend = Legend(campaign.labels)
    entries = legend.entries(tuple(one.found.row.mpi for one in looked))
    lags = autocorrelation_panels(looked, legend)
    sections = [
        Section("warnings", "Warnings", WARNINGS, items=tuple(warnings)),
        Section("overview", "Overview", prose.OVERVIEW, tables=(diagnosis_table(rows),), note=_drawn(rows, looked)),
        Section("samples", "Samples", prose.SAMPLES, legend=entries, panels=sample_panels(looked, legend)),
        Section("autocorrelation", "Autocorrelation", prose.AUTOCORRELATION, entries, panels=lags),
        Section("drift", "Drift", prose.DRIFT, Legend(("median", "mean")).entries(), panels=drift_panels(looked)),
        Section("means", "Means of samples", prose.MEANS, size_legend().entries(), panels=mean_panels(looked)),
        Section("launches", "Launch by launch", prose.LAUNCHES, legend=entries, panels=launch_panels(looked, legend)),
        Section("medians", "Launch medians", prose.MEDIANS, legend=entries, panels=median_panels(looked, legend)),
    ]
    known = list(findings(rows))
    return render_page(
        Page(
            title=f"What the samples of {' and '.join(campaign.labels)} are like",
            where=f"{day(campaign.created)} · {campaign.machine.get('host', 'unknown host')}",
            reproduce_command=again,
            ictus=campaign.ictus,
            lead=" ".join(known),
            pairs=(),
            facts=_facts(campaign, rows, looked),
            sections=tuple(one for one in sections if one.items or one.tables or one.panels),
        )
    )


def _facts(campaign: Campaign, rows: Sequence[CaseDiagnosis], looked: Sequence[Looked]) -> tuple[Fact, ...]:
    slots = ", ".join(str(slot) for slot in dict.fromkeys(one.samples.slot for one in looked))
    facts = [
        Fact("cases", str(len(rows))),
        Fact("launches", str(len(campaign.launches))),
        Fact("samples drawn of slot", slots or "none"),
        Fact("means", f"{DRAWS:,} of each size, seed {campaign.seed}"),
    ]
    return tuple(facts)


def _drawn(rows: Sequence[CaseDiagnosis], looked: Sequence[Looked]) -> str:
    if len(looked) == len(rows):
        return ""
    which = f"{len(looked)} of {len(rows)} rows are drawn below"
    return f"{which}; --op, --sizes, --mpi and --case choose others, --launch another launch."
