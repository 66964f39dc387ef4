"""Which part of a size is reported, against the definition written as loops."""

import numpy as np
import pytest

from ictus.guidelines.question import calls, parts


def by_definition(moved: list[int], medians: list[float], tolerance: float, j: int) -> tuple[bool, int]:
    """For m_j: whether a violation is predicted, and of the largest m_i; else the m_i with the best k calls."""
    best, found = (-1.0, -1), -1
    for i in range(len(moved)):
        if not 0 < moved[i] < moved[j] or np.isnan(medians[i]) or np.isnan(medians[j]):
            continue
        k = 1
        while k * moved[i] < moved[j]:
            k += 1
        if k * medians[i] * (1 + tolerance) < medians[j]:
            found = i
        best = max(best, (medians[j] / (k * medians[i]), i), key=lambda one: one[0])
    return found >= 0, found if found >= 0 else best[1]


@pytest.mark.parametrize("seed", range(5))
def test_the_sweep_is_the_definition(seed: int) -> None:
    """Random volumes with 0 and equal ones among them, random medians with gaps, many campaigns at once."""
    random = np.random.default_rng(seed)
    moved = sorted(int(size) for size in random.choice([0, 1, 2, 3, 8, 16, 16, 24, 100, 1000], 7))
    medians = np.exp(random.uniform(-1, 1, (40, 7))) * np.maximum(moved, 1) ** 0.9
    medians[random.uniform(size=medians.shape) < 0.1] = np.nan
    found = parts(moved, medians, 0.05)
    for campaign in range(40):
        for j in range(7):
            expected = by_definition(moved, list(medians[campaign]), 0.05, j)
            assert (found.violated[campaign, j], found.small[campaign, j]) == expected
    assert 0 < found.violated.sum() < found.violated.size


def test_calls_are_the_least_that_move_as_much() -> None:
    """From 1024 to 2000 two, from 3 to 10 four; nothing from 0, and no size from itself."""
    assert calls([0, 1024, 2000]).tolist() == [[0, 0, 0], [0, 0, 2], [0, 0, 0]]
    assert calls([3, 10]).tolist() == [[0, 4], [0, 0]]
