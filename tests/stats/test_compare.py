"""Whole comparisons: samples in, rows out."""

import math

import numpy as np
import pytest
from scipy import special

from ictus.model.errors import UsageError
from ictus.stats.binomial_rate import rate
from ictus.stats.compare import compare_cases
from ictus.stats.evidence import weigh
from ictus.stats.interval import hodges_lehmann
from ictus.stats.rank_sum_test import rank_sum
from ictus.stats.registry import find_test
from ictus.stats.sample_size import CaseEstimate, likely_shift_of, more_launches
from ictus.stats.scatter import scatter_of
from ictus.stats.signed_rank_test import signed_rank
from ictus.stats.verdict import CaseRules, VerdictKind

NAN = float("nan")


def launches(cases, size, seed, spread=0.1):
    """Launch medians of several cases, around 10 us."""
    return list(1e-5 * np.exp(spread * np.random.default_rng(seed).standard_normal((cases, size))))


@pytest.mark.parametrize(("paired", "test"), [(False, rank_sum), (True, signed_rank)])
def test_rows_hold_what_test_and_interval_give_case_by_case(paired, test):
    """Every column against the public functions, with sizes that differ from case to case."""
    a, b = launches(4, 12, 1), launches(4, 12, 2)
    a[1], b[1] = a[1][:7], b[1][:7] * 0.7
    rows = compare_cases(a, b, CaseRules(paired=paired))
    for row, x, y in zip(rows, a, b, strict=True):
        effect = hodges_lehmann(x, y, paired=paired)
        assert (row.n_a, row.n_b) == (x.size, y.size)
        assert (row.median_a, row.median_b) == (np.median(x), np.median(y))
        assert (row.ratio, row.ratio_low, row.ratio_high) == pytest.approx(
            (effect.ratio, effect.low, effect.high), rel=1e-12
        )
        assert row.p_value == test(x, y).p_value
        assert (row.p_less, row.p_greater) == (test(x, y, "less").p_value, test(x, y, "greater").p_value)
    assert min(row.p_adjusted for row in rows) == pytest.approx(4 * min(row.p_value for row in rows), rel=1e-12)


def test_a_clear_difference_is_faster_and_the_other_way_round_slower():
    """A takes two thirds of the time of B."""
    a, b = launches(1, 10, 1, 0.02), [x * 1.5 for x in launches(1, 10, 2, 0.02)]
    (there,), (back,) = compare_cases(a, b, CaseRules(paired=False)), compare_cases(b, a, CaseRules(paired=False))
    assert (there.verdict.kind, there.verdict.text) == (VerdictKind.FASTER, "faster")
    assert (back.verdict.kind, back.verdict.text) == (VerdictKind.SLOWER, "slower")
    assert there.ratio == pytest.approx(1 / back.ratio, rel=1e-12)


def test_a_small_sure_difference_is_faster_within_the_margin():
    """2 % in twenty quiet launches."""
    a, b = launches(1, 20, 1, 0.005), [x * 1.02 for x in launches(1, 20, 2, 0.005)]
    (row,) = compare_cases(a, b, CaseRules(paired=False))
    assert (row.verdict.text, row.verdict.within) == ("faster, within 5 %", 0.05)


def test_quiet_launches_without_difference_are_the_same():
    """And the margin is the one asked for."""
    (row,) = compare_cases(
        launches(1, 10, 1, 0.005), launches(1, 10, 2, 0.005), CaseRules(paired=False, equivalence=0.1)
    )
    assert (row.verdict.kind, row.verdict.text) == (VerdictKind.SAME, "same within 10 %")


def test_noisy_launches_without_difference_are_undecided_and_say_what_they_lack():
    """Not significant is not the same."""
    (row,) = compare_cases(launches(1, 10, 1, 0.2), launches(1, 10, 2, 0.2), CaseRules(paired=False))
    assert row.verdict.kind is VerdictKind.UNDECIDED
    assert row.verdict.more_launches > 10
    assert row.verdict.text == f"undecided: about {row.verdict.more_launches} more launches"


def test_the_number_of_launches_is_asked_at_the_level_that_the_family_leaves():
    """Five cases, one of them found: the others have to pass a quarter of the level."""
    a, b = launches(5, 10, 1), launches(5, 10, 2)
    a[0] = 3 * a[0]
    found, *others = compare_cases(a, b, CaseRules(paired=False))
    assert found.verdict.kind is VerdictKind.SLOWER
    evidence = weigh(np.array(a), np.array(b), find_test(None, paired=False), 0.05)
    tens = np.full(5, 10)
    likely = likely_shift_of(evidence.shift, evidence.spread, tens, tens, paired=False)
    assert likely == pytest.approx(np.log(3) / np.sqrt(5), rel=0.1), "one of five cases is off by log 3"
    for index, row in enumerate(others, start=1):
        assert row.verdict.more_launches == more_launches(
            CaseEstimate(
                evidence.shift[index],
                evidence.spread[index],
                10,
                10,
                scatter_of(np.array(a[index]), np.array(b[index]), paired=False),
            ),
            "rank-sum",
            level=0.05,
            alone=0.05 / 4,
            equivalence=0.05,
            likely_shift=likely,
        )


def test_hopeless_noise_takes_more_than_a_thousand_launches():
    """And the number is not invented."""
    (row,) = compare_cases(launches(1, 10, 1, 2.0), launches(1, 10, 2, 2.0), CaseRules(paired=False))
    assert (row.verdict.text, row.verdict.more_launches) == ("undecided: more than 1000 more launches", None)


def test_three_launches_cannot_decide_and_say_how_many_could():
    """3 against 3 never goes below 0.1, though one is ten times faster in every launch."""
    (row,) = compare_cases([[1.0, 1.1, 1.2]], [[10.0, 11.0, 12.0]], CaseRules(paired=False))
    assert row.p_value == pytest.approx(0.1, rel=1e-12)
    assert row.verdict.text == "cannot decide: 3 launches can never reach the level after adjustment; at least 4 needed"
    assert row.verdict.more_launches >= 1
    assert (row.ratio_low, row.ratio_high) == (None, None)
    assert row.remarks == ("no 95 % interval: 3 and 3 launches reach 90 % at most",)


def test_one_launch_a_side_forecasts_nothing():
    """One launch shows no spread: the number of launches is the least that the test needs at all."""
    (row,) = compare_cases([[1.0]], [[1.1]], CaseRules(paired=False))
    assert (row.verdict.at_least, row.verdict.needed, row.verdict.more_launches) == (True, 4, 3)
    (row,) = compare_cases([[1.0, 1.1, 1.2]], [[10.0, 11.0, 12.0]], CaseRules(paired=False))
    assert not row.verdict.at_least


def test_five_launches_decide_six_cases_and_not_seven():
    """Decision 27, end to end: all cases perfectly apart."""
    a, b = launches(7, 5, 1, 0.01), [2 * x for x in launches(7, 5, 2, 0.01)]
    assert {row.verdict.kind for row in compare_cases(a[:6], b[:6], CaseRules(paired=False))} == {VerdictKind.FASTER}
    assert {row.verdict.text for row in compare_cases(a, b, CaseRules(paired=False))} == {
        "cannot decide: 5 launches can never reach the level after adjustment; at least 6 needed"
    }


@pytest.mark.parametrize("missing", [[], [NAN, NAN], [None, None]])
@pytest.mark.parametrize("paired", [False, True])
def test_a_side_without_data_is_na_with_a_reason_and_never_zero(missing, paired):
    """And it does not count in the family of the others."""
    a, b = launches(1, 10, 1), launches(1, 10, 2)
    alone = compare_cases(a, b, CaseRules(paired=paired))[0]
    blank = [1.0] * len(missing)
    first, second = compare_cases([*a, missing], [*b, blank], CaseRules(paired=paired), labels=("mpich", "openmpi"))
    assert first == alone
    assert second.verdict.kind is VerdictKind.NOT_COMPARABLE
    assert second.verdict.text.startswith("NA: no ")
    assert (second.median_a, second.ratio, second.ratio_low, second.p_value, second.p_adjusted) == (None,) * 5


def test_the_reason_names_the_library_without_data():
    """Labels stand in for the sides."""
    (row,) = compare_cases([[NAN]], [[1.0]], CaseRules(paired=False), labels=("mpich", "openmpi"))
    assert row.verdict.text == "NA: no launch of mpich with a valid sample"
    assert row.remarks == ("1 of 1 launches of mpich without a valid sample",)


def test_missing_launches_are_dropped_with_a_remark_and_in_pairs():
    """NaN in launch 0 of a and launch 3 of b leave 10 and 10 of 11 independent launches, 9 pairs."""
    (a,), (b,) = launches(1, 11, 1), launches(1, 11, 2)
    a[0], b[3] = NAN, NAN
    (independent,) = compare_cases([a], [b], CaseRules(paired=False))
    (pairs,) = compare_cases([a], [b], CaseRules(paired=True))
    keep = [i for i in range(11) if i not in (0, 3)]
    assert (independent.n_a, independent.n_b, pairs.n_a, pairs.n_b) == (10, 10, 9, 9)
    assert independent.p_value == rank_sum(a[1:], np.delete(b, 3)).p_value
    assert pairs.p_value == signed_rank(a[keep], b[keep]).p_value
    assert pairs.remarks == (
        "1 of 11 launches of a without a valid sample",
        "1 of 11 launches of b without a valid sample",
    )


@pytest.mark.parametrize("value", [0.0, -1e-6, float("inf")])
def test_an_impossible_time_spoils_its_own_case_only(value):
    """No ratio exists; the neighbour is judged as if alone."""
    a, b = launches(2, 10, 1), launches(2, 10, 2)
    spoiled = a[1].copy()
    spoiled[4] = value
    first, second = compare_cases([a[0], spoiled], b, CaseRules(paired=False))
    assert first == compare_cases(a[:1], b[:1], CaseRules(paired=False))[0]
    assert second.verdict.text == f"NA: a has a time of {value:g}, which has no ratio"


@pytest.mark.parametrize("paired", [False, True])
def test_constant_samples_are_judged(paired):
    """Equal constants are the same, different ones differ; ties do not stop a verdict."""
    rows = compare_cases([[1.0] * 10, [1.0] * 10], [[1.0] * 10, [2.0] * 10], CaseRules(paired=paired))
    assert [row.verdict.kind for row in rows] == [VerdictKind.SAME, VerdictKind.FASTER]
    assert [(row.ratio, row.ratio_low, row.ratio_high) for row in rows] == [(1.0, 1.0, 1.0), (0.5, 0.5, 0.5)]


@pytest.mark.parametrize("paired", [False, True])
def test_one_launch_a_side_has_a_ratio_and_no_more(paired):
    """It is shown, and nothing is concluded from it."""
    (row,) = compare_cases([[1.0]], [[2.0]], CaseRules(paired=paired))
    assert (row.ratio, row.p_value, row.verdict.kind) == (pytest.approx(0.5), 1.0, VerdictKind.CANNOT_DECIDE)


def test_unequal_numbers_of_launches_are_compared():
    """6 against 15, and the text names both where they cannot decide."""
    (row,) = compare_cases(launches(1, 6, 1), launches(1, 15, 2), CaseRules(paired=False))
    assert (row.n_a, row.n_b) == (6, 15)
    (few,) = compare_cases(launches(1, 2, 1), launches(1, 3, 2), CaseRules(paired=False))
    assert "2 and 3 launches can never reach the level" in few.verdict.text


def test_a_case_with_too_few_launches_may_be_decided_once_the_others_are():
    """Holm lets 4 against 4 pass at the full level when all other cases are rejected: then it is not hopeless."""
    a = [*launches(3, 12, 1, 0.01), [1.0, 1.01, 1.02, 1.03]]
    b = [*(2 * x for x in launches(3, 12, 2, 0.01)), [2.0, 2.01, 2.02, 2.03]]
    assert compare_cases(a, b, CaseRules(paired=False))[3].verdict.kind is VerdictKind.FASTER


def test_the_papers_rank_sum_on_pairs_says_what_it_ignores():
    """`--test rank-sum` reproduces their tables, with a remark."""
    (row,) = compare_cases(launches(1, 10, 1), launches(1, 10, 2), CaseRules(paired=True, test="rank-sum"))
    assert row.remarks == ("rank-sum does not use that both were measured in the same launches",)
    (x,), (y,) = launches(1, 10, 1), launches(1, 10, 2)
    effect = hodges_lehmann(x, y, paired=False)
    assert (row.p_value, row.ratio_low) == (rank_sum(x, y).p_value, pytest.approx(effect.low, rel=1e-12))


def test_pairs_find_what_independent_launches_cannot():
    """Decision 25: 5 % in ten launches that share a factor of 0.7 to 1.4."""
    random = np.random.default_rng(4)
    factor = random.uniform(0.7, 1.4, 10)
    a, b = [1.05 * factor * random.lognormal(0, 0.005, 10)], [factor * random.lognormal(0, 0.005, 10)]
    assert compare_cases(a, b, CaseRules(paired=True))[0].verdict.kind is VerdictKind.SLOWER
    assert compare_cases(a, b, CaseRules(paired=False))[0].verdict.kind is VerdictKind.UNDECIDED


@pytest.mark.parametrize("test", ["welch", "kolmogorov-smirnov"])
def test_other_tests_go_the_same_way(test):
    """A clear difference, no difference in noise, and a side without data."""
    a = [*launches(2, 10, 1, 0.2), [NAN]]
    b = [3 * launches(1, 10, 2, 0.2)[0], launches(1, 10, 3, 0.2)[0], [1.0]]
    words = [row.verdict.kind for row in compare_cases(a, b, CaseRules(paired=False, test=test))]
    assert words == [VerdictKind.FASTER, VerdictKind.UNDECIDED, VerdictKind.NOT_COMPARABLE]


def test_welch_warns_of_values_that_are_not_normal_on_the_side_named():
    """The remark carries the label."""
    stray = [1.0, 1.1, 0.9, 1.05, 0.95, 1.02, 0.98, 1.01, 0.99, 30.0]
    normal = 100 + special.ndtri((np.arange(10) + 0.5) / 10)
    (row,) = compare_cases([normal], [stray], CaseRules(paired=False, test="welch"), labels=("mpich", "openmpi"))
    (remark,) = row.remarks
    assert remark.startswith("openmpi: logarithms are not normal")


def test_a_spread_alone_makes_nobody_faster():
    """Kolmogorov-Smirnov sees that one side scatters five times as much about the same median; 1 is in the interval."""
    random = np.random.default_rng(5)
    wide = [random.lognormal(0, 0.5, 60) for _ in range(40)]
    narrow = [random.lognormal(0, 0.1, 60) for _ in range(40)]
    rows = compare_cases(wide, narrow, CaseRules(paired=False, test="kolmogorov-smirnov", adjust="none"))
    kinds = [row.verdict.kind for row in rows]
    assert kinds.count(VerdictKind.DISTRIBUTIONS) > 30
    directed = [row for row in rows if row.verdict.kind in (VerdictKind.FASTER, VerdictKind.SLOWER)]
    assert all(not row.ratio_low <= 1 <= row.ratio_high for row in directed)
    told = next(row for row in rows if row.verdict.kind is VerdictKind.DISTRIBUTIONS)
    assert (told.verdict.text, told.p_value < 0.05) == ("distributions differ", True)


def test_a_verdict_of_welch_never_contradicts_its_interval():
    """Skewed launches of unequal spread and number, on which ranks and means disagree: p and interval are one test."""
    random = np.random.default_rng(6)
    a = [random.lognormal(0, 0.1, 8) for _ in range(300)]
    b = [np.exp(0.1 * random.standard_exponential(13)) for _ in range(300)]
    rows = compare_cases(a, b, CaseRules(paired=False, test="welch", adjust="none"))
    assert {row.p_value <= 0.05 for row in rows} == {True, False}
    for row in rows:
        assert (row.p_value <= 0.05) == (not row.ratio_low <= 1 <= row.ratio_high)
        expected = {True: VerdictKind.FASTER, False: VerdictKind.SLOWER}[row.ratio < 1]
        assert (row.verdict.kind is expected) == (row.p_value <= 0.05)


@pytest.mark.long
def test_all_pairs_of_three_in_one_family_keep_the_level_per_campaign():
    """80 campaigns of three equal libraries and four cases: any pair called different in at most 5 %."""
    random = np.random.default_rng(5)
    alarms = 0
    for _ in range(80):
        sides = np.exp(0.1 * random.standard_normal((3, 4, 10)))
        pairs = [(sides[i][case], sides[j][case]) for case in range(4) for i, j in ((0, 1), (0, 2), (1, 2))]
        rows = compare_cases([a for a, _ in pairs], [b for _, b in pairs], CaseRules(paired=False))
        alarms += any(row.verdict.kind in (VerdictKind.FASTER, VerdictKind.SLOWER) for row in rows)
    assert rate(alarms, 80, "at most", 0.05).holds


def test_no_case_is_an_empty_table():
    """A campaign that has not begun."""
    assert compare_cases([], [], CaseRules(paired=False)) == []


def test_unknown_names_and_uneven_tables_are_refused():
    """Usage errors name the option; a missing case is a mistake of the caller."""
    with pytest.raises(UsageError, match="test='median'"):
        compare_cases([[1.0]], [[1.0]], CaseRules(paired=False, test="median"))
    with pytest.raises(UsageError, match="adjust='sidak'"):
        compare_cases([[1.0]], [[1.0]], CaseRules(paired=False, adjust="sidak"))
    with pytest.raises(ValueError, match="shorter"):
        compare_cases([[1.0], [1.0]], [[1.0]], CaseRules(paired=False))
    with pytest.raises(ValueError, match="pairs need equal sizes"):
        compare_cases([[1.0, 2.0]], [[1.0]], CaseRules(paired=True))


@pytest.mark.parametrize("test", ["welch", "rank-sum", "kolmogorov-smirnov"])
def test_times_at_the_ends_of_the_numbers_have_a_verdict(test: str) -> None:
    """Nobody measures 1e300 s; a damaged file may say so. Ratios that are no numbers are infinite or 0, and never an
    error or a warning (which the tests turn into one); sides of one size have the ratio that they have anywhere.
    """
    a, b = np.array([1.0, 1.1, 0.9, 1.05, 1.02, 0.97]), np.array([1.5, 1.6, 1.4, 1.45, 1.55, 1.52])
    usual = compare_cases([a], [b], CaseRules(paired=False, test=test))[0].ratio
    for scale in (1e300, 1e-300):
        assert compare_cases([scale * a], [scale * b], CaseRules(paired=False, test=test))[0].ratio == pytest.approx(
            usual
        )
    large, small = (
        compare_cases([x * a], [y * b], CaseRules(paired=False, test=test))[0]
        for x, y in ((1e300, 1e-300), (1e-300, 1e300))
    )
    assert (large.ratio, large.verdict.text) == (math.inf, "slower")
    assert (small.ratio, small.verdict.text) == (0.0, "faster")
    alike = np.array([1.0, 1.0, 1.0, 1.0, 1.0, np.nextafter(1.0, 2.0)])
    assert compare_cases([alike], [alike[::-1]], CaseRules(paired=False, test=test))[0].ratio == pytest.approx(1.0)
