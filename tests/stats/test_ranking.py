"""Ranking with ties as groups."""

import itertools

import numpy as np
import pytest

from ictus.stats.ranking import groups, letters, places


def relation(n, *pairs):
    """Which of n differ, both ways."""
    found = np.zeros((n, n), dtype=bool)
    for i, j in pairs:
        found[i, j] = found[j, i] = True
    return found


def test_all_that_differ_have_places_of_their_own():
    """By estimate, whatever their order."""
    everybody = relation(3, (0, 1), (1, 2), (0, 2))
    assert places([3.0, 1.0, 2.0], everybody) == (3, 1, 2)
    assert groups("abc", [3.0, 1.0, 2.0], everybody) == (("b",), ("c",), ("a",))


def test_nothing_proven_is_one_place_for_all():
    """However different the estimates look."""
    assert groups("abc", [3.0, 1.0, 2.0], relation(3)) == (("b", "c", "a"),)


def test_ties_are_not_transitive_and_nobody_shares_a_place_with_somebody_proven_faster():
    """A and B are tied, B and C are tied, A is proven faster than C: A and B are first, C is second."""
    assert groups("abc", [1.0, 1.1, 1.2], relation(3, (0, 2))) == (("a", "b"), ("c",))


def test_chains_are_counted_not_victories():
    """Behind one that is itself beaten by one is third place; two that are beaten by the same one share the second."""
    assert places([1.0, 2.0, 3.0], relation(3, (0, 1), (1, 2))) == (1, 2, 3)
    assert places([1.0, 2.0, 3.0], relation(3, (0, 1), (0, 2))) == (1, 2, 2)


def test_no_relation_whatever_puts_proven_differences_into_one_place():
    """All 1,024 relations among five: equal places mean that nothing was proven, a proven faster one is ahead."""
    pairs = list(itertools.combinations(range(5), 2))
    for chosen in itertools.product((False, True), repeat=len(pairs)):
        proven = relation(5, *(pair for pair, taken in zip(pairs, chosen, strict=True) if taken))
        found = places([1.0, 2.0, 3.0, 4.0, 5.0], proven)
        assert all(found[i] < found[j] for i, j in pairs if proven[i, j])
        assert set(found) == set(range(1, max(found) + 1))


def test_equal_estimates_are_tied_even_if_they_differ():
    """Different distributions with one median: neither is faster."""
    assert places([2.0, 2.0], relation(2, (0, 1))) == (1, 1)


def test_one_and_none():
    """One is first; of none there are no places."""
    assert places([7.0], relation(1)) == (1,)
    assert groups("", [], relation(0)) == ()


@pytest.mark.parametrize(
    ("estimates", "proven", "said"),
    [
        ([1.0, 2.0], relation(3), "2 by 2"),
        ([1.0, 2.0], [[False, True], [False, False]], "must be proven of j and i"),
        ([1.0, np.nan], relation(2), "NaN"),
    ],
)
def test_what_makes_no_ranking_is_refused(estimates, proven, said):
    """The error says what does not fit."""
    with pytest.raises(ValueError, match=said):
        places(estimates, proven)


def test_letters_of_an_outcome_that_is_not_transitive():
    """A and C are told apart, B from neither: a, ab, b; in any order of the members."""
    assert letters([1.0, 1.1, 1.2], relation(3, (0, 2))) == ("a", "ab", "b")
    assert letters([1.2, 1.0, 1.1], relation(3, (0, 1))) == ("b", "a", "ab")
    assert letters([1.0, 1.1, 1.2], relation(3)) == ("a", "a", "a")
    assert letters([3.0, 1.0, 2.0], relation(3, (0, 1), (1, 2), (0, 2))) == ("c", "a", "b")
    assert letters([2.0], relation(1)) == ("a",)
    assert letters([], relation(0)) == ()


def test_two_share_a_letter_exactly_where_they_are_not_told_apart():
    """All 1,024 relations among five: equal letters for nothing proven, none in common for a proven difference."""
    pairs = list(itertools.combinations(range(5), 2))
    for chosen in itertools.product((False, True), repeat=len(pairs)):
        proven = relation(5, *(pair for pair, taken in zip(pairs, chosen, strict=True) if taken))
        found = letters([1.0, 2.0, 3.0, 4.0, 5.0], proven)
        assert all(bool(set(found[i]) & set(found[j])) is not bool(proven[i, j]) for i, j in pairs)
        assert found[0].startswith("a")


def test_more_than_26_groups_have_two_letters():
    """Thirty that all differ: z, then aa."""
    everybody = ~np.eye(30, dtype=bool)
    found = letters([float(value) for value in range(30)], everybody)
    assert (found[0], found[25], found[26], found[29]) == ("a", "z", "aa", "ad")
