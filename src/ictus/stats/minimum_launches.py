"""What a number of launches can show at best: the smallest p-value of a test, after adjustment for the cases judged
together.

Rank tests of few launches have few possible p-values: 5 against 5 launches cannot give less than 2 / C(10, 5) =
0.0079, which Holm's adjustment lifts above 5 % as soon as 7 cases are judged together. Then "no difference" would be
false, and "undecided" half the truth.
"""

from functools import lru_cache

import numpy as np

from ictus.stats.adjust import find_adjustment
from ictus.stats.hypothesis import Alternative
from ictus.stats.registry import find_test


def smallest_p(n: int, m: int, test: str = "rank-sum", alternative: Alternative = "two-sided") -> float:
    """The smallest p-value that `test` can give for `n` and `m` launches; `ValueError` unless both are at least 1."""
    if min(n, m) < 1:
        raise ValueError(f"{n} and {m} launches: a test needs at least one on each side")
    sides = 2 if alternative == "two-sided" else 1
    return min(1.0, sides * find_test(test, paired=True).smallest_p(n, m))


def can_decide(
    n: int, m: int, cases: int, *, level: float = 0.05, test: str = "rank-sum", adjust: str = "holm"
) -> bool:
    """Whether `n` against `m` launches can ever call one of `cases` cases faster or slower at `level` after
    adjustment.
    """
    best = np.full(max(cases, 1), smallest_p(n, m, test))
    return bool(find_adjustment(adjust).apply(best)[0] <= level)


@lru_cache(maxsize=256)
def launches_to_decide(cases: int, *, level: float = 0.05, test: str = "rank-sum", adjust: str = "holm") -> int:
    """The smallest number of launches per side for which `can_decide` holds."""
    launches = 1
    while not can_decide(launches, launches, cases, level=level, test=test, adjust=adjust):
        launches += 1
    return launches
