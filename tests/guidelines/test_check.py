"""Tables and figures of a check from verdicts that are made up: which dot stands where, what fits, what is worst."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.page_text import read_aloud

from ictus.guidelines.check.analysis import CheckResult, judged_by, rule_fields, violated
from ictus.guidelines.check.page import check_page, panels
from ictus.guidelines.check.tables import (
    COLUMNS,
    count_table,
    count_text,
    guideline_table,
    legend,
    loss_interval,
    loss_table,
    size_tables,
)
from ictus.guidelines.check.words import method_sentence, place_sentences
from ictus.guidelines.judgement import Options
from ictus.guidelines.measured import GuidelineMedians, MeasuredCell, SizeSeries
from ictus.guidelines.rule import Kind, Rule, Source
from ictus.guidelines.verdict import Configuration, Count, GuidelineVerdict, State
from ictus.model.quantity import PAPER_SIZES
from ictus.model.spec import Spec, parse_spec
from ictus.render.terminal import lines as table_lines

MPICH, OPENMPI = Configuration("mpich", "default", 2), Configuration("openmpi", "default", 2)
GATHER = Rule("GL3", Kind.PATTERN, Source.PAPER, Spec("gather"), Spec("gather_as_allgather"))
SCATTER = Rule(
    "GL15", Kind.PATTERN, Source.PAPER, Spec("reduce_scatter_block"), Spec("reduce_scatter_block_as_reduce_and_scatter")
)
BARRIER = Rule("barrier-allreduce", Kind.PATTERN, Source.FURTHER, Spec("barrier"), Spec("barrier_as_allreduce"))
SPLIT = Rule("GL2", Kind.SPLIT, Source.PAPER, Spec("bcast"), Spec("bcast"))
STATES = (State.VIOLATED, State.HOLDS, State.CANNOT_DECIDE, State.NOT_COMPARABLE)


def verdict(rule: Rule, place: Configuration, size: int, state: State, loss_s: float = 1e-6) -> GuidelineVerdict:
    """One row: the right side takes ten microseconds."""
    known = state is not State.NOT_COMPARABLE
    return GuidelineVerdict(
        rule=rule, place=place, size_bytes=size, right_size_bytes=size, times=1,
        left_s=1e-5 + loss_s if known else None, right_s=1e-5 if known else None,
        ratio=1 + loss_s / 1e-5 if known else None, ratio_low=None, ratio_high=None, n_launches=20, p_value=0.001,
        p_adjusted=0.02, state=state,
    )  # fmt: skip


VERDICTS = (
    *(verdict(GATHER, MPICH, size, STATES[number % 4]) for number, size in enumerate(PAPER_SIZES)),
    *(verdict(SCATTER, MPICH, size, State.VIOLATED, 1e-9 * size) for size in PAPER_SIZES),
    *(verdict(GATHER, OPENMPI, size, State.HOLDS) for size in PAPER_SIZES),
    verdict(BARRIER, OPENMPI, 0, State.VIOLATED, 5e-3),
    replace(verdict(SPLIT, OPENMPI, 4096, State.PREDICTED, 1.0), right_size_bytes=512, times=8, p_value=None),
)


def checked(verdicts: tuple[GuidelineVerdict, ...] = VERDICTS, **values: Any) -> CheckResult:
    """A check of two libraries with these verdicts."""
    series = {
        MeasuredCell(place, parse_spec(str(operation))): tuple(
            SizeSeries(size, size, 1, {0: 1e-6, 1: 2e-6}) for size in PAPER_SIZES
        )
        for place in (MPICH, OPENMPI)
        for operation in ("gather", "gather_as_allgather", "reduce_scatter_block", SCATTER.right, "bcast")
    }
    campaign = SimpleNamespace(
        plan=SimpleNamespace(processes=(2,), datatype="byte", operator="bor", procsync=("window",), over_s=None),
        labels=("mpich", "openmpi"),
        variants=("default",),
        launches=[
            SimpleNamespace(mpi=place.library, algorithm="default", n=2, started="unknown")
            for place in (MPICH, OPENMPI)
        ]
        * 20,
        imported=None,
        created="2026-01-01T00:00:00+00:00",
        machine={"host": "here"},
        ictus="1",
        seed=1,
    )
    made = CheckResult(
        campaign=cast(Any, campaign),
        measured=GuidelineMedians(series),
        verdicts=verdicts,
        rules=(GATHER, SCATTER, BARRIER, SPLIT),
        options=Options(),
        left_out=(),
        warnings=(),
        marks=(),
    )
    return replace(made, **values)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (None, ""),
        (Count(violated=2, predicted=0, undecided=0, checked=9), "2/9"),
        (Count(violated=2, predicted=1, undecided=0, checked=9), "2/9 + 1○"),
        (Count(violated=0, predicted=0, undecided=3, checked=9), "0/9, 3?"),
    ],
)
def test_counts_say_what_is_violated_predicted_and_undecided(count: Count | None, text: str) -> None:
    """As in the paper's table, with what is only predicted, or cannot be decided, beside it."""
    assert count_text(count) == text


def test_a_guideline_counts_once_whatever_the_number_of_sizes() -> None:
    """Two patterns of mpich at many sizes, one of openmpi at its one; the split is predicted."""
    text = "\n".join(line.plain for line in table_lines(count_table(checked()), 100))
    pattern, split = (next(line for line in text.splitlines() if kind in line) for kind in ("pattern", "split"))
    assert pattern.split()[2:] == ["2/2", "1/2"]
    assert "0/1 + 1○" in split


@pytest.mark.parametrize("width", [60, 80, 100])
def test_every_size_of_the_paper_has_its_dot_in_every_width(width: int) -> None:
    """21 columns of sizes under each other's labels, names shortened where they must be."""
    lines = [line.plain for table in size_tables(checked()) for line in table_lines(table, width)]
    assert all(len(line) <= width for line in lines)
    row = next(index for index, line in enumerate(lines) if line.startswith("  p  Gather"))
    columns = [index for index, letter in enumerate(lines[row - 1]) if letter != " "]  # the labels' last letters
    assert len(columns) == 21
    marks = lines[row].ljust(width)
    assert [marks[column] for column in columns] == [("●", "·", "?", "–")[number % 4] for number in range(21)]


def test_patterns_have_a_dot_for_each_library() -> None:
    """Violated in one, kept in the other; not looked at is blank."""
    lines = [line.plain for line in table_lines(guideline_table(checked()), 100)]
    gather = next(line for line in lines if "Gather <= Allgather" in line)
    assert (gather.count("●"), gather.count("·")) == (1, 1)
    assert "barrier-allreduce" in "\n".join(lines)


def test_losses_come_worst_first_and_predictions_behind() -> None:
    """The barrier's five milliseconds before everything; the predicted second behind the violations."""
    found = checked()
    text = [line.plain for line in table_lines(loss_table(found, 10), 100)]
    assert text[2].split()[0] == "Barrier"
    assert "the 10 greatest of" in text[0]
    predicted = checked(verdicts=VERDICTS[-2:])
    assert [line.plain.strip()[-1:] for line in table_lines(loss_table(predicted), 100)[2:4]] == [
        "*",
        "○",
    ]


def test_the_legend_has_the_marks_that_are_there() -> None:
    """And no others."""
    assert "○" in legend(checked())
    kept = checked(verdicts=(verdict(GATHER, MPICH, 8, State.HOLDS),))
    assert legend(kept) == "· holds; blank: not checked."


def test_sentences_name_the_dearest_violation() -> None:
    """With size, loss, and how many there are."""
    first, second = place_sentences(checked())
    assert first.startswith("mpich, 2 processes: 2 of 2 guidelines are violated")
    assert "loses 102 µs a call" in first
    assert "1 more predicted" in second


def test_rows_for_scripts_have_all_that_a_verdict_has() -> None:
    """And the rule as check.json has it."""
    row = COLUMNS.record(VERDICTS[0])
    assert (row["guideline"], row["mpi"], row["state"], row["stars"]) == ("GL3", "mpich", "violated", "*")
    assert row["loss_s"] == pytest.approx(1e-6)
    assert rule_fields(GATHER).right == "gather_as_allgather"
    assert judged_by(checked())["test"] == "signed-rank"
    assert violated(checked()) == 3


def test_a_figure_shades_what_is_violated_and_a_barrier_has_none() -> None:
    """One panel for each library; every fourth size of the first is shaded, none of the second."""
    found = checked()
    mpich, openmpi = panels(found, GATHER, [one for one in VERDICTS if one.rule == GATHER])
    assert str(mpich.svg).count("<title>") - str(openmpi.svg).count("<title>") == 6
    assert "1 B: violated" in str(mpich.svg)
    assert panels(found, BARRIER, [one for one in VERDICTS if one.rule == BARRIER]) == ()


def test_the_page_says_why_where_it_is_known() -> None:
    """What explains a violation stands in its section; the most costly first."""
    page = check_page(checked(), "again", lambda one: (f"{one.rule.name} because",))
    assert "GL3 because" in page
    assert page.index("MPI_Barrier ≤ ") < page.index("MPI_Gather(n) ≤ ")


def test_costs_leave_to_the_sections_what_the_page_is_too_narrow_for() -> None:
    """Nine columns of all violations; the interval of the ratio and p are where the guideline's own figures are."""
    page = check_page(checked(), "again")
    costs = page[page.index('id="costs"') : page.index('id="guideline-1"')]
    assert "95 % of loss" in read_aloud(costs)
    for elsewhere in ("of ratio", "adjusted p"):
        assert elsewhere not in costs
        assert elsewhere in page[page.index('id="guideline-1"') :]


def test_every_guideline_is_on_the_page() -> None:
    """What is violated has a section, what holds a row to unfold with its figures: monotony and splits as patterns."""
    monotony = Rule("GL1", Kind.MONOTONY, Source.PAPER, Spec("bcast"), Spec("bcast"))
    kept = Rule("GL2", Kind.SPLIT, Source.PAPER, Spec("gather"), Spec("gather"))
    more = tuple(verdict(rule, MPICH, 64, State.HOLDS) for rule in (monotony, kept))
    page = check_page(checked(verdicts=(*VERDICTS, *more)), "again")
    folded = page[page.index('id="kept"') :]
    assert folded.count("<details") == 2
    for title in ("monotony: Bcast", "split-robustness: Gather"):
        row = folded[folded.index(f"<summary>{title}") :]
        assert "holds, ratio at most 1.1" in row[:200]
        assert "<svg" in row[: row.index("</details>")]
        assert "64 B" in read_aloud(row[: row.index("</details>")])


def test_a_loss_has_its_interval() -> None:
    """In the unit of time, that of both limits written once."""
    one = replace(VERDICTS[0], difference_s=2e-6, difference_low_s=1.5e-6, difference_high_s=2.5e-6)
    assert one.loss_s == 2e-6
    assert loss_interval(one) == "1.50 … 2.50 µs"
    assert loss_interval(replace(one, difference_low_s=9e-7)) == "900 ns … 2.50 µs"
    assert loss_interval(VERDICTS[0]) == "–"
    assert (COLUMNS.record(one)["loss_low_s"], COLUMNS.record(one)["loss_high_s"]) == (1.5e-6, 2.5e-6)


def test_splits_are_spoken_of_where_they_are_checked() -> None:
    """And not of a check of patterns alone."""
    assert "Splits are predicted" in method_sentence(checked())
    assert "Splits" not in method_sentence(checked(rules=(GATHER,)))
