"""The summary of one case of one launch, as file-format.md and statistics.md describe it, in plain Python.

Slow on purpose: it sorts lists and adds numbers, and shares no code with what it checks. Sources: Hyndman and Fan 1996
(quantiles of type 7), Tukey 1977 (fences), Law, Simulation Modeling and Analysis, chapter 9 (batch means); Press et
al., Numerical Recipes, section 6.4 (the incomplete beta function by its continued fraction).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import exp, floor, fsum, inf, isfinite, lgamma, log, log1p, nan, sqrt
from typing import TypeVar

T = TypeVar("T")

FENCES = 1.5
BATCHES, SHORTEST_BATCH = 10, 4
LEVEL, LEAST_SHIFT = 0.01, 0.01


@dataclass(frozen=True)
class PlainSummary:
    """In the unit of the samples; None without a valid sample."""

    attempted: int
    valid: int
    outliers: int
    kept: int
    median: float | None
    mean: float | None
    min: float | None
    max: float | None
    q1: float | None
    q3: float | None
    half_shift: float | None
    shift_matters: bool | None
    """None where it lies on the edge, so that the last digit of a sum decides."""


def summary(values: Sequence[float], flags: Sequence[int]) -> PlainSummary:
    """The summary of samples in the order measured."""
    valid = [value for value, flag in zip(values, flags, strict=True) if flag == 0 and isfinite(value)]
    if not valid:
        return PlainSummary(len(values), 0, 0, 0, *(None,) * 7, shift_matters=False)
    low, high = (quantile(valid, share) for share in (0.25, 0.75))
    reach = FENCES * (high - low)
    kept = [value for value in valid if low - reach <= value <= high + reach]
    shift = half_shift(kept)
    return PlainSummary(
        attempted=len(values),
        valid=len(valid),
        outliers=len(valid) - len(kept),
        kept=len(kept),
        median=quantile(kept, 0.5),
        mean=fsum(kept) / len(kept),
        min=min(kept),
        max=max(kept),
        q1=quantile(kept, 0.25),
        q3=quantile(kept, 0.75),
        half_shift=None if shift is None else shift,
        shift_matters=False if shift is None else matters(kept, shift),
    )


def quantile(values: Sequence[float], share: float) -> float:
    """Type 7: linear between the order statistics around position (n - 1) share, counted from 0."""
    ordered = sorted(values)
    position = (len(ordered) - 1) * share
    below = floor(position)
    if below + 1 == len(ordered):
        return ordered[below]
    return ordered[below] + (position - below) * (ordered[below + 1] - ordered[below])


def half_shift(kept: Sequence[float]) -> float | None:
    """Median of the second half over that of the first, minus 1; None where there is none."""
    half = len(kept) // 2
    first = quantile(kept[:half], 0.5) if half else 0.0
    return quantile(kept[len(kept) - half :], 0.5) / first - 1 if first else None


def matters(kept: Sequence[float], shift: float) -> bool | None:
    """Whether the means of ten batches of each half differ at 1 %, and the shift is at least 1 %."""
    length = len(kept) // 2 // BATCHES
    if length < SHORTEST_BATCH:
        return False
    starts = [number * length for number in range(BATCHES)]
    ends = [len(kept) - (BATCHES - number) * length for number in range(BATCHES)]
    halves = [[fsum(kept[begin : begin + length]) / length for begin in begins] for begins in (starts, ends)]
    centres = [fsum(half) / BATCHES for half in halves]
    away = [[time_s - centre for time_s in half] for half, centre in zip(halves, centres, strict=True)]
    square = fsum(deviation * deviation for half in away for deviation in half)
    if square == 0:  # batches that are all alike: their error is 0, and any shift is credible
        return None if centres[0] != centres[1] else False
    neighbours = fsum(deviation * next_deviation for half in away for deviation, next_deviation in pairwise(half))
    correlation = min(max((neighbours / square + 0.1) / 0.7, 0.0), 0.95)
    widening = (1 + correlation) / (1 - correlation)
    free = 2 * (BATCHES - 1)
    error = sqrt(square / free * widening * 2 / BATCHES)
    p_value = two_sided(abs(centres[1] - centres[0]) / error, max(free / widening, 1.0))
    if abs(p_value - LEVEL) < 1e-6 or abs(abs(shift) - LEAST_SHIFT) < 1e-9:
        return None
    return p_value <= LEVEL and abs(shift) >= LEAST_SHIFT


def two_sided(t_value: float, degrees: float) -> float:
    """The chance that Student's t of so many degrees of freedom is further from 0."""
    return 1.0 if t_value == 0 else incomplete_beta(degrees / 2, 0.5, degrees / (degrees + t_value * t_value))


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function I_x(a, b), 0 <= x <= 1."""
    if x in (0.0, 1.0):
        return x
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    # Lentz's method; odd and even terms in turn.
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 500):
        before = fraction
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d, c = 1 / (1 + term * d), 1 + term / c
            fraction *= d * c
        if abs(fraction - before) < 1e-15 * abs(fraction):
            break
    return front * fraction


def same(actual: object, expected: object, relative: float = 1e-12) -> bool:
    """Whether two values are the same, numbers but for the order in which they were added; None and NaN are unknown."""
    if isinstance(actual, float) or isinstance(expected, float):
        actual_number, expected_number = (nan if value is None else float(value) for value in (actual, expected))  # type: ignore[arg-type]
        if isfinite(actual_number) and isfinite(expected_number):
            return abs(actual_number - expected_number) <= relative * max(
                abs(actual_number), abs(expected_number), 1e-3
            )
        return str(actual_number) == str(expected_number)
    return actual == expected


def order(seed: int, items: Sequence[T]) -> list[T]:
    """Items in the order that a seed gives (Fisher-Yates from the back)."""
    return shuffle(Stream(seed), items)


def shuffle(stream: "Stream", items: Sequence[T]) -> list[T]:
    """The same with numbers from a stream that is used further."""
    left = list(items)
    for last in reversed(range(1, len(left))):
        partner = stream.below(last + 1)
        left[last], left[partner] = left[partner], left[last]
    return left


class Stream:
    """SplitMix64 (Steele, Lea, Flood 2014): the numbers that a seed gives."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def next(self) -> int:
        """The next number of 64 bits."""
        self._state = (self._state + 0x9E3779B97F4A7C15) % 2**64
        number = self._state
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            number = (number ^ number >> shift) * factor % 2**64
        return number ^ number >> 31

    def below(self, bound: int) -> int:
        """A number in 0 .. bound - 1, each equally likely."""
        number = inf
        while number >= 2**64 // bound * bound:
            number = self.next()
        return int(number) % bound
