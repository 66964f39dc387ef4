"""The page of drifting clocks, and its figures."""

from collections.abc import Sequence

import numpy as np

from ictus.render.figures.axes import tick_text
from ictus.render.figures.clock_errors import Departure, OffsetLine, departure_figure, offset_over_time_figure
from ictus.render.page import Panel, Section, paragraphs
from ictus.studies.clock_drift.analysis import DriftSummary, elapsed, forecast_error, learning_time
from ictus.studies.clock_drift.tables import departure_table, drift_sentence, drift_table
from ictus.studies.clocks.page import page_of
from ictus.studies.clocks.record import DriftSeries, Study

_DRIFT = paragraphs("""
    Local clocks against rank 0's, before any synchronisation. A straight line is a constant drift, which a linear model
    removes. Over longer times the line bends: crystals change with temperature.

    The forecast is the line through the shaded stretch. What is left of it later is what a clock model that was learnt
    then would be wrong by, and why clocks are measured again.
""")


def drift_page(study: Study, ranks: Sequence[DriftSummary], again: str) -> tuple[str, tuple[Panel, ...]]:
    """The page as HTML, and all of its panels."""
    series = [one for launch in study.drift for one in launch.series]
    panels = drift_panels(series, ranks, learning_time(series))
    tables = (drift_table(ranks), departure_table(ranks))
    sections = [Section("drift", "Drift", _DRIFT, tables=tables, panels=panels)]
    return page_of(study, "How local clocks drift", drift_sentence(ranks), sections, again), panels


def drift_panels(
    series: Sequence[DriftSeries], summaries: Sequence[DriftSummary], learnt_s: float
) -> tuple[Panel, ...]:
    """Offsets since the first; what a line learnt in the first `learnt_s` seconds is wrong by; departures by length."""
    names = {one.rank: f"rank {one.rank}" for one in series}
    offsets = [
        OffsetLine(names[one.rank], place, elapsed(one), np.asarray(one.offset_s)) for place, one in enumerate(series)
    ]
    wrong = [
        OffsetLine(names[one.rank], place, elapsed(one), forecast_error(one, learnt_s))
        for place, one in enumerate(series)
    ]
    lines = [Departure(names[one.rank], place, one.departures) for place, one in enumerate(summaries)]
    return (
        Panel(
            "Offset since the start",
            "local clock minus rank 0's",
            offset_over_time_figure(offsets, "offset since the start", "Offsets of local clocks over time"),
        ),
        Panel(
            "Forecast",
            f"line of the first {tick_text(learnt_s)}, shaded",
            offset_over_time_figure(
                wrong, "offset minus forecast", "Offsets minus a straight line over time", learnt_s
            ),
        ),
        Panel(
            "Distance from a straight line",
            "by the time that a line spans",
            departure_figure(lines, "Largest distance from a straight line against the time that it spans"),
        ),
    )
