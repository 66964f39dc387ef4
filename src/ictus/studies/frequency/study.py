"""The frequency of the processor's counter: repeated calibrations, and clocks observed with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ictus.engine.study import StudyLaunch
from ictus.render import option_values as values
from ictus.render.page import Section, paragraphs
from ictus.render.table import records
from ictus.studies.clocks.errors import AlgorithmSummary, shown_waits, summarise as errors_of
from ictus.studies.clocks.figures import growth_panels, legend_of
from ictus.studies.clocks.material import clocks_material
from ictus.studies.clocks.record import ClocksStudy
from ictus.studies.clocks.setting import warnings_of
from ictus.studies.clocks.tables import overview
from ictus.studies.core_launches import PlannedLaunches, StudySetup
from ictus.studies.core_options import core_option
from ictus.studies.frequency.analysis import FrequencySummary, reference, summarise
from ictus.studies.frequency.claims import CLAIMS
from ictus.studies.frequency.figures import frequency_panels
from ictus.studies.frequency.tables import COLUMNS, by_clock, frequency_sentence, frequency_table, watched_row
from ictus.studies.material import StudyAnswer
from ictus.studies.study import Study

CLOCKS = ("tsc(frequency=auto)", "tsc(frequency=calibrated-per-rank)")
"""One frequency for all ranks of a host, and one that each rank calibrated for itself."""

_FREQUENCY = paragraphs("""
    A counter's ticks become seconds by its frequency. One part per million of error is a microsecond each second. Where
    every rank calibrates for itself, equal counters run apart by the difference of two calibrations; one frequency for
    all ranks of a host cannot do that.
""")

_NETGAUGE = paragraphs("""
    The same synchronisation twice: once with one frequency for all, once with a frequency that every rank calibrated
    for itself. The second errs more, by the error of calibrating.
""")


def launches(
    setup: StudySetup,
    *,
    repeats: int,
    per_rank_repeats: int,
    durations_s: Sequence[float],
    clocksync: str,
    waits_s: Sequence[float],
) -> PlannedLaunches:
    """A launch that calibrates for each of `durations_s`, `repeats` times, and `per_rank_repeats` times by Netgauge's
    routine; then one for each of `CLOCKS`, synchronised by `clocksync` and watched at `waits_s`.
    """
    words = {
        "durations": values.seconds(durations_s),
        "repeats": str(repeats),
        "per-rank-repeats": str(per_rank_repeats),
    }
    about = f"frequency: {repeats} calibrations of each duration"
    planned = [StudyLaunch(setup.backend, ("clocks", "frequency"), setup.n_ranks, words, about)]
    watch = {"clocksync": clocksync, "waits": values.seconds(waits_s), "truth": "ping-pong", "repeats": "1"}
    for clock in CLOCKS if setup.n_ranks > 1 else ():
        about = f"accuracy: {clock}, for {waits_s[-1]:g} s"
        core_words = {"clock": clock, **watch}
        planned.append(StudyLaunch(setup.backend, ("clocks", "accuracy"), setup.n_ranks, core_words, about))
    return PlannedLaunches(planned)


@dataclass(frozen=True)
class FrequencyRows:
    """Ways to a frequency, and the clocks that were watched with some of them."""

    sources: Sequence[FrequencySummary]
    watched: Sequence[AlgorithmSummary]


def analyse(study: ClocksStudy) -> FrequencyRows:
    """A row for each way to a frequency, and for each clock that was watched."""
    return FrequencyRows(
        [summary for launch in study.frequency for summary in summarise(launch)], errors_of(by_clock(study))
    )


def answer(study: ClocksStudy, rows: FrequencyRows) -> StudyAnswer:
    """What a second loses by each way to a frequency."""

    def sections() -> list[Section]:
        runs = by_clock(study)
        growth = growth_panels(rows.watched, runs, legend_of(runs))
        return [
            Section("frequency", "Frequency", _FREQUENCY, tables=(table,), panels=frequency_panels(rows.sources)),
            Section("netgauge", "Drift by frequency", _NETGAUGE, panels=growth),
        ]

    table = frequency_table(rows.sources, reference(study.frequency[0]))
    waits = shown_waits([error.wait_s for summary in rows.watched for error in summary.errors])
    return StudyAnswer(
        sentences=[frequency_sentence(rows.sources)],
        rows=records(rows.sources, COLUMNS),
        tables=(table, *((overview(rows.watched, waits),) if rows.watched else ())),
        sections=sections,
        warnings=warnings_of(study),
        extra_keys={"watched": [watched_row(summary) for summary in rows.watched]},
    )


STUDY = Study(
    name="frequency",
    about="""
    It is compared with repeated calibrations by ranks. Then clocks with one frequency for all ranks, and clocks with
    one for each rank, are synchronised and observed.
    """,
    title="From ticks to seconds",
    schema="ictus.clocks.frequency/1",
    material=clocks_material(
        "frequency",
        launches,
        without=("clock", "clock-domain", "seed"),
        least_processes=1,
        unsimulated="a simulator has no counter whose frequency could be calibrated",
    ),
    options=(
        core_option("clocks frequency", "repeats", help="Repetitions of every measurement."),
        core_option(
            "clocks frequency", "per-rank-repeats", help="Repetitions of Netgauge's routine; each takes seconds."
        ),
        core_option("clocks frequency", "durations", kind="positive-times"),
        core_option(
            "clocks accuracy",
            "clocksync",
            kind="member",
            metavar="NAME",
            help="What synchronises the clocks that are then watched.",
            default_text="netgauge",
        ),
        core_option(
            "clocks accuracy",
            "waits",
            help="Times after synchronising at which clocks are compared.",
            default_text="0..10",
        ),
    ),
    claims=CLAIMS,
    analyse=analyse,
    answer=answer,
)
