"""Figures of reproducibility: the results of equal trials over the smallest of their size, by every way, on one scale
(the paper's Figure 29).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ictus.comparison.case_titles import operation_title
from ictus.model.quantity import format_size
from ictus.render.figures.axes import even_ticks
from ictus.render.figures.panel import caption_y, panel
from ictus.render.figures.scheme import drawn, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.page import Legend, Panel
from ictus.render.unit import plain
from ictus.studies.reproduce.analysis import TrialRow, Trials
from ictus.studies.reproduce.tables import blocks_of, detail, share, size_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HALF = 0.26
"""Half the width of a box, in sizes."""
_AT_MOST = 7
"""Sizes named at the axis."""
_LEAST_REACH = 1.02


@dataclass(frozen=True)
class TrialColumn:
    """The results of one size over the smallest of them, shape (trials,)."""

    size_bytes: int
    normalised: Sequence[float]
    tip: str


def normalised_figure(columns: Sequence[TrialColumn], index: int, reach: float, label: str) -> str:
    """SVG: for every size, ascending, a dot for each trial and a box from the lower to the upper quartile with the
    median in it. The axis ends at `reach`, so that figures beside each other can be compared.
    """
    if not columns or not all(len(column.normalised) for column in columns):
        raise ValueError("a figure of trials needs at least one size, and a result of each")
    with drawing():
        figure, axes = panel()
        _axes(axes, columns, max(reach, _LEAST_REACH))
        tips = {}
        for position, column in enumerate(columns):
            tips[f"tip-{position}"] = column.tip
            _draw(axes, position, np.asarray(column.normalised, np.float64), index, f"tip-{position}")
        return to_svg(figure, label, tips)


def _axes(axes: "Axes", columns: Sequence[TrialColumn], reach: float) -> None:
    step = math.ceil(len(columns) / _AT_MOST)
    indices = range(0, len(columns), step)
    axes.set_xticks(list(indices), [format_size(columns[index].size_bytes) for index in indices])
    axes.set_xlim(-0.6, len(columns) - 0.4)
    axes.set_xlabel("message size")
    margin = 0.04 * (reach - 1)
    axes.set_ylim(1 - margin, reach + margin)
    ticks = even_ticks(1, reach, 6)
    axes.set_yticks(ticks, [plain(tick) for tick in ticks])
    caption_y(axes, "result / smallest result")


def _draw(
    axes: "Axes", position: int, values: np.ndarray[tuple[int], np.dtype[np.float64]], index: int, name: str
) -> None:
    colour = drawn(series_name(index))
    low, middle, high = np.quantile(values, (0.25, 0.5, 0.75))
    axes.fill_between([position - _HALF, position + _HALF], low, high, color=colour, alpha=0.22, linewidth=0, gid=name)
    axes.hlines(middle, position - _HALF, position + _HALF, color=colour, linewidth=1.6)
    # Side by side in the order measured: dots of equal height stay apart, and nothing is drawn by chance.
    aside = np.linspace(-0.8 * _HALF, 0.8 * _HALF, values.size) if values.size > 1 else np.zeros(1)
    axes.plot(position + aside, values, "o", color=colour, markersize=3.4, markeredgewidth=0, alpha=0.75)


def trial_panels(trials: Trials, legend: Legend) -> tuple[Panel, ...]:
    """For each operation, number of processes and library a panel by every way, all of one scale."""
    panels = []
    for group in blocks_of(trials.rows):
        with_spread = [row for row in group if row.spread is not None]
        reach = max((max(row.spread.normalised) for row in with_spread if row.spread is not None), default=1.0)
        for way in trials.study.ways:
            columns = [_column(row) for row in with_spread if row.way == way]
            if columns:
                title = f"{operation_title(group[0].case)}, {way}"
                svg = normalised_figure(
                    columns, legend.index(way), reach, f"Results of {title}, {detail(group, with_spread)}"
                )
                panels.append(Panel(title, detail(group, trials.rows), svg))
    return tuple(panels)


def _column(row: TrialRow) -> TrialColumn:
    assert row.spread is not None
    tip = (
        f"{row.way}, {size_text(row)}: {row.spread.n} results, up to {share(row.spread.max / row.spread.min - 1)} above"
    )
    return TrialColumn(int(row.case["size_bytes"]), row.spread.normalised, tip)
