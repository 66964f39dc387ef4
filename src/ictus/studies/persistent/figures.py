"""The figure of both forms and the making, against size."""

from collections.abc import Sequence

from ictus.comparison.case_titles import operation_title
from ictus.render.figures.latency import LatencyPoint, LatencySeries, latency_figure
from ictus.render.page import Legend, Panel
from ictus.stats.median import MedianInterval
from ictus.studies.persistent.analysis import PersistentRow
from ictus.studies.persistent.tables import setting_of, without_size

SERIES = Legend(("blocking", "persistent", "set-up"))


def persistent_panels(rows: Sequence[PersistentRow]) -> tuple[Panel, ...]:
    """A panel for each library and operation."""
    panels = []
    for group in without_size(rows):
        title, setting = operation_title(group[0].case), setting_of(group[0], rows)
        lines = [
            LatencySeries(label, SERIES.index(label), tuple(_point(row, label) for row in group))
            for label in SERIES.labels
        ]
        panels.append(Panel(title, setting, latency_figure(lines, f"{title} against size, {setting}", what="time")))
    return tuple(panels)


def _point(row: PersistentRow, label: str) -> LatencyPoint:
    time: MedianInterval = getattr(row, label.replace("-", "_"))
    low, high = (time.low, time.high) if time.low is not None and time.high is not None else (time.median, time.median)
    return LatencyPoint(int(row.case["size_bytes"]), time.median, low, high)
