"""`ictus advise` whole, on the example program: a planted algorithm is found, mended and proven in the program; of a
healthy library no gain is claimed.
"""

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from scipy import stats
from tests.command_line import run_ictus, succeed
from tests.native.programs import compiled

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

EXAMPLES = Path(__file__).parents[2] / "examples"
RULES = """1
2
2
2
3
0 0 0 0
65536 5 0 64
65537 0 0 0
3
1
0 0 0 0
"""
"""Open MPI's allreduce of 64 KiB between two processes as a ring of segments of 64 bytes."""
QUICK = ("--nrep", "20", "--procsync", "barrier", "--clocksync", "none", "--contention-retries", "0", "-n", "2")


def planted(folder: Path) -> tuple[str, ...]:
    """Options that plant the ring, at 64 KiB alone."""
    rules = folder / "planted.rules"
    rules.write_text(RULES)
    values = {"use_dynamic_rules": "true", "priority": "90", "dynamic_rules_filename": str(rules)}
    return tuple(word for name, value in values.items() for word in ("--env", f"OMPI_MCA_coll_tuned_{name}={value}"))


def advised(folder: Path, *words: object, steps: int = 4000) -> dict[str, Any]:
    """The advice on the example, compiled with Open MPI, for that number of steps."""
    file = folder / "halo_allreduce"
    if not file.exists():
        compiled("openmpi", "halo_allreduce", folder, "-g", folder_of_source=EXAMPLES)
    answer = succeed("advise", "-m", "openmpi", *QUICK, *words, "--json", "--", file, steps)
    return dict(json.loads(answer.out))


def test_of_a_program_whose_calls_cost_little_nothing_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a threshold that no call reaches the profile is all: its share of MPI is told, and nothing to do. The same
    command says the same again without a launch; another program needs another folder.
    """
    out = tmp_path / "advice"
    found = advised(tmp_path, "--least", "99 %", "-o", out, steps=20)
    assert (found["schema"], found["rows"], found["to_do"]) == ("ictus.advise/1", [], [])
    assert found["advice"].startswith("Nothing to gain: ")
    assert f"{found['mpi_share']:.1%} of the time" in found["advice"]
    assert {one.name for one in out.iterdir()} == {"advise.json", "profile", "advice.html"}
    assert advised(tmp_path, "--least", "99 %", "-o", out, steps=20) == found
    other = run_ictus("advise", "-m", "openmpi", *QUICK, "--least", "99 %", "-o", out, "--", tmp_path / "planted")
    assert (other.code, "does not exist" in other.err) == (2, True)
    (tmp_path / "here.conf").touch()
    monkeypatch.chdir(tmp_path)
    other = run_ictus("advise", "-m", "openmpi", *QUICK, "--env", "A=here.conf", "-o", "new", "--", "./halo_allreduce")
    assert (other.code, "give its whole path" in " ".join(other.err.split())) == (2, True), other.err
    assert not Path("new").exists()
    other = run_ictus(
        "advise", "-m", "openmpi", *QUICK, "--least", "2 %", "-o", out, "--", tmp_path / "halo_allreduce", "20"
    )
    assert (other.code, "least: 0.99 there, 0.02 asked for" in " ".join(other.err.split())) == (2, True), other.err


@pytest.mark.long
def test_a_planted_algorithm_is_found_mended_and_proven_in_the_program(tmp_path: Path) -> None:
    """The check finds the ring at the program's own size, the tuning replaces it, and the program runs faster with the
    file, as do its calls where they could be counted; what is there is not launched again.
    """
    words = (*planted(tmp_path), "--launches", "8", "--limit", "6", "--seed", "1", "--time-budget", "5min")
    found = advised(tmp_path, *words, "-o", tmp_path / "advice")
    (row,) = found["rows"]
    case = tuple(row[key] for key in ("operation", "size_bytes", "n", "datatype", "operator", "state"))
    assert case == ("allreduce", 65536, 2, "double", "sum", "remedied")
    assert row["share"] > 0.5
    assert row["ratio"] < 0.5
    (remedy,) = found["remedies"]
    assert remedy["gains"], remedy
    assert remedy.get("calls_verdict", "faster") == "faster"
    assert remedy["run_ratio"] < 1
    assert any("mpiexec" in line or "exec --redirect" in line for line in found["to_do"])
    assert found["advice"].startswith("The program runs faster: ")
    again = advised(tmp_path, *words, "-o", tmp_path / "advice")
    assert (again["remedies"], again["spent_s"]) == (found["remedies"], found["spent_s"])


TRIES = 20


def share_of(seen: Sequence[bool]) -> tuple[float, float]:
    """The 95 % interval of the share of tries, by Clopper and Pearson."""
    interval = stats.binomtest(sum(seen), len(seen)).proportion_ci()
    print(f"{sum(seen)} of {len(seen)} tries, 95 %: {interval.low:.2f} to {interval.high:.2f}")
    return interval.low, interval.high


def kept_folder(tmp_path: Path, name: str) -> Path:
    """Where tries are kept: below ICTUS_TRIES, from which an interrupted test goes on, else for this run alone."""
    kept = os.environ.get("ICTUS_TRIES")
    folder = Path(kept).resolve() / name if kept else tmp_path
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.mark.long
@pytest.mark.parametrize("healthy", [True, False], ids=["healthy", "planted"])
def test_of_twenty_tries_how_many_claim_a_gain(healthy: bool, tmp_path: Path) -> None:
    """Of the planted ring nearly all, of a healthy library about as few as the level allows: an interval that excludes
    9 in 10, or 1 in 20, is a fault. With ICTUS_TRIES=FOLDER an interrupted one goes on where it was.
    """
    folder = kept_folder(tmp_path, "healthy" if healthy else "planted")
    own = () if healthy else planted(folder)
    words = (*own, "--launches", "8", "--limit", "4", "--time-budget", "3min")
    gains, began = [], time.monotonic()
    for seed in range(TRIES):
        found = advised(folder, *words, "--seed", seed, "-o", folder / str(seed))
        gains.append(any(one["gains"] for one in found["remedies"]))
        print(
            f"try {seed + 1} of {TRIES}: {found['spent_s']:.0f} s in launches, {time.monotonic() - began:.0f} s so far"
        )
    low, high = share_of(gains)
    assert low <= 0.05 if healthy else high >= 0.9
