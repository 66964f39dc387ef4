"""A call as it was and with a remedy: the medians of fresh launches, and what tests by ranks say of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ictus.guidelines.measured import Series
from ictus.stats.adjust import holm
from ictus.stats.minimum_launches import smallest_p
from ictus.stats.rank_sum_test import rank_sum
from ictus.stats.signed_rank_test import signed_rank
from ictus.tuning.outcome import Fresh, Remedy, remedied


@dataclass(frozen=True)
class Sides:
    """The call as it was, and with the remedy: launch medians, those of one launch side by side where paired."""

    before: list[float]
    after: list[float]
    paired: bool

    @property
    def p_faster(self) -> float:
        """One-sided: that it is faster with the remedy."""
        test = signed_rank if self.paired else rank_sum
        return test(self.after, self.before, "less").p_value

    @property
    def smallest_p(self) -> float:
        """The least that the test could have said."""
        name = "signed-rank" if self.paired else "rank-sum"
        return smallest_p(len(self.after), len(self.before), name, "less")


def sides_of(remedy: Remedy, fresh: Fresh) -> Sides | None:
    """None where one of them has no valid launch."""
    cell, candidate = remedy.cell, remedy.candidate
    paired = remedy in fresh.other_calls
    before = fresh.measured.at(cell.place, cell.operation, cell.layout, cell.size_bytes)
    if paired:
        after = fresh.measured.at(cell.place, candidate.operation, cell.layout, candidate.size_bytes)
    else:
        after = fresh.measured.at(remedied(cell.place), cell.operation, cell.layout, cell.size_bytes)
    return None if before is None or after is None else compared(before, after, paired=paired)


def compared(before: Series, after: Series, *, paired: bool) -> Sides | None:
    """Their launch medians; None where one of them has no valid launch."""
    a, b = ({key: time for key, time in one.medians_s.items() if np.isfinite(time) and time > 0}
            for one in (after, before))  # fmt: skip
    shared = sorted(a.keys() & b.keys())
    if paired:
        a, b = {key: a[key] for key in shared}, {key: b[key] for key in shared}
    return Sides(list(b.values()), list(a.values()), paired) if a and b else None


def adjusted(p_values: Sequence[float]) -> list[float]:
    """Holm's adjustment."""
    return [float(p_value) for p_value in holm(np.array(p_values))] if p_values else []
