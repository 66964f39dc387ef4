"""What the samples say about each case: p-values, ratio, interval. All cases of equal size are worked out in one
sweep.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ictus.stats.arrays import FloatArray, IntArray
from ictus.stats.hypothesis import HypothesisTest, Shifts
from ictus.stats.interval import ratio_shifts
from ictus.stats.registry import find_test
from ictus.stats.sample_pair import SamplePair


@dataclass(frozen=True)
class Evidence:
    """Columns of shape (cases,). NaN where a case could not be compared; infinite limits where no interval is
    reached.
    """

    n_a: IntArray
    n_b: IntArray
    median_a: FloatArray
    median_b: FloatArray
    shift: FloatArray
    """log of the ratio A/B."""
    shift_low: FloatArray
    shift_high: FloatArray
    reached: FloatArray
    """Confidence of the widest interval that these sizes allow."""
    spread: FloatArray
    """Standard deviation of the log values, pooled over both sides (of the log ratios, for pairs)."""
    p_value: FloatArray
    """Two-sided."""
    p_less: FloatArray
    p_greater: FloatArray
    smallest_p: FloatArray
    """The smallest two-sided p that samples of these sizes can give."""


def gather(pairs: Sequence[SamplePair], test: HypothesisTest, level: float) -> Evidence:
    """Evidence of all cases in their order; each may have its own sizes."""
    evidence = _nothing(len(pairs))
    sizes: dict[tuple[int, int], list[int]] = {}
    for index, pair in enumerate(pairs):
        if pair.reason is None:
            sizes.setdefault((pair.a.size, pair.b.size), []).append(index)
    for members in sizes.values():
        found = weigh(np.stack([pairs[i].a for i in members]), np.stack([pairs[i].b for i in members]), test, level)
        for field in fields(Evidence):
            getattr(evidence, field.name)[members] = getattr(found, field.name)
    return evidence


def weigh(a: FloatArray, b: FloatArray, test: HypothesisTest, level: float) -> Evidence:
    """Evidence of many cases of equal size: `a` of shape (cases, n), `b` (cases, m), positive finite times.

    The interval is the test's own; else it inverts the signed-rank test where `test` works on pairs, and the rank-sum
    test otherwise.
    """
    (n_cases, n), m = a.shape, b.shape[1]
    own = test.own_shifts
    shifts = ratio_shifts(a, b, paired=test.paired, level=level) if own is None else own(a, b, level)
    return Evidence(
        n_a=np.full(n_cases, n),
        n_b=np.full(n_cases, m),
        median_a=np.median(a, axis=1),
        median_b=np.median(b, axis=1),
        shift=shifts.estimate,
        shift_low=shifts.low,
        shift_high=shifts.high,
        reached=np.full(n_cases, shifts.reached),
        spread=_spread(a, b, shifts, test, level),
        p_value=test.rows(a, b, "two-sided").p_value,
        p_less=test.rows(a, b, "less").p_value,
        p_greater=test.rows(a, b, "greater").p_value,
        smallest_p=np.full(n_cases, min(1.0, 2 * test.smallest_p(n, m))),
    )


def _spread(a: FloatArray, b: FloatArray, shifts: Shifts, test: HypothesisTest, level: float) -> FloatArray:
    """From the interval's width, which a single stray launch hardly moves; from the standard deviation where there is
    no interval.
    """
    n, m = a.shape[1], b.shape[1]
    with np.errstate(invalid="ignore", divide="ignore"):
        if test.paired:
            deviation = _deviation(np.log(a / b))
        else:
            deviation = np.sqrt((_deviation(np.log(a)) ** 2 / n + _deviation(np.log(b)) ** 2 / m) / (1 / n + 1 / m))
        unit = inverted(test).critical_effect(n, m, level)
        from_width = (shifts.high - shifts.low) / 2 / unit
    return np.where(np.isfinite(from_width) & (from_width > 0), from_width, deviation)


def inverted(test: HypothesisTest) -> HypothesisTest:
    """The test that the interval beside a test is the inversion of."""
    return find_test(None, paired=test.paired) if test.own_shifts is None else test


def _deviation(rows: FloatArray) -> FloatArray:
    """Standard deviation of each row; NaN for a single value."""
    return np.std(rows, axis=1, ddof=1) if rows.shape[1] > 1 else np.full(len(rows), np.nan)


def _nothing(n_cases: int) -> Evidence:
    columns = (np.full(n_cases, np.nan) for _ in range(len(fields(Evidence)) - 2))
    return Evidence(np.zeros(n_cases, np.int64), np.zeros(n_cases, np.int64), *columns)
