"""More launches of the same kind: today's launches drawn finer, and what the test would then say.

The formula of `power.py` plans with a shift and a spread. Where a launch or two lie far off, the ranks lag behind that:
a large shift, and yet a p-value that one more launch cannot bring under the level. So the number of launches is
checked on the launches themselves: each side stretched to as many by its own quantiles, which at today's number are
the launches as they are.
"""

from collections.abc import Iterator

import numpy as np

from ictus.stats.arrays import FloatArray
from ictus.stats.hypothesis import HypothesisTest
from ictus.stats.power import MOST_LAUNCHES


def enough_launches(more: int, a: FloatArray, b: FloatArray, test: HypothesisTest, level: float) -> int | None:
    """The least number from `more` on at which stretched launches are told apart at `level`; None for over 1,000.

    `a` and `b` are launch medians, shape (launches,), pairs where the test is one of pairs.
    """
    return next((number for number in _numbers(more) if _p_value(a, b, number, test) <= level), None)


def _p_value(a: FloatArray, b: FloatArray, more: int, test: HypothesisTest) -> float:
    if test.paired:
        ratios = stretched(a / b, a.size + more)
        first, second = ratios, np.ones_like(ratios)
    else:
        first, second = stretched(a, a.size + more), stretched(b, b.size + more)
    return float(test.rows(first[np.newaxis], second[np.newaxis], "two-sided").p_value[0])


def stretched(sample: FloatArray, size: int) -> FloatArray:
    """`size` values with the distribution of `sample`: its quantiles (Hazen's) on the log scale."""
    middles = (np.arange(size) + 0.5) / size
    return np.asarray(np.exp(np.quantile(np.log(sample), middles, method="hazen")), dtype=np.float64)


def _numbers(first: int) -> Iterator[int]:
    """Upwards in steps of about a sixth, to two digits: the answer promises no more."""
    number = first
    while number <= MOST_LAUNCHES:
        yield number
        step = number + max(1, number // 6)
        unit = 10 ** max(0, len(str(step)) - 2)
        number = -(-step // unit) * unit
