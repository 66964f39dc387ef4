"""Errors of clocks: how they grow after synchronisation, which ranks deviate in which direction, and for how long a
straight line predicts the offsets of local clocks. After Fig. 1 and 7 of "MPI benchmarking revisited".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ictus.model.quantity import format_duration
from ictus.render.figures.axes import SHORTEST, even_ticks, log_durations, signed_durations, tick_text
from ictus.render.figures.panel import caption_y, end_labels, key, panel, room
from ictus.render.figures.scheme import dashes, drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.table import short
from ictus.render.unit import plain, time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

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
        figure, axes = panel(left=54, right=room(short(line.label) for line in lines))
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
            for index, point in enumerate(line.points):
                if index % every and index != len(line.points) - 1:
                    continue
                name = f"tip-{line.index}-{index}"
                axes.plot(
                    [point.wait_s],
                    [y[index]],
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


_MOST_TIPS = 400
"""More points than this form clouds, in which no single point can be selected."""


@dataclass(frozen=True)
class ErrorMarks:
    """One algorithm: ranks with their signed errors in seconds. `index` chooses colour and marker."""

    label: str
    index: int
    ranks: tuple[int, ...]
    error_s: tuple[float, ...]


def error_by_rank_figure(series: Sequence[ErrorMarks], label: str) -> str:
    """SVG: signed error against rank; algorithms stand side by side at each rank."""
    points = sum(len(marks.ranks) for marks in series)
    if not points:
        raise ValueError("an error figure needs at least one rank that was checked")
    with drawing():
        figure, axes = panel(left=54, right=9 + room(short(marks.label) for marks in series))
        signed_durations(axes, [value for error_marks in series for value in error_marks.error_s])
        axes.axhline(0, color=drawn("soft"), linewidth=0.9, zorder=0.9)
        first, last = min(min(marks.ranks) for marks in series), max(max(marks.ranks) for marks in series)
        axes.set_xlim(first - 0.6, last + 0.6)
        ticks = [int(tick) for tick in even_ticks(first, max(last, first + 1), 7) if tick == int(tick) and tick <= last]
        axes.set_xticks(ticks, [str(tick) for tick in ticks])
        axes.set_xlabel("rank")
        caption_y(axes, "global clock minus rank 0's")
        size = max(1.8, min(5.0, 60 / (last - first + 1) ** 0.5))
        tips: dict[str, str] = {}
        for index, marks in enumerate(series):
            aside = 0.6 * ((index + 0.5) / len(series) - 0.5) if last - first < 40 else 0.0
            tips |= _draw(axes, marks, aside, size, named=points <= _MOST_TIPS)
        key(axes, [(short(entry.label), entry.index) for entry in series])
        return to_svg(figure, label, tips)


def _draw(axes: "Axes", marks: ErrorMarks, aside: float, size: float, *, named: bool) -> dict[str, str]:
    """The marks of one algorithm; named ones are drawn one by one and show their numbers at the pointer."""
    look: dict[str, Any] = {
        "marker": marker(marks.index),
        "markersize": size,
        "color": drawn(series_name(marks.index)),
        "markeredgewidth": 0,
        "linestyle": "none",
        "alpha": 0.85 if named else 0.6,
    }
    if not named:
        axes.plot([rank + aside for rank in marks.ranks], marks.error_s, **look)
        return {}
    tips = {}
    for rank, error in zip(marks.ranks, marks.error_s, strict=True):
        name = f"tip-{marks.index}-{rank}"
        axes.plot([rank + aside], [error], gid=name, **look)
        tips[name] = f"{marks.label}, rank {rank}: {format_duration(error)}"
    return tips


MOST_NAMED = 12
"""More lines than this have no room for their names; the pointer shows them."""


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
        figure, axes = panel(left=54, right=room([short(line.label) for line in lines] if named else []))
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


def departure_figure(
    lines: Sequence[Departure],
    label: str,
    x_label: str = "time that the line spans",
    y_label: str = "largest distance from a straight line",
) -> str:
    """SVG: how far offsets lie from a straight line, against the time that the line spans; both logarithmic."""
    points = [point for line in lines for point in line.points]
    if not points:
        raise ValueError("a departure figure needs at least one window")
    named = len(lines) <= MOST_NAMED
    with drawing():
        figure, axes = panel(left=54, right=room([short(line.label) for line in lines] if named else []))
        log_durations(axes, "x", [length for length, _ in points], at_most=5)
        log_durations(axes, "y", [distance for _, distance in points])
        axes.set_xlabel(x_label)
        caption_y(axes, y_label)
        tips = {}
        for line in lines:
            x, y = [length for length, _ in line.points], [max(value, 1e-10) for _, value in line.points]
            colour, style = drawn(series_name(line.index)), dashes(line.index)
            axes.plot(x, y, color=colour, linewidth=1.4, linestyle=style, marker=marker(line.index), markersize=4.2)
            for index, (length, distance) in enumerate(line.points):
                name = f"tip-{line.index}-{index}"
                axes.plot([length], [y[index]], marker(line.index), color=colour, markersize=4.2, gid=name)
                tips[name] = f"{line.label}: {tick_text(distance)} over {tick_text(length)}"
        if named:
            ends = [
                (short(line.label), max(line.points[-1][1], 1e-10), drawn(series_name(line.index)))
                for line in lines
                if line.points
            ]
            end_labels(axes, axes.get_xlim()[1], ends)
        return to_svg(figure, label, tips)
