"""One text for the values of many launches: the common value, else a range or how many launches have which value."""

from collections import Counter
from collections.abc import Callable, Iterable

MOST_NAMED = 6
"""Different values that are named."""


def counted(values: Iterable[object]) -> str:
    """`a` where all values are equal, else `a (7), b (3)`: the most frequent first, equals in order of appearance; of
    many values that are all different, as seeds are, how many there are.
    """
    texts = ["unknown" if value is None else str(value) for value in values]
    counts = Counter(texts).most_common()
    if not counts:
        return "unknown"
    if len(counts) > MOST_NAMED and counts[0][1] == 1:
        return f"{len(counts)} different ones"
    return counts[0][0] if len(counts) == 1 else ", ".join(f"{text} ({count})" for text, count in counts)


def ranged(values: Iterable[float | None], text: Callable[[float], str]) -> str:
    """`a` where all known values have the same text, else `a to b`; `unknown` without a known value."""
    numbers = sorted(value for value in values if isinstance(value, (int, float)))
    if not numbers:
        return "unknown"
    low, high = text(numbers[0]), text(numbers[-1])
    return low if low == high else f"{low} to {high}"
