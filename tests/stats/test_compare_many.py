"""More than two sides: omnibus, pairs, places."""

import numpy as np
import pytest

from ictus.stats.compare import compare_cases
from ictus.stats.compare_many import compare_many
from ictus.stats.kruskal_wallis import kruskal_wallis
from ictus.stats.rate import rate

MIDDLES = (np.arange(10) + 0.5) / 10


def launches(ratio: float, shift: int = 0) -> list[float]:
    """Ten launch medians around 1 us times a ratio, evenly spread over 4 %, the order shifted."""
    return np.roll(1e-6 * ratio * (0.98 + 0.04 * MIDDLES), shift).tolist()


def test_the_slow_one_is_last_and_the_others_share_the_first_place():
    """A and B are alike, C is 30 % slower: two places, C apart in both of its pairs."""
    (row,) = compare_many([[launches(1.0)], [launches(1.001, 3)], [launches(1.3, 5)]])
    assert row.places == (1, 1, 2)
    assert row.proven == {(0, 2), (1, 2)}
    assert row.medians == pytest.approx((1e-6, 1.001e-6, 1.3e-6), rel=1e-9)


def test_numbers_are_those_of_the_two_tests():
    """The case's p is Kruskal-Wallis', a pair's row that of `compare_cases` over all pairs of all cases."""
    sides = [[launches(1.0), launches(2.0)], [launches(1.03, 3), launches(2.0, 4)], [launches(1.06, 5), launches(2.1)]]
    rows = compare_many(sides)
    assert rows[0].p_value == kruskal_wallis([side[0] for side in sides]).p_value
    pairs = [(0, 1), (0, 2), (1, 2)]
    expected = compare_cases(
        [sides[i][case] for case in (0, 1) for i, _ in pairs],
        [sides[j][case] for case in (0, 1) for _, j in pairs],
        paired=False,
    )
    assert [row.pairs[pair] for row in rows for pair in pairs] == expected
    smaller, larger = sorted(row.p_value for row in rows)
    assert sorted(row.p_adjusted for row in rows) == pytest.approx([2 * smaller, max(larger, 2 * smaller)], rel=1e-12)


def test_false_alarms_are_kept_to_the_level_per_campaign():
    """150 campaigns of three equal libraries and four cases: any pair proven in at most 5 %."""
    random = np.random.default_rng(5)
    alarms = 0
    for _ in range(150):
        sides = np.exp(0.1 * random.standard_normal((3, 4, 10)))
        alarms += any(row.proven for row in compare_many(list(sides)))
    assert rate(alarms, 150, "at most", 0.05).holds


def test_a_side_without_data_has_no_place_and_disturbs_nobody():
    """None and NaN are launches without a value; of one side alone there is no p."""
    (row,) = compare_many([[launches(1.0)], [[None, float("nan")]], [launches(1.3, 5)]])
    assert row.places == (1, None, 2)
    assert row.medians[1] is None
    (alone,) = compare_many([[launches(1.0)], [[None]], [[None]]])
    assert (alone.p_value, alone.places, alone.proven) == (None, (1, None, None), frozenset())
    (nobody,) = compare_many([[[None]], [[None]]])
    assert nobody.places == (None, None)


def test_equal_launches_are_tied():
    """All values equal: no p-value, one place."""
    (row,) = compare_many([[[1e-6] * 5]] * 3)
    assert (row.p_value, row.places) == (None, (1, 1, 1))


def test_no_cases_no_rows():
    """Nothing in, nothing out."""
    assert compare_many([[], []]) == []


@pytest.mark.parametrize(
    ("sides", "said"), [([[launches(1.0)]], "1 sides"), ([[launches(1.0)], []], "different numbers of cases: 1, 0")]
)
def test_what_cannot_be_compared_is_refused(sides, said):
    """The error says what does not fit."""
    with pytest.raises(ValueError, match=said):
        compare_many(sides)
