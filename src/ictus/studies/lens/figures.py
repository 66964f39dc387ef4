"""Figures of lenses: the numbers of suites in relation to the makespan."""

from collections.abc import Sequence

from ictus.comparison.case_titles import group_detail, grouped, operation_title
from ictus.comparison.verdict_texts import ratio_text
from ictus.model.quantity import format_size
from ictus.render.figures.ways import WayPoint, ways_figure
from ictus.render.page import Legend, Panel
from ictus.render.unit import time_unit
from ictus.studies.lens.analysis import LensRow
from ictus.studies.lens.tables import reference_name, shown_interval, way_name


def lens_panels(rows: Sequence[LensRow], legend: Legend) -> tuple[Panel, ...]:
    """One panel for each operation, size and number of processes."""
    panels = []
    for group in grouped(rows, lambda row: (row.case["operation"], row.case["n"], row.case["size_bytes"])):
        points = [_point(row, legend) for row in group if row.result.ratio is not None]
        if points:
            title, detail = operation_title(group[0].case), _detail(group[0])
            svg = ways_figure(points, reference_name(group), f"Reported times in relation, {title}, {detail}")
            panels.append(Panel(title, detail, svg))
    return tuple(panels)


def _point(row: LensRow, legend: Legend) -> WayPoint:
    ratio = row.result.ratio or float("nan")
    low, high = (ratio if limit is None else limit for limit in shown_interval(row))
    unit = time_unit([row.headline_s])
    way, reported = way_name(row.kind, row.lens), f"{unit.number(row.headline_s)} {unit.name}"
    tip = f"{row.mpi}, {way}: {reported}, ratio {ratio_text(ratio)}"
    return WayPoint(way, legend.index(row.mpi), ratio, low, high, tip)


def _detail(row: LensRow) -> str:
    size = f"{format_size(int(row.case['size_bytes']))}, " if row.case["moved_bytes"] else ""
    return f"{size}{group_detail(row.case, ())}"
