"""Process synchronisations against cases: how much longer each case seems to take than at its best.

After Fig. 2 of "MPI process synchronization in space and time".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.patches import Rectangle

from ictus.render.figures.panel import panel
from ictus.render.figures.scheme import drawn
from ictus.render.figures.svg import drawing, to_svg

_ROW = 22
"""Height of a row in points."""
_DARKEST = 4.0
"""From this factor on a cell is as dark as it gets."""


@dataclass(frozen=True)
class MatrixCell:
    """One case under one process synchronisation; `value` is relative to the norm, NaN where nothing was valid."""

    row: str
    column: str
    value: float
    tip: str


def start_matrix_figure(cells: Sequence[MatrixCell], what: str, label: str) -> str:
    """SVG: rows and columns in the order of their first cells, each cell with its number, the darker the farther it is
    from 1.
    """
    if not cells:
        raise ValueError("a matrix needs at least one cell")
    rows, columns = (list(dict.fromkeys(getattr(cell, name) for cell in cells)) for name in ("row", "column"))
    with drawing():
        figure, axes = panel(height=_ROW * len(rows) + 64, left=min(150, 16 + 7 * max(map(len, rows))))
        axes.set_xlim(0, len(columns))
        axes.set_ylim(len(rows), 0)
        axes.set_xticks([place + 0.5 for place in range(len(columns))], columns)
        axes.set_yticks([place + 0.5 for place in range(len(rows))], rows)
        axes.grid(visible=False)
        axes.set_xlabel(what)
        axes.tick_params(length=0)
        tips = {}
        for number, cell in enumerate(cells):
            x, y = columns.index(cell.column), rows.index(cell.row)
            known = math.isfinite(cell.value)
            depth = min(abs(math.log(cell.value)) / math.log(_DARKEST), 1.0) if known else 0.0
            box = Rectangle((x + 0.02, y + 0.04), 0.96, 0.92, color=drawn("series-2"), alpha=0.06 + 0.6 * depth)
            box.set_gid(f"tip-{number}")
            axes.add_patch(box)
            text = f"{cell.value:.2f}"[:4] if known else "NA"
            axes.text(x + 0.5, y + 0.52, text, ha="center", va="center", color=drawn("ink"), fontsize=10)
            tips[f"tip-{number}"] = cell.tip
        return to_svg(figure, label, tips)
