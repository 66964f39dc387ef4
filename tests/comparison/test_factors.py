"""Factors as text: shared values once, differing ones as ranges or counts, unknown ones as unknown."""

from ictus.comparison.shared_values import counted, ranged
from ictus.model.quantity import format_duration


def test_a_shared_value_is_written_once() -> None:
    """Equal in all launches: the value; else each with its number of launches, the most frequent first."""
    assert counted(["tsc", "tsc"]) == "tsc"
    assert counted(["a", "b", "b", None]) == "b (2), a (1), unknown (1)"
    assert counted([]) == "unknown"
    assert counted(range(6)) == "0 (1), 1 (1), 2 (1), 3 (1), 4 (1), 5 (1)"
    assert counted(range(7)) == "7 different ones"
    assert counted([*range(7), 3]).startswith("3 (2), 0 (1)")


def test_numbers_become_a_range_only_where_they_read_differently() -> None:
    """1.001 and 1.002 ms read alike with three digits; what is not a number is left out."""
    assert ranged([1.001e-3, 1.002e-3], format_duration) == "1.00 ms"
    assert ranged([2e-3, 1e-3, None], format_duration) == "1.00 ms to 2.00 ms"
    assert ranged([None], format_duration) == "unknown"
