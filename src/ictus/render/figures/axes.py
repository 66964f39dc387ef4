"""The axes of every figure: message sizes, times in one unit, ratios, and times over many powers of ten; one rule
places few, round ticks on all of them.
"""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from ictus.model.quantity import format_size
from ictus.render.figures.panel import WIDTH, caption_y
from ictus.render.unit import UNITS, TimeUnit, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis

_STEPS = ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0))


def log_ticks(low: float, high: float, at_most: int = 6) -> tuple[float, ...]:
    """Round values inside [low, high] (both positive) for a logarithmic axis, never more than `at_most`.

    The finest of 1, 1-3, 1-2-5, 1-1.5-2-3-5-7 per decade that stays within `at_most` is used. A span too short for two
    of those is divided evenly; a span of many decades keeps every second, third, ... decade.
    """
    if not 0 < low <= high:
        raise ValueError(f"a logarithmic axis needs 0 < low <= high, not {low} and {high}")
    choices = [_inside(low, high, steps) for steps in _STEPS]
    fitting = [ticks for ticks in choices if len(ticks) <= at_most]
    if not fitting:
        return choices[0][:: math.ceil(len(choices[0]) / at_most)]
    best = max(fitting, key=len)
    return best if len(best) >= 3 else max(best, even_ticks(low, high, at_most), key=len)


def even_ticks(low: float, high: float, at_most: int = 6) -> tuple[float, ...]:
    """Multiples of 1, 2 or 5 times a power of ten inside [low, high], never more than `at_most`."""
    if not low < high:
        return (low,)
    magnitude = 10.0 ** math.floor(math.log10((high - low) / at_most))
    for factor in (1, 2, 5, 10, 20, 50):
        step = magnitude * factor
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        if last - first + 1 <= at_most:
            return tuple(index * step for index in range(first, last + 1))
    raise AssertionError("a step of fifty times the magnitude always fits")


_RATIO_TICKS = (
    (1.03, (0.98, 0.99, 1.0, 1.01, 1.02)),
    (1.08, (0.94, 0.97, 1.0, 1.03, 1.06)),
    (1.17, (0.9, 0.95, 1.0, 1.05, 1.1)),
    (1.35, (0.8, 0.9, 1.0, 1.1, 1.2)),
    (1.8, (0.6, 0.8, 1.0, 1.25, 1.6)),
    (3.0, (0.5, 0.7, 1.0, 1.4, 2.0)),
    (12.0, (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)),
)


def ratio_ticks(reach: float) -> tuple[float, ...]:
    """Round ratios inside [1/reach, reach] for a logarithmic axis around 1; 1 is always among them."""
    for limit, ticks in _RATIO_TICKS:
        if reach <= limit:
            return tuple(tick for tick in ticks if 1 / reach <= tick <= reach)
    return tuple(sorted({*log_ticks(1 / reach, 1.0, at_most=4), 1.0, *log_ticks(1.0, reach, at_most=4)}))


def size_positions(sizes: Sequence[int]) -> dict[int, float]:
    """Position of each size on an axis that is log2 of the size; size 0, which has no logarithm, sits one step
    before the smallest.
    """
    positive = sorted({size for size in sizes if size > 0})
    positions = {size: math.log2(size) for size in positive}
    if any(size == 0 for size in sizes):
        positions[0] = positions[positive[0]] - 1.0 if positive else 0.0
    return positions


def size_ticks(sizes: Sequence[int], at_most: int = 6) -> tuple[int, ...]:
    """Those sizes that carry a label: the smallest and every k-th after it, never more than `at_most`."""
    ordered = sorted(set(sizes))
    return tuple(ordered[:: max(1, math.ceil(len(ordered) / at_most))])


def apart(centres: Sequence[float], widths: Sequence[float], gap: float) -> tuple[int, ...]:
    """Which labels, in ascending order, may be written beside each other: the first, and each that leaves at least
    `gap` to the one before. Centres, widths and gap in one unit.
    """
    kept: list[int] = []
    for index, (centre, width) in enumerate(zip(centres, widths, strict=True)):
        if not kept or centre - width / 2 >= centres[kept[-1]] + widths[kept[-1]] / 2 + gap:
            kept.append(index)
    return tuple(kept)


def _inside(low: float, high: float, steps: Sequence[float]) -> tuple[float, ...]:
    decades = range(math.floor(math.log10(low)) - 1, math.ceil(math.log10(high)) + 1)
    values = (step * 10.0**decade for decade in decades for step in steps)
    return tuple(value for value in values if low * (1 - 1e-9) <= value <= high * (1 + 1e-9))


_LETTER, _BETWEEN = 6.4, 5.0
"""Points of a letter in a label, on average, and between two labels of an axis."""

SHORTEST = 1e-10
"""A tenth of a nanosecond: no clock resolves less, so a smaller error is drawn as one of this size."""


def tick_text(seconds: float) -> str:
    """`10 ns`, `0`, `-2 µs`: a round time in the unit that keeps it at 1 or above."""
    if seconds == 0:
        return "0"
    unit = next((unit for unit in reversed(UNITS) if abs(seconds) * unit.per_second >= 0.9999), UNITS[0])
    return f"{plain(float(f'{seconds * unit.per_second:.4g}'))} {unit.name}"


def log_durations(axes: "Axes", which: Literal["x", "y"], values_s: Iterable[float], at_most: int = 6) -> None:
    """Make an axis logarithmic over these times (seconds; values below `SHORTEST` count as that)."""
    values = [max(value, SHORTEST) for value in values_s if math.isfinite(value)] or [1e-6]
    low, high = min(values), max(values)
    lacking = max(1.0, 3.0 / (high / low)) ** 0.5
    low, high = low / lacking, high * lacking
    margin = (high / low) ** 0.05
    low, high = low / margin, high * margin
    ticks = log_ticks(low, high, at_most)
    axis: Axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)("log")
    (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)
    axis.set_ticks(ticks, [tick_text(tick) for tick in ticks])
    axis.set_ticks([], minor=True)


def signed_durations(axes: "Axes", values_s: Sequence[float]) -> None:
    """Make y an axis for times of both signs: linear around 0, logarithmic where the small ones would be lost."""
    sizes = sorted(abs(value) for value in values_s if math.isfinite(value) and value != 0) or [1e-9]
    largest = max(sizes[-1], SHORTEST)
    typical = max(sizes[len(sizes) // 10], largest * 1e-5, SHORTEST)
    linear = 10.0 ** math.floor(math.log10(typical))
    decades = math.log10(largest / linear)
    if decades < 1.5:
        axes.set_ylim(-1.15 * largest, 1.15 * largest)
        step = _round_below(largest)
        ticks = [-step, -step / 2, 0.0, step / 2, step]
    else:
        axes.set_yscale("symlog", linthresh=linear, linscale=0.6)
        axes.set_ylim(-1.6 * largest, 1.6 * largest)
        every = math.ceil((math.floor(decades) + 1) / 3)
        # So near to 0 that the labels would touch, a tick is left out.
        nearest = 0 if decades < 2.5 else 1
        powers = [linear * 10.0**power for power in range(math.floor(decades), nearest - 1, -every)]
        ticks = sorted([-value for value in powers] + [0.0] + powers)
    axes.set_yticks(ticks, [tick_text(tick) for tick in ticks])
    axes.set_yticks([], minor=True)


def _round_below(value: float) -> float:
    """The largest of 1, 2, 5 times a power of ten that is not above the value."""
    power = 10.0 ** math.floor(math.log10(value))
    return max(step * power for step in (1, 2, 5) if step * power <= value * (1 + 1e-9))


def size_axis(axes: "Axes", sizes: Sequence[int]) -> dict[int, float]:
    """Make x the message size, log2; returns the position of each size. Every k-th has a label, where there is room:
    4 KiB and 5000 B lie side by side.
    """
    positions = size_positions(sizes)
    ends = min(positions.values()), max(positions.values())
    margin = max(0.5, 0.04 * (ends[1] - ends[0]))
    axes.set_xlim(ends[0] - margin, ends[1] + margin)
    ticks = size_ticks(sizes)
    labels = [format_size(size) for size in ticks]
    each = axes.get_position().width * WIDTH / (ends[1] - ends[0] + 2 * margin)
    kept = apart([positions[size] * each for size in ticks], [_LETTER * len(label) for label in labels], _BETWEEN)
    axes.set_xticks([positions[ticks[index]] for index in kept], [labels[index] for index in kept])
    axes.set_xlabel("message size")
    return positions


def latency_axis(
    axes: "Axes", low_s: float, high_s: float, unit: TimeUnit, what: str = "latency"
) -> tuple[float, float]:
    """Make y a time on a logarithmic axis that spans at least a factor of 1.5, so that noise does not fill the
    panel. Returns the limits, in the unit.
    """
    low, high = _spanned(low_s * unit.per_second, high_s * unit.per_second, 1.5)
    low, high = low / 1.06, high * 1.06
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    ticks = log_ticks(low, high)
    axes.set_yticks(ticks, [plain(tick) for tick in ticks])
    axes.set_yticks([], minor=True)
    caption_y(axes, f"{what}, {unit.name}")
    return low, high


def ratio_axis(axes: "Axes", values: Iterable[float], least: float, room: float) -> tuple[float, float]:
    """Make y a ratio on a logarithmic axis with 1 on it and all of these values, at least from 1/least to least: twice
    and half are equally long, and the side of 1 without values stays small. `room` is the share of the axis that is
    free at either end. Returns the limits.
    """
    positive = [value for value in values if math.isfinite(value) and value > 0]
    low, high = min(1 / least, *positive, 1.0), max(least, *positive, 1.0)
    free = (high / low) ** room
    low, high = low / free, high * free
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    ticks = [tick for tick in ratio_ticks(max(1 / low, high)) if low <= tick <= high]
    axes.set_yticks(ticks, [plain(tick) for tick in ticks])
    axes.set_yticks([], minor=True)
    return low, high


def _spanned(low: float, high: float, factor: float) -> tuple[float, float]:
    lacking = max(1.0, factor / (high / low)) ** 0.5
    return low / lacking, high * lacking
