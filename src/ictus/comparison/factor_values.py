"""What a factor was in many launches or cases, as one text."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any


def counted(values: Iterable[object]) -> str:
    """`a` where all values are equal, else `a (7), b (3)`: the most frequent first, equals in order of appearance."""
    texts = ["unknown" if value is None else str(value) for value in values]
    counts = Counter(texts).most_common()
    if not counts:
        return "unknown"
    return counts[0][0] if len(counts) == 1 else ", ".join(f"{text} ({count})" for text, count in counts)


def ranged(values: Iterable[float | None], text: Callable[[float], str]) -> str:
    """`a` where all known values read alike, else `a to b`; `unknown` where none is known."""
    known = sorted(value for value in values if isinstance(value, (int, float)))
    if not known:
        return "unknown"
    low, high = text(known[0]), text(known[-1])
    return low if low == high else f"{low} to {high}"


def every(cases: Sequence[Mapping[str, Any]], key: str) -> str:
    """All values of a key, each once; `none` where it has no meaning for any case, `unknown` where nobody says."""
    found = [case[key] for case in cases if key in case]
    known = dict.fromkeys(str(value) for value in found if value is not None)
    return ", ".join(known) or ("none" if found else "unknown")
