"""Where the ticks of an axis go: few, round, and the same rule in every figure."""

import math
from collections.abc import Sequence

_STEPS = ((1.0,), (1.0, 3.0), (1.0, 2.0, 5.0), (1.0, 1.5, 2.0, 3.0, 5.0, 7.0))


def log_ticks(low: float, high: float, at_most: int = 6) -> tuple[float, ...]:
    """Round values inside [low, high] (both positive) for a logarithmic axis, never more than `at_most`.

    The finest of 1, 1-3, 1-2-5, 1-1.5-2-3-5-7 per decade that stays within `at_most` is used; a span too short for
    two of
    those is divided evenly instead; a span of many decades keeps every second, third, ... decade.
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
