"""The same collective under every process synchronisation, in the same launches."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ictus.comparison.options import (
    ADJUST,
    EQUIVALENCE,
    INCLUDE_CONTENDED,
    LEVEL,
    METRIC,
    OUTLIERS,
    SUMMARY,
    parse_share,
)
from ictus.engine.measurement import between_starts, plan_words
from ictus.model.errors import OptionError, UsageError
from ictus.model.narrower_options import NREP
from ictus.model.plan_options import BY_KEY
from ictus.model.reduction import parse_reduction
from ictus.model.registries import Registries
from ictus.render.figures.scheme import MOST_LINES
from ictus.render.page import Fact, Legend, Section, paragraphs
from ictus.render.table import Table, records
from ictus.stats.adjust import find_adjustment
from ictus.store.campaign import Campaign, load
from ictus.studies.barrier_impact.analysis import SMALLEST
from ictus.studies.barrier_impact.claims import CLAIMS, FULL, QUICK, every_start
from ictus.studies.barrier_impact.figures import matrix_panels, median_panels, ratio_panels
from ictus.studies.barrier_impact.result import ImpactResult, impact_result
from ictus.studies.barrier_impact.tables import (
    COLUMNS,
    CONTEST_COLUMNS,
    changing,
    contest_table,
    divided,
    matrix_tables,
    method,
    spread_sentence,
    tested,
    winner_sentences,
)
from ictus.studies.campaign_material import CampaignMaterial, CampaignSetup
from ictus.studies.material import StudyAnswer
from ictus.studies.study import Study, own_option

_MATRIX = paragraphs("""
    Each field is the median latency of one size under one process synchronisation, divided by the smallest (or by the
    norm that was asked for). Operation, library and launch are the same along a column: what differs is only how the
    ranks were started.
""")
_RATIOS = paragraphs("""
    The same latencies relative to the reference, paired within launches (Hodges and Lehmann) with their intervals.
    Above 1 a case seems slower than under the reference, below 1 faster.
""")
_NORMALISED = paragraphs("""
    Medians of single launches under one process synchronisation (dots) and over launches (line), divided by the
    smallest median over libraries of that size. Where the lines of two libraries swap from one panel to the next, the
    winner depends on how ranks are started.
""")
_WINNERS = paragraphs("""
    The two libraries block by block under each process synchronisation. A change of the winner is reported only if one
    library is proven faster under one start and the other library under another, after adjustment over all of these
    comparisons.

    The skew is how far apart the ranks started. If they start one after the other, part of the skew is in
    the latency, or hidden from it.
""")


def check(
    *,
    adjust: str | None,
    level: float | None,
    equivalence: str,
    metric: str | None,
    summary: str | None,
    outliers: str | None,
    **_: object,
) -> None:
    """UsageError, before minutes of measuring, for values of which there are none."""
    parse_share("--equivalence", equivalence)
    parse_reduction(metric, summary, outliers)
    if adjust is not None:
        find_adjustment(adjust)
    if level is not None and not 0 < level < 1:
        raise OptionError(("level", level, "must lie between 0 and 1, for example 0.05"))


def check_starts(names: Mapping[str, str | None]) -> None:
    """UsageError, before minutes of measuring, for an option whose value is no process synchronisation."""
    for option, name in names.items():
        if name not in (None, SMALLEST):
            try:
                Registries.load().check("procsync", name)
            except UsageError as error:
                raise OptionError((option, name, str(error))) from error


def plan(setup: CampaignSetup, *, quick: bool | None, reference: str | None, norm: str, **_: object) -> CampaignSetup:
    """A campaign of all starts; `quick` of six. Raises UsageError for a reference or a norm that is no start."""
    check_starts({"reference": reference, "norm": norm})
    target, values = plan_words(setup.plan)
    starts = values.get("procsync")
    if isinstance(starts, list) and len(set(starts)) < 2:
        raise OptionError(("procsync", starts, "two or more are needed to see the effect of the start"))
    return replace(setup, plan=target or values, defaults=QUICK if quick else {**FULL, "procsync": every_start()})


def loaded(
    folder: Path,
    *,
    metric: str | None,
    summary: str | None,
    outliers: str | None,
    include_contended: bool | None,
    **_: object,
) -> Campaign:
    """The campaign by these rules."""
    return load(folder, contended=bool(include_contended), reduction=parse_reduction(metric, summary, outliers))


def answer(campaign: Campaign, result: ImpactResult, **_: object) -> StudyAnswer:
    """What the start does to latencies, and to the winner."""
    judged, rows = result.judged, result.rows
    changes = changing(result.contests)
    tables: list[Table[Any]] = [
        *matrix_tables(rows, judged.norm, judged.reference),
        *([contest_table(changes)] if changes else []),
    ]
    method_text = method(rows, judged.norm, judged.reference, judged.adjust, judged.level)
    return StudyAnswer(
        sentences=(spread_sentence(rows, judged.reference), *winner_sentences(result.contests)),
        rows=records(rows, COLUMNS),
        tables=tables,
        sections=lambda: _sections(result),
        evidence=[result.evidence.sentence],
        conditions=[f"{method_text} {judged.reduction.caption}".rstrip()],
        warnings=result.warnings,
        facts=(
            Fact("starts", ", ".join(dict.fromkeys(row.label for row in rows))),
            Fact("evidence", result.evidence.fact),
            *([Fact("each launch", str(campaign.reduction))] if campaign.reduction.caption else []),
        ),
        extra_keys={
            **judged.as_object(),
            "winners": records(result.contests, CONTEST_COLUMNS),
            "evidence": result.evidence.as_object(),
        },
    )


def _sections(result: ImpactResult) -> list[Section]:
    rows, contests, judged = result.rows, result.contests, result.judged
    starts = Legend(tuple(dict.fromkeys(row.label for row in rows)))
    libraries = Legend(result.campaign.labels)
    is_legible = len(starts.labels) <= MOST_LINES
    grey = "" if is_legible else "Grey: the starts that differ less. Point at a line to see its name. "
    matrices = matrix_panels(rows, judged.norm)
    return [
        Section("matrix", "Matrix", _MATRIX, panels=matrices, note=divided(judged.norm)),
        Section(
            "ratios",
            f"Relative to {judged.reference}",
            _RATIOS,
            legend=starts.entries() if is_legible else (),
            panels=ratio_panels(rows, starts, judged.reference),
            note=f"{grey}What differs from {judged.reference}: {tested(rows, judged.adjust, judged.level)}.",
        ),
        Section(
            "normalised",
            "Normalised medians",
            _NORMALISED,
            legend=libraries.entries(),
            panels=median_panels(rows, libraries),
        ),
        Section("winners", "Winners", _WINNERS, tables=(contest_table(contests),) if contests else ()),
    ]


STUDY = Study(
    name="barrier_impact",
    about="""
    All process synchronisations are measured in the same launches. A matrix of operation and size against the start,
    ratios to a reference, and between libraries: does the winner change with the start alone, where, and how far apart
    do the ranks start there?
    """,
    title="What the start does to a latency",
    schema="ictus.barriers.impact/1",
    material=CampaignMaterial(
        takes=(
            "mpi",
            replace(BY_KEY["op"], default="bcast,allreduce"),
            replace(BY_KEY["sizes"], default="8..64Ki*8; --quick: 8,8Ki"),
            "n",
            replace(
                BY_KEY["procsync"],
                help="Process synchronisations.",
                default="every barrier and every other start; --quick: six of them",
            ),
            "algorithm",
            replace(BY_KEY["launches"], default="20; --quick: 12"),
            replace(NREP, default="300; --quick: 100"),
            "clock",
            "clocksync",
            "seed",
            "platform",
            "timeout",
            "contention-retries",
            "pin",
            "launcher-options",
            "core-flags",
            "governor",
            "env",
            "heap",
        ),
        prefix="impact",
        page="impact.html",
        plan=plan,
        load=loaded,
        family=between_starts,
        folder_help="A campaign with several process synchronisations: show it, measure nothing.",
    ),
    options=(
        own_option("quick", "on", "", "Fewer starts, sizes and launches: a minute or two."),
        own_option(
            "reference",
            "text",
            "NAME",
            "What ratios refer to.",
            default="harmonize, else window, else a barrier",
            of_showing=True,
        ),
        own_option(
            "norm",
            "text",
            "NAME",
            "What a matrix column is divided by: smallest, or a start.",
            default_text=SMALLEST,
            of_showing=True,
        ),
        ADJUST,
        LEVEL,
        EQUIVALENCE,
        METRIC,
        SUMMARY,
        OUTLIERS,
        INCLUDE_CONTENDED,
    ),
    check=check,
    claims=CLAIMS,
    analyse=impact_result,
    answer=answer,
)
