"""Null distributions of the two Wilcoxon statistics without ties, and the order statistics that bound an interval.

Counting uses additions only, so no digit is lost. Tests take their p-values from scipy; these tables invert the same
tests into intervals and say what a number of launches can reach. Source: M. Hollander, D. A. Wolfe, E. Chicken,
Nonparametric Statistical Methods, chapters 3 and 4.
"""

from functools import cache, lru_cache
from math import floor, sqrt

import numpy as np
import scipy

from ictus.stats.arrays import FloatArray

EXACT_PAIRS = 2500
"""Rank-sum: exact up to this product of the sample sizes."""
EXACT_SIZE = 50
"""Signed-rank: exact up to this number of pairs."""
_KEPT_SIZE = 50
_ROUNDING = 1 + 1e-12


@lru_cache(maxsize=256)
def rank_sum_distribution(n: int, m: int) -> FloatArray:
    """P(U = 0), ..., P(U = n m) for two samples of one continuous distribution. Cost: O((n + m) n^2 m), for up to 50 a
    side O(n m) once all smaller ones are known: who plans launches asks for one after the other.
    """
    n, m = sorted((n, m))
    if m <= _KEPT_SIZE:
        counts = _ways(n, m)
        return np.asarray(counts / counts.sum(), dtype=np.float64)
    size = n * m + 1
    # ways[j, u]: subsets of j of the ranks seen so far whose rank sum exceeds its minimum by u.
    ways = np.zeros((n + 1, size))
    ways[0, 0] = 1.0
    for rank in range(1, n + m + 1):
        for chosen in range(min(rank, n), 0, -1):
            step = rank - chosen
            if step < size:
                ways[chosen, step:] += ways[chosen - 1, : size - step]
    return np.asarray(ways[n] / ways[n].sum(), dtype=np.float64)


@cache
def _ways(n: int, m: int) -> FloatArray:
    """How many arrangements have each U, for n <= m, by whose the largest value is: one of the first sample lies above
    all m of the second, one of the second above none of the first. All up to 50 a side together are 8 MB.
    """
    if n == 0:
        return np.ones(1)
    ways = np.zeros(n * m + 1)
    ways[m:] = _ways(n - 1, m)
    ways[: n * (m - 1) + 1] += _ways(*sorted((n, m - 1)))
    return ways


@lru_cache(maxsize=256)
def signed_rank_distribution(n: int) -> FloatArray:
    """P(T = 0), ..., P(T = n (n + 1) / 2) for n pairs whose differences are symmetric about 0. Cost: O(n^3)."""
    chance = np.zeros(n * (n + 1) // 2 + 1)
    chance[0] = 1.0
    for rank in range(1, n + 1):
        chance[rank:] += chance[:-rank].copy()
        chance /= 2.0
    return chance


@lru_cache(maxsize=4096)
def rank_sum_count(n: int, m: int, tail: float) -> int:
    """The largest k with P(U <= k - 1) <= tail: a one-sided test at level `tail` rejects below k. 0: it can never
    reject.
    """
    if n * m <= EXACT_PAIRS:
        return _largest_count(rank_sum_distribution(n, m), tail)
    return _normal_count(n * m / 2, sqrt(n * m * (n + m + 1) / 12), tail)


@lru_cache(maxsize=4096)
def signed_rank_count(n: int, tail: float) -> int:
    """The largest k with P(T <= k - 1) <= tail; 0: a test of n pairs can never reject."""
    if n <= EXACT_SIZE:
        return _largest_count(signed_rank_distribution(n), tail)
    return _normal_count(n * (n + 1) / 4, sqrt(n * (n + 1) * (2 * n + 1) / 24), tail)


def _largest_count(chances: FloatArray, tail: float) -> int:
    # A sum that equals the tail in exact arithmetic must count as reached, whichever way its last bit fell.
    return int(np.searchsorted(np.cumsum(chances), tail * _ROUNDING, side="right"))


def _normal_count(mean: float, deviation: float, tail: float) -> int:
    """With continuity correction: P(X <= k - 1) is about Phi((k - 1/2 - mean) / deviation)."""
    return max(0, floor(mean + 0.5 + float(scipy.special.ndtri(tail)) * deviation))
