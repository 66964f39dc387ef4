"""The evidence of each case: p-values, ratio and interval, computed in one sweep over all cases of equal size.

Samples are first made fit for a test: missing launches are dropped with a remark, and impossible times refuse the case.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from ictus.stats.arrays import FloatArray, IntArray, Sample
from ictus.stats.hypothesis import HypothesisTest, Shifts
from ictus.stats.interval import ratio_shifts
from ictus.stats.registry import find_test


@dataclass(frozen=True)
class SamplePair:
    """Launch medians of one case, free of NaN. Where they cannot be compared both are empty and `reason` says why."""

    a: FloatArray
    b: FloatArray
    remarks: tuple[str, ...] = ()
    reason: str | None = None


def sample_pair(a: Sample, b: Sample, *, paired: bool, labels: tuple[str, str] = ("a", "b")) -> SamplePair:
    """The samples of one case, shape (launches,) each; None and NaN stand for a launch without a valid sample.

    Such launches are dropped (in pairs, if `paired`) and counted in a remark. A side without any launch, or with a
    time that is not positive and finite, leaves nothing to compare. `ValueError` when samples are not
    one-dimensional, or pairs of unequal number.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    for label, sample in zip(labels, (first, second), strict=True):
        if sample.ndim != 1:
            raise ValueError(f"{label} has {sample.ndim} dimensions; a sample has one")
    if paired and first.size != second.size:
        raise ValueError(
            f"pairs need equal sizes, but {labels[0]} has {first.size} values and {labels[1]} has {second.size}"
        )
    there_a, there_b = ~np.isnan(first), ~np.isnan(second)
    remarks = tuple(
        f"{int((~there).sum())} of {there.size} launches of {label} without a valid sample"
        for label, there in zip(labels, (there_a, there_b), strict=True)
        if not there.all()
    )
    if paired:
        there_a = there_b = there_a & there_b
    return _judged(first[there_a], second[there_b], remarks, paired, labels)


def _judged(
    a: FloatArray, b: FloatArray, remarks: tuple[str, ...], paired: bool, labels: tuple[str, str]
) -> SamplePair:
    nothing = np.empty(0)
    lacking = [label for label, sample in zip(labels, (a, b), strict=True) if sample.size == 0]
    if lacking:
        missing = "pair of launches" if paired else "launch of " + " and of ".join(lacking)
        return SamplePair(nothing, nothing, remarks, f"no {missing} with a valid sample")
    for label, sample in zip(labels, (a, b), strict=True):
        impossible = sample[~(np.isfinite(sample) & (sample > 0))]
        if impossible.size:
            return SamplePair(nothing, nothing, remarks, f"{label} has a time of {impossible[0]:g}, which has no ratio")
    return SamplePair(a, b, remarks)


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
