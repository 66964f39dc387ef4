"""Figures of drifting clocks: offsets over time, a forecast, departures from straight lines."""

from collections.abc import Sequence

import numpy as np

from ictus.render.figures.axes import tick_text
from ictus.render.figures.clock_errors import Departure, OffsetLine, departure_figure, offset_over_time_figure
from ictus.render.page import Panel
from ictus.studies.clock_drift.analysis import DriftSummary, elapsed, forecast_error
from ictus.studies.clocks.record import OffsetSeries


def drift_panels(
    series: Sequence[OffsetSeries], summaries: Sequence[DriftSummary], learnt_s: float
) -> tuple[Panel, ...]:
    """Offsets since the first; what a line learnt in the first `learnt_s` seconds is wrong by; departures by length."""
    names = {offset_series.rank: f"rank {offset_series.rank}" for offset_series in series}
    offsets = [
        OffsetLine(names[clock.rank], index, elapsed(clock), np.asarray(clock.offset_s))
        for index, clock in enumerate(series)
    ]
    wrong = [
        OffsetLine(names[clock.rank], index, elapsed(clock), forecast_error(clock, learnt_s))
        for index, clock in enumerate(series)
    ]
    lines = [Departure(names[summary.rank], index, summary.departures) for index, summary in enumerate(summaries)]
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
