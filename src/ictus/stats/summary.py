"""From the samples of one launch to one row per case: flags, Tukey's filter, median, mean, half shift.

The launch is the unit of replication (papers/mpi-benchmarking-revisited, section 5.2), so a launch gives one number per
case to every test. The order is that of its section 6.1. First, samples with a flag (late start, overrun) or without a
finite value are dropped: they are no measurements. Then Tukey's fences remove outliers. The rest is kept and described;
all that is dropped is counted. Cost: one selection of six order statistics per case, no Python per sample.

            Q1 - f IQR        Q1   median   Q3        Q3 + f IQR
    o  o        |--------------[=====|=======]--------------|      o
    outliers  fence                 IQR                   fence  outlier

Quartiles are of type 7 (linear interpolation between order statistics at position 1 + (n - 1) q), the default of NumPy
and R. The factor f is 1.5 by default. Values on a fence are kept. Source: J. W. Tukey, Exploratory Data Analysis, 1977;
papers/mpi-benchmarking-revisited, section 6.1, applies the rule per launch.
"""

from dataclasses import dataclass, fields
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ictus.model.reduction import USUAL_FACTOR
from ictus.stats import stationarity as halves
from ictus.stats.arrays import BoolArray, FloatArray, IntArray

DEFAULT_FACTOR = USUAL_FACTOR


@dataclass(frozen=True)
class Fences:
    """Quartiles of a sample and the fences around them, in the sample's unit."""

    q1: float
    q3: float
    low: float
    high: float


_QUARTILES = (0.25, 0.5, 0.75)


def quantile_sorted(ordered: FloatArray, share: float) -> float:
    """Type-7 quantile of a non-empty sample that is ascending, or has in their places the values that this reads (see
    `_with_quartiles`). Cost: two reads.
    """
    position = (ordered.size - 1) * share
    below = int(position)
    above = min(below + 1, ordered.size - 1)
    start = float(ordered[below])
    return start + (position - below) * (float(ordered[above]) - start)


def _with_quartiles(sample: FloatArray) -> FloatArray:
    """A copy of a non-empty sample in which all that the quartiles read is where sorting would put it, with smaller
    values before it and larger ones behind. Half the cost of sorting; next to nothing for a part of what it returned.
    """
    below = [int((sample.size - 1) * share) for share in _QUARTILES]
    return np.partition(sample, sorted({*below, *(min(index + 1, sample.size - 1) for index in below)}))


def fences_sorted(ordered: FloatArray, factor: float = DEFAULT_FACTOR) -> Fences:
    """Fences of a sample as `quantile_sorted` takes it. Cost: four reads."""
    q1 = quantile_sorted(ordered, 0.25)
    q3 = quantile_sorted(ordered, 0.75)
    reach = factor * (q3 - q1)
    return Fences(q1=q1, q3=q3, low=q1 - reach, high=q3 + reach)


def fences(values: ArrayLike, factor: float = DEFAULT_FACTOR) -> Fences:
    """Quartiles and fences of a sample of any order; `ValueError` when it is empty, holds NaN, or the factor is
    negative.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0 or np.isnan(sample).any():
        raise ValueError("quartiles need at least one value and no NaN")
    if factor < 0:
        raise ValueError(f"outlier factor {factor} is negative")
    return fences_sorted(np.sort(sample), factor)


def inside(values: ArrayLike, factor: float = DEFAULT_FACTOR) -> BoolArray:
    """Mask of the values between the fences, both included, in the order given. Errors as in `fences`."""
    sample = np.asarray(values, dtype=np.float64)
    limits = fences(sample, factor)
    return (sample >= limits.low) & (sample <= limits.high)


LATE = 1
"""Flag bit 0: a rank reached the start after the deadline."""
LONG = 2
"""Flag bit 1: the operation ended after its window."""


@dataclass(frozen=True)
class Summary:
    """One case of one launch. Times in the unit of the samples. Without a valid sample all that describes them is
    None, never 0.
    """

    attempted: int
    valid: int
    late: int
    long: int
    """A sample may be late and long; then it counts in both."""
    outliers: int
    kept: int
    median: float | None
    mean: float | None
    min: float | None
    max: float | None
    q1: float | None
    q3: float | None
    """`median` to `q3` describe the kept samples; quartiles are of type 7."""
    half_shift: float | None
    """Median of the second half over that of the first, minus 1, in the order measured."""
    shift_matters: bool
    """Whether the half shift is credible in spite of autocorrelation, and at least 1 %: see `half_shift.py`."""


@dataclass(frozen=True)
class LaunchSummary:
    """All cases of one launch as columns of equal length, ascending by `case_id`. NaN where a case has no valid
    sample.
    """

    case_id: IntArray
    attempted: IntArray
    valid: IntArray
    late: IntArray
    long: IntArray
    outliers: IntArray
    kept: IntArray
    median: FloatArray
    mean: FloatArray
    min: FloatArray
    max: FloatArray
    q1: FloatArray
    q3: FloatArray
    quantile: FloatArray
    """The one that was asked for."""
    half_shift: FloatArray
    shift_matters: BoolArray

    def columns(self) -> dict[str, NDArray[np.generic]]:
        """Name to column, ready for a data frame."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def row(self, index: int) -> Summary:
        """One case as plain Python numbers, NaN as None."""
        return Summary(
            attempted=int(self.attempted[index]),
            valid=int(self.valid[index]),
            late=int(self.late[index]),
            long=int(self.long[index]),
            outliers=int(self.outliers[index]),
            kept=int(self.kept[index]),
            median=_number(self.median[index]),
            mean=_number(self.mean[index]),
            min=_number(self.min[index]),
            max=_number(self.max[index]),
            q1=_number(self.q1[index]),
            q3=_number(self.q3[index]),
            half_shift=_number(self.half_shift[index]),
            shift_matters=bool(self.shift_matters[index]),
        )


def _number(value: np.float64) -> float | None:
    return None if np.isnan(value) else float(value)


def summarise(values: ArrayLike, flags: ArrayLike, *, outlier_factor: float | None = DEFAULT_FACTOR) -> Summary:
    """Summary of one case: `values` and `flags` of shape (repetitions,), in the order measured.

    `outlier_factor` is Tukey's; None keeps every valid sample. `ValueError` when the shapes differ or the factor is
    negative.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.size == 0 and np.size(flags) == 0:
        return Summary(0, 0, 0, 0, 0, 0, None, None, None, None, None, None, None, False)
    return summarise_launch(np.zeros(sample.size, np.int64), sample, flags, outlier_factor=outlier_factor).row(0)


def summarise_launch(
    case_ids: ArrayLike,
    values: ArrayLike,
    flags: ArrayLike,
    *,
    outlier_factor: float | None = DEFAULT_FACTOR,
    quantile: float | None = None,
) -> LaunchSummary:
    """Summaries of all cases of one launch; with `quantile`, a share, also that quantile of the kept samples, type 7.

    `case_ids`, `values` (any unit of time) and `flags` have shape (samples,), in the order measured; the samples of a
    case may lie in several stretches. Errors as in `summarise`.
    """
    case, value = np.asarray(case_ids), np.asarray(values, dtype=np.float64)
    flag = np.asarray(flags, dtype=None if np.size(flags) else np.uint16)
    if not (case.ndim == 1 and case.shape == value.shape == flag.shape):
        raise ValueError(f"case ids, values and flags differ in shape: {case.shape}, {value.shape}, {flag.shape}")
    if outlier_factor is not None and not outlier_factor >= 0:
        raise ValueError(f"outlier factor {outlier_factor} is negative")
    edges = _edges(case)
    stretches = case[edges[:-1]]
    if np.unique(stretches).size < stretches.size:
        # A case in several stretches: bring its samples together first. A launch of Ictus never needs this costly step.
        order = np.argsort(case, kind="stable")
        return summarise_launch(
            case[order], value[order], flag[order], outlier_factor=outlier_factor, quantile=quantile
        )
    good = (flag == 0) & np.isfinite(value)
    rows, batches = _describe_all(value, good, edges, outlier_factor, quantile)
    valid, outliers = count_marked(good, edges), rows[0].astype(np.int64)
    late, long = count_marked(flag & LATE != 0, edges), count_marked(flag & LONG != 0, edges)
    columns = (
        stretches.astype(np.int64), np.diff(edges), valid, late, long,
        outliers, valid - outliers, *rows[1:], halves.shift_matters(batches, rows[-1]),
    )  # fmt: skip
    ascending = np.argsort(stretches)
    return LaunchSummary(*(column[ascending] for column in columns))


def _edges(case: NDArray[np.generic]) -> IntArray:
    """Where stretches of equal ids begin, and the end of the last: shape (stretches + 1,)."""
    if case.size == 0:
        return np.zeros(1, np.int64)
    return np.concatenate(([0], np.flatnonzero(case[1:] != case[:-1]) + 1, [case.size])).astype(np.int64)


def count_marked(mask: BoolArray, edges: IntArray) -> IntArray:
    """How many are marked in each stretch from one edge to the next; shape (edges - 1,)."""
    ends = edges.tolist()
    counts = [np.count_nonzero(mask[begin:end]) for begin, end in pairwise(ends)]
    return np.array(counts, dtype=np.int64)


def _describe_all(
    value: FloatArray, good: BoolArray, edges: IntArray, factor: float | None, share: float | None
) -> tuple[FloatArray, FloatArray]:
    """Descriptions of the good values of each stretch: rows (outliers, median, mean, min, max, q1, q3, quantile,
    half shift) of shape (9, cases), and batch means of shape (cases, 20).
    """
    n_cases = max(edges.size - 1, 0)
    rows = np.full((9, n_cases), np.nan)
    batches = np.full((n_cases, 2 * halves.BATCHES_PER_HALF), np.nan)
    for index in range(n_cases):
        block, marked = value[edges[index] : edges[index + 1]], good[edges[index] : edges[index + 1]]
        if not marked.all():
            block = block[marked]
        n_valid = block.size
        if n_valid == 0:
            rows[0, index] = 0
            continue
        ordered = _with_quartiles(block)
        if factor is not None:
            limits = fences_sorted(ordered, factor)
            kept = (block >= limits.low) & (block <= limits.high)
            if not kept.all():
                block = block[kept]
                ordered = _with_quartiles(ordered[(ordered >= limits.low) & (ordered <= limits.high)])
        q1, median, q3 = (quantile_sorted(ordered, share) for share in _QUARTILES)
        tail = np.nan if share is None else float(np.quantile(block, share))
        rows[:, index] = (
            n_valid - block.size, median, block.mean(), block.min(), block.max(), q1, q3, tail,
            halves.half_shift(block),
        )  # fmt: skip
        batches[index] = halves.batch_means(block)
    return rows, batches
