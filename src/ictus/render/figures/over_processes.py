"""A time against the number of processes: one line per algorithm, one dot per value.

After Fig. 6 of "MPI benchmarking revisited" (error directly after synchronising) and Fig. 15 and 16 of "MPI process
synchronization in space and time" (duration of a synchronisation, accuracy of all ranks).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from ictus.model.quantity import format_duration
from ictus.render.figures.axes import SHORTEST, log_durations
from ictus.render.figures.panel import caption_y, end_labels, panel, room
from ictus.render.figures.scheme import dashes, line_colour, marker
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.table import short


@dataclass(frozen=True)
class Scale:
    """One number of processes: the middle value that the line goes through and all values, seconds."""

    n_ranks: int
    middle_s: float
    values_s: tuple[float, ...]


@dataclass(frozen=True)
class Scaling:
    """One algorithm, numbers of processes ascending. `index` chooses colour, marker and dashes, None is grey: one of
    many that do not matter.
    """

    label: str
    index: int | None
    scales: tuple[Scale, ...]


def over_processes_figure(
    lines: Sequence[Scaling], what: str, label: str, over: tuple[str, str] = ("process", "processes")
) -> str:
    """SVG: times on a logarithmic axis named `what` against processes (log2), or what `over` calls one and
    several of; with one number there are no lines.
    """
    values = [value for line in lines for scale in line.scales for value in (scale.middle_s, *scale.values_s)]
    if not values:
        raise ValueError("a figure over processes needs at least one value")
    with drawing():
        figure, axes = panel(left=54, right=room(short(line.label) for line in lines if line.index is not None))
        log_durations(axes, "y", values)
        numbers = sorted({scale.n_ranks for line in lines for scale in line.scales})
        x = {n: math.log2(n) for n in numbers}
        axes.set_xlim(x[numbers[0]] - 0.4, x[numbers[-1]] + 0.4)
        ticks = numbers[:: max(1, math.ceil(len(numbers) / 7))]
        axes.set_xticks([x[n] for n in ticks], [str(n) for n in ticks])
        axes.set_xlabel(over[1])
        caption_y(axes, what)
        tips: dict[str, str] = {}
        for index, line in enumerate(sorted(lines, key=lambda line: line.index is not None)):
            colour = line_colour(line.index)
            shape, dash = ("o", "solid") if line.index is None else (marker(line.index), dashes(line.index))
            aside = 0.5 * ((index + 0.5) / len(lines) - 0.5) * min(1.0, _gap(list(x.values())))
            middles = [max(scale.middle_s, SHORTEST) for scale in line.scales]
            at = [x[scale.n_ranks] + aside for scale in line.scales]
            axes.plot(at, middles, color=colour, linewidth=1.4, linestyle=dash)
            for where, scale, middle in zip(at, line.scales, middles, strict=True):
                cloud = [max(value, SHORTEST) for value in scale.values_s]
                axes.plot([where] * len(cloud), cloud, ".", color=colour, markersize=3, alpha=0.35, markeredgewidth=0)
                name = f"tip-{line.label}-{scale.n_ranks}"
                axes.plot([where], [middle], shape, color=colour, markersize=5, markeredgewidth=0, gid=name)
                tips[name] = (
                    f"{line.label}, {scale.n_ranks} {over[scale.n_ranks != 1]}: {format_duration(scale.middle_s)}"
                )
        ends = [
            (short(line.label), max(line.scales[-1].middle_s, SHORTEST), line_colour(line.index))
            for line in lines
            if line.index is not None
        ]
        end_labels(axes, axes.get_xlim()[1], ends)
        return to_svg(figure, label, tips)


def _gap(positions: Sequence[float]) -> float:
    """The smallest distance of neighbours, 1 of a single position."""
    return min((b - a for a, b in pairwise(positions)), default=1.0)
