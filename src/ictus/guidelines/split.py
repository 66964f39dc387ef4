"""Split-robustness, GL2: A(n) <= k A(n/k). One call must not be slower than k calls of a k-th of its volume.

How k calls in a row scatter is not known from single ones, so medians predict (Hunold et al. 2016, sec. 4.3): for
sizes 0 < m_i < m_j, with k the least number of calls that moves at least as much, a violation is predicted where
k median(m_i) < median(m_j) / (1 + tolerance); for one m_j only of the largest such m_i. What is predicted is then
measured, k calls in a row as one operation against the call, and tested like a pattern.

Volumes are those really moved: p blocks of whole elements, not the size that was asked for.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ictus.guidelines.measured import GuidelineMedians, SizeSeries
from ictus.guidelines.question import Question
from ictus.guidelines.rule import Rule
from ictus.guidelines.verdict import Configuration
from ictus.model.errors import UsageError
from ictus.model.spec import Argument, Number, Spec
from ictus.stats.arrays import BoolArray, FloatArray, IntArray


@dataclass(frozen=True)
class SplitPrediction:
    """What the medians say of one m_j: of the m_i that is reported, else of that with the best k calls."""

    rule: Rule
    place: Configuration
    large: SizeSeries
    """m_j."""
    small: SizeSeries
    """m_i."""
    times: int
    """k."""
    violated: bool


@dataclass(frozen=True)
class Parts:
    """For the last axis' sizes as m_j: which m_i, or -1 where there is none to compare with."""

    violated: BoolArray
    small: IntArray


def calls(moved: Sequence[int]) -> IntArray:
    """Numbers k for each m_i (row) and m_j (column), 0 where m_i is no smaller part of m_j."""
    volumes = np.asarray(moved, dtype=np.int64)
    small, large = volumes[:, np.newaxis], volumes[np.newaxis, :]
    return np.where((small > 0) & (small < large), -(-large // np.maximum(small, 1)), 0)


def parts(moved: Sequence[int], medians: FloatArray, tolerance: float) -> Parts:
    """The m_i of each m_j, for `medians` of shape (..., sizes), ascending by size; NaN where there is no data."""
    times = calls(moved)
    with np.errstate(invalid="ignore", divide="ignore"):
        gain = medians[..., np.newaxis, :] / (times * medians[..., :, np.newaxis])
    gain = np.where((times > 0) & np.isfinite(gain), gain, -np.inf)
    faster = gain > 1 + tolerance
    violated = np.asarray(faster.any(axis=-2), dtype=np.bool_)
    last = len(moved) - 1 - np.argmax(faster[..., ::-1, :], axis=-2)
    nearest = np.where(np.isfinite(gain).any(axis=-2), np.argmax(gain, axis=-2), -1)
    return Parts(violated, np.where(violated, last, nearest))


def predictions(
    rule: Rule, place: Configuration, measured: GuidelineMedians, tolerance: float
) -> tuple[SplitPrediction, ...]:
    """One row for each size that has a smaller one."""
    sizes = measured.sizes(place, rule.left, rule.layout)
    if not sizes:
        return ()
    moved = [one.moved_bytes for one in sizes]
    found = parts(moved, np.array([one.median_s for one in sizes]), tolerance)
    times = calls(moved)
    rows = []
    for j, large in enumerate(sizes):
        smaller = np.flatnonzero(times[:, j])
        if smaller.size:
            # Without data there is nothing to choose by: the nearest size stands for the row that says so.
            i = int(found.small[j]) if found.small[j] >= 0 else int(smaller[-1])
            rows.append(SplitPrediction(rule, place, large, sizes[i], int(times[i, j]), bool(found.violated[j])))
    return tuple(rows)


def repeated(operation: Spec, times: int) -> Spec:
    """The operation, in full form, that is so many calls in a row."""
    if times < 2:
        raise UsageError(f"{times} calls of {operation} in a row: at least 2 are needed")
    return Spec("repeated", (Argument("operation", operation), Argument("times", Number(str(times)))))


def question(prediction: SplitPrediction, confirmations: Sequence[GuidelineMedians]) -> Question | None:
    """The k calls in a row against the call, as the first of the campaigns that has data has them; None where none
    measured them.
    """
    rule, place = prediction.rule, prediction.place
    large, small = prediction.large, prediction.small
    found = []
    for measured in confirmations:
        whole = measured.at(place, rule.left, rule.layout, large.size_bytes)
        split = measured.at(place, repeated(rule.left, prediction.times), rule.layout, small.size_bytes)
        if whole is not None and split is not None:
            found.append(Question(rule, place, large.size_bytes, small.size_bytes, whole, split, prediction.times))
    with_data = (one for one in found if one.left.n_launches and one.right.n_launches)
    return next(with_data, next(iter(found), None))
