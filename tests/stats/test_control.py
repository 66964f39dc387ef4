"""Campaigns through a control: the difference of differences, and its error. How often each evidence is wrong:
tests/calibration/test_evidence.py.
"""

from dataclasses import replace

import numpy as np
import pytest
import scipy

from ictus.stats.arrays import FloatArray
from ictus.stats.binomial_rate import rate
from ictus.stats.control import ControlledShift, ControlledSide, controlled_shift, more_needed, through_control
from ictus.stats.verdict import VerdictKind

RULES = {"level": 0.05, "adjust": "holm", "equivalence": 0.05}


def side(*campaigns: tuple[FloatArray, FloatArray]) -> ControlledSide:
    return ControlledSide(tuple(one for one, _ in campaigns), tuple(two for _, two in campaigns))


def found(a: ControlledSide, b: ControlledSide) -> ControlledShift:
    shift = controlled_shift(a, b)
    assert isinstance(shift, ControlledShift)
    return shift


def launches(random: np.random.Generator, n: int, spread: float = 0.03) -> FloatArray:
    return np.asarray(np.exp(spread * random.standard_normal(n)))


def test_with_a_control_that_does_not_vary_it_is_welchs_test() -> None:
    """Two variances are 0 then: statistic, degrees of freedom, p and interval are those of scipy's test of logs."""
    random = np.random.default_rng(1)
    a, b, still = launches(random, 9), 1.04 * launches(random, 6, 0.08), np.full(7, 2e-6)
    expected = scipy.stats.ttest_ind(np.log(a), np.log(b), equal_var=False)
    (row,) = through_control([(side((a, still)), side((b, still)))], **RULES)  # type: ignore[arg-type]
    interval = expected.confidence_interval(0.95)
    assert row.p_value == pytest.approx(expected.pvalue, rel=1e-12)
    assert np.log([row.ratio_low or 0, row.ratio_high or 0]) == pytest.approx([interval.low, interval.high], rel=1e-9)
    assert (row.n_a, row.n_b, row.unit) == (9, 6, "launch")
    assert row.p_less == pytest.approx(
        scipy.stats.ttest_ind(np.log(a), np.log(b), equal_var=False, alternative="less").pvalue, rel=1e-12
    )


def test_four_groups_have_satterthwaites_degrees_of_freedom() -> None:
    """By hand: groups of 2 with logs +-s have variance 2 s^2, a mean's variance s^2 and one degree of freedom. With s
    of 1, 1, 1 and 2 %: error^2 = (1 + 1 + 1 + 4) 1e-4 and degrees 7^2 / (1 + 1 + 1 + 16).
    """

    def pair(s: float, middle: float) -> FloatArray:
        return np.exp([np.log(middle) - s, np.log(middle) + s])

    one = found(side((pair(0.01, 3.0), pair(0.01, 2.0))), side((pair(0.01, 1.0), pair(0.02, 1.0))))
    assert one.shift == pytest.approx(np.log(3 / 2))
    assert one.error == pytest.approx(np.sqrt(7e-4))
    assert one.degrees == pytest.approx(49 / 19)


def test_a_state_that_library_and_control_share_changes_nothing() -> None:
    """One campaign three times as slow as a whole: every number but the medians stays."""
    random = np.random.default_rng(2)
    a, c, b, d = (launches(random, 8) for _ in range(4))
    (plain,) = through_control([(side((a, c)), side((b, d)))], **RULES)  # type: ignore[arg-type]
    (slow,) = through_control([(side((3 * a, 3 * c)), side((b, d)))], **RULES)  # type: ignore[arg-type]
    for name in ("ratio", "ratio_low", "ratio_high", "p_value", "p_adjusted"):
        assert getattr(slow, name) == pytest.approx(getattr(plain, name), rel=1e-9), name
    assert slow.median_a == pytest.approx(3 * (plain.median_a or 0))


def test_of_three_campaigns_the_spread_between_them_is_the_error() -> None:
    """Student's test, with pooled variance, of one difference of mean logarithms a campaign."""
    random = np.random.default_rng(3)
    sides = [side(*((launches(random, 5), launches(random, 4)) for _ in range(n))) for n in (2, 3)]
    differences = [
        [np.log(x).mean() - np.log(c).mean() for x, c in zip(one.library, one.control, strict=True)] for one in sides
    ]
    expected = scipy.stats.ttest_ind(*differences, equal_var=True)
    (row,) = through_control([(sides[0], sides[1])], **RULES)  # type: ignore[arg-type]
    interval = expected.confidence_interval(0.95)
    assert row.p_value == pytest.approx(expected.pvalue, rel=1e-12)
    assert np.log([row.ratio_low or 0, row.ratio_high or 0]) == pytest.approx([interval.low, interval.high], rel=1e-9)
    assert (row.n_a, row.n_b, row.unit) == (2, 3, "campaign")


def test_campaigns_of_a_history_show_the_spread_and_nothing_else() -> None:
    """One campaign a side and three earlier ones: the shift is that of the two, the error s sqrt 2 with the standard
    deviation s of the earlier differences, two degrees of freedom.
    """
    random = np.random.default_rng(13)
    a, b = (side((launches(random, 5), launches(random, 4))) for _ in range(2))
    history = side(*((7 * launches(random, 5, 0.1), launches(random, 4)) for _ in range(3)))
    one, plain = controlled_shift(a, b, history), found(a, b)
    differences = [np.log(x).mean() - np.log(c).mean() for x, c in zip(history.library, history.control, strict=True)]
    assert isinstance(one, ControlledShift)
    assert one.shift == pytest.approx(plain.shift)
    assert one.error == pytest.approx(np.std(differences, ddof=1) * np.sqrt(2))
    assert (one.degrees, one.n_a, one.n_b, one.unit) == (2, 1, 1, "campaign")


@pytest.mark.parametrize("n", [0, 1])
def test_a_case_that_the_history_does_not_repeat_is_not_judged_by_launches(n: int) -> None:
    """The answer says that the spread between campaigns counts: of such a case it is not known."""
    random = np.random.default_rng(13)
    a, b, *earlier = (side((launches(random, 5), launches(random, 4))) for _ in range(2 + n))
    history = side(*((one.library[0], one.control[0]) for one in earlier))
    assert controlled_shift(a, b, history) == "the history has no two campaigns with this case"
    assert isinstance(controlled_shift(a, b), ControlledShift)


@pytest.mark.parametrize(
    ("a", "said"),
    [
        (side((np.array([1.0]), np.array([1.0, 1.1]))), "two launches of the library and of the control"),
        (side((np.array([]), np.array([1.0, 1.1]))), "no launch with a valid sample"),
        (side((np.array([1.0, 0.0]), np.array([1.0, 1.1]))), "a time that has no ratio"),
        (side((np.array([1.0, 1.0]), np.array([1.0, 1.0]))), "the launches do not vary"),
    ],
)
def test_what_cannot_be_compared_says_why(a: ControlledSide, said: str) -> None:
    """NA, never a number; the other cases of the family are judged as if it were not there."""
    still = np.ones(3)
    random = np.random.default_rng(4)
    good = (side((launches(random, 9), launches(random, 9))), side((2 * launches(random, 9), launches(random, 9))))
    row, other = through_control([(a, side((still, still))), good], **RULES)  # type: ignore[arg-type]
    assert row.verdict.kind is VerdictKind.NOT_COMPARABLE
    assert said in row.verdict.text
    assert (row.ratio, row.p_value) == (None, None)
    assert other.p_adjusted == other.p_value
    assert other.verdict.kind is VerdictKind.FASTER


CAMPAIGNS, CASES = 400, 3


def test_a_history_keeps_the_promise_of_one_campaign_a_side() -> None:
    """Where a state changes each library for itself by 5 %, and five earlier campaigns show that."""
    random = np.random.default_rng(14)

    def campaign() -> tuple[FloatArray, FloatArray]:
        shared, *own = (0.2 * random.standard_normal(), *(0.05 * random.standard_normal(2)))
        return np.exp(shared + own[0]) * launches(random, 8), np.exp(shared + own[1]) * launches(random, 8)

    wrong = 0
    for _ in range(CAMPAIGNS):
        cases = [(side(campaign()), side(campaign())) for _ in range(CASES)]
        history = [side(*(campaign() for _ in range(5))) for _ in range(CASES)]
        rows = through_control(cases, history=history, **RULES)  # type: ignore[arg-type]
        wrong += any(row.verdict.kind in (VerdictKind.FASTER, VerdictKind.SLOWER) for row in rows)
    assert rate(wrong, CAMPAIGNS, "at most", 0.05).holds


def test_the_needed_launches_find_the_difference_that_is_there() -> None:
    """4 % through groups that scatter by 5 %: campaigns of as many launches as are told find it in about 80 %."""
    random = np.random.default_rng(7)
    spread, shift, n = 0.05, np.log(1.04), 6
    error = spread * 2 / np.sqrt(n)
    told = more_needed(
        ControlledShift(float(shift), float(error), 4 * (n - 1), n, n, "launch"),
        level=0.05, alone=0.05, equivalence=0.001,
    )  # fmt: skip
    assert told is not None
    hits = 0
    for _ in range(1000):
        a, c, b, d = (launches(random, n + told, spread) for _ in range(4))
        one = found(side((1.04 * a, c)), side((b, d)))
        hits += 2 * min(one.below(), 1 - one.below()) <= 0.05
    assert 0.75 < hits / 1000 < 0.88


def test_a_difference_that_no_number_of_launches_finds_has_none() -> None:
    """None for more than 1,000; and a shift of nothing is decided as `same` once the interval is inside the margin."""
    one = ControlledShift(0.051, 1.0, 20, 6, 6, "launch")
    assert more_needed(one, level=0.05, alone=0.05, equivalence=0.05) is None
    near = replace(one, shift=0.0, error=0.05)
    told = more_needed(near, level=0.05, alone=0.05, equivalence=0.05)
    assert told is not None
    # Inside needs 1.28 + 1.96 errors within log 1.05 = 0.0488: error 0.0151, (0.05 / 0.0151)^2 = 11 times as many.
    assert 55 <= told <= 75
