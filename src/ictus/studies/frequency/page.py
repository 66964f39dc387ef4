"""The page of frequencies, and its figures."""

from collections.abc import Sequence

from ictus.render.figures.axes import tick_text
from ictus.render.page import Panel, Section, paragraphs
from ictus.studies.clocks.errors import AlgorithmSummary
from ictus.studies.clocks.figures import growth_panels, legend_of
from ictus.studies.clocks.page import page_of
from ictus.studies.clocks.record import Study, SynchronisationRun
from ictus.studies.frequency.analysis import FrequencySummary, reference
from ictus.studies.frequency.figures import FrequencyCloud, frequency_figure
from ictus.studies.frequency.tables import frequency_sentence, frequency_table

_FREQUENCY = paragraphs("""
    A counter's ticks become seconds by its frequency. One part per million of error is a microsecond each second. Where
    every rank calibrates for itself, equal counters run apart by the difference of two calibrations; one frequency for
    all ranks of a host cannot do that.
""")

_NETGAUGE = paragraphs("""
    The same synchronisation twice: once with one frequency for all, once with a frequency that every rank calibrated
    for itself. What the second loses more is the error of calibrating.
""")


def frequency_page(
    study: Study,
    sources: Sequence[FrequencySummary],
    watched: Sequence[AlgorithmSummary],
    runs: Sequence[SynchronisationRun],
    again: str,
) -> tuple[str, tuple[Panel, ...]]:
    """The page as HTML, and all of its panels: calibrations, and what a clock loses by them."""
    panels, growth = _panels(sources), growth_panels(watched, runs, legend_of(runs))
    tables = (frequency_table(sources, reference(study.frequency[0])),)
    sections = [
        Section("frequency", "Frequency", _FREQUENCY, tables=tables, panels=panels),
        Section("netgauge", "Drift by frequency", _NETGAUGE, panels=growth),
    ]
    page = page_of(study, "From ticks to seconds", frequency_sentence(sources), sections, again)
    return page, (*panels, *growth)


def _panels(sources: Sequence[FrequencySummary]) -> tuple[Panel, ...]:
    """Every calibration of every rank against the reference; stated frequencies are the line at 0."""
    measured = [one for one in sources if one.duration_s is not None]
    if not measured:
        return ()
    clouds = [FrequencyCloud(_brief_source(one), place, one.relative) for place, one in enumerate(measured)]
    return (Panel("Calibrations", "each a dot, the bar is a rank's median", frequency_figure(clouds, "Frequencies")),)


def _brief_source(one: FrequencySummary) -> str:
    """A name with room beside a figure: how long it took, and whether each rank took its own."""
    each = "per rank" if one.source == "calibrated-per-rank" else "over"
    return f"{each} {tick_text(one.duration_s or 0)}"
