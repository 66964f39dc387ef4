"""The plain statistics against SciPy and NumPy: what checks must itself be right, and is no copy of what it checks."""

import numpy as np
import pytest
from scipy import special

from ictus.model.random import SplitMix64, shuffled
from ictus.stats.summary import summarise
from ictus.verification.plain import Stream, order, quantile, same, summary, two_sided


@pytest.mark.parametrize("degrees", [1.0, 2.5, 7.0, 18.0, 400.0])
def test_students_t_is_that_of_scipy(degrees: float) -> None:
    """By the continued fraction, over 12 orders of magnitude."""
    for t_value in (0.0, 0.01, 0.3, 1.0, 2.9, 7.0, 40.0):
        expected = 2 * float(special.stdtr(degrees, -t_value))
        assert two_sided(t_value, degrees) == pytest.approx(expected, rel=1e-9)


def test_quantiles_are_those_of_numpy() -> None:
    """Of every size from 1 to 40."""
    draw = np.random.default_rng(3)
    for n in range(1, 41):
        values = draw.lognormal(size=n).tolist()
        for share in (0.25, 0.5, 0.75):
            assert quantile(values, share) == pytest.approx(float(np.percentile(values, 100 * share)), rel=1e-14)


@pytest.mark.parametrize("seed", range(40))
def test_a_summary_is_the_one_that_is_shown(seed: int) -> None:
    """Two implementations that share nothing: sizes from 0 to 2000, outliers, flags, shifts, infinities."""
    draw = np.random.default_rng(seed)
    n = int(draw.integers(0, 2000)) if seed else 0
    values = draw.lognormal(sigma=0.2, size=n) * np.where(np.arange(n) < n / 2, 1.0, 1 + draw.normal(scale=0.03))
    values[draw.random(n) < 0.02] *= 9
    flags = (draw.random(n) < 0.1) * draw.integers(1, 8, n)
    values[draw.random(n) < 0.01] = np.inf
    found, shown = summary(values.tolist(), flags.tolist()), summarise(values, flags)
    for name, value in vars(found).items():
        if name != "shift_matters" or value is not None:
            assert same(getattr(shown, name), value), name


def test_equal_numbers_and_unknown_ones_are_the_same() -> None:
    """And others are not."""
    assert same(1e-6, 1e-6 * (1 + 1e-15))
    assert same(None, float("nan"))
    assert not same(1e-6, 1.01e-6)
    assert not same(1.0, None)
    assert not same("a", "b")


def test_orders_are_those_of_the_recorded_vectors() -> None:
    """SplitMix64 and the shuffle, written anew."""
    for seed in (0, 1, 2**53 - 1):
        stream, known = Stream(seed), SplitMix64(seed)
        assert [stream.next() for _ in range(5)] == [known.next_u64() for _ in range(5)]
        assert order(seed, range(17)) == list(shuffled(range(17), seed))
