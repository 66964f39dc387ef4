"""Times, rates and sizes as text."""

import math

import pytest

from ictus.model.errors import UsageError
from ictus.model.quantity import (
    format_duration,
    format_size,
    parse_duration,
    parse_size,
    parse_sizes,
    size_text,
)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("100us", 100e-6),
        ("1.5ms", 1.5e-3),
        ("2s", 2.0),
        ("0.25", 0.25),
        ("-30ns", -30e-9),
        ("1e-3s", 1e-3),
        ("5 us", 5e-6),
    ],
)
def test_durations_are_seconds_whatever_their_unit(text: str, seconds: float) -> None:
    """The double is the one nearest to the decimal value, without rounding twice."""
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["", "us", "5 min", "5ppm", "1,5s", "1e9999s", "nan", "inf"])
def test_what_is_no_duration_is_refused_with_the_units(text: str) -> None:
    """The message lists the units."""
    with pytest.raises(UsageError, match="ns, us, ms, s"):
        parse_duration(text)


@pytest.mark.parametrize(
    ("text", "size"), [("8", 8), ("64Ki", 65536), ("1.5Ki", 1536), ("2Mi", 2**21), ("0", 0), ("1Gi", 2**30)]
)
def test_sizes_are_bytes(text: str, size: int) -> None:
    """Binary units only: Ki, Mi, Gi."""
    assert parse_size(text) == size


@pytest.mark.parametrize("text", ["-8", "0.3", "8K", "8KB", "1e30", "1.0001Ki"])
def test_sizes_that_are_no_whole_number_of_bytes_are_refused(text: str) -> None:
    """Half a byte and unknown units are errors."""
    with pytest.raises(UsageError):
        parse_size(text)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("8..64", (8, 16, 32, 64)),
        ("8..64Ki*4", (8, 32, 128, 512, 2048, 8192, 32768)),
        ("10..100", (10, 20, 40, 80)),
        ("64,0,8..16,16", (0, 8, 16, 64)),
        ("5..5", (5,)),
    ],
)
def test_ranges_multiply_and_lists_are_sorted_without_repeats(text: str, sizes: tuple[int, ...]) -> None:
    """`a..b` is times two, `a..b*k` times k, up to the end."""
    assert parse_sizes(text) == sizes


def test_the_paper_s_sizes_are_a_word() -> None:
    """`paper` are the 21 sizes of the performance-guidelines paper, and can be added to."""
    sizes = parse_sizes("paper,3")
    assert (len(sizes), sizes[:4], sizes[-1]) == (22, (1, 2, 3, 4), 102400)


@pytest.mark.parametrize("text", ["0..8", "16..8", "8..64*1", "8..", "..8", "8,,16"])
def test_ranges_that_never_end_or_never_begin_are_refused(text: str) -> None:
    """Zero cannot be multiplied, and a factor of one stands still."""
    with pytest.raises(UsageError):
        parse_sizes(text)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (12.34e-6, "12.3 µs"),
        (999.4e-6, "999 µs"),
        (999.6e-6, "1.00 ms"),
        (99.96e-9, "100 ns"),
        (1e-9, "1.00 ns"),
        (3e-10, "0.300 ns"),
        (-2.5e-3, "-2.50 ms"),
        (1234.5, "1234 s"),
        (0.0, "0 s"),
        (math.nan, "NA"),
        (math.inf, "inf"),
    ],
)
def test_durations_are_shown_with_three_significant_digits(seconds: float, text: str) -> None:
    """Rounding carries into the next unit; what does not exist is NA."""
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("seconds", "text"), [(1.4e-17, "0 s"), (-4e-13, "0 s"), (1.4e-12, "0.001 ns"), (1.04e-11, "0.010 ns")]
)
def test_nothing_is_shown_below_a_picosecond(seconds: float, text: str) -> None:
    """What is left of a subtraction of equal times is not a time, and no column is made wide by it."""
    assert format_duration(seconds) == text


@pytest.mark.parametrize(
    ("size", "shown", "typed"),
    [(65536, "64 KiB", "64Ki"), (1500, "1500 B", "1500"), (0, "0 B", "0"), (2**31, "2 GiB", "2Gi")],
)
def test_sizes_are_shown_in_the_unit_that_divides_them(size: int, shown: str, typed: str) -> None:
    """No size is rounded in a table; what is typed parses back."""
    assert (format_size(size), size_text(size), parse_size(size_text(size))) == (shown, typed, size)
