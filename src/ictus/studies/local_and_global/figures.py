"""Figures of local against global times."""

from collections.abc import Sequence

from ictus.comparison.case_titles import operation_title, processes
from ictus.model.quantity import format_size
from ictus.render.figures.ways import WayPoint, ways_figure
from ictus.render.page import Legend, Panel
from ictus.studies.exit_skew.tables import start_label
from ictus.studies.local_and_global.analysis import TimesRow
from ictus.studies.local_and_global.tables import name_of


def start_of(row: TimesRow) -> str:
    """How the ranks of a row began."""
    return start_label(str(row.case["procsync"]))


def times_panels(rows: Sequence[TimesRow], legend: Legend) -> tuple[Panel, ...]:
    """Ratios with intervals, a row for each operation and size: a panel for each library and number of processes."""
    panels = []
    for mpi, n in dict.fromkeys((row.mpi, int(row.case["n"])) for row in rows):
        times_rows = [row for row in rows if (row.mpi, row.case["n"]) == (mpi, n)]
        svg = ways_figure(
            [_point(row, legend) for row in times_rows], "local time", f"Global over local, {mpi}", "makespan"
        )
        panels.append(Panel("Global over local", f"{mpi}, {processes(n)}", svg))
    return tuple(panels)


def _point(row: TimesRow, legend: Legend) -> WayPoint:
    ratio = row.summary.ratio
    low, high = (ratio.low, ratio.high) if ratio.low is not None and ratio.high is not None else (ratio.ratio,) * 2
    way = f"{operation_title(row.case).removeprefix('MPI_')} {format_size(int(row.case['size_bytes']))}"
    return WayPoint(way, legend.index(start_of(row)), ratio.ratio, low, high, f"{name_of(row)}: {ratio.ratio:.3f}")
