"""The two variance components against an analysis of variance and a likelihood that know nothing of each other."""

import numpy as np
import pytest
from scipy import optimize

from ictus.stats.variance import Within, components, within_launch


def restricted_likelihood(groups: np.ndarray) -> tuple[float, float]:
    """(between, within) of values y_ij = m + a_i + e_ij, shape (groups, values), by maximising the likelihood of all
    contrasts: the covariance matrix written out, no sums of squares.
    """
    n_groups, size = groups.shape
    total = n_groups * size
    same = np.kron(np.eye(n_groups), np.ones((size, size)))
    contrasts = np.linalg.svd(np.eye(total) - 1 / total)[0][:, : total - 1].T
    seen = contrasts @ groups.ravel()

    def minus(logs: np.ndarray) -> float:
        covariance = np.exp(logs[0]) * contrasts @ same @ contrasts.T + np.exp(logs[1]) * np.eye(total - 1)
        return float(np.linalg.slogdet(covariance)[1] + seen @ np.linalg.solve(covariance, seen))

    options = {"xatol": 1e-10, "fatol": 1e-14, "maxiter": 4000}
    found = optimize.minimize(minus, np.log([groups.var(), groups.var()]), method="Nelder-Mead", options=options)
    return float(np.exp(found.x[0])), float(np.exp(found.x[1]))


def test_of_means_of_equal_batches_they_are_those_of_the_restricted_likelihood() -> None:
    """12 launches of 4 batches: batch values in, both components out, to the optimiser's own precision."""
    random = np.random.default_rng(4)
    groups = 0.3 * random.standard_normal((12, 1)) + 0.2 * random.standard_normal((12, 4))
    length = 25
    inside = [Within(length * float(row.var(ddof=1)), 3) for row in groups]
    found = components(np.exp(groups.mean(axis=1)), [4 * length] * 12, inside)
    assert found is not None
    between, batch = restricted_likelihood(groups)
    assert found.between == pytest.approx(between, rel=1e-5)
    assert found.within == pytest.approx(batch * length, rel=1e-5)
    assert components(np.exp(groups.mean(axis=1)), [4 * length] * 12, [Within(0.0, 3)] * 12) != found


def test_of_unequal_launches_both_are_found_on_average() -> None:
    """Launches of 20 to 500 repetitions: the mean of many estimates is what was put in, within four standard errors."""
    random = np.random.default_rng(5)
    nreps = np.array([20, 50, 100, 500, 20, 30, 100, 60])
    between, within, found = 0.01, 0.6, []
    for _ in range(400):
        series = [0.1 * random.standard_normal() + np.sqrt(within) * random.standard_normal(n) for n in nreps]
        inside = [within_launch(np.exp(one)) for one in series]
        one = components(np.exp([np.mean(values) for values in series]), nreps, inside)
        assert one is not None
        found.append((one.between, one.within))
    values = np.array(found)
    error = 4 * values.std(axis=0) / 20
    assert abs(values[:, 0].mean() - between) < error[0] + 0.0005  # negative estimates are 0
    # Batches are medians, whose variance is up to pi / 2 times that of means.
    assert within * 1.3 < values[:, 1].mean() < within * 1.65


def test_batches_keep_what_neighbours_share() -> None:
    """Of a normal series with correlation c the variance of the median of n values is that of independent ones times
    1 + 2 sum (1 - k/n) (2 / pi) arcsin(c^k): the covariance of two signs is (2 / pi) arcsin of their correlation.
    """
    random = np.random.default_rng(6)
    series = np.zeros(40_000)
    for step in range(1, series.size):
        series[step] = 0.9 * series[step - 1] + 0.01 * random.standard_normal()
    inside = [
        np.mean([within_launch(np.exp(part)).variance for part in values.reshape(40, -1)])
        for values in (series, random.permutation(series))
    ]
    lags = np.arange(1, 100)
    expected = 1 + 2 * np.sum((1 - lags / 100) * 2 / np.pi * np.arcsin(0.9**lags))
    assert expected > 10
    assert inside[0] / inside[1] == pytest.approx(expected, rel=0.2)


def test_little_is_said_of_little() -> None:
    """One launch has no spread, fewer than ten repetitions say nothing of the scatter inside, equal launches none."""
    assert components([1.0], [5], [Within(0.0, 0)]) is None
    assert within_launch([1.0] * 9) == Within(0.0, 0)
    alike = components([2.0, 2.0, 2.0], [5, 5, 5], [Within(0.0, 0)] * 3)
    assert alike is not None
    assert (alike.between, alike.within) == (0.0, 0.0)
    noisy = components([1.0, 1.01], [20, 20], [Within(1.0, 3)] * 2)
    assert noisy is not None
    assert noisy.between == 0.0
    assert noisy.variance(20) == pytest.approx(0.05)
    with pytest.raises(ValueError, match="positive"):
        components([1.0, 0.0], [5, 5], [Within(0.0, 0)] * 2)
    with pytest.raises(ValueError, match="do not fit"):
        components([1.0, 1.0], [5], [Within(0.0, 0)])
