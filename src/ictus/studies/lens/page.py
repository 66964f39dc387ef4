"""The page of lenses: what each suite would report about the same call, in figures and tables, and why."""

from collections.abc import Sequence

from ictus.comparison.case_titles import brief, group_detail, grouped, operation_title
from ictus.comparison.verdict_texts import ratio_text
from ictus.model.quantity import format_size
from ictus.render.figures.ways import WayPoint, ways_figure
from ictus.render.page import WARNINGS, Fact, Legend, Page, Panel, Section, day, paragraphs, render_page
from ictus.render.unit import time_unit
from ictus.store.campaign import Campaign
from ictus.studies.lens.analysis import Lenses, LensRow
from ictus.studies.lens.tables import (
    detail_tables,
    interval_name,
    lens_sentences,
    ratio_table,
    reference_name,
    shown_interval,
    suite_table,
    way_name,
)

_ABOUT = """
    Each suite measures in its own way and reduces what it measured in its own way. Here all of these ways were used in
    the same launches, on the same buffers, in shuffled order, so that nothing differs but the way.

    A point is the number that people read off the suite, divided by {reference} in the same launch; the bar is {bar}.
    Left of 1 the suite flatters the library.
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


def lens_page(campaign: Campaign, found: Lenses, again: str) -> str:
    """The page as HTML."""
    rows, confidence = found.rows, found.confidence
    legend = Legend(campaign.labels)
    bar = (
        "the smallest and the largest of any launch"
        if "…" in (name := interval_name(rows, confidence))
        else f"its {name}"
    )
    about = paragraphs(_ABOUT.format(reference=f"the {reference_name(rows)}", bar=bar))
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=found.warnings),
        Section("lenses", "Against the truth", about, legend=legend.entries(), panels=lens_panels(rows, legend)),
        Section("numbers", "Numbers", paragraphs(_NUMBERS), tables=(ratio_table(rows, confidence),)),
        Section("lines", "As printed", paragraphs(_LINES), tables=tuple(detail_tables(rows))),
        Section("how", "How", paragraphs(_HOW), tables=(suite_table(rows),)),
    )
    launches = len(campaign.launches)
    facts = (
        Fact("evidence", found.evidence.fact),
        Fact("launches", f"{launches}, interleaved"),
        Fact("processes", ", ".join(dict.fromkeys(str(row.case["n"]) for row in rows))),
        Fact("clocks", ", ".join(dict.fromkeys(brief("clocksync", row.case["clocksync"]) for row in rows))),
        Fact("seed", str(campaign.seed)),
    )
    return render_page(
        Page(
            title="What others would have reported",
            where=f"{day(campaign.created)} · {campaign.machine.get('host', 'unknown host')}",
            reproduce_command=again,
            ictus=campaign.ictus,
            lead=" ".join(lens_sentences(rows)) or f"{len(rows)} numbers.",
            pairs=(),
            facts=facts,
            sections=tuple(one for one in sections if one.items or one.tables or one.panels),
        )
    )


def lens_panels(rows: Sequence[LensRow], legend: Legend) -> tuple[Panel, ...]:
    """One panel for each operation, size and number of processes."""
    panels = []
    for group in grouped(rows, lambda row: (row.case["operation"], row.case["n"], row.case["size_bytes"])):
        points = [_point(row, legend) for row in group if row.result.ratio is not None]
        if points:
            title, detail = operation_title(group[0].case), _detail(group[0])
            svg = ways_figure(points, reference_name(group), f"Reported times in relation, {title}, {detail}")
            panels.append(Panel(title, detail, svg))
    return tuple(panels)


def _point(row: LensRow, legend: Legend) -> WayPoint:
    ratio = row.result.ratio or float("nan")
    low, high = (ratio if limit is None else limit for limit in shown_interval(row))
    unit = time_unit([row.headline_s])
    way, reported = way_name(row.kind, row.lens), f"{unit.number(row.headline_s)} {unit.name}"
    tip = f"{row.mpi}, {way}: {reported}, ratio {ratio_text(ratio)}"
    return WayPoint(way, legend.index(row.mpi), ratio, low, high, tip)


def _detail(row: LensRow) -> str:
    size = f"{format_size(int(row.case['size_bytes']))}, " if row.case["moved_bytes"] else ""
    return f"{size}{group_detail(row.case, ())}"
