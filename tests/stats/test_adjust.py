"""Adjustment for many cases, against the definitions written as loops."""

import numpy as np
import pytest

from ictus.model.errors import UsageError
from ictus.stats.adjust import benjamini_hochberg, find_adjustment, holm, unadjusted

NAN = float("nan")


def naive_holm(values):
    """The adjusted p of a case is the largest (m - i) p_(i) over the ordered p up to its own."""
    ordered = sorted(values)
    return [min(1.0, max((len(values) - i) * ordered[i] for i in range(ordered.index(p) + 1))) for p in values]


def naive_bh(values):
    """The adjusted p of a case is the smallest m p_(i) / (i + 1) over the ordered p from its own on, at most 1."""
    ordered, m = sorted(values), len(values)
    return [min([1.0, *(m * ordered[i] / (i + 1) for i in range(ordered.index(p), m))]) for p in values]


def test_four_evenly_spaced_p_values_by_hand():
    """Holm: 4 * 0.01, 3 * 0.02, then never smaller than before; BH: 4 * 0.01 / 1 = 4 * 0.04 / 4."""
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.06, 0.04, 0.06, 0.06], rel=1e-12)
    assert benjamini_hochberg([0.04, 0.01, 0.03, 0.02]) == pytest.approx([0.04] * 4, rel=1e-12)


@pytest.mark.parametrize("size", [1, 2, 7, 50])
def test_adjusted_values_agree_with_the_definitions(size):
    """Random p-values, small enough that not all become 1."""
    values = (np.random.default_rng(size).random(size) ** 3).tolist()
    assert holm(values) == pytest.approx(naive_holm(values), rel=1e-12)
    assert benjamini_hochberg(values) == pytest.approx(naive_bh(values), rel=1e-12)
    assert unadjusted(values).tolist() == values


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg, unadjusted])
def test_untestable_cases_do_not_count(adjust):
    """NaN stays NaN, and the others fare as if it were not there."""
    with_gaps = adjust([0.01, NAN, 0.02, NAN, 0.5])
    assert np.isnan(with_gaps[[1, 3]]).all()
    assert with_gaps[[0, 2, 4]] == pytest.approx(adjust([0.01, 0.02, 0.5]), rel=1e-15)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg, unadjusted])
def test_several_families_are_adjusted_side_by_side(adjust):
    """Each row of a table is its own family."""
    table = np.random.default_rng(1).random((4, 6)) ** 3
    table[2, 3] = NAN
    for row, expected in zip(adjust(table), map(adjust, table), strict=True):
        np.testing.assert_array_equal(row, expected)


@pytest.mark.parametrize("adjust", [holm, benjamini_hochberg, unadjusted])
def test_a_family_of_nothing_is_nothing(adjust):
    """No case, and only untestable ones."""
    assert adjust([]).size == 0
    assert np.isnan(adjust([NAN, NAN])).all()


@pytest.mark.parametrize("name", ["holm", "bh", "none"])
def test_divisor_says_when_the_next_case_is_rejected(name):
    """With two of five rejected, the third is rejected just below level / divisor and not just above."""
    adjustment = find_adjustment(name)
    alone = 0.05 / adjustment.divisor(5, 2)
    for third, rejected in ((alone * 0.999, True), (alone * 1.001, False)):
        p_values = [1e-6, 1e-6, third, 0.9, 0.9]
        assert (adjustment.apply(p_values)[2] <= 0.05) is np.bool_(rejected)


def test_unknown_adjustment_lists_the_known_ones():
    """The message names option, value and what is allowed."""
    with pytest.raises(UsageError, match="adjust='bonferroni': unknown adjustment; known: holm, bh, none"):
        find_adjustment("bonferroni")
