"""Times, rates and sizes as text: the only place that reads and writes units.

Inside Ictus a time is in seconds, a rate is a plain ratio, a size is in bytes. CPU lists have the kernel's syntax.
"""

import math
import re
from decimal import Decimal

from ictus.model.errors import UsageError
from ictus.model.spec import split_list

DURATION_UNITS = {"ns": Decimal("1e-9"), "us": Decimal("1e-6"), "ms": Decimal("1e-3"), "s": Decimal(1)}
LONG_UNITS = {**DURATION_UNITS, "min": Decimal(60), "h": Decimal(3600)}
"""Units of what a person waits for."""
RATE_UNITS = {"ppm": Decimal("1e-6")}
SIZE_UNITS = {"Ki": Decimal(2**10), "Mi": Decimal(2**20), "Gi": Decimal(2**30)}

PAPER_SIZES = (
    1, 2, 4, 8, 16, 32, 64, 100, 128, 256, 512, 1024, 1500, 2048, 4096, 5000, 8192, 10000, 16384, 32768, 102400,
)  # fmt: skip
"""Message sizes of the performance-guidelines paper, bytes."""

SMALLEST_TIME_S = 1e-12
"""No clock resolves a picosecond: a computed time below half of it is a rounding error and shown as 0."""

_QUANTITY = re.compile(r"([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?)\s*([A-Za-zµ]*)", re.ASCII)
_LARGEST_SIZE = 2**62


def is_whole(text: str) -> bool:
    """Whether the text is a whole number of 0 or more, in the digits 0 to 9: those of other scripts are a mistake."""
    return text.isascii() and text.isdigit()


def parse_duration(text: str) -> float:
    """Seconds of `100us`, `0.5s`; a bare number is seconds."""
    return float(decimal_quantity(text, DURATION_UNITS, "duration"))


def typed_duration(seconds: float) -> str:
    """A duration as it is typed, with three digits: `12us`, `1.5s`."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= scale:
            return f"{seconds / scale:.3g}{unit}"
    return f"{seconds / 1e-9:.3g}ns"


def parse_long_duration(text: str) -> float:
    """Seconds of `10min`, `1.5h`, and of all that `parse_duration` takes."""
    return float(decimal_quantity(text, LONG_UNITS, "duration"))


def parse_size(text: str) -> int:
    """Bytes of `64Ki`; a bare number is bytes. Must be whole and not negative."""
    size = decimal_quantity(text, SIZE_UNITS, "size")
    if size < 0 or size != size.to_integral_value() or size > _LARGEST_SIZE:
        raise UsageError(f"size '{text}': a size is a whole number of bytes from 0 to 4Ei")
    return int(size)


def parse_sizes(text: str) -> tuple[int, ...]:
    """Bytes, ascending and without repeats, of `8`, `8..64Ki` (times 2), `8..64Ki*4`, `paper`, and lists of these."""
    sizes: set[int] = set()
    for item in split_list(text):
        if not any(letter.isdigit() for letter in item) and item != "paper":
            raise UsageError(f"sizes '{item}': expected bytes, such as 8,1Ki, a range such as 8..64Ki*8, or paper")
        if ":" in item:
            raise UsageError(f"sizes '{item}': a range has two dots, such as '{item.replace(':', '..', 1)}'")
        if item == "paper":
            sizes.update(PAPER_SIZES)
        elif ".." in item:
            sizes.update(_range(item))
        else:
            sizes.add(parse_size(item))
    return tuple(sorted(sizes))


def _range(text: str) -> tuple[int, ...]:
    """Sizes of `begin..end` or `begin..end*factor`: begin times every power of the factor up to the end."""
    begin_text, _, end_part = text.partition("..")
    end_text, star, factor_text = end_part.partition("*")
    begin, end = parse_size(begin_text), parse_size(end_text)
    factor = parse_size(factor_text) if star else 2
    if begin > end:
        raise UsageError(f"sizes '{text}': the range ends before it begins")
    if factor < 2:
        raise UsageError(f"sizes '{text}': the factor behind '*' must be 2 or more")
    if begin == 0:
        raise UsageError(f"sizes '{text}': a range multiplies, so it cannot begin at 0; write '0,1..{end_text}'")
    sizes = [begin]
    while sizes[-1] * factor <= end:
        sizes.append(sizes[-1] * factor)
    return tuple(sizes)


def decimal_quantity(text: str, units: dict[str, Decimal], what: str) -> Decimal:
    """Exact value of a number with one of `units`; `what` names the kind of quantity in the UsageError."""
    match = _QUANTITY.fullmatch(text.strip())
    unit = match.group(2) if match else ""
    if match is None or (unit and unit not in units):
        meant = f"{unit[:1].upper()}i"
        guess = (
            f"; did you mean '{match.group(1)}{meant}'?" if match and unit[1:] in ("", "B") and meant in units else ""
        )
        raise UsageError(f"{what} '{text}': expected a number, bare or with one of the units {', '.join(units)}{guess}")
    return Decimal(match.group(1)) * (units[unit] if unit else 1)


def format_duration(seconds: float) -> str:
    """`12.3 µs`: three significant digits in the unit that keeps one to three digits before the point; NaN is `NA`."""
    if math.isnan(seconds):
        return "NA"
    if math.isinf(seconds):
        return "inf" if seconds > 0 else "-inf"
    if abs(seconds) < SMALLEST_TIME_S / 2:
        return "0 s"
    for unit, scale in (("ns", 1e9), ("µs", 1e6), ("ms", 1e3), ("s", 1.0)):
        number = _three_digits(seconds * scale)
        if abs(float(number)) < 1000 or unit == "s":
            return f"{number} {unit}"
    raise AssertionError("unreachable: seconds take every magnitude")


def format_span(seconds: float) -> str:
    """`40 s`, `10 min`, `2 min 30 s`, `1.5 h`: what a person waits for."""
    n_seconds = round(seconds)
    if seconds < 1:
        return format_duration(seconds)
    if n_seconds < 60:
        return f"{n_seconds} s"
    if n_seconds < 3600:
        minutes, seconds_left = divmod(n_seconds, 60)
        return f"{minutes} min{f' {seconds_left} s' if seconds_left and minutes < 10 else ''}"
    return f"{n_seconds / 3600:,.3g} h" if n_seconds < 3.6e6 else f"{n_seconds / 3600:,.0f} h"


def _three_digits(value: float) -> str:
    rounded = float(f"{value:.2e}")
    before_point = math.floor(math.log10(abs(rounded))) + 1
    return f"{value:.{min(max(3 - before_point, 0), 3)}f}"


def format_size(size_bytes: int) -> str:
    """`64 KiB`, `1500 B`: the largest binary unit that divides the size."""
    for unit, scale in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if size_bytes and size_bytes % scale == 0:
            return f"{size_bytes // scale} {unit}"
    return f"{size_bytes} B"


def size_text(size_bytes: int) -> str:
    """`64Ki`: a size as typed on the command line, the inverse of parse_size."""
    return format_size(size_bytes).removesuffix("B").replace(" ", "")


def parse_cpu_list(text: str) -> frozenset[int]:
    """The numbers in the kernel's list format, for example `0-3,8`; empty for empty or unreadable text."""
    numbers: set[int] = set()
    for part in text.strip().split(","):
        low, _, high = part.partition("-")
        if low.isdigit() and (high.isdigit() or not high):
            numbers.update(range(int(low), int(high or low) + 1))
    return frozenset(numbers)


def percent(share: float) -> str:
    """A ratio as people write it: 0.05 as `5 %`."""
    return f"{100 * share:.4g} %"
