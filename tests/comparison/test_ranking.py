"""More than two values of a factor, variables of the environment, and shares of variance, over synthetic campaigns."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tests.launch_document import edit_head
from tests.synthetic import Scenario, write_folder

import ictus
from ictus.comparison.matching import launch_medians
from ictus.comparison.ranking import CaseRanking, RankedValue
from ictus.comparison.ranking_words import first_places, share_note
from ictus.comparison.sides import sides
from ictus.comparison.tables import ranking_table, share_rows, share_text
from ictus.model.errors import UsageError
from ictus.render.terminal import lines as table_lines

THREE = {"mpich": 1.0, "openmpi": 1.0, "third": 1.2}


def campaign(folder: Path, **scenario: object) -> "ictus.Campaign":
    """A campaign folder of that scenario, loaded."""
    small = {"sizes": (8,), "operations": ("bcast",), "nrep": 30}
    return ictus.load(write_folder(folder / "camp", Scenario(**{**small, **scenario})))


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> "ictus.Campaign":
    """Two libraries that are equal and one that is 20 % slower, two procsyncs."""
    return campaign(
        tmp_path_factory.mktemp("three"),
        libraries=tuple(THREE),
        latency=lambda label, _operation, size: THREE[label] * (1e-6 + size / 4e9),
        sizes=(8, 4096),
        procsyncs=("window", "barrier(library)"),
        procsync_factor={"barrier": 1.1},
    )


def test_the_slower_of_three_is_in_a_group_of_its_own(three: "ictus.Campaign") -> None:
    """`a` for the two equal ones, `b` and place 2 for the slower, in every case."""
    found = ictus.compare(three)
    assert len(found.rankings) == 4
    for ranking in found.rankings:
        assert (ranking.test, ranking.n_launches) == ("kruskal-wallis", 30)
        assert {one.name: (one.group, one.place) for one in ranking.standings} == {
            "mpich": ("a", 1), "openmpi": ("a", 1), "third": ("b", 2)
        }  # fmt: skip
        assert ranking.standings[-1].name == "third"
    assert first_places(found.rankings) == (
        "Nothing is proven faster than mpich in 4 of 4 cases, openmpi in 4 and third in none."
    )


def test_the_test_over_all_is_that_of_scipy_adjusted_over_the_cases(three: "ictus.Campaign") -> None:
    """Its p from the launch medians themselves; Holm's adjustment of the smallest of four multiplies it by 4."""
    found = ictus.compare(three)
    pairs = list(sides(three, None, "mpi", None, None))
    of = [launch_medians(side, "mpi") for side in (pairs[0][0], pairs[0][1], pairs[1][1])]
    p_values = [stats.kruskal(*(list(one[key].values()) for one in of)).pvalue for key in of[0]]
    assert [one.p_value for one in found.rankings] == pytest.approx(p_values, rel=1e-12)
    assert min(one.p_adjusted or 1 for one in found.rankings) == pytest.approx(4 * min(p_values), rel=1e-12)
    plain = ictus.compare(three, adjust="none")
    assert [one.p_adjusted for one in plain.rankings] == [one.p_value for one in plain.rankings]


def test_shared_launches_take_friedman_and_launches_without_all_values_are_left_out(tmp_path: Path) -> None:
    """Three procsyncs in the same launches: every launch ranks them; a lost case leaves two, and nothing to test."""
    names = ("window", "barrier(library)", "barrier(linear)")
    shared = campaign(tmp_path, procsyncs=names, procsync_factor={"barrier": 1.3}, launch_spread=0.3)
    found = ictus.compare(shared, by="procsync", adjust="none")
    assert {(one.test, one.n_launches) for one in found.rankings} == {("friedman", 10)}
    for ranking in found.rankings:
        assert (ranking.p_value or 1) < 0.01
        assert (ranking.standings[0].name, ranking.standings[0].group) == ("window", "a")
        assert [one.place for one in ranking.standings[1:]] == [2, 2]
    (tmp_path / "lost").mkdir()
    lost = campaign(tmp_path / "lost", procsyncs=names, lost=("bcast:8:barrier(algorithm=library",))
    gap = ictus.compare(lost, by="procsync").rankings[0]
    assert (gap.statistic, gap.p_value, gap.p_adjusted) == (None, None, None)
    assert {one.name for one in gap.standings} == {"window", "barrier(linear)"}


def test_two_values_have_no_ranking_and_two_campaigns_no_shares(three: "ictus.Campaign", tmp_path: Path) -> None:
    """One pair says it all; and the factors of two campaigns are not those of one design."""
    assert ictus.compare(three, "mpich", "third").rankings == ()
    other = campaign(tmp_path, libraries=("mpich",))
    assert ictus.compare(three, "mpich", other=other).shares is None


def test_known_effects_have_known_shares(tmp_path: Path) -> None:
    """A library 30 % slower, a start 10 % slower, next to no noise: shares are as the squares of the logarithms."""
    world = campaign(
        tmp_path, latency=lambda label, _operation, _size: 1e-6 * (1.3 if label == "openmpi" else 1.0),
        procsyncs=("window", "barrier(library)"), procsync_factor={"barrier": 1.1},
        sizes=(8, 64), launch_spread=0.0, case_spread=1e-4, noise=1e-4,
    )  # fmt: skip
    shares = ictus.compare(world).shares
    assert shares is not None
    squares = [math.log(1.3) ** 2, math.log(1.1) ** 2]
    assert [one.factor for one in shares.factors] == ["mpi", "procsync"]
    assert [one.alike for one in shares.factors] == pytest.approx(
        [square / sum(squares) for square in squares], rel=1e-3
    )
    assert shares.balanced
    assert max(one.by_case or 0 for one in shares.factors) < 1e-3
    assert [row.source for row in share_rows(shares)] == ["library", "procsync", "factors in combination", "launches"]


def test_an_effect_that_turns_round_with_the_size_is_by_case(tmp_path: Path) -> None:
    """Faster for small and slower for large messages by the same ratio: nothing alike, nearly all by case."""
    turning = campaign(
        tmp_path, sizes=(8, 64), launch_spread=0.0, case_spread=1e-4, noise=1e-4,
        latency=lambda label, _operation, size: 1e-6 * (1.2 if (label == "openmpi") == (size == 8) else 1.0),
    )  # fmt: skip
    shares = ictus.compare(turning).shares
    assert shares is not None
    assert shares.factors[0].alike < 1e-3
    assert (shares.factors[0].by_case or 0) > 0.99


def test_a_lost_case_makes_the_design_unbalanced_and_that_is_said(tmp_path: Path) -> None:
    """By case is unknown then, and the note says how shares were worked out."""
    shares = ictus.compare(
        campaign(tmp_path, procsyncs=("window", "barrier(library)"), sizes=(8, 64), lost=("bcast:8:barrier",))
    ).shares
    assert shares is not None
    assert not shares.balanced
    assert "type II" in share_note(shares)
    assert [row.by_case for row in share_rows(shares)[:2]] == ["–", "–"]


def test_a_variable_of_the_environment_is_a_factor(tmp_path: Path) -> None:
    """Every other launch had TUNING=x and took 30 % more: `unset` against `x`, in different launches."""
    folder = write_folder(
        tmp_path / "camp",
        Scenario(
            libraries=("mpich",), operations=("bcast",), sizes=(8,), launches=20, nrep=30,
            trace=lambda slot, _operation, nrep: np.full(nrep, 1.3 if slot % 2 else 1.0),
        ),
    )  # fmt: skip
    for path in sorted(folder.glob("launches/*/launch.json"))[1::2]:
        edit_head(path, environment={"TUNING": "x"})
    loaded = ictus.load(folder)
    (row,) = ictus.compare(loaded, "x", "unset", by="env.TUNING").rows
    assert (row.outcome, row.result.n_a, row.result.n_b) == ("slower", 10, 10)
    assert row.ratio == pytest.approx(1.3, rel=0.02)
    found = ictus.compare(loaded, by="env.TUNING")
    assert (found.by, found.test, found.paired) == ("env.TUNING", "rank-sum", False)
    assert found.shares is not None
    assert found.shares.factors[0].factor == "env.TUNING"
    assert found.shares.factors[0].alike > 0.95
    with pytest.raises(UsageError, match=r"only 'unset' for env\.OTHER"):
        ictus.compare(loaded, by="env.OTHER")
    with pytest.raises(UsageError, match=r"factor 'env\.'"):
        ictus.compare(loaded, by="env.")


def test_groups_that_overlap_are_shown_by_letters() -> None:
    """A differs from C, B from neither: a, ab, b; the first places in bold green, C not."""
    standings = tuple(
        RankedValue(name, 10, median, place, group)
        for name, median, place, group in (("A", 1e-6, 1, "a"), ("B", 1.1e-6, 1, "ab"), ("C", 1.2e-6, 2, "b"))
    )
    case = {"operation": "bcast", "size_bytes": 8, "n": 2, "procsync": "window"}
    lines = table_lines(ranking_table([CaseRanking(case, "kruskal-wallis", 30, 9.0, 0.01, 0.02, standings)], "mpi"), 80)
    assert [line.plain.split() for line in lines[2:]] == [
        ["8", "B", "A", "1.00", "a", "1", "10", "0.020"],
        ["B", "1.10", "ab", "1", "10"],
        ["C", "1.20", "b", "2", "10"],
    ]


def test_shares_as_texts() -> None:
    """Unknown is a dash, nearly nothing is not 0."""
    assert [share_text(share) for share in (0.123, 0.0001, None, float("nan"))] == ["12.3 %", "<0.1 %", "–", "–"]
