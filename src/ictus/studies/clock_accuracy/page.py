"""The page of a study of accuracy, and its figures."""

from collections.abc import Sequence

from ictus.render.page import Panel
from ictus.studies.clock_pareto.analysis import points
from ictus.studies.clocks.errors import AlgorithmSummary, shown_waits
from ictus.studies.clocks.figures import growth_panels, legend_of, pareto_panels, rank_panels, scaling_panels
from ictus.studies.clocks.labels import label
from ictus.studies.clocks.page import accuracy_sections, page_of
from ictus.studies.clocks.record import Study
from ictus.studies.clocks.words import accuracy_sentence


def accuracy_page(study: Study, summaries: Sequence[AlgorithmSummary], again: str) -> tuple[str, tuple[Panel, ...]]:
    """The page as HTML and all of its panels."""
    legend = legend_of(study.runs)
    waits = [error.wait_s for one in summaries for error in one.errors]
    shown, last = shown_waits(waits), max(waits, default=0.0)
    costs = points(summaries, last)
    barriers = {one.setting.n_ranks: one.barrier_s for one in study.accuracy}
    panels = {
        "errors": growth_panels(summaries, study.runs, legend),
        "ranks": rank_panels(study.runs, shown, legend) if waits else (),
        "processes": scaling_panels(study.runs, legend),
        "cost": pareto_panels(costs, last, barriers, legend, label),
    }
    title = "How far synchronised clocks are apart"
    sections = accuracy_sections(summaries, shown, panels)
    page = page_of(study, title, accuracy_sentence(summaries, study.accuracy), sections, again)
    return page, tuple(panel for group in panels.values() for panel in group)
