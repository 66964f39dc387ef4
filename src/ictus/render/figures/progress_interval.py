"""A time against how often progress is asked for: the interval between tests on a logarithmic axis, no tests at its
right end; one line a library, a thin level at its blocking time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes

from ictus.model.quantity import format_duration, format_size
from ictus.render.figures.axes import latency_axis, size_positions, size_ticks
from ictus.render.figures.panel import end_labels, panel
from ictus.render.figures.scheme import drawn, marker, series_name
from ictus.render.figures.svg import drawing, to_svg
from ictus.render.unit import TimeUnit, time_unit


@dataclass(frozen=True)
class IntervalPoint:
    """The overhead at one interval, None being no tests; seconds, all above 0."""

    interval_bytes: int | None
    median_s: float
    low_s: float
    high_s: float


@dataclass(frozen=True)
class IntervalLine:
    """One library. `index` chooses colour and marker."""

    label: str
    index: int
    blocking_s: float
    points: tuple[IntervalPoint, ...]


def interval_figure(lines: Sequence[IntervalLine], label: str) -> str:
    """SVG: overheads against intervals."""
    points = [point for line in lines for point in line.points]
    if not points:
        raise ValueError("a figure of test intervals needs at least one overhead")
    with drawing():
        figure, axes = panel(right=min(120, 14 + 7 * max(len(line.label) for line in lines)))
        every = [*(point.median_s for point in points), *(line.blocking_s for line in lines)]
        unit = time_unit(every)
        low, high = min(*every, *(p.low_s for p in points)), max(*every, *(p.high_s for p in points))
        latency_axis(axes, low, high, unit, "overhead")
        at = _interval_axis(axes, points)
        tips: dict[str, str] = {}
        for line in lines:
            tips |= _draw(axes, line, at, unit)
        ends = [(line, max(line.points, key=lambda one: at[one.interval_bytes])) for line in lines if line.points]
        end_labels(
            axes,
            axes.get_xlim()[1],
            [
                (line.label, last.median_s * unit.per_second, drawn(series_name(line.index)))
                for line, last in ends
            ],
        )  # fmt: skip
        return to_svg(figure, label, tips)


def _interval_axis(axes: Axes, points: Sequence[IntervalPoint]) -> dict[int | None, float]:
    """The position of each interval; no tests stand one step and a half behind the longest."""
    sizes = sorted({point.interval_bytes for point in points if point.interval_bytes is not None})
    positions = size_positions(sizes)
    at: dict[int | None, float] = {size: positions[size] for size in sizes}
    if any(point.interval_bytes is None for point in points):
        at[None] = max(at.values(), default=0.0) + 1.5
    shown: list[int | None] = [*size_ticks(sizes, 4), *([None] if None in at else [])]
    axes.set_xticks([at[one] for one in shown], ["no tests" if one is None else format_size(one) for one in shown])
    axes.set_xlim(min(at.values()) - 0.5, max(at.values()) + 0.5)
    axes.set_xlabel("bytes of the message from test to test")
    return at


def _draw(axes: Axes, line: IntervalLine, at: dict[int | None, float], unit: TimeUnit) -> dict[str, str]:
    colour = drawn(series_name(line.index))
    axes.axhline(line.blocking_s * unit.per_second, color=colour, linewidth=0.9, linestyle=(0, (4, 3)), alpha=0.7)
    ordered = sorted(line.points, key=lambda point: at[point.interval_bytes])
    tested = [point for point in ordered if point.interval_bytes is not None]
    axes.plot(
        [at[point.interval_bytes] for point in tested],
        [point.median_s * unit.per_second for point in tested],
        color=colour,
        linewidth=1.6,
    )
    tips = {}
    for point in ordered:
        place = at[point.interval_bytes]
        axes.vlines(
            place,
            point.low_s * unit.per_second,
            point.high_s * unit.per_second,
            color=colour,
            linewidth=3.2,
            alpha=0.35,
        )
        name = f"tip-{line.index}-{point.interval_bytes or 0}"
        mark, median = marker(line.index), point.median_s * unit.per_second
        axes.plot([place], [median], mark, color=colour, markersize=4.2, markeredgewidth=0, gid=name)
        where = "no tests" if point.interval_bytes is None else f"every {format_size(point.interval_bytes)}"
        tips[name] = (
            f"{line.label}, {where}: {format_duration(point.median_s)}; blocking {format_duration(line.blocking_s)}"
        )
    return tips
