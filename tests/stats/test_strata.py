"""Comparison within strata: against the ordinary tests, against all arrangements, and in worlds with known truth."""

import itertools
import math

import numpy as np
import pytest
from scipy import special, stats

from ictus.stats.by_stratum import modes_differ
from ictus.stats.compare import compare_cases
from ictus.stats.interval import hodges_lehmann
from ictus.stats.rank_sum_test import rank_sum
from ictus.stats.signed_rank_test import signed_rank
from ictus.stats.strata import compare_strata, weights_of
from ictus.stats.verdict import CaseRules, VerdictKind


def times(seed, *shape, spread=1.0):
    """Positive times."""
    return np.exp(spread * np.random.default_rng(seed).standard_normal(shape))


@pytest.mark.parametrize(("paired", "test", "n", "m"), [(False, rank_sum, 8, 9), (True, signed_rank, 8, 8)])
def test_one_stratum_is_the_ordinary_test(paired, test, n, m):
    """p-values, ratio and interval, of samples without ties."""
    a, b = times(1, 5, n), times(2, 5, m)
    rows = compare_strata(a, b, ((n, m),), paired=paired, level=0.05)
    for i in range(5):
        effect = hodges_lehmann(a[i], b[i], paired=paired)
        found = (rows.shifts.estimate[i], rows.shifts.low[i], rows.shifts.high[i])
        assert np.exp(found) == pytest.approx((effect.ratio, effect.low, effect.high), rel=1e-12)
        assert rows.p_value[i] == pytest.approx(test(a[i], b[i]).p_value, rel=1e-9)
        assert rows.p_less[i] == pytest.approx(test(a[i], b[i], "less").p_value, rel=1e-9)
        assert rows.p_greater[i] == pytest.approx(test(a[i], b[i], "greater").p_value, rel=1e-9)


def test_p_values_count_all_arrangements_within_strata():
    """Two strata of 3 + 2 and 2 + 2 values: every way to choose A's values inside each, by brute force."""
    sizes = ((3, 2), (2, 2))
    values = [times(3, 5), times(4, 4)]
    first, second = weights_of(sizes, paired=False)
    assert first / second == pytest.approx((4 + 1) / (5 + 1), rel=0.05), "near 1 / (N + 1)"

    def weighted(chosen):
        total = 0
        for weight, own, members in zip((first, second), values, chosen, strict=True):
            rest = [own[i] for i in range(len(own)) if i not in members]
            total += weight * sum(own[i] > other for i in members for other in rest)
        return total

    ways = list(itertools.product(itertools.combinations(range(5), 3), itertools.combinations(range(4), 2)))
    sums = [weighted(way) for way in ways]
    for way in (ways[0], ways[17], ways[-1]):
        sides = [(own[list(members)], np.delete(own, members)) for own, members in zip(values, way, strict=True)]
        a, b = (np.concatenate([pair[side] for pair in sides])[np.newaxis] for side in (0, 1))
        rows = compare_strata(a, b, sizes, paired=False, level=0.2)
        assert rows.p_less[0] == pytest.approx(np.mean([one <= weighted(way) for one in sums]), rel=1e-12)
        assert rows.p_greater[0] == pytest.approx(np.mean([one >= weighted(way) for one in sums]), rel=1e-12)
    assert rows.smallest_p == pytest.approx(2 / len(ways), rel=1e-12)


@pytest.mark.parametrize("paired", [False, True])
def test_the_interval_holds_the_ratios_that_the_test_does_not_reject(paired):
    """A is divided by ratios just inside and just outside of each limit."""
    sizes, level = (((6, 6), (4, 4)) if paired else ((6, 5), (3, 4))), 0.1
    a, b = times(5, 1, sum(n for n, _ in sizes)), times(6, 1, sum(m for _, m in sizes))
    shifts = compare_strata(a, b, sizes, paired=paired, level=level).shifts
    for limit, inside in ((shifts.low[0], 1e-9), (shifts.high[0], -1e-9)):
        for step, rejected in ((inside, False), (-inside, True)):
            p_value = compare_strata(a / math.exp(limit + step), b, sizes, paired=paired, level=level).p_value[0]
            assert bool(p_value <= level) is rejected


def test_many_values_take_the_normal_distribution_which_is_near_the_exact_one():
    """60 a side and stratum are beyond exactness; the same statistic by scipy's normal p-value of each."""
    sizes = ((60, 60), (60, 60))
    a, b = times(7, 1, 120), times(8, 1, 120) * 1.3
    own = compare_strata(a, b, sizes, paired=False, level=0.05).p_less[0]
    counts = [stats.mannwhitneyu(a[0, s], b[0, s]).statistic for s in (slice(60), slice(60, 120))]
    deviation = math.sqrt(2 * 60 * 60 * 121 / 12)
    assert own == pytest.approx(special.ndtr((sum(counts) + 0.5 - 3600) / deviation), rel=1e-9)


def test_ties_count_one_half_and_err_on_the_safe_side():
    """All equal: nothing is known."""
    rows = compare_strata(np.ones((1, 6)), np.ones((1, 6)), ((3, 3), (3, 3)), paired=False, level=0.05)
    assert (rows.p_value[0], rows.shifts.estimate[0]) == (1.0, 0.0)


def test_two_ratios_differ_by_welchs_t_test():
    """With two strata the analysis of variance is a t test of the difference, with Satterthwaite's degrees."""
    parts = {0: (times(1, 8), times(2, 9)), 1: (times(3, 7, spread=2.0) * 3, times(4, 6))}
    logs = {number: (np.log(a), np.log(b)) for number, (a, b) in parts.items()}
    shifts = [a.mean() - b.mean() for a, b in logs.values()]
    pieces = [(one.var(ddof=1) / one.size, one.size - 1) for pair in logs.values() for one in pair]
    variance = sum(piece for piece, _ in pieces)
    degrees = variance**2 / sum(piece**2 / own for piece, own in pieces)
    expected = 2 * stats.t.sf(abs(shifts[0] - shifts[1]) / math.sqrt(variance), degrees)
    assert modes_differ(parts) == pytest.approx(expected, rel=1e-9)
    assert math.isnan(modes_differ({0: parts[0]}))
    assert math.isnan(modes_differ({0: parts[0], 1: (np.ones(1), np.ones(3))})), "one launch shows no scatter"


def world(seed, n_cases, n, ratio, factors, *, spread=0.03):
    """Launches in two modes: far cores take `factors` times as long, A's and B's; B / A is 1 / ratio when near."""
    rng = np.random.default_rng(seed)
    modes = [(rng.random(n) < 0.5).astype(int) for _ in range(2)]
    sides = [
        list(scale * np.where(own, factor, 1.0) * np.exp(spread * rng.standard_normal((n_cases, n))))
        for scale, factor, own in zip((ratio, 1.0), factors, modes, strict=True)
    ]
    return sides, [tuple(modes)] * n_cases


def verdicts(sides, strata):
    """The kinds of verdict."""
    return [row.verdict.kind for row in compare_cases(*sides, CaseRules(paired=False), strata=strata)]


def test_strata_decide_what_the_scatter_between_modes_hides():
    """3 % faster, ten launches a side, two modes that differ by a factor of 3: within modes the scatter is 1 %."""
    sides, strata = world(1, 20, 10, 0.97, (3.0, 3.0), spread=0.01)
    assert verdicts(sides, None).count(VerdictKind.FASTER) == 0
    assert verdicts(sides, strata).count(VerdictKind.FASTER) >= 16


@pytest.mark.long
def test_without_a_difference_false_alarms_keep_to_the_level():
    """400 campaigns of five cases, in both modes alike: some verdict of a difference in at most 5 % of them, with 99 %
    confidence.
    """
    alarms = sum(
        any(kind in (VerdictKind.FASTER, VerdictKind.SLOWER, VerdictKind.DISTRIBUTIONS) for kind in verdicts(*one))
        for one in (world(seed, 5, 10, 1.0, (3.0, 3.0)) for seed in range(400))
    )
    assert alarms <= stats.binom.ppf(0.99, 400, 0.05)


def test_a_ratio_that_depends_on_the_mode_is_said_mode_by_mode():
    """A is 20 % faster when near and 20 % slower when far."""
    sides, strata = world(3, 3, 20, 0.8, (3.0 * 1.5, 3.0), spread=0.02)
    for row in compare_cases(*sides, CaseRules(paired=False), strata=strata):
        assert row.verdict.kind is VerdictKind.DISTRIBUTIONS
        assert row.verdict.text == "faster or slower by mode"
        near, far = row.by_stratum
        assert (near.stratum, near.kind, far.stratum, far.kind) == (0, VerdictKind.FASTER, 1, VerdictKind.SLOWER)
        assert near.ratio == pytest.approx(0.8, rel=0.03)
        assert far.ratio == pytest.approx(1.2, rel=0.03)
        assert near.n_a + far.n_a == row.n_a


def test_one_ratio_in_all_modes_has_one_verdict():
    """Both modes alike: no verdict of a mode in any of 20 cases."""
    sides, strata = world(4, 20, 20, 0.9, (3.0, 3.0))
    assert all(row.by_stratum == () for row in compare_cases(*sides, CaseRules(paired=False), strata=strata))


def test_launches_needed_are_those_of_the_scatter_within_modes():
    """2 % apart with 5 % of scatter, in two modes or in one: about the same number in the middle of forty cases, each
    judged alone; without strata many times as many.
    """

    def needed(sides, strata):
        rows = compare_cases(*sides, CaseRules(paired=False, adjust="none"), strata=strata)
        open_cases = [row.verdict for row in rows if row.verdict.kind is VerdictKind.UNDECIDED]
        assert len(open_cases) > 20
        return np.median([math.inf if one.more_launches is None else one.more_launches for one in open_cases])

    one, two = (world(5, 40, 10, 0.98, (factor, factor), spread=0.05) for factor in (1.0, 3.0))
    assert needed(*two) == pytest.approx(needed(*one), rel=0.4)
    assert needed(two[0], None) > 5 * needed(*two)


def test_a_mode_of_one_side_is_dropped_and_counted():
    """B never ran in mode 2; launches of an unknown state are compared with each other only."""
    a, b = [times(1, 9, spread=0.1)], [times(2, 7, spread=0.1)]
    strata = [([0] * 5 + [2] * 2 + [-1] * 2, [0] * 5 + [-1] * 2)]
    (row,) = compare_cases(a, b, CaseRules(paired=False), strata=strata, labels=("mpich", "openmpi"))
    assert (row.n_a, row.n_b, row.n_strata) == (7, 7, 2)
    assert "2 of 9 launches of mpich in modes that the other side never had" in row.remarks
    (row,) = compare_cases(a, b, CaseRules(paired=False), strata=[([0] * 9, [1] * 7)], labels=("mpich", "openmpi"))
    assert row.verdict.text == "NA: mpich and openmpi have no mode in common"


@pytest.mark.parametrize("paired", [False, True])
def test_all_launches_in_one_mode_give_the_numbers_of_none(paired):
    """Every field."""
    a, b = [times(1, 9)], [times(2, 9)]
    assert compare_cases(a, b, CaseRules(paired=paired), strata=[([3] * 9, [3] * 9)]) == compare_cases(
        a, b, CaseRules(paired=paired)
    )
