"""The figures of clock studies: which runs go into which panel. Summaries and runs in, panels out."""

import math
from collections.abc import Callable, Mapping, Sequence
from statistics import median

import numpy as np

from ictus.render.figures.axes import tick_text
from ictus.render.figures.clock_errors import (
    Departure,
    Growth,
    GrowthPoint,
    OffsetLine,
    RankErrors,
    departure_figure,
    error_by_rank_figure,
    error_over_time_figure,
    offset_over_time_figure,
)
from ictus.render.figures.frequency import FrequencyCloud, frequency_figure
from ictus.render.figures.over_processes import Scale, Scaling, over_processes_figure
from ictus.render.figures.pareto import ParetoPoint, ParetoSeries, pareto_figure
from ictus.render.page import Legend, Panel
from ictus.studies.clock_drift.analysis import DriftSummary, elapsed, forecast_error
from ictus.studies.clock_pareto.analysis import Point
from ictus.studies.clocks.errors import AlgorithmSummary, largest, mean
from ictus.studies.clocks.labels import label, processes, seconds, variant
from ictus.studies.clocks.record import DriftSeries, SynchronisationRun, SynchronisationStep
from ictus.studies.frequency.analysis import FrequencySummary

MOST_RANKS = 256
"""More marks than this of one algorithm are one cloud, and make a page heavy."""


def legend_of(runs: Sequence[SynchronisationRun]) -> Legend:
    """A series for each algorithm, in the order measured."""
    return Legend(tuple(dict.fromkeys(label(run.algorithm) for run in runs)))


def growth_panels(
    summaries: Sequence[AlgorithmSummary],
    runs: Sequence[SynchronisationRun],
    legend: Legend,
    what: str = "largest error over ranks",
) -> tuple[Panel, ...]:
    """Error over time, one line an algorithm: a panel for each number of processes."""
    panels = []
    for n_ranks in dict.fromkeys(one.n_ranks for one in summaries):
        lines = [_growth(one, runs, legend) for one in summaries if one.n_ranks == n_ranks and one.errors]
        if lines:
            svg = error_over_time_figure(lines, what, f"Error over time, {processes(n_ranks)}")
            panels.append(_panel("Error over time", processes(n_ranks), svg))
    return tuple(panels)


def _growth(one: AlgorithmSummary, runs: Sequence[SynchronisationRun], legend: Legend) -> Growth:
    own = [run for run in runs if (run.algorithm, run.n_ranks) == (one.algorithm, one.n_ranks)]
    points = []
    for error in one.errors:
        found = [largest(step.error_s) for run in own for step in run.steps if step.wait_s == error.wait_s]
        points.append(GrowthPoint(error.wait_s, error.max_s, min(found), max(found)))
    bounds = tuple((error.wait_s, error.bound_s) for error in one.errors if error.bound_s is not None)
    name = label(one.algorithm)
    return Growth(name, legend.index(name), tuple(points), bounds)


def rank_panels(runs: Sequence[SynchronisationRun], shown: Sequence[float], legend: Legend) -> tuple[Panel, ...]:
    """Signed errors over ranks with the most processes: a panel for each wait; of repeats the first."""
    n_ranks = max(run.n_ranks for run in runs)
    own = [run for run in runs if run.n_ranks == n_ranks and run.repeat == 0]
    panels = []
    for wait in shown:
        series = [
            RankErrors(label(run.algorithm), legend.index(label(run.algorithm)), *_thinned(step))
            for run in own
            for step in run.steps
            if step.wait_s == wait and step.ranks
        ]
        if any(len(one.ranks) > 1 for one in series):  # of a single rank the table tells all
            title = "Error over ranks" if wait else "Error over ranks, directly after"
            detail = f"{seconds(wait)} after synchronising" if wait else processes(n_ranks)
            svg = error_by_rank_figure(series, f"Signed error over ranks, {seconds(wait)} after synchronising")
            panels.append(_panel(title, detail, svg))
    return tuple(panels)


def _thinned(step: SynchronisationStep) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Ranks and errors to draw: of very many ranks the quarter of them with the largest errors, then every k-th."""
    if len(step.ranks) <= MOST_RANKS:
        return step.ranks, step.error_s
    by_size = sorted(range(len(step.ranks)), key=lambda place: -abs(step.error_s[place]))
    rest = sorted(by_size[MOST_RANKS // 4 :])
    every = math.ceil(len(rest) / (MOST_RANKS - MOST_RANKS // 4))
    places = sorted([*by_size[: MOST_RANKS // 4], *rest[::every]])
    return tuple(step.ranks[place] for place in places), tuple(step.error_s[place] for place in places)


def _spread(values: Sequence[float]) -> tuple[float, ...]:
    """Dots to draw of very many values: evenly spaced in order of size, the smallest and the largest among them."""
    ordered = sorted(values)
    if len(ordered) <= MOST_RANKS:
        return tuple(ordered)
    return tuple(ordered[round(place)] for place in np.linspace(0, len(ordered) - 1, MOST_RANKS))


def scaling_panels(runs: Sequence[SynchronisationRun], legend: Legend) -> tuple[Panel, ...]:
    """Over numbers of processes: time spent, largest error directly after, and the error of all ranks."""
    if len({run.n_ranks for run in runs}) < 2:
        return ()
    first = min((step.wait_s for run in runs for step in run.steps), default=0.0)
    errors = {id(run): next((step.error_s for step in run.steps if step.wait_s == first), ()) for run in runs}
    spent = _scaling(runs, legend, lambda run: [run.elapsed_s], median)
    worst = _scaling(runs, legend, lambda run: [largest(found)] if (found := errors[id(run)]) else [], median)
    every = _scaling(runs, legend, lambda run: [abs(error) for error in errors[id(run)]], mean)
    after = f"{seconds(first)} after synchronising"
    made = (
        ("Duration of synchronising", "every repeat a dot", spent, "time spent"),
        ("Largest error", f"{after}, every repeat a dot", worst, "largest error over ranks"),
        ("Accuracy of all ranks", f"{after}, every rank a dot", every, "error, mean over ranks"),
    )
    return tuple(
        _panel(title, detail, over_processes_figure(lines, what, f"{title} against processes"))
        for title, detail, lines, what in made
        if lines
    )


def _scaling(
    runs: Sequence[SynchronisationRun],
    legend: Legend,
    values_of: Callable[[SynchronisationRun], Sequence[float]],
    middle: Callable[[Sequence[float]], float],
) -> list[Scaling]:
    """A line for each algorithm: `values_of` a run, put together by `middle` over all runs of a number of processes."""
    lines = []
    for name in legend.labels:
        own = [run for run in runs if label(run.algorithm) == name]
        scales = []
        for n_ranks in sorted({run.n_ranks for run in own}):
            values = [value for run in own if run.n_ranks == n_ranks for value in values_of(run)]
            if values:
                scales.append(Scale(n_ranks, float(middle(values)), _spread(values)))
        if scales:
            lines.append(Scaling(name, legend.index(name), tuple(scales)))
    return lines


def pareto_panels(
    points: Sequence[Point],
    wait_s: float,
    barriers: Mapping[int, float | None],
    legend: Legend,
    name_of: Callable[[str], str],
) -> tuple[Panel, ...]:
    """Error against time spent: a panel for each number of processes, a colour for each algorithm.

    `barriers` is the mean time of MPI_Barrier, seconds, by number of processes; `name_of` an algorithm in full form is
    its series in the legend.
    """
    panels = []
    for n_ranks in dict.fromkeys(point.n_ranks for point in points):
        own = [point for point in points if point.n_ranks == n_ranks]
        series = [
            ParetoSeries(
                name,
                legend.index(name),
                tuple(
                    ParetoPoint(label(point.algorithm), point.elapsed_s, point.error_s, point.on_frontier)
                    for point in own
                    if name_of(point.algorithm) == name
                ),
            )
            for name in legend.labels
        ]
        svg = pareto_figure(
            [one for one in series if one.points],
            barriers.get(n_ranks),
            "largest error over ranks",
            f"Error {seconds(wait_s)} after synchronising against the time spent, {processes(n_ranks)}",
        )
        panels.append(_panel(f"Error after {seconds(wait_s)}", processes(n_ranks), svg))
    return tuple(panels)


def pareto_legend(points: Sequence[Point]) -> Legend:
    """A series for each algorithm, whatever its setting."""
    return Legend(tuple(dict.fromkeys(sorted(variant(point.algorithm) for point in points))))


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
        _panel(
            "Offset since the start",
            "local clock minus rank 0's",
            offset_over_time_figure(offsets, "offset since the start", "Offsets of local clocks over time"),
        ),
        _panel(
            "Forecast",
            f"line of the first {tick_text(learnt_s)}, shaded",
            offset_over_time_figure(
                wrong, "offset minus forecast", "Offsets minus a straight line over time", learnt_s
            ),
        ),
        _panel(
            "Distance from a straight line",
            "by the time that a line spans",
            departure_figure(lines, "Largest distance from a straight line against the time that it spans"),
        ),
    )


def frequency_panels(sources: Sequence[FrequencySummary]) -> tuple[Panel, ...]:
    """Every calibration of every rank against the reference; stated frequencies are the line at 0."""
    measured = [one for one in sources if one.duration_s is not None]
    if not measured:
        return ()
    clouds = [FrequencyCloud(_brief_source(one), place, one.relative) for place, one in enumerate(measured)]
    return (_panel("Calibrations", "each a dot, the bar is a rank's median", frequency_figure(clouds, "Frequencies")),)


def _brief_source(one: FrequencySummary) -> str:
    """A name with room beside a figure: how long it took, and whether each rank took its own."""
    each = "per rank" if one.source == "calibrated-per-rank" else "over"
    return f"{each} {tick_text(one.duration_s or 0)}"


def _panel(title: str, detail: str, svg: str) -> Panel:
    return Panel(title, detail, svg)
