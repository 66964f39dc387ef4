"""The cost of accuracy: the error of every setting against the time to synchronise, and the frontier of settings that
no other one beats. After Fig. 8 of "MPI benchmarking revisited", with the mean MPI_Barrier as baseline.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ictus.comparison.case_titles import processes
from ictus.model.quantity import format_duration
from ictus.render.figures.axes import SHORTEST, log_durations
from ictus.render.figures.panel import caption_y, key, panel, room
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.page import Legend, Panel
from ictus.render.table import short
from ictus.studies.clock_pareto.analysis import Point
from ictus.studies.clocks.label import label, seconds

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class ParetoPoint:
    """One setting: time spent and error, seconds. `label` is for the pointer."""

    label: str
    elapsed_s: float
    error_s: float
    on_frontier: bool


@dataclass(frozen=True)
class ParetoSeries:
    """All settings of one algorithm. `index` chooses colour and marker."""

    label: str
    index: int
    points: tuple[ParetoPoint, ...]


def pareto_figure(series: Sequence[ParetoSeries], barrier_s: float | None, what: str, label: str) -> str:
    """SVG: both axes logarithmic; points on the frontier are filled and joined, the others pale; `what` names y."""
    points = [point for pareto_series in series for point in pareto_series.points]
    if not points:
        raise ValueError("a Pareto figure needs at least one setting")
    with drawing():
        figure, axes = panel(height=280, left=54, right=9 + room(short(line.label) for line in series))
        log_durations(axes, "x", [point.elapsed_s for point in points], at_most=3)
        log_durations(axes, "y", [point.error_s for point in points] + ([] if barrier_s is None else [barrier_s]))
        axes.set_xlabel("time spent synchronising")
        caption_y(axes, what)
        if barrier_s is not None:
            _baseline(axes, barrier_s)
        _frontier(axes, points)
        tips: dict[str, str] = {}
        for line in series:
            colour = drawn(series_name(line.index))
            for index, point in enumerate(line.points):
                name = f"tip-{line.index}-{index}"
                axes.plot(
                    [max(point.elapsed_s, SHORTEST)],
                    [max(point.error_s, SHORTEST)],
                    marker=marker(line.index),
                    markersize=6 if point.on_frontier else 4.6,
                    color=colour,
                    alpha=1.0 if point.on_frontier else 0.38,
                    markeredgewidth=0,
                    linestyle="none",
                    zorder=3 if point.on_frontier else 2,
                    gid=name,
                )
                tip = f"{format_duration(point.error_s)} after {format_duration(point.elapsed_s)}"
                tips[name] = f"{point.label}: {tip}{', on the frontier' if point.on_frontier else ''}"
        key(axes, [(short(curve.label), curve.index) for curve in series])
        return to_svg(figure, label, tips)


def _baseline(axes: "Axes", barrier_s: float) -> None:
    axes.axhline(barrier_s, color=drawn("soft"), linewidth=1.1, dashes=(4, 3), zorder=1)
    axes.annotate(
        "mean MPI_Barrier",
        xy=(1, barrier_s),
        xycoords=("axes fraction", "data"),
        xytext=(-2, 3),
        textcoords="offset points",
        ha="right",
        va="bottom",
        color=drawn("soft"),
    )


def _frontier(axes: "Axes", points: Sequence[ParetoPoint]) -> None:
    """A staircase: between two settings, the time of the second buys the error of the first."""
    best = sorted((max(p.elapsed_s, SHORTEST), max(p.error_s, SHORTEST)) for p in points if p.on_frontier)
    right = axes.get_xlim()[1]
    axes.step(
        [x for x, _ in best] + [right],
        [y for _, y in best] + [best[-1][1]],
        where="post",
        color=drawn("ink"),
        linewidth=1.1,
        alpha=0.7,
        zorder=1.5,
    )


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
        of_size = [point for point in points if point.n_ranks == n_ranks]
        series = [
            ParetoSeries(
                name,
                legend.index(name),
                tuple(
                    ParetoPoint(label(point.algorithm), point.elapsed_s, point.error_s, point.on_frontier)
                    for point in of_size
                    if name_of(point.algorithm) == name
                ),
            )
            for name in legend.labels
        ]
        svg = pareto_figure(
            [pareto_series for pareto_series in series if pareto_series.points],
            barriers.get(n_ranks),
            "largest error over ranks",
            f"Error {seconds(wait_s)} after synchronising against the time spent, {processes(n_ranks)}",
        )
        panels.append(Panel(f"Error after {seconds(wait_s)}", processes(n_ranks), svg))
    return tuple(panels)
