"""What a number of launches can show at best."""

import pytest

from ictus.stats.planning import can_decide, launches_to_decide, smallest_p


@pytest.mark.parametrize(
    ("n", "m", "test", "alternative", "expected"),
    [
        (3, 3, "rank-sum", "two-sided", 0.1),
        (5, 5, "rank-sum", "two-sided", 2 / 252),
        (6, 6, "rank-sum", "two-sided", 2 / 924),
        (4, 6, "rank-sum", "less", 1 / 210),
        (1, 1, "rank-sum", "two-sided", 1.0),
        (10, 10, "signed-rank", "less", 2**-10),
        (10, 10, "signed-rank", "two-sided", 2**-9),
        (5, 5, "kolmogorov-smirnov", "two-sided", 2 / 252),
        (2, 2, "welch", "two-sided", 0.0),
        (1, 9, "welch", "two-sided", 1.0),
    ],
)
def test_smallest_p_is_that_of_complete_separation(n, m, test, alternative, expected):
    """One arrangement of C(n + m, n), one sign pattern of 2^n."""
    assert smallest_p(n, m, test, alternative) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("launches", "most"), [(5, 6), (6, 23)])
def test_five_launches_decide_six_cases_and_six_decide_twenty_three(launches, most):
    """The numbers of decision 27."""
    assert can_decide(launches, launches, most)
    assert not can_decide(launches, launches, most + 1)


def test_ten_launches_decide_fifty_one_one_sided_pairs():
    """Decision 25: signed-rank's smallest one-sided p times 51 is within 5 %, times 52 is not."""
    assert 51 * smallest_p(10, 10, "signed-rank", "less") <= 0.05 < 52 * smallest_p(10, 10, "signed-rank", "less")
    assert can_decide(10, 10, 25, test="signed-rank")
    assert not can_decide(10, 10, 26, test="signed-rank")


def test_only_holm_asks_for_more_launches_with_more_cases():
    """Unadjusted, 4 against 4 decide any number; under BH all cases may be found together."""
    assert can_decide(4, 4, 1000, adjust="none")
    assert can_decide(4, 4, 1000, adjust="bh")
    assert not can_decide(4, 4, 2, adjust="holm")


@pytest.mark.parametrize(
    ("cases", "test", "expected"),
    [(1, "rank-sum", 4), (6, "rank-sum", 5), (7, "rank-sum", 6), (24, "rank-sum", 7), (1, "signed-rank", 6)],
)
def test_launches_to_decide_is_the_first_number_that_can(cases, test, expected):
    """And one less cannot."""
    assert launches_to_decide(cases, test=test) == expected
    assert not can_decide(expected - 1, expected - 1, cases, test=test)


def test_a_side_without_launches_is_refused():
    """Nothing to test."""
    with pytest.raises(ValueError, match="0 and 5 launches"):
        smallest_p(0, 5)
