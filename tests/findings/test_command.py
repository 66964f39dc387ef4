"""`ictus study`: what is listed, measured, judged again; worlds with a planted finding, and without."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Answer, run_ictus

from ictus.findings.registry import FINDINGS

TWO = ("-m", "mpich", "-m", "openmpi")


def study(name: str, world: dict[str, Any], folder: Path, *words: object) -> dict[str, Any]:
    """The row of a quick study in a simulated world."""
    folder.mkdir(exist_ok=True)
    scenario = folder / "world.json"
    scenario.write_text(json.dumps(world))
    answer = _run(name, scenario, folder, *words)
    assert answer.code == 0, answer.err
    (row,) = json.loads(answer.out)["rows"]
    assert (folder / "study" / "study.html").is_file() == (row["folder"] is not None)
    return dict(row)


def _run(name: str, scenario: Path, folder: Path, *words: object) -> Answer:
    simulated = ("--launcher", "simulated", "--scenario", scenario, "--seed", 3)
    return run_ictus("study", name, "--quick", *simulated, "-o", folder / "study", "--json", *words)


NOISE = {"noise": 0.03}
WORLDS = [
    ("run-to-run", {**NOISE, "launch_spread": 0.04}, "holds"),
    ("run-to-run", {"noise": 0.005}, "does not hold"),
    ("mpirun-factor", {**NOISE, "launch_spread": 0.04}, "holds"),
    ("mpirun-factor", {**NOISE, "launch_spread": 0.0}, "cannot be seen here"),
    ("pipelining", {**NOISE, "pipelining": 0.5}, "holds"),
    ("pipelining", NOISE, "does not hold"),
    ("window-barrier", {**NOISE, "procsync_factors": {"barrier": 1.3}}, "holds"),
    ("window-barrier", NOISE, "does not hold"),
]


@pytest.mark.parametrize(("name", "world", "seen"), WORLDS)
def test_a_planted_finding_is_seen_and_a_missing_one_is_not(
    name: str, world: dict[str, Any], seen: str, tmp_path: Path
) -> None:
    """By the same command, in worlds that differ in nothing else."""
    row = study(name, world, tmp_path, "-m", "mpich")
    assert row["seen"] == seen, row


def test_what_was_measured_is_judged_again(tmp_path: Path) -> None:
    """The same answer from the folder, on a terminal too; nothing is measured."""
    row = study("window-barrier", {**NOISE, "procsync_factors": {"barrier": 1.3}}, tmp_path, "-m", "mpich")
    again = run_ictus("study", "window-barrier", tmp_path / "study", "--json")
    assert json.loads(again.out)["rows"] == [row]
    shown = " ".join(run_ictus("study", "window-barrier", tmp_path / "study").out.split())
    assert shown.startswith("Medians by windows and by barriers differ, by how much depends on the size: holds: 2 of 2")
    assert "Judged by: rank tests of all cases together" in shown
    refused = run_ictus("study", "window-barrier", tmp_path / "study", "--launches", "5")
    assert refused.code == 2
    assert "--launches" in refused.err


def test_two_libraries_are_needed_to_mislead(tmp_path: Path) -> None:
    """One library: the reason is said; two that are equal, in launches that differ: single launches are wrong."""
    row = study("compare-two", NOISE, tmp_path / "one", "-m", "mpich")
    assert row["seen"] == "cannot be seen here"
    assert "mpich is the only one" in row["because"]
    row = study("compare-two", {"noise": 0.01, "launch_spread": 0.02}, tmp_path / "two", *TWO)
    assert row["seen"] == "holds", row


def test_a_machine_without_governors_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is measured."""
    monkeypatch.setattr("ictus.mpi.governor.SYSTEM", tmp_path)
    row = study("dvfs", NOISE, tmp_path / "dvfs")
    assert row["seen"] == "cannot be seen here"
    assert "no governor to set" in row["because"]
    assert row["folder"] is None


def test_all_studies_are_listed_and_unknown_ones_refused() -> None:
    """Each with its paper and its rule; a slip of the finger gets a hint."""
    rows = json.loads(run_ictus("study", "list", "--json").out)["rows"]
    assert [row["name"] for row in rows] == [finding.name for finding in FINDINGS]
    assert all(row["claim"].endswith(".") for row in rows)
    assert all("Fig." in row["source"] or "Tab." in row["source"] for row in rows)
    assert all(row["rule"] for row in rows)
    wrong = run_ictus("study", "pining")
    assert wrong.code == 2
    assert "did you mean 'pinning'" in wrong.err
    assert run_ictus("study", "all", ".").code == 2
