"""Far tails of the rank-sum: against all orders, and against the exact distribution of larger samples."""

from math import comb

import numpy as np
import pytest

from ictus.stats.null_distribution import rank_sum_distribution
from ictus.stats.rank_sum_tail import critical_sums, lower_tail


@pytest.mark.parametrize(("n", "m"), [(7, 400), (20, 130), (51, 50), (60, 60)])
def test_the_approximation_has_the_exact_tail(n: int, m: int) -> None:
    """Within 3 %, down to one in a thousand million."""
    exact = np.cumsum(rank_sum_distribution(n, m))
    for tail in (1e-2, 1e-3, 1e-5, 1e-7, 1e-9):
        u = int(np.searchsorted(exact, tail))
        assert lower_tail(m, n, u) == pytest.approx(exact[u], rel=0.03)


@pytest.mark.parametrize("n", [3, 6])
def test_short_sides_are_exact(n: int) -> None:
    """The lowest sum is one of C(n + m, n) orders, the next another one."""
    assert lower_tail(n, 500, 0) == pytest.approx(1 / comb(500 + n, n))
    assert lower_tail(n, 500, 1.5) == pytest.approx(2 / comb(500 + n, n))
    assert lower_tail(n, 500, -0.5) == 0


@pytest.mark.parametrize("size", [24, 41, 80])
@pytest.mark.parametrize("tail", [1e-3, 1e-6])
def test_critical_sums_are_the_largest_that_are_rare_enough(size: int, tail: float) -> None:
    """Never too large, at most two too small, of every split; the same from both ends."""
    found = critical_sums(size, 3, tail)
    assert found.size == size - 5
    assert (found == found[::-1]).all()
    for place, critical in enumerate(found):
        exact = np.cumsum(rank_sum_distribution(3 + place, size - 3 - place))
        largest = int(np.searchsorted(exact, tail * (1 + 1e-12), side="right")) - 1
        assert largest - 3 <= critical <= largest
