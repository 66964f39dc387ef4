"""The page of a study of accuracy, and its figures."""

from collections.abc import Sequence

from ictus.render.page import Panel, Section, paragraphs
from ictus.studies.clock_accuracy.tables import accuracy_sentence
from ictus.studies.clock_pareto.analysis import points
from ictus.studies.clock_pareto.page import COST, pareto_panels
from ictus.studies.clocks.errors import AlgorithmSummary, shown_waits
from ictus.studies.clocks.figures import MOST_RANKS, growth_panels, legend_of, rank_panels, scaling_panels
from ictus.studies.clocks.label import label
from ictus.studies.clocks.page import page_of
from ictus.studies.clocks.record import Study
from ictus.studies.clocks.tables import overview

_ACCURACY = paragraphs("""
    After an algorithm has synchronised, every rank's global clock is compared with rank 0's at the same instant, again
    and again. An algorithm that learns offsets only loses what the clocks drift; one that learns drifts loses what the
    drifts change and what it estimated wrongly.

    Lines are the largest error over ranks, bands span the repeats, dotted lines are the bound that an algorithm proves
    for itself. An error beyond its bound would be a refuted proof.
""")

_RANKS = paragraphs("""
    The signed error of every checked rank. Errors of one sign that grow with the rank tell of an algorithm that passes
    its errors on; one rank far off tells of a disturbed exchange.
""")

_PROCESSES = paragraphs("""
    How time spent and accuracy change with the number of processes: algorithms that go round all ranks take linearly
    longer, trees logarithmically, and what a tree adds up on its way grows with its depth.
""")


def accuracy_page(study: Study, summaries: Sequence[AlgorithmSummary], again: str) -> tuple[str, tuple[Panel, ...]]:
    """The page as HTML and all of its panels: errors over time, over ranks, over processes, and their cost."""
    legend = legend_of(study.runs)
    waits = [error.wait_s for one in summaries for error in one.errors]
    shown, last = shown_waits(waits), max(waits, default=0.0)
    barriers = {one.setting.n_ranks: one.barrier_s for one in study.accuracy}
    growth = growth_panels(summaries, study.runs, legend)
    ranks = rank_panels(study.runs, shown, legend) if waits else ()
    scaling = scaling_panels(study.runs, legend)
    cost = pareto_panels(points(summaries, last), last, barriers, legend, label)
    sections = [
        Section("errors", "Errors", _ACCURACY, tables=(overview(summaries, shown),), panels=growth),
        Section("ranks", "Over ranks", _RANKS, panels=ranks, note=_drawn(summaries)),
        Section("processes", "Over processes", _PROCESSES, panels=scaling),
        Section("cost", "Cost", COST, panels=cost),
    ]
    lead = accuracy_sentence(summaries, study.accuracy)
    page = page_of(study, "How far synchronised clocks are apart", lead, sections, again)
    return page, (*growth, *ranks, *scaling, *cost)


def _drawn(summaries: Sequence[AlgorithmSummary]) -> str:
    most = max((one.n_ranks for one in summaries), default=0)
    if most <= MOST_RANKS:
        return ""
    return f"Of {most} ranks {MOST_RANKS} are drawn, among them those with the largest errors."
