"""The rules of claims are the tests that they are said to be; tests/calibration/test_claims.py: how often they err."""

import numpy as np
import pytest
import scipy.stats

from ictus.stats.claim_rules import (
    CORRELATED,
    LEVEL,
    OFTEN,
    RARE,
    Ruling,
    Seen,
    alike_rule,
    each_holds,
    launches_rule,
    normality_rule,
    rank_correlation,
    rank_sum_p,
    share_rule,
    sign_rule,
    together,
    together_alike,
)
from ictus.studies.diagnosis.study import is_removed, means_rule, thinned
from ictus.studies.launches.compare_two import says_the_opposite
from ictus.studies.launches.study import spread_of


def test_rules_are_the_exact_tests() -> None:
    """By scipy's own, at the edges of their decisions."""
    for hits in range(8):
        p_value = scipy.stats.binom.sf(hits - 1, 15, RARE)
        assert share_rule(hits, 15).p_value == pytest.approx(p_value)
        assert (share_rule(hits, 15).seen is Seen.HOLDS) == (p_value <= LEVEL)
    assert share_rule(0, 15).seen is Seen.DOES_NOT_HOLD
    assert scipy.stats.binom.cdf(0, 15, OFTEN) <= LEVEL
    assert share_rule(0, 10).seen is Seen.CANNOT_BE_SEEN
    assert share_rule(0, 0) == Ruling(Seen.CANNOT_BE_SEEN, None)
    assert sign_rule(5, 0).p_value == pytest.approx(1 / 32)
    assert [sign_rule(*pair).seen.value for pair in ((5, 0), (4, 0), (0, 5), (0, 0))] == [
        "holds",
        "cannot be seen here",
        "does not hold",
        "cannot be seen here",
    ]
    assert rank_sum_p([1, 2, 3, 4], [5, 6, 7, 8]) == pytest.approx(2 / 70)
    assert rank_sum_p([], [1]) == 1.0


def test_launches_differ_by_a_correlation_of_their_ends_above_the_limit() -> None:
    """By hand: Fisher's transformation of the correlation of ranks against that of the limit; either way."""
    first, noise = np.random.default_rng(3).random((2, 12))
    last = first + 0.5 * noise
    rho = np.corrcoef(first.argsort().argsort(), last.argsort().argsort())[0, 1]
    above = (np.arctanh(rho) - np.arctanh(CORRELATED)) * np.sqrt(12 - 3) / 1.03
    found = launches_rule(first, last)
    assert found.p_value == pytest.approx(scipy.stats.norm.sf(above))
    assert found.against == pytest.approx(scipy.stats.norm.cdf(above))
    ends = np.arange(20.0)
    assert launches_rule(ends, ends).seen is Seen.HOLDS
    assert launches_rule(ends, ends[::-1]).seen is Seen.DOES_NOT_HOLD
    assert launches_rule(ends[:4], ends[:4]).seen is Seen.CANNOT_BE_SEEN
    assert rank_correlation(first, last) == pytest.approx(rho)
    assert rank_correlation([1, 2, 3, 4, np.nan], ends[:5]) is None  # four pairs are finite


def test_the_p_value_that_is_told_is_of_the_test_that_decided() -> None:
    """Of the opposite test where a claim does not hold."""
    rare, often = share_rule(0, 100), share_rule(100, 100)
    assert (rare.seen, rare.decisive_p) == (Seen.DOES_NOT_HOLD, rare.against)
    assert (often.seen, often.decisive_p) == (Seen.HOLDS, often.p_value)
    assert rare.against is not None
    assert rare.against < 0.05 < (rare.p_value or 0)


def test_means_that_share_a_launch_count_their_p_value_twice() -> None:
    """Lilliefors' test alone errs in 6 % of launches whose samples are normal."""
    for alone in (0.02, 0.03, 0.7):
        assert means_rule(alone, 1000) == normality_rule([min(2 * alone, 1.0)], 1000)
    assert (means_rule(0.02, 1000).seen, means_rule(0.03, 1000).seen) == (Seen.HOLDS, Seen.DOES_NOT_HOLD)


def test_correlation_is_removed_only_where_enough_samples_are_left() -> None:
    """Neighbours that are alike, and every third of them is not; what wanders for as long as the launch has nothing
    left to be tested; independent samples have nothing to remove.
    """
    random = np.random.default_rng(5)
    steps = random.standard_normal(1000)
    alike = scipy.signal.lfilter([1.0], [1.0, -0.3], steps)
    assert is_removed(alike)
    assert not is_removed(np.cumsum(steps))
    assert not is_removed(steps)


def test_several_things_at_once_are_refuted_by_all_of_their_tests() -> None:
    """Holm: of two that could refute it, one at 4 % is not enough."""
    yes = Ruling(Seen.HOLDS, 0.01, against=0.9)
    assert each_holds([yes, yes]).seen is Seen.HOLDS
    for against, seen in ((0.04, Seen.CANNOT_BE_SEEN), (0.02, Seen.DOES_NOT_HOLD)):
        no = Ruling(Seen.DOES_NOT_HOLD, 1.0, refuted=True, against=against)
        assert each_holds([yes, no]).seen is seen
        assert each_holds([no]).seen is Seen.DOES_NOT_HOLD


def test_several_cases_are_judged_together() -> None:
    """Holm's least p-value; refuted only where every case is."""
    yes, no, unknown = share_rule(4, 15), share_rule(0, 15), share_rule(1, 15)
    assert yes.p_value is not None
    assert together([yes, no, unknown]).p_value == pytest.approx(3 * yes.p_value)
    assert together([yes, no]).seen is Seen.HOLDS
    assert together([no, no]).seen is Seen.DOES_NOT_HOLD
    assert together([no, unknown]).seen is Seen.CANNOT_BE_SEEN
    assert together([]).seen is Seen.CANNOT_BE_SEEN


def test_all_cases_have_to_be_alike() -> None:
    """By the largest p-value of all cases, scipy's own; one that is far beyond the margin refutes the others."""
    ones = np.exp(0.01 * np.arange(1, 11))
    fine, beyond = alike_rule(ones, np.ones(10), 1.6), alike_rule(3 * ones, np.ones(10), 1.6)
    logs = np.log(ones)
    p_value = max(
        scipy.stats.wilcoxon(logs - np.log(1.6), alternative="less").pvalue,
        scipy.stats.wilcoxon(logs + np.log(1.6), alternative="greater").pvalue,
    )
    assert fine.p_value == pytest.approx(p_value)
    assert fine.seen is Seen.HOLDS
    assert beyond.seen is together_alike([fine, beyond]).seen is Seen.DOES_NOT_HOLD
    assert alike_rule(ones / 3, np.ones(10), 1.6).seen is Seen.DOES_NOT_HOLD
    few = alike_rule(ones[:4], np.ones(4), 1.6)
    assert few.seen is together_alike([fine, few]).seen is together_alike([]).seen is Seen.CANNOT_BE_SEEN
    unknown = alike_rule([np.nan], [1.0], 1.6)
    assert together_alike([fine, unknown]) == unknown == Ruling(Seen.CANNOT_BE_SEEN, None)


def test_pairs_of_launches_that_say_the_opposite_of_all() -> None:
    """Significant the other way round, however small the difference is; never what all say too, or nobody can tell."""
    low, high = np.arange(1.0, 11), np.arange(11.0, 21)
    p_value = rank_sum_p(low, high)
    assert says_the_opposite(p_value, low, high, 1.01)
    assert says_the_opposite(p_value, high, low, 0.99)
    assert not says_the_opposite(p_value, low, high, 0.5)
    assert not says_the_opposite(p_value, low, high, 1.0)
    assert not says_the_opposite(0.2, low, high, 2.0)


def test_pairs_of_a_spread_hold_each_launch_once() -> None:
    """Neighbours; the last of an odd number is left over for the extremes alone."""
    found = spread_of(None, np.array([1.0, 1.05, 1.0, 1.0, 2.0]))  # type: ignore[arg-type]
    assert (found.pairs, found.apart, found.low_s, found.high_s) == (2, 1, 1.0, 2.0)
    assert found.difference == pytest.approx(1.0)


def test_thinned_samples_are_at_most_as_many_as_asked_for() -> None:
    """Evenly over the launch; correlated ones farther apart."""
    random = np.random.default_rng(3)
    assert 45 <= thinned(random.normal(1, 0.1, 1000)).size <= 50
    assert thinned(np.cumsum(random.normal(0, 1, 1000))).size < 25


def test_tests_of_normality_are_combined_and_count_for_a_quarter_more() -> None:
    """Fisher's sum of logarithms is chi-square with two degrees of freedom a test; a single test counts as it is."""
    p_values = [0.04, 0.3, 0.6]
    fisher = scipy.stats.chi2.sf(-2 * np.log(p_values).sum(), 6)
    assert normality_rule(p_values, 200).p_value == pytest.approx(1.25 * fisher)
    assert normality_rule([0.04], 200).p_value == pytest.approx(0.04)
    assert normality_rule([0.9, 0.9], 200) == Ruling(Seen.DOES_NOT_HOLD, 1.0, refuted=True)
