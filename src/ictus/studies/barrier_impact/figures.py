"""Figures of the effect of starts on latencies: the matrix of process synchronisations against cases, relative to
the best of each case.

After Fig. 2 of "MPI process synchronization in space and time".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ictus.comparison.case_titles import grouped
from ictus.model.quantity import format_duration, format_size
from ictus.render.figures.panel import beside, panel
from ictus.render.figures.ratio import RelativeLine, RelativePoint, relative_figure
from ictus.render.figures.scheme import MOST_LINES, drawn
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.page import Legend, Panel
from ictus.studies.barrier_impact.analysis import Impact
from ictus.studies.barrier_impact.tables import heading

_ROW = 24
"""Height of a row in points."""
_DARKEST = 4.0
"""From this factor on a cell is as dark as it gets."""


@dataclass(frozen=True)
class MatrixCell:
    """One case under one process synchronisation; `value` is relative to the norm, NaN without a valid sample."""

    row: str
    column: str
    value: float
    tip: str


def start_matrix_figure(cells: Sequence[MatrixCell], what: str, label: str) -> str:
    """SVG: rows and columns in the order of their first cells, each cell with its number, the darker the farther it is
    from 1.
    """
    from matplotlib.patches import Rectangle  # noqa: PLC0415 (only who draws waits for matplotlib)

    if not cells:
        raise ValueError("a matrix needs at least one cell")
    rows, columns = (list(dict.fromkeys(getattr(cell, name) for cell in cells)) for name in ("row", "column"))
    with drawing():
        names = [beside(name, _LETTERS) for name in rows]
        letters = max(len(line) for name in names for line in name.split("\n"))
        figure, axes = panel(height=_ROW * len(rows) + 64, left=min(190, round(16 + 6.6 * letters)))
        axes.set_xlim(0, len(columns))
        axes.set_ylim(len(rows), 0)
        axes.set_xticks([index + 0.5 for index in range(len(columns))], columns)
        axes.set_yticks([index + 0.5 for index in range(len(rows))], names, linespacing=0.95)
        for tick, name in zip(axes.get_yticklabels(), names, strict=True):
            tick.set_fontsize(9.5 if "\n" in name else 11.5)
        axes.grid(visible=False)
        axes.set_xlabel(what)
        axes.tick_params(length=0)
        tips = {}
        for number, cell in enumerate(cells):
            x, y = columns.index(cell.column), rows.index(cell.row)
            is_finite = math.isfinite(cell.value)
            depth = min(abs(math.log(cell.value)) / math.log(_DARKEST), 1.0) if is_finite else 0.0
            box = Rectangle((x + 0.02, y + 0.04), 0.96, 0.92, color=drawn("series-2"), alpha=0.06 + 0.6 * depth)
            box.set_gid(f"tip-{number}")
            axes.add_patch(box)
            text = f"{cell.value:.2f}"[:4] if is_finite else "NA"
            axes.text(x + 0.5, y + 0.52, text, ha="center", va="center", color=drawn("ink"), fontsize=10)
            tips[f"tip-{number}"] = cell.tip
        return to_svg(figure, label, tips)


_LETTERS = 22
"""Of a row's name on one line."""


def matrix_panels(rows: Sequence[Impact], norm: str) -> tuple[Panel, ...]:
    """A matrix for each operation, library and number of processes."""
    panels = []
    for block in grouped(rows, lambda row: (*heading(row.target), row.target.factors)):
        title, detail = heading(block[0].target)
        cells = [
            MatrixCell(row.label, format_size(row.target.size_bytes), _number(row.normalised), _tip(row))
            for row in block
        ]
        svg = start_matrix_figure(cells, f"message size; {norm} = 1", f"{title}, {detail}, by process synchronisation")
        panels.append(Panel(title, detail, svg))
    return tuple(panels)


def _tip(row: Impact) -> str:
    if row.median_s is None:
        return f"{row.label}: no valid sample"
    skew = "" if row.start_skew_s is None else f", ranks start {format_duration(row.start_skew_s)} apart"
    return f"{row.label}, {format_size(row.target.size_bytes)}: {format_duration(row.median_s)}{skew}"


def ratio_panels(rows: Sequence[Impact], legend: Legend, reference: str) -> tuple[Panel, ...]:
    """Latencies relative to the reference, a line a start."""
    panels = []
    for block in grouped(rows, lambda row: (*heading(row.target), row.target.factors)):
        lines = [
            RelativeLine(impacts[0].label, legend.index(impacts[0].label), tuple(filter(None, map(_point, impacts))))
            for impacts in grouped(block, lambda row: row.procsync)
        ]
        lines = emphasised([line for line in lines if line.points], reference)
        if lines:
            title, detail = heading(block[0].target)
            svg = relative_figure(lines, f"latency / {reference}", f"{title}, {detail}, relative to {reference}")
            panels.append(Panel(title, detail, svg))
    return tuple(panels)


_MATTER = 3
"""Lines that have colours where there are too many to tell apart."""


def emphasised(lines: list[RelativeLine], reference: str) -> list[RelativeLine]:
    """Of more lines than there are colours those that go farthest from the reference, the others grey."""
    if len(lines) <= MOST_LINES:
        return lines
    far = sorted(lines, key=lambda line: -max(abs(math.log(point.ratio)) for point in line.points))
    matter = [line.label for line in far if line.label != reference][:_MATTER]
    return [replace(line, index=matter.index(line.label) if line.label in matter else None) for line in lines]


def _point(row: Impact) -> RelativePoint | None:
    comparison = row.against
    if comparison is None or comparison.ratio is None:
        return None
    low, high = comparison.ratio_low or comparison.ratio, comparison.ratio_high or comparison.ratio
    return RelativePoint(row.target.size_bytes, comparison.ratio, low, high)


def median_panels(rows: Sequence[Impact], legend: Legend) -> tuple[Panel, ...]:
    """A panel for each start, operation and variant that more than one library has."""
    panels = []
    for block in grouped(rows, lambda row: (row.target.operation, row.target.n, row.target.algorithm, row.procsync)):
        with_median = [row for row in block if row.median_s is not None]
        if len({row.target.mpi for row in with_median}) < 2:
            continue
        best: dict[int, float] = {}
        for row in with_median:
            size = row.target.size_bytes
            best[size] = min(best.get(size, math.inf), row.median_s or math.inf)
        lines = [
            RelativeLine(
                impacts[0].target.mpi,
                legend.index(impacts[0].target.mpi),
                tuple(_normalised(row, best[row.target.size_bytes]) for row in impacts),
            )
            for impacts in grouped(with_median, lambda row: row.target.mpi)
        ]
        title, detail = heading(block[0].target)[0], f"{block[0].label}, {block[0].target.n} processes"
        detail += "" if block[0].target.algorithm == "default" else f", {block[0].target.algorithm}"
        svg = relative_figure(lines, "median / smallest", f"{title}, {detail}, normalised medians")
        panels.append(Panel(title, detail, svg))
    return tuple(panels)


def _normalised(row: Impact, best: float) -> RelativePoint:
    median = row.median_s or math.nan
    low, high = (limit if limit is not None else median for limit in (row.low_s, row.high_s))
    values = tuple(value / best for _, value in row.medians_s if value is not None)
    return RelativePoint(row.target.size_bytes, median / best, low / best, high / best, values)


def _number(value: float | None) -> float:
    return math.nan if value is None else value
