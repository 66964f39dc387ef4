"""The sampling distribution of the mean."""

from collections.abc import Sequence

import numpy as np
import pytest

from ictus.stats.mean import LEVEL, MeanDistribution, mean_distributions

EXPONENTIAL = np.random.default_rng(1).exponential(size=5000)


def normal_from(distributions: Sequence[MeanDistribution]) -> int | None:
    """The smallest size from which on no distribution is told from a normal at 5 %; None where there is none."""
    found = None
    for one in sorted(distributions, key=lambda one: one.size, reverse=True):
        if not one.normality_p > LEVEL:
            break
        found = one.size
    return found


def test_means_scatter_less_with_the_root_of_the_size():
    """Standard deviation of a mean of k: that of the samples over sqrt(k), within a tenth for 1,000 draws."""
    for one in mean_distributions(EXPONENTIAL, (1, 10, 100), seed=3):
        expected = EXPONENTIAL.std() / EXPONENTIAL.mean() / np.sqrt(one.size)
        assert one.spread == pytest.approx(expected, rel=0.1)
        assert one.means.mean() == pytest.approx(EXPONENTIAL.mean(), rel=0.1)


def test_means_become_normal_as_the_size_grows():
    """Skewness of a mean of k is that of the samples (2 for an exponential) over sqrt(k); 10 are too few, 3,000 not."""
    found = mean_distributions(EXPONENTIAL, (10, 3000), seed=3)
    assert found[0].skewness == pytest.approx(2 / np.sqrt(10), abs=0.25)
    assert abs(found[1].skewness) < 0.25
    assert found[0].normality_p < 0.05 < found[1].normality_p
    assert normal_from(found) == 3000


def test_normal_samples_have_normal_means_at_once_and_a_tail_may_never_get_there():
    """The smallest size from which on all are normal; None where even the largest is not."""
    normal = np.random.default_rng(5).normal(10, 1, 5000)
    assert normal_from(mean_distributions(normal, (5, 20, 80), seed=1)) == 5
    stalls = np.concatenate((normal, [1e5, 2e5]))
    assert normal_from(mean_distributions(stalls, (5, 20, 80), seed=1)) is None


def test_the_seed_decides_and_sizes_do_not_depend_on_each_other():
    """Same seed, same means, whichever other sizes are asked for; another seed, others."""
    one = mean_distributions(EXPONENTIAL, (10, 30), seed=3)[1]
    assert one.means.tolist() == mean_distributions(EXPONENTIAL, (30,), seed=3)[0].means.tolist()
    assert one.means.tolist() != mean_distributions(EXPONENTIAL, (30,), seed=4)[0].means.tolist()


@pytest.mark.parametrize("values", [[2.5], [2.5] * 50])
def test_constant_samples_have_constant_means(values):
    """Spread 0; skewness and normality undefined."""
    (found,) = mean_distributions(values, (7,), seed=1, draws=20)
    assert set(found.means) == {2.5}
    assert found.spread == 0
    assert np.isnan([found.skewness, found.normality_p]).all()
    assert normal_from([found]) is None


@pytest.mark.parametrize("values", [[], [1.0, np.nan], [1.0, np.inf]])
def test_what_is_no_sample_is_refused(values):
    """An error, never a mean."""
    with pytest.raises(ValueError, match="the series"):
        mean_distributions(values, (5,), seed=1)


@pytest.mark.parametrize(("sizes", "draws"), [((0,), 10), ((5,), 0)])
def test_sizes_and_draws_are_at_least_one(sizes, draws):
    """An error that names both."""
    with pytest.raises(ValueError, match="at least 1"):
        mean_distributions([1.0, 2.0], sizes, seed=1, draws=draws)
