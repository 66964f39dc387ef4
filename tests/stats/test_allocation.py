"""The planned optimum against trying everything, and against the closed form of the one case that has one."""

from itertools import product
from math import ceil, sqrt

import numpy as np
import pytest

from ictus.stats.precision import Aim, Demand, allocate, best_nrep


def met(aim: Aim, k: int, nrep: int) -> bool:
    """Whether the variance of the mean of all launches, old and new, is small enough."""
    total = aim.launches + k
    if not total:
        return False
    return (aim.between * total + aim.within * (aim.inverse_nreps + k / nrep)) / total**2 <= aim.allowed * (1 + 1e-9)


def by_force(demands: list[Demand], overhead_s: float, launches: int) -> float:
    """The least total over every number of launches and of repetitions of every case."""
    cheapest = []
    for demand in demands:
        row = np.full(launches + 1, np.inf)
        for k, nrep in product(range(demand.fewest, launches + 1), range(demand.least, demand.most + 1)):
            if all(met(aim, k, nrep) for aim in demand.aims):
                row[k] = min(row[k], k * (demand.launch_s + nrep * demand.repetition_s))
        cheapest.append(row)
    return min(
        overhead_s * max(ks) + sum(row[k] for row, k in zip(cheapest, ks, strict=True))
        for ks in product(range(launches + 1), repeat=len(demands))
    )


@pytest.mark.parametrize("seed", range(5))
def test_it_is_the_least_of_all(seed: int) -> None:
    """Two cases, one with two aims, some with launches already; every plan of up to 25 launches is tried."""
    random = np.random.default_rng(seed)

    def aim() -> Aim:
        done = int(random.integers(0, 6))
        return Aim(*random.uniform((0.001, 0.0), (0.01, 0.3)), 0.002, done, done / 30)

    demands = [
        Demand((aim(), aim()), 0.02, 0.004, most=40, least=3, fewest=1),
        Demand((aim(),), *random.uniform((0.0, 1e-4), (0.2, 0.01)), most=40, least=3),
    ]
    overhead_s = float(random.uniform(0.0, 1.0))
    found = allocate(demands, overhead_s)
    assert found is not None
    assert found.further_launches <= 25
    assert found.total_s == pytest.approx(by_force(demands, overhead_s, 25), rel=1e-9)
    for demand, k, nrep in zip(demands, found.launches, found.nreps, strict=True):
        assert k >= demand.fewest
        assert all(met(one, k, max(nrep, 1)) for one in demand.aims)


def test_of_one_case_from_nothing_it_is_the_closed_form() -> None:
    """Overhead 1 s, 1 ms a repetition, half a launch's variance in 100 repetitions: n = sqrt(1000 * 50)."""
    within, between, allowed = 0.5, 0.01, 0.0001
    found = allocate([Demand((Aim(between, within, allowed, 0, 0.0),), 0.2, 0.001, most=10_000)], 0.8)
    best = best_nrep(between, within, 1.0, 0.001)
    assert best == pytest.approx(sqrt(1000 * 50))
    assert found is not None
    assert found.nreps[0] == pytest.approx(best, rel=0.05)
    assert found.launches[0] == pytest.approx(ceil((between + within / best) / allowed), rel=0.05)


def test_who_is_not_the_last_does_with_few_repetitions() -> None:
    """A noisy case needs many launches; a quiet one that shares them pays no overhead, so it repeats less than alone,
    and is left out of most.
    """
    quiet = Demand((Aim(1e-4, 0.4, 1e-4, 0, 0.0),), 0.0, 0.001, most=10_000, least=20)
    noisy = Demand((Aim(0.01, 0.0, 1e-4, 0, 0.0),), 0.0, 0.001, most=10_000, least=20)
    alone, shared = allocate([quiet], 1.0), allocate([quiet, noisy], 1.0)
    assert alone is not None
    assert shared is not None
    assert shared.launches[1] == 100
    assert shared.nreps[0] < alone.nreps[0] / 4
    assert shared.nreps[1] == 20


def test_the_impossible_and_nothing() -> None:
    """A goal of a millionth takes more than 100,000 launches; without a demand nothing is needed; a case that does not
    vary needs what it gets at least.
    """
    assert allocate([Demand((Aim(0.01, 0.0, 1e-9, 0, 0.0),), 0.1, 0.1, most=10)], 1.0) is None
    assert allocate([], 1.0) is not None
    still = allocate([Demand((Aim(0.0, 0.0, 1e-6, 5, 0.1),), 0.1, 0.1, most=10, fewest=1)], 1.0)
    assert still is not None
    assert (still.further_launches, still.nreps) == (1, (1,))
    assert best_nrep(0.0, 1.0, 1.0, 1.0) == float("inf")
    assert best_nrep(0.0, 0.0, 1.0, 1.0) == 1.0
