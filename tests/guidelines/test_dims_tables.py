"""Answers to MPI_Dims_create in tables: what is at fault, how far, and what is only a matter of ties."""

from itertools import product
from math import prod

from ictus.guidelines.dims.analysis import violations
from ictus.guidelines.dims.tables import Answers, answer_table, dims_rows, dims_sentences, total_table, totals
from ictus.render.terminal import stacked


def answers(library: str, spoilt: dict[int, tuple[int, int]], up_to: int = 36) -> Answers:
    """Two dimensions: the most balanced factors, found by trying all, but for the spoilt numbers."""
    best = {
        p: min(pair for pair in product(range(p, 0, -1), repeat=2) if prod(pair) == p and pair[0] >= pair[1])
        for p in range(1, up_to + 1)
    }
    return Answers(library, 2, up_to, violations({**best, **spoilt}, 2))


KEPT = answers("kept", {})
SPOILT = answers("spoilt", {12: (12, 1), 16: (8, 2), 30: (5, 6), 35: (7, 6)})


def test_a_library_that_balances_has_no_row() -> None:
    """The pairs with the smallest first factor are the most balanced: by trying, not by the code under test."""
    assert dims_rows([KEPT]) == []
    assert dims_sentences([KEPT]) == ("kept: all 36 answers are the most balanced ones.",)


def test_each_fault_is_told_apart_with_the_better_answer() -> None:
    """Spread, order and product."""
    rows = {row["processes"]: (row["fault"], row["answer"], row["best"]) for row in dims_rows([SPOILT])}
    assert rows == {
        12: ("spread", [12, 1], [4, 3]),
        16: ("spread", [8, 2], [4, 4]),
        30: ("order", [5, 6], [6, 5]),
        35: ("product", [7, 6], [7, 5]),
    }
    (total,) = totals([SPOILT])
    assert (total["checked"], total["spread"], total["order"], total["product"], total["tie"]) == (36, 2, 1, 1, 0)


def test_the_farthest_from_balanced_come_first_at_any_width() -> None:
    """Wrong answers, then by how much larger the spread is than it need be: 11 of 1 before 6 of 0."""
    for width in (60, 80, 100):
        lines = [line.plain for line in stacked((total_table([KEPT, SPOILT]), answer_table([KEPT, SPOILT])), width)]
        assert all(len(line) <= width for line in lines)
        listed = [line.split()[0] for line in lines if " x " in line]
        assert listed == ["30", "35", "12", "16"]
    assert dims_sentences([SPOILT]) == ("spoilt: 4 of 36 answers could be better balanced.",)
