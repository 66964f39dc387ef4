"""Round trips: what is made of exchanges whose times are known."""

import numpy as np
import pytest
import scipy.stats
from tests.clock_documents import round_trips

from ictus.studies.rtt.analysis import counts, summarise
from ictus.studies.rtt.record import RoundTrips

US = 1e-6


def pair(rtt_us: list[float], offset_us: list[float]) -> RoundTrips:
    """Exchanges back to back."""
    return round_trips(np.array(rtt_us) * US, np.array(offset_us) * US)


def test_quantiles_and_skewness_are_those_of_scipy() -> None:
    """Of exponential delays above a least one; the skewness of exponential delays is 2."""
    rtt = 1.0 + np.random.default_rng(3).exponential(0.5, 4000)
    found = summarise([pair(rtt.tolist(), [0.0] * rtt.size)])
    assert found.skewness == pytest.approx(scipy.stats.skew(rtt), rel=1e-12)
    assert found.skewness == pytest.approx(2, abs=0.3)
    expected = np.quantile(rtt, (0.5, 0.95, 0.99)) * US
    assert (found.median_s, found.p95_s, found.p99_s) == pytest.approx(expected, rel=1e-12)
    assert (found.least_s, found.largest_s) == pytest.approx((rtt.min() * US, rtt.max() * US), rel=1e-12)
    assert np.isnan(summarise([pair([2.0, 2.0], [0, 0])]).skewness)


def test_the_offset_is_that_of_the_quickest_exchange_so_far() -> None:
    """By hand: of round trips 9, 4, 6, 2 us the second is the quickest of three and the fourth of all."""
    found = summarise([pair([9, 4, 6, 2], [10, 7, 8, 5])]).quality
    assert [one.n for one in found] == [1, 2, 4]
    assert [one.difference_s for one in found] == pytest.approx([5 * US, 2 * US, 0], rel=1e-9, abs=1e-18)
    assert [one.bound_s for one in found] == pytest.approx([4.5 * US, 2 * US, 1 * US], rel=1e-9)
    assert [one.cost_s for one in found] == pytest.approx([9 * US, 13 * US, 21 * US], rel=1e-9)


def test_of_several_launches_the_middle_one_counts() -> None:
    """By hand: medians 4, 2, 9 us; the best of two exchanges takes 3, 1, 8 us."""
    launches = [pair([5, 3], [0, 0]), pair([1, 3], [0, 0]), pair([10, 8], [0, 0])]
    found = summarise(launches)
    assert (found.launches, found.exchanges) == (3, 2)
    assert (found.median_s, found.least_s, found.quality[-1].bound_s) == pytest.approx((4 * US, 3 * US, 1.5 * US))


def test_the_true_offset_lies_within_the_bound_of_any_number_of_exchanges() -> None:
    """Delays there and back are drawn on their own: however they differ, half a round trip covers the error."""
    random, true_s = np.random.default_rng(5), 40 * US
    there, back = (US * (1 + random.exponential(0.7, 500)) for _ in range(2))
    rtt, offset = there + back, true_s + (back - there) / 2
    found = summarise([round_trips(rtt, offset, reference_host=1)])
    for one in found.quality:
        shown = offset[int(np.argmin(rtt[: one.n]))]
        assert abs(shown - true_s) <= one.bound_s
        assert abs(shown - true_s) > one.bound_s / 1e6  # a bound of 0 would not do
    assert not found.same_host


def test_numbers_of_exchanges_are_round_and_end_with_all() -> None:
    """1, 2, 5 in each power of ten."""
    assert counts(2) == (1, 2)
    assert counts(20) == (1, 2, 5, 10, 20)
    assert counts(333) == (1, 2, 5, 10, 20, 50, 100, 200, 333)
