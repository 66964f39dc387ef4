"""The page of a prediction: its running metrics and its counts."""

from collections.abc import Sequence

import numpy as np

from ictus.comparison.case_titles import operation_title, processes
from ictus.engine.nrep import NrepLaunch, NrepRow
from ictus.model.quantity import format_size
from ictus.render.figures.stationarity import MetricLine, running_metric_figure
from ictus.render.page import WARNINGS, Fact, Legend, Page, Panel, Section, day, paragraphs, render_page
from ictus.stats.nrep import METRICS, NrepRule
from ictus.store.campaign import Campaign
from ictus.studies.nrep.tables import LEGEND, OVERLAP, mark, nrep_table, rule_sentence, sentences

MOST_DRAWN = 24
"""Panels; of more cases some are drawn, evenly over all."""

_METRICS = """
    Each figure is one case in the launch that needed the most repetitions: the chosen metrics as samples come in, their
    thresholds dashed, and a line where all are at or under them; the looks are marked. rse is the standard error of the
    mean over the mean, without outliers; cov_mean and cov_median are how much the last means and medians vary.
"""


def nrep_page(campaign: Campaign, rows: Sequence[NrepRow], rule: NrepRule, warnings: Sequence[str], again: str) -> str:
    """The page as HTML; `again` is the command that makes it once more."""
    legend = Legend(tuple(name for name in METRICS if name in rule.thresholds))
    panels = metric_panels(rows, rule, legend)
    about = (*paragraphs(_METRICS), OVERLAP)
    sections = (
        Section("warnings", "Warnings", WARNINGS, items=tuple(warnings)),
        Section("metrics", "Running metrics", about, legend=legend.entries(), panels=panels),
        Section(
            "counts",
            "Repetitions",
            (rule_sentence(rule), LEGEND),
            items=sentences(rows),
            tables=(nrep_table(rows),),
        ),
    )
    return render_page(
        Page(
            title="How many repetitions a case needs",
            where=f"{day(campaign.created)} · {campaign.machine.get('host', 'unknown host')}",
            reproduce_command=again,
            ictus=campaign.ictus,
            lead="",
            pairs=(),
            facts=(
                Fact("libraries", ", ".join(campaign.labels)),
                Fact("launches", str(len(campaign.launches))),
                *(Fact(name, f"at or under {threshold:g}") for name, threshold in rule.thresholds.items()),
                Fact("seed", str(campaign.seed)),
            ),
            sections=tuple(one for one in sections if one.items or one.panels),
        )
    )


def _decisive(row: NrepRow) -> NrepLaunch:
    """The launch with the largest count, the first of several; one that did not converge before one that did."""
    return max(row.launches, key=lambda one: (one.nrep, not one.converged, -one.slot))


def _known(launch: NrepLaunch) -> bool:
    return any(bool(np.isfinite(values).any()) for values in launch.prediction.running.values())


def _spread(rows: Sequence[NrepRow]) -> list[NrepRow]:
    if len(rows) <= MOST_DRAWN:
        return list(rows)
    return [rows[round(index * (len(rows) - 1) / (MOST_DRAWN - 1))] for index in range(MOST_DRAWN)]


def metric_panels(rows: Sequence[NrepRow], rule: NrepRule, legend: Legend) -> tuple[Panel, ...]:
    """For each case, or some of many, the metrics of the launch that needed the most repetitions."""
    panels = []
    for row in _spread([row for row in rows if _known(_decisive(row))]):
        launch = _decisive(row)
        name = operation_title(row.case).removeprefix("MPI_")
        title = f"{name} {format_size(int(row.case['size_bytes']))}: {mark(launch.nrep, launch.converged)}"
        detail = f"{row.mpi}, {processes(int(row.case['n']))}, slot {launch.slot}"
        looks = launch.prediction.totals <= launch.nrep
        lines = [
            MetricLine(
                metric,
                legend.index(metric),
                launch.prediction.totals[looks].tolist(),
                launch.prediction.running[metric][looks],
                threshold,
                launch.curve.totals.tolist(),
                launch.curve.running[metric],
            )
            for metric, threshold in rule.thresholds.items()
        ]
        svg = running_metric_figure(lines, launch.nrep, launch.converged, f"Running metrics of {title}, {detail}")
        panels.append(Panel(title, detail, svg))
    return tuple(panels)
