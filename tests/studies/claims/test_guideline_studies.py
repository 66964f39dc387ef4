"""Studies of guidelines, remedies, overlap and sparse exchanges, in worlds with a planted claim and without."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.test_overlap import TESTED, TIME, US, keep
from tests.command_line import run_ictus
from tests.studies.claims.test_command import NOISE, study

from ictus.studies.remedies.study import RemediesDocument

QUIET = {"noise": 0.02, "launch_spread": 0.05}
MENDED = {**QUIET, "operation_factors": {"scatter": 3.0, "scatter_as_bcast": 1.1}}
SET_UP = {"neighbor_alltoall": 1e-4, "sparse_alltoall": 1e-5}
WORLDS = [
    ("guidelines", {**NOISE, "operation_factors": {"bcast": 1.5}}, "holds"),
    ("guidelines", NOISE, "does not hold"),
    ("remedies", MENDED, "holds"),
    ("sparse-exchange", {**QUIET, "set_ups_s": SET_UP}, "holds"),
    ("sparse-exchange", {**QUIET, "set_ups_s": SET_UP, "operation_factors": {"sparse_alltoall": 3}}, "does not hold"),
    ("sparse-exchange", {**QUIET, "set_ups_s": dict.fromkeys(SET_UP, 1e-4)}, "cannot be seen here"),
]


@pytest.mark.few(2)
@pytest.mark.parametrize(("name", "world", "seen"), WORLDS)
def test_a_planted_claim_is_seen_and_a_missing_one_is_not(
    name: str, world: dict[str, Any], seen: str, tmp_path: Path
) -> None:
    """By the same command, in worlds that differ in nothing else; and again from the folder."""
    row = study(name, world, tmp_path, "-m", "mpich")
    assert row["seen"] == seen, row
    again = run_ictus("study", name, tmp_path / "study", "--json")
    assert json.loads(again.out)["rows"] == [row]


def test_nothing_is_mended_where_nothing_is_broken(tmp_path: Path) -> None:
    """The reason is said, and a folder without a tuning is refused."""
    row = study("remedies", QUIET, tmp_path, "-m", "mpich")
    assert (row["seen"], "there is nothing to mend" in row["because"]) == ("cannot be seen here", True)
    (tmp_path / "study" / RemediesDocument.FILE).unlink()
    refused = run_ictus("study", "remedies", tmp_path / "study")
    assert (refused.code, "is not a study: there is no" in refused.err) == (2, True)


def test_a_check_that_was_begun_goes_on_as_it_began(tmp_path: Path) -> None:
    """With the launches and the guidelines that it was given."""
    words = ("-m", "mpich", "--launches", "6", "--sizes", "8")
    first = study("guidelines", NOISE, tmp_path, *words)
    again = study("guidelines", NOISE, tmp_path, "-m", "mpich")
    assert again == first
    assert first["launches"] == 6


@pytest.mark.figures
@pytest.mark.parametrize(
    ("wait_us", "overlap", "progress"),
    [(20, "holds", "holds"), (45, "holds", "does not hold"), (190, "does not hold", "does not hold")],
)
def test_overlap_and_progress_are_judged_from_a_kept_study(
    wait_us: float, overlap: str, progress: str, tmp_path: Path
) -> None:
    """T_b 100 us; 5 and 45 us are left without tests, and with them 5, 9 and what is waited. A thread steals 30 us."""
    keep(tmp_path / "kept", 6, tested={**TESTED, "wait": wait_us * US})
    for name, seen in (("overlap", overlap), ("progress", progress), ("stolen-core", "holds")):
        answer = run_ictus("study", name, tmp_path / "kept", "--json")
        (row,) = json.loads(answer.out)["rows"]
        assert (row["seen"], row["launches"]) == (seen, 12), row
        page = (tmp_path / "kept" / "study.html").read_text("utf-8")
        assert (f"{name}: {seen}" in page, "<svg" in page) == (True, True)
    assert TIME["wait"] == 45 * US


def test_a_study_of_overlap_refuses_what_it_does_not_have(tmp_path: Path) -> None:
    """Simulated launches compute in no time; before anything is measured."""
    for words, said in ((("--launcher", "simulated"), "for real ranks"), (("--platform", "flat"), "in no time")):
        refused = run_ictus("study", "progress", "--quick", *words, "-o", tmp_path / "new")
        assert (refused.code, words[0].strip("-") in refused.err, said in refused.err) == (2, True, True), refused.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_overlap_and_sparse_exchanges_are_measured_on_real_ranks(tmp_path: Path) -> None:
    """What comes of it is the machine's matter; all that the claim needs is there, and goes on where it was."""
    for name, rows in (("progress", 6), ("sparse-exchange", 4)):
        words = ("-m", "mpich", "--launches", "2", "--sizes", "1Ki", "--nrep", "5", "-o", tmp_path / name)
        for _ in range(2):
            answer = run_ictus("study", name, "--quick", *words, "--json")
            assert answer.code == 0, answer.err
            found = json.loads(answer.out)
            assert found["rows"][0]["launches"] == 2
            assert found["rows"][0]["seen"] == "cannot be seen here"
            assert len(found["data"][name]) <= rows
        if name == "sparse-exchange":
            assert all(row["set_up_s"] > 0 for row in found["data"][name])
