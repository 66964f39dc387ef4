"""The paper's tables from verdicts written by hand."""

from dataclasses import replace

from tests.guidelines.measurements import GL1, GL2, GL3, HERE

from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import (
    Configuration,
    Count,
    GuidelineVerdict,
    State,
    by_loss,
    by_place,
    by_size,
    counts,
    over_sizes,
    worst_first,
)
from ictus.model.spec import Spec

THERE = Configuration("openmpi", "default", 4)
GL7 = Rule("GL7", Kind.PATTERN, Source.PAPER, Spec("scatter"), Spec("scatter_as_bcast"))
US = 1e-6


def verdict(
    rule: Rule, state: State, size: int = 8, *, place: Configuration = HERE, loss_us: float = 1
) -> GuidelineVerdict:
    """Of the left side's 10 us; what a violation loses is told."""
    right = 10 * US - loss_us * US
    return GuidelineVerdict(
        rule, place, size, size, 1, 10 * US, right, 10 * US / right, None, None, 20, None, None, state
    )


ROWS = (
    verdict(GL1, State.HOLDS, 8),
    verdict(GL1, State.VIOLATED, 16, loss_us=2),
    verdict(GL1, State.VIOLATED, 32, loss_us=5),
    verdict(GL1, State.HOLDS, 8, place=THERE),
    verdict(GL1, State.CANNOT_DECIDE, 16, place=THERE),
    verdict(GL2, State.PREDICTED, 16, loss_us=9),
    verdict(GL2, State.REFUTED, 16, place=THERE, loss_us=9),
    verdict(GL3, State.HOLDS, 8),
    verdict(GL3, State.VIOLATED, 8, place=THERE, loss_us=3),
    verdict(GL3, State.VIOLATED, 16, place=THERE, loss_us=1),
    verdict(GL7, State.NOT_COMPARABLE, 8),
    verdict(GL7, State.HOLDS, 8, place=THERE),
)


def test_a_guideline_counts_once_whatever_the_number_of_sizes() -> None:
    """Table 2: violated, predicted, undecided, checked, of each place."""
    rows = {row.kind: row.counts for row in counts(ROWS)}
    assert rows[Kind.MONOTONY] == {HERE: Count(1, 0, 0, 1), THERE: Count(0, 0, 1, 1)}
    assert rows[Kind.SPLIT] == {HERE: Count(0, 1, 0, 1), THERE: Count(0, 0, 0, 1)}
    assert rows[Kind.PATTERN] == {HERE: Count(0, 0, 0, 1), THERE: Count(1, 0, 0, 2)}


def test_counts_have_a_row_for_each_number_of_processes() -> None:
    """And in it only the places of that number."""
    more = replace(ROWS[0], place=Configuration("mpich", "default", 16))
    rows = counts((*ROWS, more))
    assert [(row.n, row.kind.value) for row in rows] == [
        (4, "monotony"), (4, "split"), (4, "pattern"), (16, "monotony"),
    ]  # fmt: skip
    assert set(rows[-1].counts) == {more.place}


def test_guidelines_by_library() -> None:
    """Table 3: patterns, or what is asked for."""
    rows = by_place(ROWS)
    assert [(row.rule.name, row.states) for row in rows] == [
        ("GL3", {HERE: State.HOLDS, THERE: State.VIOLATED}),
        ("GL7", {HERE: State.NOT_COMPARABLE, THERE: State.HOLDS}),
    ]
    assert [row.rule.name for row in by_place(ROWS, tuple(Kind))] == ["GL1", "GL2", "GL3", "GL7"]


def test_guidelines_by_size() -> None:
    """Table 4: of one place, only what is violated; or all."""
    table = by_size(ROWS, HERE)
    assert table.sizes == (8, 16, 32)
    assert [(row.rule.name, row.states) for row in table.rows] == [
        ("GL1", {8: State.HOLDS, 16: State.VIOLATED, 32: State.VIOLATED}),
        ("GL2", {16: State.PREDICTED}),
    ]
    assert [row.rule.name for row in by_size(ROWS, HERE, violated_only=False).rows] == ["GL1", "GL2", "GL3", "GL7"]
    assert by_size(ROWS, THERE).rows[0].states == {8: State.VIOLATED, 16: State.VIOLATED}


def test_one_violated_size_violates_and_one_undecided_one_is_no_success() -> None:
    """The order of states over sizes; a refuted prediction holds."""
    assert over_sizes(State) is State.VIOLATED
    assert over_sizes([State.HOLDS, State.CANNOT_DECIDE, State.NOT_COMPARABLE]) is State.CANNOT_DECIDE
    assert over_sizes([State.HOLDS, State.PREDICTED]) is State.PREDICTED
    assert over_sizes([State.NOT_COMPARABLE, State.REFUTED]) is State.HOLDS


def test_what_costs_most_comes_first() -> None:
    """Violations by their loss, then predictions, and guidelines in the order of their worst."""
    assert [round(one.loss_s / US) for one in worst_first(ROWS) if one.loss_s is not None] == [5, 3, 2, 1, 9]
    assert [(one.rule.name, one.worst and one.worst.size_bytes) for one in by_loss(ROWS)] == [
        ("GL1", 32),
        ("GL3", 8),
        ("GL2", 16),
        ("GL7", None),
    ]


def test_no_verdicts_no_tables() -> None:
    """Nothing in, nothing out."""
    assert [*counts(()), *by_place(()), *by_loss(())] == []
    assert by_size((), HERE).rows == ()
