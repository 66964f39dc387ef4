"""The power calculation against campaigns simulated in the test, and against theory where there is one."""

from math import exp, log, log1p, sqrt

import numpy as np
import pytest
from scipy import special

from ictus.stats.binomial_rate import rate
from ictus.stats.interval import ratio_shifts
from ictus.stats.null_distribution import rank_sum_count
from ictus.stats.planning import launches_needed, power
from ictus.stats.registry import TESTS, find_test
from ictus.stats.sample_size import LIKELY_SHIFT, CaseEstimate, likely_shift_of, more_launches
from ictus.stats.scatter import scatter_of

MARGIN = 0.05


def test_welch_power_is_that_of_the_noncentral_t():
    """Small spreads make log-normal times normal: 10 against 10, one standard deviation apart, 5 %."""
    critical = special.stdtrit(18, 0.975)
    theory = 1 - special.nctdtr(18, 1 / sqrt(0.2), critical) + special.nctdtr(18, 1 / sqrt(0.2), -critical)
    assert power(exp(0.001), 0.001, 10, 10, test="welch") == pytest.approx(theory, abs=0.025)


@pytest.mark.parametrize("cases", [1, 6])
def test_rank_sum_power_is_the_share_of_campaigns_whose_u_is_critical(cases):
    """U counted pair by pair, its critical value from the null distribution at the level that Holm leaves."""
    random = np.random.default_rng(99)
    a, b = 0.3 + 0.2 * random.standard_normal((4000, 12)), 0.2 * random.standard_normal((4000, 12))
    below = (a[:, :, np.newaxis] < b[:, np.newaxis, :]).sum(axis=(1, 2))
    count = rank_sum_count(12, 12, 0.05 / cases / 2)
    found = int(((below < count) | (144 - below < count)).sum())
    assert power(exp(0.3), 0.2, 12, 12, cases=cases) == pytest.approx(found / 4000, abs=0.03)


def test_power_without_difference_is_the_level():
    """The test's own size, from below: ranks are discrete."""
    for test in ("rank-sum", "signed-rank", "welch"):
        assert 0.03 < power(1.0, 0.2, 12, 12, test=test) < 0.06


def test_pairs_find_five_percent_where_independent_launches_do_not():
    """Decision 25: +5 %, ten launches; factor of 0.7 to 1.4 against 0.5 % between the two in one launch."""
    assert power(1.05, 0.17, 10, 10, test="rank-sum") < 0.15
    assert power(1.05, 0.01, 10, 10, test="signed-rank") > 0.99


@pytest.mark.parametrize("test", TESTS)
def test_launches_needed_reach_the_chance_in_simulated_campaigns(test):
    """Planned for 80 %: so many launches find it, and three fifths of them do not."""
    needed = launches_needed(1.15, 0.15, cases=4, test=test)
    random = np.random.default_rng(5)

    def share(n, campaigns=600):
        a = 1.15 * np.exp(0.15 * random.standard_normal((campaigns, n)))
        b = np.ones((campaigns, n)) if TESTS[test].paired else np.exp(0.15 * random.standard_normal((campaigns, n)))
        return rate(int((TESTS[test].rows(a, b, "two-sided").p_value <= 0.05 / 4).sum()), campaigns, "at least", 0.78)

    assert share(needed).holds
    assert share(needed).share < 0.93
    assert not share(needed * 3 // 5).holds


def test_a_difference_too_small_for_a_thousand_launches_has_no_number():
    """None, not a made-up one."""
    assert launches_needed(1.001, 0.2) is None


@pytest.mark.parametrize(("ratio", "spread"), [(0.0, 0.1), (1.1, 0.0), (1.1, float("nan"))])
def test_ratio_and_spread_must_be_positive(ratio, spread):
    """Both mean nothing otherwise."""
    with pytest.raises(ValueError, match="must be positive"):
        power(ratio, spread, 10, 10)


def settled(a, b, test, alone):
    """Whether each campaign is decided: a difference at the adjusted level, or an interval inside the margin."""
    shifts = ratio_shifts(a, b, paired=test.paired, level=0.05)
    inside = (shifts.low >= -log1p(MARGIN)) & (shifts.high <= log1p(MARGIN))
    return (test.rows(a, b, "two-sided").p_value <= alone) | inside, shifts


def follow_up(paired, scatter, divide, *, furthest=0.3, campaigns=700, launches=10, most=150):
    """Campaigns of true shifts up to `furthest`, undecided after ten launches, continued by a share of what was said.

    Returns how many are decided then, and how many there were.
    """
    random, test, alone = np.random.default_rng(11), find_test(None, paired=paired), 0.05 / 6
    shift = random.uniform(-furthest, furthest, (campaigns, 1))
    a = np.exp(shift + 0.06 * scatter(random, (campaigns, launches + most)))
    b = np.ones_like(a) if paired else np.exp(0.06 * scatter(random, a.shape))
    now, shifts = settled(a[:, :launches], b[:, :launches], test, alone)
    unit = test.critical_effect(launches, launches, 0.05)
    said = {}
    for i in np.flatnonzero(~now):
        spread = (shifts.high[i] - shifts.low[i]) / 2 / unit
        more = more_launches(
            CaseEstimate(
                shifts.estimate[i],
                spread,
                launches,
                launches,
                scatter_of(a[i, :launches], b[i, :launches], paired=paired),
            ),
            test.name,
            level=0.05,
            alone=alone,
            equivalence=MARGIN,
        )
        if more is not None and more <= most:
            said.setdefault(launches + max(1, more // divide), []).append(i)
    hits = sum(int(settled(a[rows, :size], b[rows, :size], test, alone)[0].sum()) for size, rows in said.items())
    return hits, sum(map(len, said.values()))


SCATTERS = {
    "normal": lambda random, shape: random.standard_normal(shape),
    "heavy-tailed": lambda random, shape: random.laplace(0, sqrt(0.5), shape),
    "flat": lambda random, shape: random.uniform(-sqrt(3), sqrt(3), shape),
}


@pytest.mark.few(2)
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("scatter", SCATTERS)
def test_as_many_more_launches_as_said_decide_four_of_five_cases(scatter, paired):
    """The promise on the whole planned campaign, launches normal or not; a third of the number does not suffice."""
    said = rate(*follow_up(paired, SCATTERS[scatter], 1), "at least", 0.8)
    assert said.holds
    hits, trials = follow_up(paired, SCATTERS[scatter], 3)
    assert trials > 80
    assert hits / trials < min(0.75, said.share - 0.15)


@pytest.mark.parametrize("paired", [False, True])
def test_a_library_against_itself_is_decided_by_as_many_more_launches_as_said(paired):
    """A/A is the case to expect of two good libraries: then it is equivalence that the launches are for."""
    assert rate(*follow_up(paired, SCATTERS["normal"], 1, furthest=0.0, campaigns=250), "at least", 0.8).holds


def test_more_launches_shrink_with_the_noise_and_with_the_difference():
    """Half the noise needs about a quarter of the launches; hopeless noise more than a thousand."""

    def asked(shift, spread):
        return more_launches(
            CaseEstimate(shift, spread, 10, 10), "rank-sum", level=0.05, alone=0.05, equivalence=MARGIN
        )

    assert asked(0.0, 0.2) > 3 * asked(0.0, 0.1)
    assert asked(0.0, 0.1) > 2 * asked(log(1.2), 0.1)
    assert asked(0.0, 5.0) is None


@pytest.mark.few(1)
@pytest.mark.parametrize("test", TESTS)
def test_critical_effect_is_the_shift_found_half_the_time(test):
    """To an eighth of a standard deviation, at two sizes and levels."""
    for n, level in ((20, 0.05), (40, 0.005)):
        effect = TESTS[test].critical_effect(n, n, level)
        low, high = (power(exp(0.01 * (effect + d)), 0.01, n, n, level=level, test=test) for d in (-0.125, 0.125))
        assert low < 0.5 < high


@pytest.mark.parametrize(("test", "n"), [("rank-sum", 3), ("signed-rank", 5), ("kolmogorov-smirnov", 3), ("welch", 1)])
def test_no_shift_is_large_enough_where_the_test_cannot_reject(test, n):
    """Infinite, so that planning adds launches first."""
    assert TESTS[test].critical_effect(n, n, 0.05) == float("inf")


def test_what_the_errors_explain_is_no_difference():
    """Shifts of 0.2 with errors of 0.2 say nothing new; among four cases one of log 4 alone is 0.67 too much."""
    tens = np.full(4, 10)
    spreads = np.full(4, 0.2 / sqrt(np.pi / 3 / 5))  # the error of 10 against 10 launches is then 0.2
    assert likely_shift_of(np.array([0.2, -0.2, 0.2, -0.2]), spreads, tens, tens, paired=False) == LIKELY_SHIFT
    one_off = likely_shift_of(np.array([log(4), 0.2, -0.2, 0.2]), spreads, tens, tens, paired=False)
    assert one_off == pytest.approx(sqrt((log(4) ** 2 - 0.2**2) / 4), rel=1e-12)
    assert likely_shift_of(np.array([np.nan]), np.array([0.1]), tens[:1], tens[:1], paired=False) == LIKELY_SHIFT
