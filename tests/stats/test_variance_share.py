"""Shares of variance: known effects give known shares, and the sums of squares are those of the textbook."""

import itertools

import numpy as np
import pytest

from ictus.stats.variance import variance_shares


def crossed(effect, *, blocks=4, launches=6):
    """(times, columns) of a design with library and sync, both of two values; sync inside the launch."""
    design = itertools.product(range(blocks), "xy", range(launches), "vw")
    rows = [(effect(b, x, y, f"{x}{launch}"), b, f"{x}{launch}", x, y) for b, x, launch, y in design]
    logs, block, launch, library, sync = zip(*rows, strict=True)
    return np.exp(logs), block, launch, {"mpi": library, "procsync": sync}


def test_known_effects_have_known_shares():
    """Halves of ±3, ±1 alike, ±2 that changes its sign with the block, ±1 of a combination, ±1 by launch: squares."""

    def effect(block, library, sync, launch):
        x, y = (1 if library == "x" else -1), (1 if sync == "v" else -1)
        by_launch = 1 if int(launch[1:]) % 2 else -1
        return 100 * block + 3 * x + y + 2 * y * (-1) ** block + x * y + by_launch

    found = variance_shares(*crossed(effect))
    mpi, procsync = found.factors
    assert (mpi.alike, mpi.by_case) == pytest.approx((9 / 16, 0), abs=1e-12)
    assert (procsync.alike, procsync.by_case) == pytest.approx((1 / 16, 4 / 16), abs=1e-12)
    assert found.together == pytest.approx(1 / 16, abs=1e-12)
    assert (found.launches_shared, found.launches_own) == pytest.approx((1 / 16, 0), abs=1e-12)
    assert (found.balanced, found.n_blocks, found.n_values) == (True, 4, 96)


def test_balanced_shares_sum_to_one_and_least_squares_gives_the_same():
    """Noise everywhere: the sum is 1, and a design of one value more, no longer balanced, has nearly the same alike
    shares by type II.
    """
    random = np.random.default_rng(1)
    times, block, launch, factors = crossed(lambda b, x, y, _l: b + (x == "x") * 0.4 + (y == "v") * 0.2)
    times = times * np.exp(0.3 * random.standard_normal(times.size))
    whole = variance_shares(times, block, launch, factors)
    parts = [share for one in whole.factors for share in (one.alike, one.by_case)]
    assert sum([*parts, whole.together, whole.launches_shared, whole.launches_own]) == pytest.approx(1, rel=1e-12)
    less = variance_shares(times[:-1], block[:-1], launch[:-1], {name: column[:-1] for name, column in factors.items()})
    assert (whole.balanced, less.balanced) == (True, False)
    assert [one.by_case for one in less.factors] == [None, None]
    for one, other in zip(whole.factors, less.factors, strict=True):
        assert other.alike == pytest.approx(one.alike, abs=0.02)


def test_a_factor_that_follows_another_explains_nothing_beyond_it():
    """Not crossed: every value of the second factor has its own library, so neither has a share of its own."""
    logs = np.array([0.0, 0.1, 1.0, 1.1] * 2)
    follows = {"mpi": list("aabb") * 2, "env.A": list("1122") * 2}
    found = variance_shares(np.exp(logs), [0] * 4 + [1] * 4, list("1234") * 2, follows)
    assert not found.balanced
    assert [one.alike for one in found.factors] == pytest.approx([0, 0], abs=1e-12)
    alone = variance_shares(np.exp(logs), [0] * 4 + [1] * 4, list("1234") * 2, {"mpi": follows["mpi"]})
    assert alone.factors[0].alike == pytest.approx(1 / 1.01, rel=1e-9)
    assert alone.launches_shared == pytest.approx(0.01 / 1.01, rel=1e-9)


def test_size_has_no_share():
    """A million times the latency in another block changes nothing."""
    random = np.random.default_rng(2)
    times, block, launch, factors = crossed(lambda *_: float(random.normal()))
    scaled = times * np.where(np.array(block) == 2, 1e6, 1.0)
    one, other = variance_shares(times, block, launch, factors), variance_shares(scaled, block, launch, factors)
    assert [share.alike for share in other.factors] == pytest.approx([share.alike for share in one.factors], rel=1e-9)


def test_chance_alone_gives_small_shares():
    """Pure noise, 2 x 20 launches: a factor of two values gets about 1 / 40 of what launches share."""
    random = np.random.default_rng(3)
    shares = []
    for _ in range(200):
        shift = random.standard_normal(40)
        names = {f"{library}{i}": shift[i + 20 * (library == "y")] for library in "xy" for i in range(20)}
        found = variance_shares(*crossed(lambda _b, _x, _y, launch, names=names: names[launch], launches=20))
        shares.append(found.factors[0].alike)
    assert np.mean(shares) == pytest.approx(1 / 39, rel=0.25)


def test_nothing_varies_and_one_block():
    """Equal times have no shares: NaN, never 0; one block has no `by case`."""
    nothing = variance_shares([2e-6] * 4, [0] * 4, [1, 2, 3, 4], {"mpi": list("aabb")})
    assert np.isnan(nothing.factors[0].alike)
    assert nothing.factors[0].by_case is None
    assert np.isnan(nothing.launches_own)


@pytest.mark.parametrize(
    ("times", "blocks", "said"),
    [
        ([], [], "times is empty"),
        ([1.0, 0.0], [0, 0], "times holds a time that is not positive"),
        ([1.0, np.inf], [0, 0], "times holds a time that is not positive"),
        ([1.0, np.nan], [0, 0], "times holds 1 NaN"),
        ([1.0, 2.0], [0], "2 times, but blocks has 1 values"),
    ],
)
def test_what_has_no_logarithm_is_refused(times, blocks, said):
    """The error says which column."""
    with pytest.raises(ValueError, match=said):
        variance_shares(times, blocks, [0] * len(times), {})
