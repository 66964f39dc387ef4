"""The result in sentences, each derived by hand from the verdicts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ictus.comparison.comparison import Comparison
from ictus.comparison.pair_words import outlook, sentence
from ictus.comparison.rows import ComparisonRow, compared, comparison_record, side_names
from ictus.comparison.verdict_texts import apart, interval_text, p_text, ratio_text, verdict_text
from ictus.comparison.words import method, wanted_launches
from ictus.stats.compare import CaseComparison
from ictus.stats.verdict import Verdict, VerdictKind, cannot_decide, decided, not_comparable, undecided

FASTER = decided(VerdictKind.FASTER, None, 0.05)
SLOWER = decided(VerdictKind.SLOWER, None, 0.05)
SAME = decided(VerdictKind.SAME, 0.05, 0.05)
DISTRIBUTIONS = decided(VerdictKind.DISTRIBUTIONS, None, 0.05)


def rows(*verdicts: Verdict) -> list[ComparisonRow]:
    """A row for each verdict, ten launches a side."""
    numbers: dict[str, Any] = {"median_a": 1e-6, "median_b": 2e-6, "ratio": 0.5, "ratio_low": 0.4, "ratio_high": 0.6}
    tests: dict[str, Any] = {"p_value": 0.01, "p_less": 0.005, "p_greater": 1.0, "p_adjusted": 0.02}
    slower: dict[str, Any] = {"ratio": 2.0, "ratio_low": 1 / 0.6, "ratio_high": 2.5}
    values = [numbers | tests | (slower if one.kind is VerdictKind.SLOWER else {}) for one in verdicts]
    return [
        ComparisonRow({"operation": "bcast"}, "old", "new", CaseComparison(10, 10, **own, verdict=one, remarks=()))
        for own, one in zip(values, verdicts, strict=True)
    ]


def comparison(of: Sequence[ComparisonRow]) -> Comparison:
    """What came of a comparison by the usual settings."""
    return Comparison(tuple(of), "mpi", "rank-sum", False, "holm", 0.05, 0.05, "two-sided", ())


def test_stars_are_those_of_the_adjusted_p_value_of_what_differs() -> None:
    """One star for 0.02, where the p-value of the case alone, 0.01, would have two; a verdict is adjusted too."""
    found = rows(FASTER, SLOWER, DISTRIBUTIONS, SAME, undecided(7))
    assert [row.stars for row in found] == ["*", "*", "*", "", ""]
    assert [comparison_record(row)["stars"] for row in found] == [row.stars for row in found]


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        (
            [FASTER, FASTER, SLOWER, SAME, undecided(7)],
            "old is faster than new in 2 of 5 cases and slower in 1; 1 is the same within 5 % and 1 is undecided.",
        ),
        ([FASTER, FASTER], "old is faster than new in both cases and slower in none."),
        ([SLOWER, SAME], "old is slower than new in 1 of 2 cases and faster in none; 1 is the same within 5 %."),
        ([SAME, SAME], "old and new are the same within 5 % in both cases."),
        ([undecided(3), undecided(None)], "No difference between old and new is proven: both cases are undecided."),
        (
            [SAME, undecided(3), not_comparable("x")],
            (
                "No difference between old and new is proven: of 3 cases, 1 is the same within 5 %, 1 is "
                "undecided and 1 cannot be compared."
            ),
        ),
        (
            [DISTRIBUTIONS, undecided(3)],
            "old and new differ in distribution in 1 of 2 cases without either being proven faster; 1 is undecided.",
        ),
        (
            [FASTER, DISTRIBUTIONS],
            (
                "old is faster than new in 1 of 2 cases and slower in none; they differ in distribution in 1 of 2 "
                "cases without either being proven faster."
            ),
        ),
        ([DISTRIBUTIONS], "old and new differ in distribution, but neither is proven faster."),
        ([FASTER], "old is 1.6 to 2.5 times faster than new."),
        ([decided(VerdictKind.SLOWER, 0.05, 0.05)], "new is 1.6 to 2.5 times faster than old, within 5 %."),
        ([SAME], "old and new are the same within 5 %."),
        ([undecided(4)], "old against new: undecided: about 4 more launches; at most 2.5 times apart."),
        ([not_comparable("no launch")], "old and new cannot be compared: no launch."),
    ],
)
def test_the_sentence_counts_every_verdict(verdicts: Sequence[Verdict], said: str) -> None:
    """Faster and slower first, then what is the same, open, or not comparable."""
    assert sentence(rows(*verdicts), "old", "new", 0.05) == said


@pytest.mark.parametrize(
    ("verdicts", "said", "launches"),
    [
        ([FASTER, SAME], "", None),
        ([undecided(12)], "The open case would be decided by about 12 more launches of each library.", 22),
        (
            [undecided(None)],
            "The open case needs more than 1,000 more launches: the difference is too small for this noise.",
            None,
        ),
        (
            [undecided(5), undecided(9), undecided(40)],
            (
                "Of the 3 open cases, about 9 more launches of each library would decide 2 and about 40 more "
                "would decide all."
            ),
            19,
        ),
        (
            [undecided(5), cannot_decide(3, 3, 5, 5)],
            "Of the 2 open cases, about 5 more launches of each library would decide all.",
            15,
        ),
        (
            [undecided(30), undecided(None)],
            "Of the 2 open cases, about 30 more launches of each library would decide 1 and 1 needs more than 1,000.",
            40,
        ),
        (
            [undecided(2), undecided(400), undecided(500)],
            (
                "Of the 3 open cases, about 400 more launches of each library would decide 2 and about 500 more "
                "would decide all."
            ),
            12,
        ),
    ],
)
def test_the_outlook_says_what_more_launches_bring(
    verdicts: Sequence[Verdict], said: str, launches: int | None
) -> None:
    """By the open cases' own estimates; the number to try next decides half of them, or what patience reaches."""
    assert outlook(rows(*verdicts)) == said
    assert wanted_launches(rows(*verdicts)) == launches


def test_the_method_says_which_way_the_ratio_goes() -> None:
    """Direction, test, launches, family, level, and a one-sided p if that is shown."""
    direction, sure = method(comparison(rows(FASTER, SAME)))
    assert direction == "old / new: a ratio below 1 means that old is faster."
    assert sure == (
        "How sure: the chance that any of 2 cases is wrongly called faster or slower is at most 5 % (rank-sum, 10 "
        "launches a side; Holm adjustment). Ranges are 95 % intervals, each case alone."
    )
    one_sided = replace(
        comparison(rows(FASTER)), test="signed-rank", adjust="none", level=0.01, alternative="less", paired=True
    )
    assert method(one_sided)[1] == (
        "How sure: the chance that the case is wrongly called faster or slower is at most 1 % (signed-rank, 10 "
        "launches a side, the same on both; no adjustment; p is one-sided (less)). Ranges are 99 % intervals, each "
        "case alone."
    )
    lost = comparison(rows(not_comparable("no launch")))
    assert method(lost)[1].startswith("How sure: no case could be tested (rank-sum")
    shares = replace(comparison(rows(FASTER, SAME)), adjust="bh", test="kolmogorov-smirnov")
    assert method(shares)[1].startswith(
        "How sure: on average at most 5 % of the cases called different are wrongly called so (kolmogorov-smirnov,"
    )
    alone = method(replace(shares, adjust="none"))[1]
    assert alone.startswith("How sure: the chance that each of 2 cases, taken alone, is wrongly called different is")


def test_pairs_are_not_called_cases() -> None:
    """Three values in one case are three pairs in one case, whatever is counted of them."""
    (row,) = rows(cannot_decide(3, 3, 5, 9))
    three = [replace(row, a=a, b=b) for a, b in ("xy", "xz", "yz")]
    assert compared(three) == "3 pairs in 1 case"
    assert compared([*three, *(replace(one, case={"operation": "scan"}) for one in three)]) == "6 pairs in 2 cases"
    _, judged, hopeless = method(comparison(three))
    assert "any of 3 pairs in 1 case is" in judged
    assert hopeless.startswith("10 launches a side can never decide 3 pairs in 1 case;")


def test_what_can_never_be_decided_is_said_and_not_called_undecided() -> None:
    """In the header with the launches that it takes; the sentence keeps it apart from what is undecided."""
    few = rows(cannot_decide(3, 3, 5, 9), cannot_decide(3, 3, 5, 12))
    assert method(comparison(few))[2:] == (
        "10 launches a side can never decide 2 cases; at least 5 a side are needed.",
    )
    assert sentence(few, "old", "new", 0.05) == (
        "No difference between old and new is proven: none of 2 cases can be decided by so few launches."
    )
    mixed = sentence(rows(FASTER, undecided(3), cannot_decide(3, 3, 5, 9)), "old", "new", 0.05)
    assert mixed.endswith("; 1 is undecided and 1 cannot be decided by so few launches.")


def test_one_launch_a_side_is_no_ground_for_a_forecast() -> None:
    """Footer and table say the least that it takes, never "about"."""
    one = rows(*[cannot_decide(1, 1, 4, 3, at_least=True)] * 2)
    assert outlook(one) == (
        "The 2 open cases take at least 3 more launches of each library; "
        "how many decide, one launch a side cannot tell."
    )
    assert [verdict_text(one[0], short=short) for short in (False, True)] == [
        "cannot decide: at least 3 more",
        "cannot decide: ≥3 more",
    ]


def test_two_folders_name_the_columns() -> None:
    """Pairs from two folders share the folders' names; pairs of one campaign have none in common."""
    first, second = rows(FASTER, FASTER)
    folders = [replace(first, a="one:x", b="two:x"), replace(second, a="one:y", b="two:y")]
    assert side_names(folders) == ("one", "two")
    assert side_names([replace(first, a="x", b="y"), replace(second, a="x", b="z")]) == ("a", "b")


def test_numbers_are_short_and_never_pretend() -> None:
    """Ratios, intervals and p-values; what is not known is NA or a dash, never 0."""
    assert [ratio_text(r) for r in (0.7732, 1.0, 12.345, None)] == ["0.773", "1.000", "12.3", "NA"]
    assert [p_text(p) for p in (0.5, 0.0147, 0.0089, 0.00001, None)] == ["0.500", "0.015", "0.0089", "<.0001", "NA"]
    assert interval_text(None, None) == "–"
    assert interval_text(0.7511, 0.7949) == "0.751 … 0.795"


@pytest.mark.parametrize(
    ("a", "b", "brief"),
    [
        ("allreduce=ring", "allreduce=recursive_doubling", ("ring", "recursive_d…")),
        ("now:mpich", "now:openmpi", ("mpich", "openmpi")),
        ("mpich", "mpich-debian", ("mpich", "mpich-debian")),
        ("default", "allreduce=ring", ("default", "allreduce=r…")),
    ],
)
def test_names_in_a_narrow_table_lose_what_both_begin_with(a: str, b: str, brief: tuple[str, str]) -> None:
    """Cut at the end, both headings of two algorithms would read `allreduce=r…`."""
    assert apart(a, b) == brief
