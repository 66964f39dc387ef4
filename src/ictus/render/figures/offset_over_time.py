"""Offsets of local clocks over time, and for how long a straight line foretells them. After Fig. 1 of "MPI benchmarking
revisited".
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ictus.render.figures.duration_axis import dashes, log_durations, room, short, tick_text
from ictus.render.figures.panel import caption_y, end_labels, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.figures.ticks import even_ticks
from ictus.render.unit import plain, time_unit

MOST_NAMED = 12
"""More lines than this have no room for their names; the pointer tells them."""


@dataclass(frozen=True)
class OffsetLine:
    """One rank: seconds since the first offset, and offsets in seconds, both of shape (samples,)."""

    label: str
    index: int
    at_s: NDArray[np.float64]
    offset_s: NDArray[np.float64]


def offset_over_time_figure(lines: Sequence[OffsetLine], what: str, label: str, learnt_s: float | None = None) -> str:
    """SVG: offsets in one unit against seconds; the stretch up to `learnt_s` is shaded as what was learnt from."""
    if not any(line.at_s.size for line in lines):
        raise ValueError("an offset figure needs at least one sample")
    named = len(lines) <= MOST_NAMED
    with drawing():
        figure, axes = panel(left=54, right=room([line.label for line in lines] if named else []))
        unit = time_unit([float(np.max(np.abs(line.offset_s))) for line in lines])
        last = max(float(line.at_s[-1]) for line in lines)
        axes.set_xlim(0, last or 1.0)
        ticks = even_ticks(0, last or 1.0)
        axes.set_xticks(ticks, [plain(tick) for tick in ticks])
        axes.set_xlabel("seconds")
        low = min(float(line.offset_s.min()) for line in lines) * unit.per_second
        high = max(float(line.offset_s.max()) for line in lines) * unit.per_second
        margin = 0.06 * (high - low) or 1.0
        axes.set_ylim(low - margin, high + margin)
        levels = even_ticks(low - margin, high + margin, 6)
        axes.set_yticks(levels, [plain(level) for level in levels])
        caption_y(axes, f"{what}, {unit.name}")
        axes.axhline(0, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        if learnt_s is not None:
            axes.axvspan(0, learnt_s, color=drawn("band"), linewidth=0, zorder=0.5)
        for line in lines:
            axes.plot(
                line.at_s,
                line.offset_s * unit.per_second,
                color=drawn(series_name(line.index)),
                linewidth=1.5 if named else 0.8,
                linestyle=dashes(line.index) if named else "solid",
                alpha=1.0 if named else 0.7,
                gid=f"tip-{line.index}",
            )
        if named:
            ends = [
                (short(line.label), float(line.offset_s[-1]) * unit.per_second, drawn(series_name(line.index)))
                for line in lines
            ]
            end_labels(axes, last, ends)
        return to_svg(figure, label, {f"tip-{line.index}": line.label for line in lines})


@dataclass(frozen=True)
class Departure:
    """One rank: (length of time, distance from a straight line through it), seconds."""

    label: str
    index: int
    points: tuple[tuple[float, float], ...]


def departure_figure(lines: Sequence[Departure], label: str) -> str:
    """SVG: how far offsets lie from a straight line, against the time that the line spans; both logarithmic."""
    points = [point for line in lines for point in line.points]
    if not points:
        raise ValueError("a departure figure needs at least one window")
    named = len(lines) <= MOST_NAMED
    with drawing():
        figure, axes = panel(left=54, right=room([line.label for line in lines] if named else []))
        log_durations(axes, "x", [length for length, _ in points], at_most=5)
        log_durations(axes, "y", [distance for _, distance in points])
        axes.set_xlabel("time that the line spans")
        caption_y(axes, "largest distance from a straight line")
        tips = {}
        for line in lines:
            x, y = [length for length, _ in line.points], [max(value, 1e-10) for _, value in line.points]
            colour, style = drawn(series_name(line.index)), dashes(line.index)
            axes.plot(x, y, color=colour, linewidth=1.4, linestyle=style, marker=marker(line.index), markersize=4.2)
            for place, (length, distance) in enumerate(line.points):
                name = f"tip-{line.index}-{place}"
                axes.plot([length], [y[place]], marker(line.index), color=colour, markersize=4.2, gid=name)
                tips[name] = f"{line.label}: {tick_text(distance)} over {tick_text(length)}"
        if named:
            ends = [
                (short(line.label), max(line.points[-1][1], 1e-10), drawn(series_name(line.index)))
                for line in lines
                if line.points
            ]
            end_labels(axes, axes.get_xlim()[1], ends)
        return to_svg(figure, label, tips)
