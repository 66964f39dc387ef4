"""The rules of claims are the tests that they are said to be; test_drawn.py has how often they err."""

import numpy as np
import pytest
import scipy.stats

from ictus.stats.claim_rules import (
    LEVEL,
    OFTEN,
    RARE,
    Ruling,
    Seen,
    alike_rule,
    launches_rule,
    normality_rule,
    rank_sum_p,
    share_rule,
    sign_rule,
    together,
    together_alike,
)
from ictus.studies.diagnosis.study import means_rule, thinned
from ictus.studies.launches.study import contradicts, spread_of


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


def test_rules_that_would_err_too_often_count_their_p_values_more() -> None:
    """Launches that differ: Student's test of the correlation of their ranks, 1.1 times. Means that are not normal:
    Shapiro and Wilk's, twice.
    """
    first, noise = np.random.default_rng(3).random((2, 12))
    last = first + 1.5 * noise
    rho = np.corrcoef(first.argsort().argsort(), last.argsort().argsort())[0, 1]
    p_value = scipy.stats.t.sf(rho * np.sqrt(10 / (1 - rho**2)), 10)
    assert 0.001 < p_value < 0.5
    assert launches_rule(first, last).p_value == pytest.approx(1.1 * p_value)
    for alone in (0.02, 0.03, 0.7):
        assert means_rule(alone, 1000) == normality_rule([min(2 * alone, 1.0)], 1000)
    assert (means_rule(0.02, 1000).seen, means_rule(0.03, 1000).seen) == (Seen.HOLDS, Seen.DOES_NOT_HOLD)


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


def test_pairs_of_launches_that_contradict_all() -> None:
    """Significant the other way round, or where all show no difference; never what nobody can tell."""
    low, high = np.arange(1.0, 11), np.arange(11.0, 21)
    p_value = rank_sum_p(low, high)
    assert contradicts(p_value, low, high, "slower")
    assert contradicts(p_value, low, high, "same")
    assert not contradicts(p_value, low, high, "faster")
    assert not contradicts(p_value, low, high, "undecided")
    assert not contradicts(0.2, low, high, "slower")


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
