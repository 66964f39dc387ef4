"""Exit skew: several launches for each library and number of processes, in random order."""

from collections.abc import Sequence
from dataclasses import replace

from ictus.engine.study_options import StudyOptions
from ictus.model.errors import OptionError
from ictus.model.narrower_options import NREP
from ictus.model.plan_options import BY_KEY
from ictus.model.registries import Registries
from ictus.render.figures.scheme import MOST_LINES
from ictus.render.option_values import members
from ictus.render.page import Fact, Section, paragraphs
from ictus.studies.core_launches import PlannedLaunches, StudySetup
from ictus.studies.core_material import CoreMaterial
from ictus.studies.core_options import core_option, nrep_of
from ictus.studies.exit_skew.analysis import StartSummary, summarise
from ictus.studies.exit_skew.claims import CLAIMS
from ictus.studies.exit_skew.figures import MOST_RANKS, bar_panels, exit_panels, legend_of, scaling_panels
from ictus.studies.exit_skew.record import SkewDocument, SkewStudy, study_of
from ictus.studies.exit_skew.tables import (
    exit_tables,
    remark,
    skew_sentences,
    skew_table,
    start_label,
    study_rows,
    warnings_of,
)
from ictus.studies.material import StudyAnswer
from ictus.studies.study import Study, own_option

ALL = "barrier(all)"
"""Every barrier of the registry."""

_ATTEMPTS = 10
"""Largest number of attempts for each valid entry: a start that has to find its window first needs several."""

_UNASKED = ("none", "barrier", "arrival")
"""Starts that do not synchronise, or that keep ranks apart on purpose; `barrier` needs the name of an algorithm."""


def barriers() -> tuple[str, ...]:
    """Every barrier, as a start."""
    return tuple(f"barrier({member.name})" for member in Registries.load().family("barrier").members)


def every_start() -> tuple[str, ...]:
    """Every barrier, and every other start that synchronises."""
    others = (member.name for member in Registries.load().family("procsync").members if member.name not in _UNASKED)
    return (*barriers(), *others)


def parse_starts(text: str) -> tuple[str, ...]:
    """The requested starts, each once. Raises UsageError for an unknown name or parameter."""
    spelt = text.replace(" ", "").replace(ALL, ",".join(barriers()))
    return members("--procsync", "procsync", spelt)


def entering(entry: str, tolerance_s: float, clocksync: str, nrep: int) -> dict[str, str]:
    """How starts are entered, as the core's options."""
    return {
        "entry": entry,
        "entry-tolerance": f"{tolerance_s:.9g}s",
        "clocksync": clocksync,
        "repetition": f"fixed(nrep={nrep},max_attempts={_ATTEMPTS * nrep})",
    }


_SKEW = paragraphs("""
    All ranks enter at one instant of the global clock, so that the exit skew comes from the start, not from the
    order in which ranks arrived. The skew of a repetition is the last exit minus the first; bars are medians over
    launches of each launch's median, as in table, order and headline; the thin line reaches to the 95th percentile. A
    ring is the true median, by the counter that all ranks read. Barriers go by the names of their algorithms;
    library is MPI_Barrier.

    A barrier promises that nobody leaves before all have entered. It promises nothing of leaving together. Starts that
    wait for an instant are as exact as their clocks.
""")

_EXITS = paragraphs("""
    When each rank leaves, after the first one to leave: means with 95 % intervals. This is the pattern with which the
    next operation would begin, if the ranks called it now.
""")

_SCALING = paragraphs("""
    How the skew changes with more processes: a barrier's grows with its rounds or its ranks, that of starts on a
    common clock with the clock's error.
""")


def check(common: StudyOptions, *, procsync: str | None, **_: object) -> None:
    """UsageError for unknown starts, and where a number of processes has no skew."""
    if procsync is not None:
        parse_starts(procsync)
    if min(common.processes) < 2:
        raise OptionError(("n", tuple(common.processes), "one process has no skew; 2 or more are allowed"))


def launches(
    setup: StudySetup,
    *,
    procsync: str | None,
    launches: int,
    nrep: int,
    entry: str,
    entry_tolerance_s: float,
    clocksync: str,
    waits_s: Sequence[float],
    left_alone: bool | None,
    **_: object,
) -> PlannedLaunches:
    """Launches of these starts (None: all that synchronise). Ranks enter by the start `entry`; an attempt counts where
    they entered within `entry_tolerance_s`.
    """
    names = every_start() if procsync is None else parse_starts(procsync)
    core_words = {
        "procsync": ",".join(names),
        "waits": ",".join(f"{wait_s:.9g}s" for wait_s in waits_s),
        "left-alone": "on" if left_alone else "off",
        **entering(entry, entry_tolerance_s, clocksync, nrep),
    }
    return setup.in_random_order("barriers skew", core_words, launches, "exit skew")


def analyse(study: SkewStudy, **_: object) -> Sequence[StartSummary]:
    """A row for each place and start."""
    return summarise(study.launches)


def answer(study: SkewStudy, summaries: Sequence[StartSummary], *, per_rank: bool | None) -> StudyAnswer:
    """How far apart each start lets ranks go."""
    by_rank = exit_tables(summaries) if per_rank else []
    return StudyAnswer(
        sentences=skew_sentences(summaries),
        rows=list(study_rows(summaries, per_rank=bool(per_rank))),
        tables=(*by_rank, skew_table(summaries)),
        sections=lambda: _sections(summaries),
        remarks=[remark(summaries)],
        warnings=warnings_of(study, summaries),
        facts=(
            Fact("launches", str(len(study.launches))),
            Fact("entered by", ", ".join(dict.fromkeys(start_label(launch.entry) for launch in study.launches))),
            *(
                (Fact("clocks", "left alone: not measured again while time passed"),)
                if any(skew_launch.left_alone for skew_launch in study.launches)
                else ()
            ),
        ),
    )


def _sections(summaries: Sequence[StartSummary]) -> list[Section]:
    legend = legend_of(summaries)
    several = len(legend.labels) > MOST_LINES
    entries = () if several else legend.entries()
    grey = "Grey: the other starts. Point at a line to see its name." if several else ""
    bars, exits, over = (make(summaries, legend) for make in (bar_panels, exit_panels, scaling_panels))
    most = max(summary.place.n_ranks for summary in summaries)
    thinned = f"Of {most} ranks every {-(-most // MOST_RANKS)}th is drawn." if most > MOST_RANKS else ""
    note = " ".join(filter(None, (thinned, grey)))
    return [
        Section("skew", "Exit skew", _SKEW, tables=(skew_table(summaries),), panels=bars),
        Section("exits", "Exits by rank", _EXITS, legend=entries, panels=exits, note=note),
        Section("processes", "Over processes", _SCALING, legend=entries, panels=over, note=grey),
    ]


STUDY = Study(
    name="exit_skew",
    about="""
    It is also measured of other starts. Ranks enter at a common instant of the global clock, so that exits do not
    merely show arrivals. Where they read one counter, true skews stand beside the measured ones.
    """,
    title="How far apart ranks leave",
    schema="ictus.barriers.skew/1",
    material=CoreMaterial(
        document=SkewDocument,
        study="skew",
        core="barriers skew",
        record_of=study_of,
        launches=launches,
        several_libraries=True,
        check=check,
    ),
    options=(
        replace(
            BY_KEY["procsync"],
            kind="text",
            help="The starts (ictus list procsync); barrier(all) means every barrier.",
            default="all barriers and all starts that synchronise",
        ),
        replace(BY_KEY["launches"], help="Launches of each library with each -n.", default_text="3"),
        replace(NREP, help="Valid entries of each start in a launch.", default_text=nrep_of("barriers skew")),
        core_option("barriers skew", "entry", help="What brings ranks to the common instant of entering."),
        core_option(
            "barriers skew",
            "entry-tolerance",
            kind="brief",
            help="Ranks that entered further apart did not enter together; at most 1s.",
        ),
        core_option("barriers skew", "clocksync", help="How the clocks are synchronised (ictus list clocksync)."),
        core_option("barriers skew", "waits", help="Times after synchronising at which the starts are measured."),
        core_option("barriers skew", "left-alone"),
        own_option("per-rank", "on", "", "Also show the mean exit of every rank.", of_showing=True),
    ),
    claims=CLAIMS,
    analyse=analyse,
    answer=answer,
)
