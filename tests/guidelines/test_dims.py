"""The most balanced factors against brute force, and wrong answers found."""

from itertools import combinations_with_replacement
from math import prod

import pytest

from ictus.guidelines.dims.analysis import DIMENSIONS, DimsViolation, Fault, all_best_dims, violations
from ictus.model.errors import UsageError


def brute_force(processes: int, dimensions: int) -> tuple[int, ...]:
    """All ways to write the number, ranked by the rule's own words: outer difference, inner difference, first."""
    divisors = [k for k in range(1, processes + 1) if processes % k == 0]
    ways = [way[::-1] for way in combinations_with_replacement(divisors, dimensions) if prod(way) == processes]
    return min(ways, key=lambda way: ([way[i] - way[-1 - i] for i in range(dimensions // 2)], way))


@pytest.mark.parametrize("dimensions", DIMENSIONS)
def test_the_sweep_is_brute_force(dimensions: int) -> None:
    """Every number up to 300, and some with many divisors beyond."""
    most = 300 if dimensions < 4 else 200
    best = all_best_dims(4096, dimensions)
    assert list(best) == list(range(1, 4097))
    for p in (*range(1, most + 1), 720, 1024, 1001, 2310, 3072, 4096):
        assert best[p] == brute_force(p, dimensions), p


def test_by_hand() -> None:
    """A prime has no choice; 12 is 4 x 3 and 3 x 2 x 2; 65,536 in four is 16 each."""
    assert all_best_dims(13, 3)[13] == (13, 1, 1)
    assert all_best_dims(12, 2)[12] == (4, 3)
    assert all_best_dims(12, 3)[12] == (3, 2, 2)
    assert all_best_dims(65536, 4)[65536] == (16, 16, 16, 16)
    assert all_best_dims(1, 4)[1] == (1, 1, 1, 1)


def test_each_fault_is_found_and_named() -> None:
    """6 x 2 for 12; 3 x 4; 4 x 4; a zero; one factor too many; and the right answer of 16 passes."""
    answers = {12: (6, 2), 20: (4, 5), 15: (4, 4), 18: (0, 0), 8: (2, 2, 2), 16: (4, 4)}
    assert violations(answers, 2) == (
        DimsViolation(8, (2, 2, 2), (4, 2), Fault.PRODUCT),
        DimsViolation(12, (6, 2), (4, 3), Fault.SPREAD),
        DimsViolation(15, (4, 4), (5, 3), Fault.PRODUCT),
        DimsViolation(18, (0, 0), (6, 3), Fault.PRODUCT),
        DimsViolation(20, (4, 5), (5, 4), Fault.ORDER),
    )
    assert violations({}, 2) == ()
    assert violations(all_best_dims(1000, 4), 4) == ()


def test_a_tie_of_the_outer_difference_is_told_apart() -> None:
    """There are numbers with two ways of equal outer difference: the worse of them is a matter of ties."""
    ties = []
    for p in range(1, 2000):
        best = best_dims_of[p]
        divisors = [k for k in range(1, p + 1) if p % k == 0]
        for a, b in combinations_with_replacement(divisors, 2):
            c = p // (a * b)
            if a * b * c == p and b <= c and c - a == best[0] - best[-1] and (c, b, a) != best:
                ties.append((p, (c, b, a)))
    assert ties, "no tie to test with"
    for p, answer in ties:
        assert [one.fault for one in violations({p: answer}, 3)] == [Fault.TIE]


best_dims_of = all_best_dims(2000, 3)


@pytest.mark.parametrize(("processes", "dimensions", "message"), [
    (0, 2, "0 processes: allowed is 1 to 1048576"),
    (1 << 21, 2, "2097152 processes"),
    (8, 5, "5 dimensions: allowed is 2, 3, 4"),
])  # fmt: skip
def test_what_is_out_of_range_is_said(processes: int, dimensions: int, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        all_best_dims(processes, dimensions)[processes]
