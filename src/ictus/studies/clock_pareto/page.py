"""The page of the cost of accuracy, and its figures, which the study of accuracy shows too."""

from collections.abc import Callable, Mapping, Sequence

from ictus.comparison.case_titles import processes
from ictus.render.page import Legend, Panel, Section, paragraphs
from ictus.studies.clock_pareto.analysis import Point
from ictus.studies.clock_pareto.figures import ParetoPoint, ParetoSeries, pareto_figure
from ictus.studies.clock_pareto.tables import budget_note, pareto_sentence, pareto_table, variant
from ictus.studies.clocks.label import label, seconds
from ictus.studies.clocks.page import page_of
from ictus.studies.clocks.record import Study

COST = paragraphs("""
    What accuracy costs. The line joins the settings that no other one beats in both time and error; a setting above it
    is never the right choice. MPI_Barrier is the baseline: clocks that err by more than a barrier takes start processes
    no better than a barrier does.
""")


def pareto_page(study: Study, points: Sequence[Point], wait_s: float, again: str) -> tuple[str, tuple[Panel, ...]]:
    """The page as HTML, and all of its panels: the frontier as figure, then all settings."""
    barriers = {one.setting.n_ranks: one.barrier_s for one in study.accuracy}
    legend = Legend(tuple(dict.fromkeys(sorted(variant(point.algorithm) for point in points))))
    panels = pareto_panels(points, wait_s, barriers, legend, variant)
    lead = pareto_sentence(points, next(iter(barriers.values())) if len(barriers) == 1 else None)
    note = " ".join(budget_note(points, study.document.budget_s))
    sections = [
        Section("cost", "Frontier", COST, panels=panels),
        Section("settings", "Settings", (), tables=(pareto_table(points, wait_s),), note=note),
    ]
    return page_of(study, "What accuracy costs", lead, sections, again), panels


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
        panels.append(Panel(f"Error after {seconds(wait_s)}", processes(n_ranks), svg))
    return tuple(panels)
