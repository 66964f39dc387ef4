"""Whether a finding holds in data: exact tests, rank tests, and tests of scatter, each against "the finding is false",
at 5 %.

Every rule answers one of three. `HOLDS`: data as these are rare (5 % at most, over all cases of a finding together)
where the finding is false. `DOES_NOT_HOLD`: data as these are rare where the finding is as large as its rule names.
Else it cannot be seen: more data, or another machine, may tell. All functions are pure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import atanh, sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.adjust import holm
from ictus.stats.arrays import FloatArray
from ictus.stats.between_campaigns import FEWEST_CAMPAIGNS, campaign_variance
from ictus.stats.registry import TESTS

LEVEL = 0.05
RARE, OFTEN = 0.05, 0.2
CORRELATED = 0.6
"""Correlation of launches' ends from which launches differ by more than their samples wander: where launches are alike,
and what their samples wander by is correlated over as long a time as the launch takes, ends correlate by 0.55."""
_OF_RANKS = 1.03
"""Standard deviation of Fisher's transformation of a correlation of ranks, times that of values."""
_OF_FEW_TRIALS = 1.25
"""Times that a p-value of Brown and Forsythe's test counts: of eight trials of which some are late it errs in 5.2 %."""
_OF_APPROXIMATE_TESTS = 1.25
"""Times that Fisher's combination of p-values counts which are approximations in their tails, as Shapiro and Wilk's:
of several cases whose samples are normal the combinations alone find one that is not in 5.1 to 5.5 % of studies."""
_CAMPAIGNS_SHARE = 0.2
"""Share of the variance, of the logarithms, from which campaigns differ by what is worth telling."""
_NORMAL_FROM = 200
"""Independent samples from which a distribution with a second hump of the paper's size would hardly look normal."""


class Seen(str, Enum):
    """What the data say of a finding."""

    HOLDS = "holds"
    DOES_NOT_HOLD = "does not hold"
    CANNOT_BE_SEEN = "cannot be seen here"


@dataclass(frozen=True)
class Ruling:
    """The answer of a rule about one case, or about several."""

    seen: Seen
    p_value: float | None
    """Of the test against "the finding is false"; adjusted where there are several cases. None without a test."""
    refuted: bool = False
    """Whether this case alone contradicts the finding."""
    against: float | None = None
    """Of the test that contradicts it, where several cases are judged by it."""

    @property
    def decisive_p(self) -> float | None:
        """Of the test that decided: the one that contradicts the finding where it does not hold."""
        return self.against if self.seen is Seen.DOES_NOT_HOLD else self.p_value


def share_rule(hits: int, trials: int, *, rare: float = RARE, often: float = OFTEN) -> Ruling:
    """Whether something happens more often than rarely: exact binomial test of `hits` in independent `trials`.

    It is refuted where the same test shows that it happens less often than `often`.
    """
    if trials == 0:
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    p_value = float(scipy.stats.binomtest(hits, trials, rare, alternative="greater").pvalue)
    less = float(scipy.stats.binomtest(hits, trials, often, alternative="less").pvalue)
    return _ruling(p_value, refuted=less <= LEVEL, against=less)


def rarity_rule(hits: int, trials: int, most: float) -> Ruling:
    """Whether something happens less often than `most`: exact binomial test of `hits` in independent `trials`. Refuted
    where the same test shows that it happens more often.
    """
    if trials == 0:
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    p_value, p_greater = (
        float(scipy.stats.binomtest(hits, trials, most, alternative=side).pvalue) for side in ("less", "greater")
    )
    return _ruling(p_value, refuted=p_greater <= LEVEL, against=p_greater)


def sign_rule(ups: int, downs: int) -> Ruling:
    """Whether one of two is larger, launch by launch: exact sign test; ties are left out before."""
    if ups + downs == 0:
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    p_value, p_less = (
        float(scipy.stats.binomtest(ups, ups + downs, 0.5, alternative=side).pvalue) for side in ("greater", "less")
    )
    return _ruling(p_value, refuted=p_less <= LEVEL, against=p_less)


def launches_rule(first: ArrayLike, last: ArrayLike) -> Ruling:
    """Whether launches differ by more than their samples scatter and wander: then what a launch measures first goes
    with what it measures last.

    `first` and `last` are medians of the launches' first and last thirds, shape (launches,). Their rank correlation
    (Spearman, by Fisher's transformation) is above `CORRELATED`; refuted where it is shown to be below.
    """
    firsts, lasts = _finite_pairs(first, last)
    rho = rank_correlation(firsts, lasts)
    if rho is None:
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    rho = min(max(rho, -1 + 1e-9), 1 - 1e-9)
    above = (atanh(rho) - atanh(CORRELATED)) * sqrt(firsts.size - 3) / _OF_RANKS
    p_value, against = float(scipy.stats.norm.sf(above)), float(scipy.stats.norm.cdf(above))
    return _ruling(p_value, refuted=against <= LEVEL, against=against)


def rank_correlation(first: ArrayLike, last: ArrayLike) -> float | None:
    """Spearman's, of the pairs that are finite; None of fewer than five, or where one side does not vary."""
    firsts, lasts = _finite_pairs(first, last)
    if firsts.size < 5 or np.ptp(firsts) == 0 or np.ptp(lasts) == 0:
        return None
    return float(scipy.stats.spearmanr(firsts, lasts).statistic)


def _finite_pairs(first: ArrayLike, last: ArrayLike) -> tuple[FloatArray, FloatArray]:
    firsts, lasts = np.asarray(first, dtype=np.float64), np.asarray(last, dtype=np.float64)
    finite = np.isfinite(firsts) & np.isfinite(lasts)
    return firsts[finite], lasts[finite]


def campaigns_rule(campaigns: Sequence[ArrayLike]) -> Ruling:
    """Whether launches of different campaigns differ by more than launches of one: `campaigns` has the positive medians
    of each one's launches, shape (launches,).

    The rank test of Kruskal and Wallis: where campaigns do not matter, any launch might be in any of them. Refuted
    where the F test of an analysis of variance of the logarithms shows that less than a fifth of the variance is that
    of campaigns.
    """
    logs = [
        np.log(np.asarray(campaign, dtype=np.float64)) for campaign in campaigns if len(np.atleast_1d(campaign)) > 1
    ]
    if len(logs) < FEWEST_CAMPAIGNS or np.ptp(np.concatenate(logs)) == 0:
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    variance = campaign_variance(logs)
    p_value = float(scipy.stats.kruskal(*logs).pvalue)
    less = variance.p_share_at_most(_CAMPAIGNS_SHARE)
    return _ruling(p_value, refuted=less <= LEVEL, against=less)


def normality_rule(p_values: Sequence[float], n_samples: int) -> Ruling:
    """Whether samples are not normal: p-values of independent samples' tests of normality, combined (Fisher), and then
    times 1.25; a single one counts as it is.

    That samples are normal cannot be shown; where many look so, a second hump of one sample in twenty, half as long
    again, would have been seen in 95 % of studies, and the finding is refuted.
    """
    floored = [max(value, 1e-300) for value in p_values if np.isfinite(value)]
    if not floored:
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    p_value = float(scipy.stats.combine_pvalues(floored, method="fisher").pvalue)
    p_value = min(_OF_APPROXIMATE_TESTS * p_value, 1.0) if len(floored) > 1 else p_value
    return _ruling(p_value, refuted=p_value > LEVEL and n_samples >= _NORMAL_FROM)


def rank_sum_p(a: ArrayLike, b: ArrayLike) -> float:
    """Two-sided p-value of the rank-sum test; 1 where a side has no value."""
    values_a, values_b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if values_a.size == 0 or values_b.size == 0:
        return 1.0
    return float(TESTS["rank-sum"].rows(values_a[np.newaxis], values_b[np.newaxis], "two-sided").p_value[0])


def alike_rule(a: ArrayLike, b: ArrayLike, most: float) -> Ruling:
    """Whether two differ less than `most` times: signed-rank tests of the launches' values, both of shape (launches,),
    against that ratio and its inverse. Refuted where they are shown to differ more.
    """
    values_a, values_b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    finite = np.isfinite(values_a) & np.isfinite(values_b)
    if not finite.any():
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    (ruling,) = alike_rules(values_a[np.newaxis, finite], values_b[np.newaxis, finite], most)
    return ruling


def alike_rules(a: FloatArray, b: FloatArray, most: float, test: str = "signed-rank") -> tuple[Ruling, ...]:
    """`alike_rule` of many cases, both of shape (cases, launches), every value known; `test` is a rank test."""
    sides = ((a, most * b), (b, most * a), (most * b, a), (most * a, b))
    tested = np.array([TESTS[test].rows(smaller, larger, "less").p_value for smaller, larger in sides])
    alike, against = tested[:2].max(axis=0), np.minimum(2 * tested[2:].min(axis=0), 1.0)
    return tuple(
        _ruling(float(p_value), refuted=bool(beyond <= LEVEL), against=float(beyond))
        for p_value, beyond in zip(alike, against, strict=True)
    )


def apart_rules(a: FloatArray, b: FloatArray, most: float) -> tuple[Ruling, ...]:
    """Whether two differ more than `most` times, of many cases: `alike_rules` the other way round, by the rank-sum
    test, of which ten launches are enough for a hundred cases. Refuted where they are shown to differ less.
    """
    return tuple(
        _ruling(ruling.against, refuted=ruling.p_value <= LEVEL, against=ruling.p_value)
        for ruling in alike_rules(a, b, most, "rank-sum")
        if ruling.p_value is not None and ruling.against is not None
    )


def no_longer_rules(a: FloatArray, b: FloatArray, most: float, test: str = "signed-rank") -> tuple[Ruling, ...]:
    """Whether one takes less than `most` times as long as the other: rank tests of many cases, both of shape
    (cases, launches), every value known. Refuted where it is shown to take longer.
    """
    less, greater = (TESTS[test].rows(*sides, "less").p_value for sides in ((a, most * b), (most * b, a)))
    return tuple(
        _ruling(float(p_value), refuted=bool(beyond <= LEVEL), against=float(beyond))
        for p_value, beyond in zip(less, greater, strict=True)
    )


def no_longer_rule(a: ArrayLike, b: ArrayLike, most: float, *, paired: bool) -> Ruling:
    """`no_longer_rules` of one case: a launch without a value (NaN) is left out, of pairs with its partner."""
    values_a, values_b = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    finite_a, finite_b = np.isfinite(values_a), np.isfinite(values_b)
    if paired:
        finite_a = finite_b = finite_a & finite_b
    if not (finite_a.any() and finite_b.any()):
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    test = "signed-rank" if paired else "rank-sum"
    (ruling,) = no_longer_rules(values_a[np.newaxis, finite_a], values_b[np.newaxis, finite_b], most, test)
    return ruling


def nearer_rule(a: ArrayLike, b: ArrayLike) -> Ruling:
    """Whether results of equal experiments, both positive and of shape (trials,), lie nearer together one way (a) than
    the other (b): Brown and Forsythe's test of their logarithms, one-sided, its p-value times 1.25. Refuted where they
    are shown to lie farther apart.
    """
    values_a, values_b = (np.log(np.asarray(values, dtype=np.float64)) for values in (a, b))
    if min(values_a.size, values_b.size) < 3 or np.ptp(values_a) == np.ptp(values_b) == 0:
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    both = float(scipy.stats.levene(values_a, values_b, center="median").pvalue)
    nearer = np.abs(values_a - np.median(values_a)).mean() < np.abs(values_b - np.median(values_b)).mean()
    p_value, against = (both / 2, 1 - both / 2) if nearer else (1 - both / 2, both / 2)
    p_value = min(_OF_FEW_TRIALS * p_value, 1.0)
    return _ruling(p_value, refuted=against <= LEVEL, against=against)


def together_alike(rulings: Sequence[Ruling]) -> Ruling:
    """The finding that every case is alike, or that several things are true at once: it holds where each holds by
    itself, at no more than the level of one; it does not where one is refuted by p-values that are adjusted for all of
    them (Holm).
    """
    if not rulings or any(ruling.p_value is None for ruling in rulings):
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    largest = max(ruling.p_value for ruling in rulings if ruling.p_value is not None)
    against = [ruling.against for ruling in rulings if ruling.against is not None]
    return _ruling(largest, refuted=float(holm(np.array(against)).min()) <= LEVEL)


def each_holds(rulings: Sequence[Ruling]) -> Ruling:
    """The finding that several things are true at once, each proven by itself at the level of one; it does not hold
    where one of them is refuted by p-values that are adjusted for all of them (Holm).
    """
    p_values = [ruling.p_value for ruling in rulings if ruling.p_value is not None]
    p_value = max(p_values) if len(p_values) == len(rulings) else None
    if all(ruling.seen is Seen.HOLDS for ruling in rulings):
        return Ruling(Seen.HOLDS, p_value)
    against = [ruling.against for ruling in rulings if ruling.against is not None]
    least = float(holm(np.array(against)).min()) if against else 1.0
    refuted = least <= LEVEL
    return Ruling(Seen.DOES_NOT_HOLD if refuted else Seen.CANNOT_BE_SEEN, p_value, refuted, least)


def together(rulings: Sequence[Ruling]) -> Ruling:
    """The finding of several cases: it holds where it holds in one, by p-values adjusted for all of them (Holm); it
    does not where every case refutes it.
    """
    tested = [ruling for ruling in rulings if ruling.p_value is not None]
    if not tested:
        return Ruling(Seen.CANNOT_BE_SEEN, None)
    least = float(holm(np.array([ruling.p_value for ruling in tested])).min())
    against = [ruling.against for ruling in rulings if ruling.against is not None]
    every = max(against) if len(against) == len(rulings) else None
    return _ruling(least, refuted=all(ruling.refuted for ruling in rulings), against=every)


def _ruling(p_value: float, *, refuted: bool, against: float | None = None) -> Ruling:
    if p_value <= LEVEL:
        return Ruling(Seen.HOLDS, p_value, against=against)
    return Ruling(Seen.DOES_NOT_HOLD if refuted else Seen.CANNOT_BE_SEEN, p_value, refuted, against)
