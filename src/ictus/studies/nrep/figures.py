"""Figures of a prediction: the running metrics of cases."""

from collections.abc import Sequence

import numpy as np

from ictus.comparison.case_titles import operation_title, processes
from ictus.engine.nrep import NrepLaunch, NrepRow
from ictus.model.quantity import format_size
from ictus.render.figures.stationarity import MetricLine, running_metric_figure
from ictus.render.page import Legend, Panel
from ictus.stats.nrep import NrepRule
from ictus.studies.nrep.tables import mark

MOST_DRAWN = 24
"""Panels; of more cases some are drawn, evenly over all."""


def _decisive(row: NrepRow) -> NrepLaunch:
    """The launch with the largest count, the first of several; one that did not converge before one that did."""
    return max(row.launches, key=lambda launch: (launch.nrep, not launch.converged, -launch.slot))


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
