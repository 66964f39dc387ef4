"""What other suites would have reported: a campaign with the methods of their lenses, and of starts."""

from dataclasses import replace

from ictus.comparison.case_titles import brief
from ictus.engine.measurement import plan_words
from ictus.model.launch_factor import CLOCKS_AND_SETTINGS
from ictus.model.narrower_options import NREP, ONE_CLOCK, ONE_CLOCKSYNC, ONE_SETTING
from ictus.model.plan_options import BY_KEY
from ictus.render.output import width
from ictus.render.page import Fact, Legend, Section, paragraphs
from ictus.render.table import records
from ictus.store.campaign import Campaign
from ictus.studies.campaign_material import CampaignMaterial, CampaignSetup
from ictus.studies.lens.analysis import COLUMNS, Lenses, lenses
from ictus.studies.lens.claims import CLAIMS
from ictus.studies.lens.figures import lens_panels
from ictus.studies.lens.methods import CALLS, USUAL, methods, parse_looks, parse_procsyncs, usual_of
from ictus.studies.lens.tables import (
    CONFIDENCE,
    detail_tables,
    headline_tables,
    interval_name,
    lens_sentences,
    notes,
    ratio_table,
    reference_name,
    suite_table,
)
from ictus.studies.material import StudyAnswer
from ictus.studies.study import Study, own_option

_ABOUT = """
    Each suite measures in its own way and reduces what it measured in its own way. Here all of these ways were used in
    the same launches, on the same buffers, in shuffled order, so that nothing differs but the way.

    A point is the latency that the suite reports, divided by {reference} in the same launch; the bar is {bar}.
    Left of 1, the suite reports a shorter time.
"""
_NUMBERS = """
    The headline of each suite: medians over launches.
"""
_LINES = """
    What each suite prints, by its own names and in its own units; medians over launches. Rules that stop early were
    applied to the recorded repetitions after the fact.
"""
_HOW = """
    How each suite measures and reduces.
"""


def check(*, lens: str | None, procsync: str | None, **_: object) -> None:
    """UsageError for lenses or starts that there are not."""
    parse_looks(lens)
    parse_procsyncs(procsync)


def plan(setup: CampaignSetup, *, lens: str | None, procsync: str | None, **_: object) -> CampaignSetup:
    """A campaign with the methods of these lenses and starts."""
    looks, starts = parse_looks(lens), parse_procsyncs(procsync)
    target, values = plan_words(setup.plan)
    calls = values.pop("nrep", None)
    defaults = usual_of(looks, starts)
    if lens or procsync or calls:
        values["methods"] = methods(looks, starts, calls or CALLS)
    return replace(setup, plan=target or {**values, "raw": True}, defaults=defaults)


def analyse(campaign: Campaign, *, lens: str | None, procsync: str | None, **_: object) -> Lenses:
    """A row for each library, case and lens."""
    looks, starts = parse_looks(lens), parse_procsyncs(procsync)
    return lenses(campaign, *(str(look.spec) for look in looks or ()), procsyncs=starts, confidence=CONFIDENCE)


def answer(campaign: Campaign, result: Lenses, *, details: bool | None, **_: object) -> StudyAnswer:
    """How far apart the numbers of one call are."""
    rows = result.rows
    tables = detail_tables(rows) if details else [*headline_tables(rows, width()), ratio_table(rows, CONFIDENCE)]
    return StudyAnswer(
        sentences=list(lens_sentences(rows)),
        rows=records(rows, COLUMNS),
        tables=tables,
        tables_alone=bool(details),
        sections=lambda: _sections(campaign, result),
        evidence=[result.evidence.sentence],
        remarks=list(notes(rows)),
        warnings=result.warnings,
        facts=(
            Fact("evidence", result.evidence.fact),
            Fact("processes", ", ".join(dict.fromkeys(str(row.case["n"]) for row in rows))),
            Fact("clocks", ", ".join(dict.fromkeys(brief("clocksync", row.case["clocksync"]) for row in rows))),
        ),
        extra_keys={"evidence": result.evidence.as_object()},
    )


def _sections(campaign: Campaign, result: Lenses) -> list[Section]:
    rows, confidence = result.rows, result.confidence
    legend, name = Legend(campaign.labels), interval_name(rows, confidence)
    bar = "the smallest and the largest of any launch" if "…" in name else f"its {name}"
    about = paragraphs(_ABOUT.format(reference=f"the {reference_name(rows)}", bar=bar))
    return [
        Section("lenses", "Against the truth", about, legend=legend.entries(), panels=lens_panels(rows, legend)),
        Section("numbers", "Numbers", paragraphs(_NUMBERS), tables=(ratio_table(rows, confidence),)),
        Section("lines", "As printed", paragraphs(_LINES), tables=tuple(detail_tables(rows))),
        Section("how", "How", paragraphs(_HOW), tables=(suite_table(rows),)),
    ]


STUDY = Study(
    name="lens",
    about="""
    OSU, IMB, SKaMPI and others: each suite's way of measuring and of reducing, all in the same launches, beside the
    makespan. One table shows each number in relation to the makespan; a page is written into the campaign's folder.
    """,
    title="What others would have reported",
    schema="ictus.lens/1",
    material=CampaignMaterial(
        takes=(
            "mpi",
            "op",
            "sizes",
            "size-is",
            "n",
            "launches",
            replace(NREP, help="Calls that each suite makes of a case.", default=str(CALLS)),
            "datatype",
            "operator",
            "comm",
            "root",
            "in-place",
            "layout",
            "counts",
            ONE_CLOCK,
            ONE_CLOCKSYNC,
            "cache",
            "warmup",
            "seed",
            "platform",
            "timeout",
            ONE_SETTING,
            "pin",
        ),
        defaults=USUAL,
        single=CLOCKS_AND_SETTINGS,
        prefix="lens",
        page="lenses.html",
        plan=plan,
    ),
    options=(
        own_option("lens", "text", "NAME,...", "Lenses (ictus list lens).", default="all", of_showing=True),
        replace(
            BY_KEY["procsync"],
            kind="text",
            metavar="NAME,...|all",
            help="Also show the makespan after these process synchronisations, or after all of them.",
            default="none",
            of_showing=True,
        ),
        own_option("details", "on", "", "Show each suite's own line with all its columns.", of_showing=True),
    ),
    check=check,
    claims=CLAIMS,
    analyse=analyse,
    answer=answer,
)
