"""Whether computing by time and by work say the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ictus.model.quantity import format_size

NEAR = 0.1
"""Of T_b: overlaps that differ by no more are the same, whatever their intervals say."""


@dataclass(frozen=True)
class Pair:
    """Both compute kinds of one library and size, rows of `ictus overlap --json`."""

    library: str
    size_bytes: int
    time: Mapping[str, Any]
    work: Mapping[str, Any]

    @property
    def word(self) -> str:
        """`agree`, `part`, or `undecided` where neither is sure."""
        if abs(self.time["overlap"] - self.work["overlap"]) <= NEAR:
            return "agree"
        high, low = self.time["overhead_high_s"], self.work["overhead_low_s"]
        return "part" if high is not None and low is not None and low > high else "undecided"


def pairs_of(rows: Sequence[Mapping[str, Any]], thread: str) -> list[Pair]:
    """Of the runs without tests, in the rows' order."""
    own = [row for row in rows if row["thread"] == thread and not row["tests"]]
    by = {(row["mpi"], row["size_bytes"], row["compute"]): row for row in own}
    places = dict.fromkeys((row["mpi"], row["size_bytes"]) for row in own)
    return [
        Pair(mpi, size, by[mpi, size, "time"], by[mpi, size, "work"])
        for mpi, size in places
        if (mpi, size, "time") in by and (mpi, size, "work") in by
    ]


def shortfalls(pairs: Sequence[Pair], *, agrees: bool) -> list[str]:
    """One sentence for each pair that is not as expected; one for no pair at all."""
    wanted = "agree" if agrees else "part"
    where = "without a thread" if agrees else "with a thread on the same core"
    missed = [
        f"{one.library}, {format_size(one.size_bytes)}, {where}: time and work were to {wanted}, and are: {one.word}"
        for one in pairs
        if one.word != wanted
    ]
    return missed if pairs else [f"{where}: nothing was measured by both"]
