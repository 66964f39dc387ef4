"""The tests of guidelines: is the left side slower than the right side?

Monotony, GL1: A(n) <= A(n + k). Each two adjacent sizes are tested. Sizes that move the same bytes are one
(model/case.py), so that no size is tested against itself.

Patterns, GL3 to GL17, further and user rows: A(n) <= B(n). A call that libictus-redirect.so replaces by this very B is
B plus a decision; enough launches always find it slower, by tens of nanoseconds. So it may be slower by a tolerance, as
in split-robustness.

Split-robustness, GL2: A(n) <= k A(n/k). The scatter of k calls in a row is not known from single calls, so medians
predict (Hunold et al. 2016, sec. 4.3): for sizes 0 < m_i < m_j, with k the least number of calls that moves at least as
much, a violation is predicted where k median(m_i) < median(m_j) / (1 + tolerance); for one m_j only for the largest
such m_i. Predictions are then measured, k calls in a row as one operation against the call, and tested like a pattern.

Volumes are those really moved: p blocks of whole elements, not the requested size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import nan

import numpy as np

from ictus.guidelines.measured import ONE_MODE, GuidelineMedians, LaunchModes, SizeSeries
from ictus.guidelines.rule import Rule
from ictus.guidelines.verdict import Configuration
from ictus.model.errors import UsageError
from ictus.model.spec import Argument, Number, Spec
from ictus.stats.arrays import BoolArray, FloatArray, IntArray
from ictus.stats.evidence import SamplePair, sample_pair


@dataclass(frozen=True)
class Question:
    """A guideline at one size in one place, with the launch medians of both sides."""

    rule: Rule
    configuration: Configuration
    size_bytes: int
    right_size_bytes: int
    left: SizeSeries
    right: SizeSeries
    """Time of all its calls together."""
    times: int = 1
    """How often the right side is called."""
    allowance: float = 0.0
    """By how much the left side may be slower, as a ratio."""
    modes: LaunchModes = ONE_MODE

    @property
    def confirms(self) -> bool:
        """Whether it measures what was predicted of k calls in a row."""
        return self.times > 1

    def samples(self, *, paired: bool, within_modes: bool) -> SamplePair:
        """Both sides, entry by entry of the same launch; a launch that one side lacks is dropped for this pair."""
        launches = sorted({*self.left.medians_s, *self.right.medians_s})
        left = [self.left.medians_s.get(launch, nan) for launch in launches]
        right = [self.right.medians_s.get(launch, nan) for launch in launches]
        mode_of = self.modes.of_launch
        modes_each = [mode_of[launch] for launch in launches] if mode_of and within_modes else None
        strata = None if modes_each is None else (modes_each, modes_each)
        return sample_pair(left, right, paired=paired, labels=("left side", "right side"), strata=strata)


def monotony_questions(rule: Rule, configuration: Configuration, measured: GuidelineMedians) -> tuple[Question, ...]:
    """A(m_i) against A(m_j), for all adjacent sizes m_i < m_j."""
    sizes = measured.sizes(configuration, rule.left, rule.layout)
    return tuple(
        Question(rule, configuration, small.size_bytes, large.size_bytes, small, large, modes=measured.modes)
        for small, large in pairwise(sizes)
    )


def pattern_questions(
    rule: Rule, configuration: Configuration, measured: GuidelineMedians, tolerance: float = 0.0
) -> tuple[Question, ...]:
    """A(n) against B(n) for all sizes of the left side that the right side has too, or moves the same bytes for."""
    questions = []
    for left in measured.sizes(configuration, rule.left, rule.layout):
        right = measured.at(configuration, rule.right, rule.right_layout, left.size_bytes)
        if right is not None:
            allowance = tolerance if left.becomes == str(rule.right) else 0.0
            sizes = (left.size_bytes, right.size_bytes)
            questions.append(
                Question(rule, configuration, *sizes, left, right, allowance=allowance, modes=measured.modes)
            )
    return tuple(questions)


@dataclass(frozen=True)
class SplitPrediction:
    """The prediction of the medians for one m_j: for the reported m_i, else for the one with the best k calls."""

    rule: Rule
    configuration: Configuration
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
    rule: Rule, configuration: Configuration, measured: GuidelineMedians, tolerance: float
) -> tuple[SplitPrediction, ...]:
    """One row for each size that has a smaller one."""
    sizes = measured.sizes(configuration, rule.left, rule.layout)
    if not sizes:
        return ()
    moved = [size.moved_bytes for size in sizes]
    split_parts = parts(moved, np.array([series.median_s for series in sizes]), tolerance)
    times = calls(moved)
    rows = []
    for j, large in enumerate(sizes):
        smaller = np.flatnonzero(times[:, j])
        if smaller.size:
            # Without data there is nothing to choose by: the nearest size stands for the row that says so.
            i = int(split_parts.small[j]) if split_parts.small[j] >= 0 else int(smaller[-1])
            rows.append(
                SplitPrediction(rule, configuration, large, sizes[i], int(times[i, j]), bool(split_parts.violated[j]))
            )
    return tuple(rows)


def repeated(operation: Spec, times: int) -> Spec:
    """The operation, in full form, that calls `operation` this number of times in a row."""
    if times < 2:
        raise UsageError(f"{times} calls of {operation} in a row: at least 2 are needed")
    return Spec("repeated", (Argument("operation", operation), Argument("times", Number(str(times)))))


def confirming_question(prediction: SplitPrediction, confirmations: Sequence[GuidelineMedians]) -> Question | None:
    """The k calls in a row against the call, from the first campaign with data on them; None without."""
    rule, configuration = prediction.rule, prediction.configuration
    large, small = prediction.large, prediction.small
    questions = []
    for measured in confirmations:
        single = measured.at(configuration, rule.left, rule.layout, large.size_bytes)
        split = measured.at(configuration, repeated(rule.left, prediction.times), rule.layout, small.size_bytes)
        if single is not None and split is not None:
            sizes = (large.size_bytes, small.size_bytes)
            questions.append(
                Question(rule, configuration, *sizes, single, split, prediction.times, modes=measured.modes)
            )
    with_data = (question for question in questions if question.left.n_launches and question.right.n_launches)
    return next(with_data, next(iter(questions), None))
