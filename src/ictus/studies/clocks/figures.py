"""The figures of clock studies, panel by panel. Summaries and runs in, panels out."""

import math
from collections.abc import Callable, Sequence
from statistics import median

import numpy as np

from ictus.comparison.case_titles import processes
from ictus.render.figures.clock_errors import (
    ErrorMarks,
    Growth,
    GrowthPoint,
    error_by_rank_figure,
    error_over_time_figure,
)
from ictus.render.figures.over_processes import Scale, Scaling, over_processes_figure
from ictus.render.page import Legend, Panel
from ictus.studies.clocks.accuracy import SynchronisationRun, SynchronisationStep
from ictus.studies.clocks.errors import AlgorithmSummary, largest, mean
from ictus.studies.clocks.label import label, seconds

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
    for n_ranks in dict.fromkeys(summary.n_ranks for summary in summaries):
        lines = [
            _growth(summary, runs, legend) for summary in summaries if summary.n_ranks == n_ranks and summary.errors
        ]
        if lines:
            svg = error_over_time_figure(lines, what, f"Error over time, {processes(n_ranks)}")
            panels.append(Panel("Error over time", processes(n_ranks), svg))
    return tuple(panels)


def _growth(summary: AlgorithmSummary, runs: Sequence[SynchronisationRun], legend: Legend) -> Growth:
    of_algorithm = [run for run in runs if (run.algorithm, run.n_ranks) == (summary.algorithm, summary.n_ranks)]
    points = []
    for error in summary.errors:
        errors_s = [largest(step.error_s) for run in of_algorithm for step in run.steps if step.wait_s == error.wait_s]
        points.append(GrowthPoint(error.wait_s, error.max_s, min(errors_s), max(errors_s)))
    bounds = tuple((error.wait_s, error.bound_s) for error in summary.errors if error.bound_s is not None)
    name = label(summary.algorithm)
    return Growth(name, legend.index(name), tuple(points), bounds)


def rank_panels(runs: Sequence[SynchronisationRun], waits_s: Sequence[float], legend: Legend) -> tuple[Panel, ...]:
    """Signed errors over ranks with the most processes: a panel for each wait; of repeats the first."""
    n_ranks = max(run.n_ranks for run in runs)
    of_algorithm = [run for run in runs if run.n_ranks == n_ranks and run.repeat == 0]
    panels = []
    for wait in waits_s:
        series = [
            ErrorMarks(label(run.algorithm), legend.index(label(run.algorithm)), *_thinned(step))
            for run in of_algorithm
            for step in run.steps
            if step.wait_s == wait and step.ranks
        ]
        if any(len(marks.ranks) > 1 for marks in series):  # of a single rank the table tells all
            title = "Error over ranks" if wait else "Error over ranks, directly after"
            detail = f"{seconds(wait)} after synchronising" if wait else processes(n_ranks)
            svg = error_by_rank_figure(series, f"Signed error over ranks, {seconds(wait)} after synchronising")
            panels.append(Panel(title, detail, svg))
    return tuple(panels)


def _thinned(step: SynchronisationStep) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Ranks and errors to draw: of very many ranks the quarter of them with the largest errors, then every k-th."""
    if len(step.ranks) <= MOST_RANKS:
        return step.ranks, step.error_s
    by_size = sorted(range(len(step.ranks)), key=lambda index: -abs(step.error_s[index]))
    smaller = sorted(by_size[MOST_RANKS // 4 :])
    every = math.ceil(len(smaller) / (MOST_RANKS - MOST_RANKS // 4))
    places = sorted([*by_size[: MOST_RANKS // 4], *smaller[::every]])
    return tuple(step.ranks[index] for index in places), tuple(step.error_s[index] for index in places)


def _spread(values: Sequence[float]) -> tuple[float, ...]:
    """Dots to draw of very many values: evenly spaced in order of size, the smallest and the largest among them."""
    ordered = sorted(values)
    if len(ordered) <= MOST_RANKS:
        return tuple(ordered)
    return tuple(ordered[round(index)] for index in np.linspace(0, len(ordered) - 1, MOST_RANKS))


def scaling_panels(runs: Sequence[SynchronisationRun], legend: Legend) -> tuple[Panel, ...]:
    """Over numbers of processes: time spent, largest error directly after, and the error of all ranks."""
    if len({run.n_ranks for run in runs}) < 2:
        return ()
    first = min((step.wait_s for run in runs for step in run.steps), default=0.0)
    errors = {id(run): next((step.error_s for step in run.steps if step.wait_s == first), ()) for run in runs}
    spent = _scaling(runs, legend, lambda run: [run.elapsed_s], median)
    worst = _scaling(runs, legend, lambda run: [largest(errors_s)] if (errors_s := errors[id(run)]) else [], median)
    every = _scaling(runs, legend, lambda run: [abs(error) for error in errors[id(run)]], mean)
    after = f"{seconds(first)} after synchronising"
    made = (
        ("Duration of synchronising", "every repeat a dot", spent, "time spent"),
        ("Largest error", f"{after}, every repeat a dot", worst, "largest error over ranks"),
        ("Accuracy of all ranks", f"{after}, every rank a dot", every, "error, mean over ranks"),
    )
    return tuple(
        Panel(title, detail, over_processes_figure(lines, what, f"{title} against processes"))
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
        of_algorithm = [run for run in runs if label(run.algorithm) == name]
        scales = []
        for n_ranks in sorted({run.n_ranks for run in of_algorithm}):
            values = [value for run in of_algorithm if run.n_ranks == n_ranks for value in values_of(run)]
            if values:
                scales.append(Scale(n_ranks, float(middle(values)), _spread(values)))
        if scales:
            lines.append(Scaling(name, legend.index(name), tuple(scales)))
    return lines
