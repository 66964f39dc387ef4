"""Drift of local clocks: launches in which each rank's offset to rank 0 is measured again and again."""

from collections.abc import Sequence

from ictus.engine.study import StudyLaunch
from ictus.model.errors import UsageError
from ictus.render.page import Section, paragraphs
from ictus.render.table import records
from ictus.studies.clock_drift.analysis import DriftSummary, learning_time, summarise
from ictus.studies.clock_drift.claims import CLAIMS
from ictus.studies.clock_drift.figures import drift_panels
from ictus.studies.clock_drift.regressions import CLAIMS as REGRESSIONS
from ictus.studies.clock_drift.tables import COLUMNS, departure_table, drift_sentence, drift_table
from ictus.studies.clocks.material import clocks_material
from ictus.studies.clocks.options import LAUNCHES
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.clocks.setting import remarks, warnings_of
from ictus.studies.core_launches import PlannedLaunches, StudySetup, seeded
from ictus.studies.core_options import core_option
from ictus.studies.material import StudyAnswer
from ictus.studies.study import Study

_LENGTHS_S = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Lengths of time through which straight lines are laid, where at least four offsets lie in one."""

_DRIFT = paragraphs("""
    Local clocks against rank 0's, before any synchronisation. A straight line is a constant drift, which a linear model
    removes. Over longer times the line bends: crystals change with temperature.

    The forecast is the line through the shaded stretch. The distance from it later is the error of a clock model that
    was learnt there: the reason to measure clocks again.
""")


def check(*, duration_s: float, interval_s: float, **_: object) -> None:
    """UsageError for too few offsets."""
    if duration_s < 3 * interval_s:
        raise UsageError(f"--interval '{interval_s:g}s' leaves fewer than 4 offsets in --duration '{duration_s:g}s'")


def launches(
    setup: StudySetup, *, duration_s: float, interval_s: float, offset: str, sample: float, launches: int
) -> PlannedLaunches:
    """In each an offset by the algorithm `offset` every `interval_s`, of a share of the ranks, `sample`."""
    lengths = [length for length in _LENGTHS_S if 3 * interval_s <= length < duration_s]
    words = {
        "clock": setup.backend.clock,
        "offset": offset,
        "duration": f"{duration_s:g}s",
        "interval": f"{interval_s:g}s",
        "windows": ",".join(f"{length}s" for length in lengths) or f"{duration_s:g}s",
        "sample": f"{sample:g}",
    }
    about = f"drift: an offset every {interval_s:g} s for {duration_s:g} s"
    return PlannedLaunches(
        [
            StudyLaunch(seeded(setup.backend, launch), ("clocks", "drift"), setup.n_ranks, words, about)
            for launch in range(launches)
        ]
    )


def analyse(study: ClocksStudy) -> list[DriftSummary]:
    """A row a rank."""
    return [summary for launch in study.drift for summary in summarise(launch)]


def answer(study: ClocksStudy, ranks: Sequence[DriftSummary]) -> StudyAnswer:
    """How fast clocks run apart, and how straight."""

    def sections() -> list[Section]:
        series = [offset_series for launch in study.drift for offset_series in launch.series]
        panels = drift_panels(series, ranks, learning_time(series))
        return [Section("drift", "Drift", _DRIFT, tables=tables, panels=panels)]

    tables = (drift_table(ranks), departure_table(ranks))
    return StudyAnswer(
        sentences=[drift_sentence(ranks)],
        rows=records(ranks, COLUMNS),
        tables=tables,
        sections=sections,
        remarks=remarks(study.settings, ()),
        warnings=warnings_of(study),
    )


STUDY = Study(
    name="clock_drift",
    about="""
    It also shows how long a straight line predicts them.
    """,
    title="How local clocks drift",
    schema="ictus.clocks.drift/1",
    material=clocks_material("drift", launches, without=("clock-domain", "seed"), least_processes=2),
    options=(
        core_option("clocks drift", "duration", kind="time"),
        core_option("clocks drift", "interval", kind="time"),
        core_option("clocks drift", "offset", help="How each offset is measured (ictus list offset)."),
        core_option(
            "clocks drift",
            "sample",
            metavar="SHARE",
            help="Share of the ranks that is watched, at least one; rank 0 takes them in turn.",
        ),
        LAUNCHES,
    ),
    check=check,
    claims=(*CLAIMS, *REGRESSIONS),
    analyse=analyse,
    answer=answer,
)
