"""One unit for a whole block of times: a table column or an axis is read as a whole, so its unit must not change."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from ictus.model.quantity import SMALLEST_TIME_S


@dataclass(frozen=True)
class TimeUnit:
    """A unit of time: its name and how many of it make a second."""

    name: str
    per_second: float

    def number(self, seconds: float | None) -> str:
        """The time in this unit with three significant digits, none below a picosecond, and no unit; `NA` for None
        and NaN.
        """
        if seconds is None or math.isnan(seconds):
            return "NA"
        if abs(seconds) < SMALLEST_TIME_S / 2:
            return "0"
        return three_digits(seconds * self.per_second, at_most=-round(math.log10(SMALLEST_TIME_S * self.per_second)))


UNITS = (TimeUnit("ns", 1e9), TimeUnit("µs", 1e6), TimeUnit("ms", 1e3), TimeUnit("s", 1.0))


def time_unit(times_s: Iterable[float | None], beside_s: Iterable[float] = ()) -> TimeUnit:
    """The unit that suits a block: the median of its times has one to three digits before the point, and the largest at
    most six (µs for an empty block). Times `beside_s` stand in the block too, and have no say in its median.
    """
    sizes = (abs(time) for time in times_s if time is not None and math.isfinite(time))
    ordered = sorted(size for size in sizes if size >= SMALLEST_TIME_S / 2)
    if not ordered:
        return UNITS[1]
    middle, largest = ordered[len(ordered) // 2], max(ordered[-1], *beside_s, 0.0)
    for unit in UNITS:
        # Around a microsecond, times are read in µs and not as three digits of ns when the block reaches past 1 µs.
        most = 999.5 if unit.name == "ns" else 999_500
        if middle * unit.per_second < 999.5 and largest * unit.per_second < most:
            return unit
    return UNITS[-1]


def three_digits(value: float, at_most: int = 9) -> str:
    """A number with three significant digits and no exponent, for example `0.412`, `12.3`, `123`, `1234`; `at_most` so
    many of them are behind the point.
    """
    if value == 0:
        return "0"
    rounded = float(f"{value:.2e}")
    before_point = math.floor(math.log10(abs(rounded))) + 1
    return f"{rounded:.{min(max(3 - before_point, 0), at_most)}f}" if before_point <= 3 else f"{value:.0f}"


def plain(value: float) -> str:
    """A tick's number without trailing zeros: `0.5`, `2`, `10`."""
    return f"{value:.6g}" if 1e-4 <= abs(value) < 1e6 or value == 0 else f"{value:g}"
