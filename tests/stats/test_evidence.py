"""The spread that planning starts from, and cases of different sizes in one table."""

import numpy as np
import pytest

from ictus.stats.evidence import gather, sample_pair, weigh
from ictus.stats.registry import find_test


def samples(cases, size, spread, seed):
    """Log-normal medians, shape (cases, size)."""
    return np.exp(spread * np.random.default_rng(seed).standard_normal((cases, size)))


@pytest.mark.parametrize("size", [10, 20, 60])
def test_spread_is_the_standard_deviation_of_normal_log_values(size):
    """Over 400 cases its mean is within 8 % of the truth, 0.1 for independent launches and for ratios of pairs."""
    a, b = samples(400, size, 0.1, 1), samples(400, size, 0.1, 2)
    independent = weigh(a, b, find_test(None, paired=False), 0.05)
    pairs = weigh(a, np.ones_like(a), find_test(None, paired=True), 0.05)
    assert independent.spread.mean() == pytest.approx(0.1, rel=0.08)
    assert pairs.spread.mean() == pytest.approx(0.1, rel=0.08)


def test_one_stray_launch_hardly_moves_the_spread():
    """Ten times slower once in twenty: the standard deviation is fivefold, the spread grows by under a third."""
    a, b = samples(200, 20, 0.1, 1), samples(200, 20, 0.1, 2)
    calm = weigh(a, b, find_test(None, paired=False), 0.05).spread.mean()
    a[:, 3] *= 10
    assert np.log(a).std(axis=1, ddof=1).mean() > 5 * 0.1
    assert weigh(a, b, find_test(None, paired=False), 0.05).spread.mean() < 4 / 3 * calm


def test_without_an_interval_the_spread_is_the_pooled_standard_deviation():
    """3 against 3, and 5 pairs, reach no 95 %."""
    a, b = samples(1, 3, 0.1, 1), samples(1, 3, 0.3, 2)
    variances = [np.var(np.log(side), ddof=1) for side in (a, b)]
    assert weigh(a, b, find_test(None, paired=False), 0.05).spread[0] == pytest.approx(
        np.sqrt(np.mean(variances)), rel=1e-12
    )
    a, b = samples(1, 5, 0.1, 1), samples(1, 5, 0.3, 2)
    expected = np.std(np.log(a) - np.log(b), ddof=1)
    assert weigh(a, b, find_test(None, paired=True), 0.05).spread[0] == pytest.approx(expected, rel=1e-12)


def test_one_launch_has_no_spread():
    """NaN, not zero."""
    assert np.isnan(weigh(np.ones((1, 1)), np.ones((1, 1)), find_test(None, paired=False), 0.05).spread[0])


def test_cases_of_any_sizes_keep_their_places():
    """Sizes are worked out in groups; every row is what its case gives alone."""
    sizes = [(10, 10), (4, 7), (10, 10), (0, 3), (7, 4)]
    pairs = [
        sample_pair(samples(1, n, 0.1, i)[0], samples(1, m, 0.1, 50 + i)[0], paired=False)
        for i, (n, m) in enumerate(sizes)
    ]
    test = find_test(None, paired=False)
    together = gather(pairs, test, 0.05)
    for index, pair in enumerate(pairs):
        alone = gather([pair], test, 0.05)
        for name in vars(alone):
            np.testing.assert_array_equal(getattr(together, name)[index], getattr(alone, name)[0])
    assert together.n_a.tolist() == [10, 4, 10, 0, 7]
