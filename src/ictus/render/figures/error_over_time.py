"""How the error of synchronised clocks grows: one line an algorithm, its largest error over ranks against the time
since synchronising. After Fig. 7 of "MPI benchmarking revisited".
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ictus.model.quantity import format_duration
from ictus.render.figures.duration_axis import SHORTEST, dashes, log_durations, room, short
from ictus.render.figures.panel import caption_y, end_labels, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import even_ticks
from ictus.render.unit import plain

_MOST_MARKS = 8
"""More marks than this on a line hide it."""


@dataclass(frozen=True)
class GrowthPoint:
    """At `wait_s` after synchronising: the error, seconds, and how far it lies apart over repeats."""

    wait_s: float
    error_s: float
    low_s: float
    high_s: float


@dataclass(frozen=True)
class Growth:
    """One algorithm. `bounds` are (wait, proven bound), drawn dotted; `index` chooses colour, marker and dashes."""

    label: str
    index: int
    points: tuple[GrowthPoint, ...]
    bounds: tuple[tuple[float, float], ...] = ()


def error_over_time_figure(lines: Sequence[Growth], what: str, label: str) -> str:
    """SVG: error on a logarithmic axis named `what` against seconds since synchronising; bands span the repeats."""
    values = [
        value
        for line in lines
        for value in (*(p.low_s for p in line.points), *(p.high_s for p in line.points), *(b for _, b in line.bounds))
    ]
    if not values:
        raise ValueError("an error figure needs at least one algorithm that was checked")
    with drawing():
        figure, axes = panel(left=54, right=room(line.label for line in lines))
        log_durations(axes, "y", values)
        last = max(point.wait_s for line in lines for point in line.points) or 1.0
        axes.set_xlim(-0.02 * last, 1.02 * last)
        ticks = even_ticks(0, last)
        axes.set_xticks(ticks, [plain(tick) for tick in ticks])
        axes.set_xlabel("seconds after synchronising")
        caption_y(axes, what)
        tips: dict[str, str] = {}
        for line in lines:
            colour, x = drawn(series_name(line.index)), [point.wait_s for point in line.points]
            y = [max(point.error_s, SHORTEST) for point in line.points]
            if any(point.high_s > point.low_s for point in line.points):
                low = [max(point.low_s, SHORTEST) for point in line.points]
                axes.fill_between(x, low, [p.high_s for p in line.points], color=colour, alpha=0.14, linewidth=0)
            axes.plot(x, y, color=colour, linewidth=1.5, linestyle=dashes(line.index))
            if line.bounds:
                reach = [max(bound, SHORTEST) for _, bound in line.bounds]
                axes.plot([wait for wait, _ in line.bounds], reach, color=colour, linewidth=1.2, linestyle=(0, (1, 2)))
            every = -(-len(line.points) // _MOST_MARKS)
            for place, point in enumerate(line.points):
                if place % every and place != len(line.points) - 1:
                    continue
                name = f"tip-{line.index}-{place}"
                axes.plot(
                    [point.wait_s],
                    [y[place]],
                    marker=marker(line.index),
                    markersize=4.4,
                    color=colour,
                    markeredgewidth=0,
                    gid=name,
                )
                tips[name] = f"{line.label}, {point.wait_s:g} s: {format_duration(point.error_s)}"
        ends = [(short(line.label), max(line.points[-1].error_s, SHORTEST), line.index) for line in lines]
        end_labels(axes, 1.02 * last, [(text, y, drawn(series_name(index))) for text, y, index in ends])
        return to_svg(figure, label, tips)
