"""Settings of the environment as a factor, on real MPI: in force in the launches that are said to have them."""

import json
from pathlib import Path

import pytest
from tests.command_line import run_ictus
from tests.launch_document import launch_document

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

VARIABLE = "MPIR_CVAR_BCAST_INTRA_ALGORITHM"


def test_ranks_have_the_value_of_their_launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded by the ranks and by the library's control variables; `unset` is without it though the shell has it."""
    monkeypatch.setenv(VARIABLE, "nonsense")
    words = ("--op", "bcast", "--sizes", "8", "--nrep", "20", "--launches", "1", "--contention-retries", "0",
             "--no-page-faults")  # fmt: skip
    values = ("--env", f"{VARIABLE}=unset", "--env", f"{VARIABLE}=binomial")
    done = run_ictus(
        "run", "-m", "mpich", *words, "--clocksync", "none", "--procsync", "barrier", *values, "-o", tmp_path
    )
    assert done.code == 0, done.err
    found = {}
    for folder in (tmp_path / "launches").iterdir():
        launch = launch_document(folder)
        control = json.loads((folder / "cvars.json").read_text("utf-8"))["cvars"][VARIABLE]
        found[launch["launcher"]["algorithm"]["name"]] = (launch["environment"].get(VARIABLE), control)
    assert found.keys() == {f"env.{VARIABLE}=unset", f"env.{VARIABLE}=binomial"}
    unset, binomial = (found[f"env.{VARIABLE}={value}"] for value in ("unset", "binomial"))
    assert (unset[0], binomial[0]) == (None, "binomial")
    assert unset[1] != binomial[1]
    compared = run_ictus("compare", tmp_path, "--by", f"env.{VARIABLE}", "--json")
    (row,) = json.loads(compared.out)["rows"]
    assert (row["a"], row["b"]) == ("unset", "binomial")
