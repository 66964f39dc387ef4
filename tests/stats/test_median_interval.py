"""The median's interval against counting and against simulated samples."""

import math

import numpy as np
import pytest

from ictus.stats.median import median_interval, order_rank


@pytest.mark.parametrize(("n", "rank"), [(1, 0), (5, 0), (6, 1), (8, 1), (9, 2), (10, 2), (12, 3), (20, 6)])
def test_ranks_are_those_of_the_tables(n: int, rank: int) -> None:
    """The 95 % interval: 6 launches are the fewest; 10 take the 2nd and the 9th (97.9 %); 20 the 6th and 15th."""
    assert rank == order_rank(n, 0.95)


@pytest.mark.parametrize("n", [6, 10, 17, 40])
def test_the_coverage_is_at_least_the_confidence_by_counting(n: int) -> None:
    """P(x_(k) < median < x_(n+1-k)) = 1 - 2 P(Binomial(n, 1/2) < k), summed here from binomial coefficients."""
    rank = order_rank(n, 0.95)
    missed = [2 * sum(math.comb(n, i) for i in range(k)) / 2**n for k in (rank, rank + 1)]
    assert missed[0] <= 0.05 < missed[1]


def test_median_and_limits_are_order_statistics() -> None:
    """Ten values in any order: the mean of the two middle ones, the second and the ninth."""
    found = median_interval([3, 1, 4, 10, 5, 9, 2, 6, 8, 7])
    assert (found.median, found.low, found.high) == (5.5, 2.0, 9.0)


def test_few_values_have_a_median_and_no_interval() -> None:
    """Five launches cannot reach 95 %: no limits, rather than narrower ones."""
    found = median_interval([1, 2, 3, 4, 5])
    assert (found.median, found.low, found.high) == (3.0, None, None)


def test_the_interval_covers_the_median_of_a_skewed_distribution() -> None:
    """Exponential samples of ten: the median log 2 lies inside in 97.9 % of 4,000 (three standard errors: 0.7 %)."""
    samples = np.random.default_rng(1).exponential(size=(4000, 10))
    found = [median_interval(sample) for sample in samples]
    covered = np.mean(
        [one.low < math.log(2) < one.high for one in found if one.low is not None and one.high is not None]
    )
    assert abs(covered - 0.9785) < 0.007


def test_what_is_no_sample_is_refused() -> None:
    """Empty, NaN, and a confidence that is none."""
    with pytest.raises(ValueError, match=r".+"):
        median_interval([])
    with pytest.raises(ValueError, match=r".+"):
        median_interval([1.0, math.nan])
    with pytest.raises(ValueError, match="between 0 and 1"):
        median_interval([1.0], confidence=95)
