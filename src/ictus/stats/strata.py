"""Comparison within strata: values are only compared with values of the same stratum (mode of the machine).

Each Wilcoxon statistic counts candidates above 0: the differences log a - log b of the rank-sum test, the Walsh
averages of the signed-rank test. Strata add their counts with weights near 1 / (N + 1), which is best where the shift
is the same in all (Ph. van Elteren 1960, On the combination of independent two sample tests of Wilcoxon); whole
numbers, so that the null distribution of the sum is exact: the strata's own, folded. The estimate is the weighted
median of all candidates, the interval holds the shifts that the test does not reject. With one stratum all of this is
the ordinary test.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, gcd, prod

import numpy as np
import scipy

from ictus.stats.arrays import FloatArray, IntArray
from ictus.stats.hypothesis import Shifts
from ictus.stats.interval import differences, walsh_averages
from ictus.stats.null_distribution import EXACT_PAIRS, EXACT_SIZE, rank_sum_distribution, signed_rank_distribution

Sizes = tuple[tuple[int, int], ...]
"""Of each stratum: the number of values of A and of B."""
_FINENESS = 10
_LARGEST_SUM = 50_000
"""Of weighted counts: beyond, the normal distribution stands in for the exact one."""


@dataclass(frozen=True)
class StratifiedRows:
    """Columns of shape (cases,), as in `Evidence`."""

    shifts: Shifts
    p_value: FloatArray
    p_less: FloatArray
    p_greater: FloatArray
    smallest_p: float
    """Two-sided."""


def compare_strata(a: FloatArray, b: FloatArray, sizes: Sizes, *, paired: bool, level: float) -> StratifiedRows:
    """Compares many cases of equal sizes: `a` of shape (cases, n), `b` (cases, m), positive finite times, sorted by
    stratum. Ties count one half, and the distribution without ties then errs on the safe side.
    """
    candidates, weights = _candidates(a, b, sizes, paired=paired)
    total = int(weights.sum())
    chances = null_chances(sizes, paired=paired)
    above = ((candidates > 0) + 0.5 * (candidates == 0)) @ weights
    p_less = chances[np.ceil(above).astype(np.int64)]
    p_greater = chances[np.ceil(total - above).astype(np.int64)]
    smallest = _smallest_p(sizes, paired=paired)
    return StratifiedRows(
        _shifts(candidates, weights, chances, level, 1 - 2 * smallest),
        np.minimum(1.0, 2 * np.minimum(p_less, p_greater)),
        p_less,
        p_greater,
        min(1.0, 2 * smallest),
    )


def weights_of(sizes: Sizes, *, paired: bool) -> tuple[int, ...]:
    """Whole numbers near 1 / (N + 1), N the values of a stratum."""
    numbers = [n if paired else n + m for n, m in sizes]
    raw = [round(_FINENESS * (max(numbers) + 1) / (number + 1)) for number in numbers]
    return tuple(weight // gcd(*raw) for weight in raw)


def _candidates(a: FloatArray, b: FloatArray, sizes: Sizes, *, paired: bool) -> tuple[FloatArray, FloatArray]:
    """All candidates, shape (cases, candidates), and the weight of each."""
    parts, weights = [], []
    begin_a = begin_b = 0
    for (n, m), weight in zip(sizes, weights_of(sizes, paired=paired), strict=True):
        sides = (a[:, begin_a : begin_a + n], b[:, begin_b : begin_b + m])
        parts.append(walsh_averages(*sides) if paired else differences(*sides))
        weights.append(np.full(parts[-1].shape[1], float(weight)))
        begin_a, begin_b = begin_a + n, begin_b + m
    return np.concatenate(parts, axis=1), np.concatenate(weights)


@lru_cache(maxsize=1024)
def null_chances(sizes: Sizes, *, paired: bool) -> FloatArray:
    """P(S <= 0), ..., P(S <= total) of the weighted sum."""
    weights = weights_of(sizes, paired=paired)
    counts = [n * (n + 1) // 2 if paired else n * m for n, m in sizes]
    total = sum(weight * count for weight, count in zip(weights, counts, strict=True))
    exact = all(n <= EXACT_SIZE if paired else n * m <= EXACT_PAIRS for n, m in sizes) and total <= _LARGEST_SUM
    if not exact:
        return _normal(sizes, weights, total, paired=paired)
    chances = np.ones(1)
    for (n, m), weight in zip(sizes, weights, strict=True):
        distribution = signed_rank_distribution(n) if paired else rank_sum_distribution(n, m)
        spread = np.zeros((len(distribution) - 1) * weight + 1)
        spread[::weight] = distribution
        chances = np.convolve(chances, spread)
    return np.asarray(np.minimum(np.cumsum(chances), 1.0), dtype=np.float64)


def _normal(sizes: Sizes, weights: Sequence[int], total: int, *, paired: bool) -> FloatArray:
    """With continuity correction, never below the smallest chance there is."""
    parts = [n * (n + 1) * (2 * n + 1) / 24 if paired else n * m * (n + m + 1) / 12 for n, m in sizes]
    deviation = np.sqrt(sum(weight**2 * part for weight, part in zip(weights, parts, strict=True)))
    tails = scipy.special.ndtr((np.arange(total + 1) + 0.5 - total / 2) / deviation)
    return np.asarray(np.maximum(tails, _smallest_p(sizes, paired=paired)), dtype=np.float64)


def _smallest_p(sizes: Sizes, *, paired: bool) -> float:
    """One-sided: all candidates on one side of 0."""
    return prod(0.5**n if paired else 1 / comb(n + m, n) for n, m in sizes)


def _shifts(candidates: FloatArray, weights: FloatArray, chances: FloatArray, level: float, reached: float) -> Shifts:
    order = np.argsort(candidates, axis=1)
    ordered = np.take_along_axis(candidates, order, axis=1)
    sums = np.cumsum(weights[order], axis=1)
    total = sums[0, -1]
    # The largest sum that a one-sided test at level / 2 rejects; -1: none. A chance that equals the level counts.
    rejected = int(np.searchsorted(chances, level / 2 * (1 + 1e-12), side="right")) - 1

    def first_above(limit: float) -> FloatArray:
        return _at(ordered, (sums > limit).argmax(axis=1))

    estimate = (_at(ordered, (sums >= total / 2).argmax(axis=1)) + first_above(total / 2)) / 2
    if rejected < 0:
        nothing = np.full(len(estimate), np.inf)
        return Shifts(estimate, -nothing, nothing, reached)
    return Shifts(estimate, first_above(rejected), _at(ordered, (sums >= total - rejected).argmax(axis=1)), reached)


def _at(rows: FloatArray, index: IntArray) -> FloatArray:
    return np.asarray(np.take_along_axis(rows, index[:, np.newaxis], axis=1)[:, 0], dtype=np.float64)
