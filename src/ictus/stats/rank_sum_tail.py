"""Far tails of the rank-sum, down to p-values of one in a thousand million, where a normal approximation is useless.

Up to six values on one side they are exact, and a single one up to 2,500 pairs. Beyond, a saddlepoint approximation
with a correction for whole numbers (R. Lugannani and S. Rice 1980, Saddle point approximation for the distribution of
the sum of independent random variables). U of n and m values has the generating function prod (1 - q^(m+i)) / (1 -
q^i), i = 1 ... n, so that its cumulants are known at every q = e^t. Against exact tails of more than 2,500 pairs it
errs by less than 3 %.
"""

from functools import lru_cache

import numpy as np
import scipy

from ictus.stats.arrays import FloatArray, IntArray
from ictus.stats.null_distribution import EXACT_PAIRS, rank_sum_distribution

_EXACT_SIDE = 6
_STEPS = 30
_FARTHEST, _NEAREST = 20.0, 1e-7
"""Of |t|: at 20 U is 0, at 1e-7 it is its mean."""
_SAFETY = 0.97
"""Of a tail: what the approximation errs at most, but for the lowest sums."""
_LOWEST_ORDERS = np.cumsum([1, 1, 2, 3, 5, 7, 11])
"""How many orders have U <= 0, 1, ... 6, for more than six values on each side: partitions of these numbers."""


def lower_tail(n: int, m: int, u: float) -> float:
    """P(U <= u) for `n` and `m` values of one continuous distribution, and `u` below the mean, n m / 2."""
    n, m = sorted((n, m))
    if n <= _EXACT_SIDE or n * m <= EXACT_PAIRS:
        floored = int(np.floor(u))
        return float(_cumulative(n, m)[min(floored, n * m)]) if floored >= 0 else 0.0
    sides = np.array([n])
    low, high = np.array([-_FARTHEST]), np.array([-_NEAREST])
    for _ in range(_STEPS):
        middle = -np.sqrt(low * high)
        far = _saddlepoint(middle, sides, m)[0] < np.floor(u) + 0.5
        low, high = np.where(far, middle, low), np.where(far, high, middle)
    return float(_saddlepoint(low, sides, m)[1][0])


@lru_cache(maxsize=2048)
def critical_sums(size: int, fewest: int, tail: float) -> IntArray:
    """For each split of `size` values that leaves `fewest` on each side, the first after `fewest` values: the largest U
    of the first part whose lower tail is at most `tail`; -1 where none is so rare. Of U the upper tail is alike.
    """
    shorter = np.arange(fewest, size // 2 + 1)
    sums = np.full(shorter.size, -1)
    exact = shorter <= _EXACT_SIDE
    for index in np.flatnonzero(exact):
        n = int(shorter[index])
        sums[index] = int(np.searchsorted(_cumulative(n, size - n), tail * (1 + 1e-12), side="right")) - 1
    if not exact.all():
        sums[~exact] = _approximate(shorter[~exact], size, tail)
    return np.concatenate((sums, sums[::-1][size % 2 == 0 :]))


def _approximate(shorter: IntArray, size: int, tail: float) -> IntArray:
    low, high = np.full(shorter.size, -_FARTHEST), np.full(shorter.size, -_NEAREST)
    longer = (size - shorter)[:, np.newaxis]
    for _ in range(_STEPS):
        middle = -np.sqrt(low * high)
        rare = _saddlepoint(middle, shorter, longer)[1] <= tail * _SAFETY
        low, high = np.where(rare, middle, low), np.where(rare, high, middle)
    sums = np.floor(_saddlepoint(low, shorter, longer)[0] - 0.5)
    # How many orders have the lowest sums is known: as many as the partitions of each sum.
    orders = (
        scipy.special.gammaln(size + 1) - scipy.special.gammaln(shorter + 1) - scipy.special.gammaln(size - shorter + 1)
    )
    fewest = np.exp(np.minimum(orders + np.log(tail), 50.0)) * (1 + 1e-9)
    lowest = np.searchsorted(_LOWEST_ORDERS, fewest, side="right") - 1
    return np.asarray(np.where(fewest < _LOWEST_ORDERS[-1], lowest, sums), dtype=np.int64)


def _saddlepoint(t: FloatArray, shorter: IntArray, longer: IntArray | int) -> tuple[FloatArray, FloatArray]:
    """For each t below 0, the U + 1/2 of which it is the saddlepoint, and the lower tail of that U."""
    ranks = np.arange(1, int(shorter.max()) + 1)
    used = ranks <= shorter[:, np.newaxis]
    column = t[:, np.newaxis]
    first = second = log_mean = np.zeros(t.size)
    with np.errstate(over="ignore", under="ignore"):
        for factor, sign in ((ranks + longer, 1), (ranks + 0 * longer, -1)):
            power = np.exp(column * factor)
            gone = -np.expm1(column * factor)
            first = first - sign * np.where(used, factor * power / gone, 0).sum(axis=1)
            second = second - sign * np.where(used, factor**2 * power / gone**2, 0).sum(axis=1)
            log_mean = log_mean + sign * np.where(used, np.log(gone / factor), 0).sum(axis=1)
    root = -np.sqrt(np.maximum(2 * (t * first - log_mean), 1e-300))
    step = 2 * np.sinh(t / 2) * np.sqrt(second)
    tail = scipy.special.ndtr(root) + np.exp(-root * root / 2) / np.sqrt(2 * np.pi) * (1 / root - 1 / step)
    return first, tail


@lru_cache(maxsize=1024)
def _cumulative(n: int, m: int) -> FloatArray:
    return np.cumsum(rank_sum_distribution(n, m))
