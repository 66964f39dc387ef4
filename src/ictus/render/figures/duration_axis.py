"""Axes of times that span many powers of ten: every tick carries its own unit, for no single one suits them all."""

import math
from collections.abc import Iterable, Sequence
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.axis import Axis

from ictus.render.figures.scheme import N_SERIES
from ictus.render.figures.ticks import log_ticks
from ictus.render.unit import UNITS, plain

SHORTEST = 1e-10
"""A tenth of a nanosecond: no clock resolves less, so a smaller error is drawn as one of this size."""


def tick_text(seconds: float) -> str:
    """`10 ns`, `0`, `-2 µs`: a round time in the unit that keeps it at 1 or above."""
    if seconds == 0:
        return "0"
    unit = next((unit for unit in reversed(UNITS) if abs(seconds) * unit.per_second >= 0.9999), UNITS[0])
    return f"{plain(float(f'{seconds * unit.per_second:.4g}'))} {unit.name}"


def log_durations(axes: Axes, which: Literal["x", "y"], values_s: Iterable[float], at_most: int = 6) -> None:
    """Make an axis logarithmic over these times (seconds; what is below `SHORTEST` counts as that)."""
    known = [max(value, SHORTEST) for value in values_s if math.isfinite(value)] or [1e-6]
    low, high = min(known), max(known)
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


def signed_durations(axes: Axes, values_s: Sequence[float]) -> None:
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


def dashes(index: int) -> str | tuple[int, tuple[float, float]]:
    """How the line of a series is drawn: whole for the first six, dashed where the colours begin again."""
    return "solid" if index < N_SERIES else (0, (4, 2)) if index < 2 * N_SERIES else (0, (1, 2))


def short(label: str, at_most: int = 19) -> str:
    """A label that has room beside its line."""
    return label if len(label) <= at_most else f"{label[: at_most - 1]}…"


def room(labels: Iterable[str]) -> int:
    """Points at the right of a panel for the longest of these labels once shortened, 6.6 a letter."""
    return min(142, round(16 + 6.6 * max((len(short(label)) for label in labels), default=0)))
