"""The rules of findings: of false ones at most 5 % hold, of those as large as the paper's at least 80 % do.

2,000 data sets each, drawn as the rule's own words say; the promise is judged by an exact binomial test.
"""

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import scipy.stats
from numpy.typing import ArrayLike
from tests.findings import clock_draws
from tests.findings.clock_draws import Draw, shares, signs

from ictus.findings.members.factors import any_difference, judge_rows
from ictus.findings.members.harmonize import MOST_ALIKE
from ictus.findings.members.launches import APART, contradicts, spread_of
from ictus.findings.members.samples import thinned
from ictus.findings.rules import (
    LEVEL,
    OFTEN,
    RARE,
    Ruling,
    Seen,
    alike_rule,
    alike_rules,
    launches_rule,
    normality_rule,
    rank_sum_p,
    share_rule,
    sign_rule,
    together,
    together_alike,
)
from ictus.stats.arrays import FloatArray
from ictus.stats.binomial_rate import Side, rate
from ictus.stats.compare import compare_cases
from ictus.stats.correlation import autocorrelation
from ictus.stats.normality import shapiro_wilk

SETS = 2000


def held(draw: Draw, sets: int = SETS) -> int:
    """In how many data sets a finding holds."""
    random = np.random.default_rng(18)
    return sum(draw(random).seen is Seen.HOLDS for _ in range(sets))


def launches(random: np.random.Generator, spread: float) -> Ruling:
    """30 launches, thirds of 100 samples that scatter by 5 %; launches by `spread`."""
    own = random.normal(0, spread, 30)
    ends = own + 1.25 * 0.05 / 10 * random.standard_normal((2, 30))  # medians of 100
    return launches_rule(np.exp(ends[0]), np.exp(ends[1]))


def shape(random: np.random.Generator, hump: float) -> Ruling:
    """Five launches of 50 samples; a share `hump` of them in a second hump, half as long again."""
    samples = random.normal(1, 0.05, (5, 50)) + 0.5 * (random.random((5, 50)) < hump)
    return normality_rule([shapiro_wilk(one) for one in samples], samples.size)


def ten_signs(random: np.random.Generator, up: float) -> Ruling:
    """Ten launches, in each of which one is the larger with the chance `up`."""
    ups = int(random.binomial(10, up))
    return signs(ups, 10 - ups)


def loops(random: np.random.Generator, spread: float) -> Ruling:
    """What loops report in 30 launches of four sizes: the paper's 10 % between the extremes are a spread of 2.4 %."""
    values = np.exp(random.normal(0, spread, (4, 30)))
    ratios = np.maximum(values[:, ::2], values[:, 1::2]) / np.minimum(values[:, ::2], values[:, 1::2])
    return together([shares(int(hits), 15) for hits in (ratios >= 1 + APART).sum(axis=1)])


def correlated(random: np.random.Generator, alike: float) -> Ruling:
    """Ten launches of 300 samples, each like the one before it by `alike`."""
    hits = 0
    for _ in range(10):
        noise = random.standard_normal(300)
        values = np.empty(300)
        values[0] = noise[0]
        for i in range(1, 300):
            values[i] = alike * values[i - 1] + noise[i]
        hits += autocorrelation(values).significant
    return shares(hits, 10, rare=0.01, often=0.5)


def starts(random: np.random.Generator, ratios: ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Ten launches of each case, after a barrier and after Harmonize; both share what their launch is slower by."""
    found = np.asarray(ratios, dtype=np.float64)[:, np.newaxis]
    shared, own = random.normal(0, 0.2, (len(found), 10)), random.normal(0, 0.1, (2, len(found), 10))
    return found * np.exp(shared + own[0]), np.exp(shared + own[1])


def differing(random: np.random.Generator, ratio: float) -> Ruling:
    """Two sizes, compared as users compare them."""
    results = compare_cases(*map(list, starts(random, [ratio, ratio])), paired=True, forecast=False)
    rows: Any = [SimpleNamespace(outcome=one.verdict.kind.value, result=one) for one in results]
    return judge_rows(tuple(rows), any_difference)


def alike(ratios: tuple[float, ...], sets: int) -> int:
    """In how many sets all cases are held to be alike, each against the margin."""
    random = np.random.default_rng(18)
    rulings = alike_rules(*starts(random, ratios * sets), MOST_ALIKE)
    own = (rulings[at : at + len(ratios)] for at in range(0, len(rulings), len(ratios)))
    return sum(together_alike(one).seen is Seen.HOLDS for one in own)


FALSE: dict[str, Draw] = {
    "a share of just the rare": lambda random: shares(int(random.binomial(15, RARE)), 15),
    "three cases of it": lambda random: together([shares(int(k), 15) for k in random.binomial(15, RARE, 3)]),
    "signs by chance": lambda random: ten_signs(random, 0.5),
    "launches alike": lambda random: launches(random, 0.0),
    "two cases of launches alike": lambda random: together([launches(random, 0.0) for _ in range(2)]),
    "normal samples": lambda random: shape(random, 0.0),
    "loops that scatter by 1 %": lambda random: loops(random, 0.01),
    **clock_draws.FALSE,
}
AS_IN_PAPERS: dict[str, Draw] = {
    "a share of four in ten": lambda random: shares(int(random.binomial(15, 0.4)), 15),
    "nine signs of ten": lambda random: ten_signs(random, 0.95),
    "launches 3 % apart": lambda random: launches(random, 0.03),
    "one sample in twenty in a second hump": lambda random: shape(random, 0.05),
    "loops 10 % apart": lambda random: loops(random, 0.024),
    **clock_draws.AS_IN_PAPERS,
}


@pytest.mark.parametrize("name", FALSE)
def test_a_false_finding_rarely_holds(name: str) -> None:
    """At most one in twenty."""
    found = rate(held(FALSE[name]), SETS, "at most", LEVEL)
    assert found.holds, found


@pytest.mark.parametrize("name", AS_IN_PAPERS)
def test_a_finding_as_large_as_the_papers_holds(name: str) -> None:
    """At least four in five."""
    found = rate(held(AS_IN_PAPERS[name]), SETS, "at least", 0.8)
    assert found.holds, found


@pytest.mark.long
@pytest.mark.parametrize(("ratio", "side", "promised"), [(1.0, "at most", LEVEL), (0.6, "at least", 0.8)])
def test_a_start_that_matters_is_told_from_one_that_does_not(ratio: float, side: Side, promised: float) -> None:
    """A reduce after a barrier takes as long, or 0.6 of the time."""
    found = rate(held(lambda random: differing(random, ratio)), SETS, side, promised)
    assert found.holds, found


@pytest.mark.parametrize("ratios", [(MOST_ALIKE, 1.0, 1.0, 1.0), (1 / MOST_ALIKE,)])
def test_one_case_at_the_margin_is_rarely_called_alike(ratios: tuple[float, ...]) -> None:
    """With its upper limit at most one in twenty, which needs more sets: the test's own level is 4.2 % of ten."""
    found = rate(alike(ratios, 20_000), 20_000, "at most", LEVEL)
    assert found.high <= LEVEL, found


def test_scatter_and_gather_that_do_not_differ_are_called_alike() -> None:
    """Four cases in four of five sets."""
    found = rate(alike((1.0, 1.0, 1.0, 1.0), SETS), SETS, "at least", 0.8)
    assert found.holds, found


@pytest.mark.parametrize(("alike", "side", "promised"), [(0.0, "at most", LEVEL), (0.3, "at least", 0.8)])
def test_correlation_is_told_from_none(alike: float, side: str, promised: float) -> None:
    """Fewer sets, as a set is ten launches; the rule itself is the share's."""
    found = rate(held(lambda random: correlated(random, alike), 100), 100, side, promised)  # type: ignore[arg-type]
    assert found.holds, found


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
