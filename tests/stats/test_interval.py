"""Hodges-Lehmann ratio and interval against naive order statistics, and as the inversion of the tests."""

from itertools import combinations, product
from math import exp, log
from statistics import median

import numpy as np
import pytest

from ictus.stats.interval import hodges_lehmann
from ictus.stats.rank_sum_test import rank_sum
from ictus.stats.signed_rank_test import signed_rank


def naive(candidates, null, confidence):
    """Median, k-th smallest and k-th largest candidate, k by counting the listed null distribution."""
    ordered, tail, k = sorted(candidates), (1 - confidence) / 2, 0
    while sum(value <= k for value in null) / len(null) <= tail + 1e-12:
        k += 1
    return exp(median(ordered)), exp(ordered[k - 1]), exp(ordered[-k]), k


@pytest.mark.parametrize(("n", "m", "confidence"), [(5, 5, 0.95), (4, 6, 0.95), (6, 5, 0.99), (4, 4, 0.9), (3, 3, 0.9)])
def test_independent_samples_agree_with_all_differences_in_order(n, m, confidence):
    """Differences of logs sorted in the test, k from all arrangements."""
    random = np.random.default_rng(n + m)
    a, b = random.lognormal(-11, 0.3, n), random.lognormal(-11, 0.3, m)
    null = [sum(chosen) - n * (n + 1) // 2 for chosen in combinations(range(1, n + m + 1), n)]
    ratio, low, high, k = naive([log(x) - log(y) for x in a for y in b], null, confidence)
    found = hodges_lehmann(a, b, paired=False, confidence=confidence)
    assert k > 0
    assert (found.ratio, found.low, found.high) == pytest.approx((ratio, low, high), rel=1e-12)


@pytest.mark.parametrize(("n", "confidence"), [(6, 0.95), (7, 0.9), (10, 0.95), (10, 0.99)])
def test_pairs_agree_with_all_walsh_averages_in_order(n, confidence):
    """Averages sorted in the test, k from all sign patterns."""
    random = np.random.default_rng(n)
    a, b = random.lognormal(-11, 0.3, n), random.lognormal(-11, 0.3, n)
    d = [log(x) - log(y) for x, y in zip(a, b, strict=True)]
    null = [sum(r * s for r, s in zip(range(1, n + 1), signs, strict=True)) for signs in product((0, 1), repeat=n)]
    ratio, low, high, k = naive([(d[i] + d[j]) / 2 for i in range(n) for j in range(i, n)], null, confidence)
    found = hodges_lehmann(a, b, paired=True, confidence=confidence)
    assert k > 0
    assert (found.ratio, found.low, found.high) == pytest.approx((ratio, low, high), rel=1e-12)


@pytest.mark.parametrize(("paired", "test"), [(False, rank_sum), (True, signed_rank)])
@pytest.mark.parametrize("size", [8, 12, 49])
def test_interval_holds_exactly_the_ratios_that_the_test_does_not_reject(size, paired, test):
    """Just inside either limit p is above 5 %, just outside it is not."""
    random = np.random.default_rng(size)
    a, b = random.lognormal(0.1, 0.2, size), random.lognormal(0, 0.2, size)
    found = hodges_lehmann(a, b, paired=paired)
    for ratio, rejected in [
        (found.low * (1 - 1e-9), True),
        (found.low * (1 + 1e-9), False),
        (found.high * (1 - 1e-9), False),
        (found.high * (1 + 1e-9), True),
    ]:
        assert (test(a / ratio, b).p_value <= 0.05) is rejected


@pytest.mark.parametrize("paired", [False, True])
def test_large_samples_invert_the_approximate_test(paired):
    """60 against 60: beyond the exact tables."""
    random = np.random.default_rng(3)
    a, b = random.lognormal(0.1, 0.2, 60), random.lognormal(0, 0.2, 60)
    found = hodges_lehmann(a, b, paired=paired)
    test = signed_rank if paired else rank_sum
    assert test(a / (found.low * 0.999), b).p_value <= 0.05 < test(a / (found.low * 1.001), b).p_value


@pytest.mark.parametrize("paired", [False, True])
def test_exchanging_the_sides_inverts_ratio_and_interval(paired):
    """A/B and B/A tell one story."""
    random = np.random.default_rng(9)
    a, b = random.lognormal(0, 1, 9), random.lognormal(0, 1, 9)
    there, back = hodges_lehmann(a, b, paired=paired), hodges_lehmann(b, a, paired=paired)
    assert (there.ratio, there.low, there.high) == pytest.approx(
        (1 / back.ratio, 1 / back.high, 1 / back.low), rel=1e-12
    )


@pytest.mark.parametrize(
    ("n", "paired", "reached"), [(3, False, 0.9), (2, False, 2 / 3), (5, True, 0.9375), (1, True, 0.0), (1, False, 0.0)]
)
def test_too_few_launches_have_a_ratio_and_no_interval_and_say_what_they_reach(n, paired, reached):
    """3 against 3 reaches 1 - 2/20, 5 pairs 1 - 2/32: not 95 %."""
    found = hodges_lehmann(np.arange(2.0, n + 2), np.arange(1.0, n + 1), paired=paired)
    assert (found.low, found.high) == (None, None)
    assert found.ratio > 1
    assert found.reached == pytest.approx(reached, rel=1e-12)


def test_ties_keep_the_ratio_and_widen_nothing():
    """Constant samples have one ratio, and an interval of that ratio alone."""
    found = hodges_lehmann([2.0] * 6, [4.0] * 6, paired=False)
    assert (found.ratio, found.low, found.high) == pytest.approx((0.5, 0.5, 0.5), rel=1e-15)


@pytest.mark.parametrize(
    ("a", "b", "paired", "message"),
    [
        ([1.0, 2.0], [1.0], True, "pairs need equal sizes"),
        ([0.0, 2.0], [1.0, 1.0], False, "a holds a time that is not positive"),
        ([1.0], [float("inf")], False, "b holds a time that is not positive"),
        ([], [1.0], False, "a is empty"),
    ],
)
def test_times_without_a_ratio_are_refused(a, b, paired, message):
    """The error names the side."""
    with pytest.raises(ValueError, match=message):
        hodges_lehmann(a, b, paired=paired)
