"""What each part of a page on clocks means, in words.

Pages of clock studies: one self-contained HTML file each. The same clocks.json gives the same bytes.
"""

from collections.abc import Sequence
from typing import Any

from ictus.model.quantity import format_duration
from ictus.render.page import Fact, FactGroup, Page, Panel, Section, day, paragraphs, render_page
from ictus.studies.clock_drift.analysis import DriftSummary
from ictus.studies.clock_pareto.analysis import Point
from ictus.studies.clocks.errors import AlgorithmSummary
from ictus.studies.clocks.figures import MOST_RANKS
from ictus.studies.clocks.labels import (
    budget_note,
    clock_label,
    processes,
    remarks,
    setting_text,
    warnings_of,
)
from ictus.studies.clocks.record import Study, StudySetting
from ictus.studies.clocks.tables import departure_table, drift_table, frequency_table, overview, pareto_table
from ictus.studies.frequency.analysis import FrequencySummary, Reference

ACCURACY = paragraphs("""
    After an algorithm has synchronised, every rank's global clock is compared with rank 0's at the same instant, again
    and again. An algorithm that learns offsets only loses what the clocks drift; one that learns drifts loses what the
    drifts change and what it learnt wrongly.

    Lines are the largest error over ranks, bands span the repeats, dotted lines are the bound that an algorithm proves
    for itself. An error beyond its bound would be a refuted proof.
""")

RANKS = paragraphs("""
    The signed error of every checked rank. Errors of one sign that grow with the rank tell of an algorithm that passes
    its errors on; one rank far off tells of a disturbed exchange.
""")

PROCESSES = paragraphs("""
    How time spent and accuracy change with the number of processes: algorithms that go round all ranks take linearly
    longer, trees logarithmically, and what a tree adds up on its way grows with its depth.
""")

COST = paragraphs("""
    What accuracy costs. The line joins the settings that no other one beats in both time and error; a setting above it
    is never the right choice. MPI_Barrier is the baseline: clocks that err by more than a barrier takes start processes
    no better than a barrier does.
""")

DRIFT = paragraphs("""
    Local clocks against rank 0's, before any synchronisation. A straight line is a constant drift, which a linear model
    removes. Over longer times the line bends: crystals change with temperature.

    The forecast is the line through the shaded stretch. What is left of it later is what a clock model that was learnt
    then would be wrong by, and why clocks are measured again.
""")

FREQUENCY = paragraphs("""
    A counter's ticks become seconds by its frequency. One part per million of error is a microsecond each second. Where
    every rank calibrates for itself, equal counters run apart by the difference of two calibrations; one frequency for
    all ranks of a host cannot do that.
""")

NETGAUGE = paragraphs("""
    The same synchronisation twice: once with one frequency for all, once with a frequency that every rank calibrated
    for itself. What the second loses more is the error of calibrating.
""")

SETTING = paragraphs("Under what it was measured: what differs here may differ above.")

WARNINGS = paragraphs("What should be known before a number below is believed.")


def page_of(study: Study, title: str, lead: str, sections: Sequence[Section | None], again: str) -> str:
    """The page as HTML; sections that are None or show nothing are left out."""
    settings = study.settings
    truths = [launch.truth for launch in study.accuracy]
    notes = (*remarks(settings, truths), *warnings_of(study))
    warnings = Section("warnings", "Warnings", WARNINGS, items=notes) if notes else None
    known = [one for one in (warnings, *sections, setting_section(settings)) if one is not None]
    where = "simulated" if settings[0].simulated else settings[0].hosts[0]
    return render_page(
        Page(
            title=title,
            where=f"{day(str(study.document.get('created') or _started(study)))} · {where}",
            reproduce_command=again,
            ictus=str(study.document.get("ictus", "unknown")),
            lead=lead,
            pairs=(),
            facts=tuple(_facts(study)),
            sections=tuple(one for one in known if one.items or one.tables or one.panels or one.groups),
        )
    )


def _started(study: Study) -> str:
    launches: list[dict[str, Any]] = study.document.get("launches") or [dict(study.document)]
    return str(launches[0].get("started", "unknown"))


def _facts(study: Study) -> list[Fact]:
    settings = [one.setting for one in study.frequency] or study.settings
    facts = [Fact("ran on", setting_text(settings))]
    if study.accuracy:
        truth = "computed" if all(one.truth == "known" for one in study.accuracy) else "ping-pong"
        facts.append(Fact("errors", truth))
        barriers = [one.barrier_s for one in study.accuracy if one.barrier_s is not None]
        if barriers and not study.frequency:
            facts.append(Fact("mean MPI_Barrier", ", ".join(map(format_duration, barriers))))
    return [*facts, Fact("seed", ", ".join(dict.fromkeys(str(one.seed) for one in settings)))]


def setting_section(settings: Sequence[StudySetting]) -> Section:
    """Under what the launches of a study were measured."""
    groups = []
    for one in dict.fromkeys(settings):
        rows = (
            Fact("processes", f"{one.n_ranks} on {one.n_hosts} host{'' if one.n_hosts == 1 else 's'}"),
            Fact("hosts", ", ".join(dict.fromkeys(one.hosts))),
            Fact("time and network", "simulated" if one.simulated else "real"),
            Fact("clock", one.clock),
            Fact("frequency", one.frequency_source),
            Fact("library", " ".join(filter(None, (one.label, one.library)))),
            Fact("seed", str(one.seed)),
        )
        groups.append(FactGroup(f"{processes(one.n_ranks)}, {clock_label(one.clock)}", rows))
    return Section("setting", "Setting", SETTING, groups=tuple(groups))


def accuracy_sections(
    summaries: Sequence[AlgorithmSummary],
    shown: Sequence[float],
    panels: dict[str, tuple[Panel, ...]],
) -> list[Section]:
    """Errors over time, over ranks, over processes, and what they cost; `panels` by the section's anchor."""
    return [
        Section(
            "errors",
            "Errors",
            ACCURACY,
            tables=(overview(summaries, shown),),
            panels=panels["errors"],
        ),
        Section("ranks", "Over ranks", RANKS, panels=panels["ranks"], note=_drawn(summaries)),
        Section("processes", "Over processes", PROCESSES, panels=panels["processes"]),
        Section("cost", "Cost", COST, panels=panels["cost"]),
    ]


def _drawn(summaries: Sequence[AlgorithmSummary]) -> str:
    most = max((one.n_ranks for one in summaries), default=0)
    if most <= MOST_RANKS:
        return ""
    return f"Of {most} ranks {MOST_RANKS} are drawn, among them those with the largest errors."


def pareto_sections(
    points: Sequence[Point], wait_s: float, budget_s: float | None, panels: tuple[Panel, ...]
) -> list[Section]:
    """The frontier as figure and table, then all settings."""
    return [
        Section("cost", "Frontier", COST, panels=panels),
        Section(
            "settings",
            "Settings",
            (),
            tables=(pareto_table(points, wait_s),),
            note=" ".join(budget_note(points, budget_s)),
        ),
    ]


def drift_sections(ranks: Sequence[DriftSummary], panels: tuple[Panel, ...]) -> list[Section]:
    """Offsets, forecast and departures."""
    tables = (drift_table(ranks), departure_table(ranks))
    return [Section("drift", "Drift", DRIFT, tables=tables, panels=panels)]


def frequency_sections(
    sources: Sequence[FrequencySummary],
    reference: Reference,
    panels: tuple[Panel, ...],
    growth: tuple[Panel, ...],
) -> list[Section]:
    """Calibrations, and what a clock loses by them."""
    tables = (frequency_table(sources, reference),)
    return [
        Section("frequency", "Frequency", FREQUENCY, tables=tables, panels=panels),
        Section("netgauge", "Drift by frequency", NETGAUGE, panels=growth),
    ]
