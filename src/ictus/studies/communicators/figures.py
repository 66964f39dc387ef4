"""Figures of what making communicators costs: over the number of groups, and over the number of processes."""

from collections.abc import Sequence

from ictus.comparison.case_titles import processes
from ictus.render.figures.over_processes import Scale, Scaling, over_processes_figure
from ictus.render.page import Legend, Panel
from ictus.studies.communicators.analysis import CreationSummary


def legend_of(rows: Sequence[CreationSummary]) -> Legend:
    """A series for each call."""
    return Legend(tuple(dict.fromkeys(row.mpi_name for row in rows)))


def group_panels(rows: Sequence[CreationSummary], legend: Legend) -> tuple[Panel, ...]:
    """Cost over the number of groups: a panel for each number of processes and library."""
    panels = []
    for n, mpi in dict.fromkeys((row.n, row.mpi) for row in rows):
        setting = f"{mpi}, {processes(n)}"
        lines = _lines([row for row in rows if (row.n, row.mpi) == (n, mpi)], legend, "groups")
        if lines:
            svg = over_processes_figure(
                lines, "cost of a call", f"Cost against groups, {setting}", over=("group", "groups")
            )
            panels.append(Panel("Cost over groups", setting, svg))
    return tuple(panels)


def process_panels(rows: Sequence[CreationSummary], legend: Legend) -> tuple[Panel, ...]:
    """Cost of the finest division over the number of processes, a panel for each library; nothing of one number."""
    panels = []
    for mpi in dict.fromkeys(row.mpi for row in rows):
        finest = [row for row in rows if row.mpi == mpi and row.groups == _most(rows, row)]
        if len({row.n for row in finest}) < 2:
            continue
        lines = _lines(finest, legend, "n")
        if lines:
            svg = over_processes_figure(lines, "cost of a call", f"Cost against processes, {mpi}")
            panels.append(Panel("Cost over processes", f"{mpi}, most groups", svg))
    return tuple(panels)


def _most(rows: Sequence[CreationSummary], like: CreationSummary) -> int:
    """The largest number of groups of the same call there."""
    return max(row.groups for row in rows if (row.mpi, row.n, row.call) == (like.mpi, like.n, like.call))


def _lines(rows: Sequence[CreationSummary], legend: Legend, over: str) -> list[Scaling]:
    lines = []
    for name in legend.labels:
        scales = tuple(
            Scale(getattr(row, over), row.cost_s.median, _ends(row))
            for row in rows
            if row.mpi_name == name and row.cost_s is not None
        )
        if scales:
            lines.append(Scaling(name, legend.index(name), scales))
    return lines


def _ends(row: CreationSummary) -> tuple[float, ...]:
    """The limits of its interval."""
    cost = row.cost_s
    return () if cost is None or cost.low is None or cost.high is None else (cost.low, cost.high)
