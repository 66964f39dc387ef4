"""The evidence of each case: p-values, ratio and interval, computed in one sweep over all cases of equal size.

Samples are first made fit for a test: missing launches are dropped with a remark, and impossible times refuse the case.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from ictus.stats.arrays import FloatArray, IntArray, Sample
from ictus.stats.hypothesis import HypothesisTest, Shifts
from ictus.stats.interval import ratio_of, ratio_shifts
from ictus.stats.registry import find_test
from ictus.stats.strata import Sizes, compare_strata


@dataclass(frozen=True)
class SamplePair:
    """Launch medians of one case, free of NaN. Where they cannot be compared both are empty and `reason` says why."""

    a: FloatArray
    b: FloatArray
    remarks: tuple[str, ...] = ()
    reason: str | None = None
    sizes: Sizes = ()
    """Of each stratum the values of both sides, which lie in the order of the strata; one stratum by default."""
    strata: tuple[int, ...] = (0,)
    """The number of each stratum; negative: of values in an unknown state."""

    def parts(self) -> dict[int, tuple[FloatArray, FloatArray]]:
        """Both sides of each stratum, by its number."""
        ends_a, ends_b = (np.cumsum([pair[side] for pair in self.sizes])[:-1] for side in (0, 1))
        both = zip(np.split(self.a, ends_a), np.split(self.b, ends_b), strict=True)
        return dict(zip(self.strata, both, strict=True))

    def aligned(self) -> tuple[FloatArray, FloatArray]:
        """Both sides with what their strata have in common divided out: they scatter as inside a stratum. The middle of
        a stratum is that between its two medians, of logarithms, so that ratios stay.
        """
        if len(self.sizes) == 1:
            return self.a, self.b
        aligned = [
            (a / middle, b / middle)
            for a, b in self.parts().values()
            for middle in [np.sqrt(np.median(a) * np.median(b))]
        ]
        return np.concatenate([a for a, _ in aligned]), np.concatenate([b for _, b in aligned])


def sample_pair(
    a: Sample,
    b: Sample,
    *,
    paired: bool,
    labels: tuple[str, str] = ("a", "b"),
    strata: tuple[Sequence[int], Sequence[int]] | None = None,
) -> SamplePair:
    """The samples of one case, shape (launches,) each; None and NaN stand for a launch without a valid sample.
    `strata` says of each value in which stratum it is: those that only one side has are dropped with a remark.

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
        f"{int((~kept).sum())} of {kept.size} launches of {label} without a valid sample"
        for label, kept in zip(labels, (there_a, there_b), strict=True)
        if not kept.all()
    )
    if paired:
        there_a = there_b = there_a & there_b
    pair = _judged(first[there_a], second[there_b], remarks, paired, labels)
    if pair.reason is not None:
        return pair
    if strata is None:
        return replace(pair, sizes=((pair.a.size, pair.b.size),))
    return _sorted(pair, np.asarray(strata[0])[there_a], np.asarray(strata[1])[there_b], labels)


def _sorted(pair: SamplePair, strata_a: IntArray, strata_b: IntArray, labels: tuple[str, str]) -> SamplePair:
    """The pair with its values by stratum. A stratum of one side compares nothing."""
    shared = np.intersect1d(strata_a, strata_b)
    if not shared.size:
        nothing = np.empty(0)
        return SamplePair(nothing, nothing, pair.remarks, f"{labels[0]} and {labels[1]} have no mode in common")
    remarks = tuple(
        f"{int((~kept).sum())} of {kept.size} launches of {label} in modes that the other side never had"
        for label, kept in zip(labels, (np.isin(strata_a, shared), np.isin(strata_b, shared)), strict=True)
        if not kept.all()
    )
    sides = [
        [values[strata == stratum] for stratum in shared] for values, strata in ((pair.a, strata_a), (pair.b, strata_b))
    ]
    return SamplePair(
        np.concatenate(sides[0]),
        np.concatenate(sides[1]),
        pair.remarks + remarks,
        sizes=tuple((len(x), len(y)) for x, y in zip(*sides, strict=True)),
        strata=tuple(map(int, shared)),
    )


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
    groups: dict[Sizes, list[int]] = {}
    for index, pair in enumerate(pairs):
        if pair.reason is None:
            groups.setdefault(pair.sizes, []).append(index)
    for sizes, members in groups.items():
        a, b = (np.stack([getattr(pairs[i], side) for i in members]) for side in ("a", "b"))
        weighed = weigh(a, b, test, level) if len(sizes) == 1 else weigh_strata(a, b, sizes, test, level)
        for field in fields(Evidence):
            getattr(evidence, field.name)[members] = getattr(weighed, field.name)
    return evidence


def weigh(a: FloatArray, b: FloatArray, test: HypothesisTest, level: float) -> Evidence:
    """Evidence of many cases of equal size: `a` of shape (cases, n), `b` (cases, m), positive finite times.

    The interval is the test's own; else it inverts the signed-rank test where `test` works on pairs, and the rank-sum
    test otherwise.
    """
    (n_cases, n), m = a.shape, b.shape[1]
    own_shifts = test.own_shifts
    shifts = ratio_shifts(a, b, paired=test.paired, level=level) if own_shifts is None else own_shifts(a, b, level)
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


def weigh_strata(a: FloatArray, b: FloatArray, sizes: Sizes, test: HypothesisTest, level: float) -> Evidence:
    """As `weigh`, of values that lie by stratum and are only compared within it. `test` is of Wilcoxon's."""
    rows = compare_strata(a, b, sizes, paired=test.paired, level=level)
    n_cases = len(a)
    return Evidence(
        n_a=np.full(n_cases, a.shape[1]),
        n_b=np.full(n_cases, b.shape[1]),
        median_a=np.median(a, axis=1),
        median_b=np.median(b, axis=1),
        shift=rows.shifts.estimate,
        shift_low=rows.shifts.low,
        shift_high=rows.shifts.high,
        reached=np.full(n_cases, rows.shifts.reached),
        spread=_spread(a, b, rows.shifts, test, level),
        p_value=rows.p_value,
        p_less=rows.p_less,
        p_greater=rows.p_greater,
        smallest_p=np.full(n_cases, rows.smallest_p),
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


def number_at(column: FloatArray, index: int) -> float | None:
    """One entry of a column; None for NaN."""
    value = float(column[index])
    return None if np.isnan(value) else value


def ratio_at(column: FloatArray, index: int) -> float | None:
    """The ratio of which a column of shifts has the logarithm; None where it has none, or no limit."""
    value = float(column[index])
    return ratio_of(value) if np.isfinite(value) else None
