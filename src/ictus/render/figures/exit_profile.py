"""When each rank leaves, after the first one to leave: one line a start, bars the interval of each rank's mean.

After Fig. 10 of "MPI benchmarking revisited". The axis is logarithmic, for a barrier and a common clock differ by
powers of ten.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from ictus.model.quantity import format_duration
from ictus.render.figures.duration_axis import SHORTEST, dashes, log_durations, room, short
from ictus.render.figures.panel import caption_y, key, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import even_ticks

_MOST_BARS = 48
"""Of more ranks than this the intervals would be one grey surface, and the marks one line."""


@dataclass(frozen=True)
class RankExit:
    """One rank's mean, seconds, and its interval; the limits are None where there is none."""

    rank: int
    mean_s: float
    low_s: float | None
    high_s: float | None


@dataclass(frozen=True)
class ExitLine:
    """One start, ranks ascending. `index` chooses colour, marker and dashes."""

    label: str
    index: int
    ranks: tuple[RankExit, ...]


def exit_profile_figure(lines: Sequence[ExitLine], label: str) -> str:
    """SVG: mean time after the first exit against rank."""
    known = [one for line in lines for one in line.ranks]
    if not known:
        raise ValueError("an exit profile needs at least one rank")
    with drawing():
        figure, axes = panel(height=280, left=54, right=9 + room(line.label for line in lines))
        log_durations(axes, "y", [max(one.mean_s, SHORTEST) for one in known if one.mean_s > 0])
        last = max(one.rank for one in known)
        axes.set_xlim(-0.02 * max(last, 1) - 0.3, 1.02 * max(last, 1) + 0.3)
        ticks = [int(tick) for tick in even_ticks(0, max(last, 1), 7) if tick == int(tick)]
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.set_xlabel("rank")
        caption_y(axes, "exit after the first exit")
        tips: dict[str, str] = {}
        for line in lines:
            tips |= _draw(axes, line)
        key(axes, [(short(line.label), line.index) for line in lines])
        return to_svg(figure, label, tips)


def _draw(axes: Axes, line: ExitLine) -> dict[str, str]:
    colour, floor = drawn(series_name(line.index)), axes.get_ylim()[0]
    x = [one.rank for one in line.ranks]
    y = [max(one.mean_s, floor) for one in line.ranks]
    axes.plot(x, y, color=colour, linewidth=1.1, linestyle=dashes(line.index), alpha=0.8)
    if len(x) > _MOST_BARS:
        return {}
    tips = {}
    for one, height in zip(line.ranks, y, strict=True):
        if one.low_s is not None and one.high_s is not None and one.high_s > floor:
            axes.vlines(one.rank, max(one.low_s, floor), one.high_s, color=colour, linewidth=1.2, alpha=0.3)
        name = f"tip-{line.index}-{one.rank}"
        axes.plot([one.rank], [height], marker(line.index), color=colour, markersize=4, markeredgewidth=0, gid=name)
        tips[name] = f"{line.label}, rank {one.rank}: {format_duration(one.mean_s)}"
    return tips
