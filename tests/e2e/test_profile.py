"""`ictus profile` as a user calls it, in processes of its own, on a wheel; its library comes from the cache."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.native.programs import compiled
from tests.native.test_profile import KEYS, line_of

pytestmark = pytest.mark.mpi


def ictus(*words: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """What `ictus profile` left."""
    line = (sys.executable, "-m", "ictus", "profile", *words)
    return subprocess.run(line, cwd=folder, check=False, capture_output=True, text=True, timeout=240)


@pytest.mark.parametrize("how", ["terminated", "left"])
def test_what_was_counted_is_shown_however_the_program_ended(how: str, tmp_path: Path) -> None:
    """By SIGTERM, and without MPI_Finalize: the table behind the run, and all rows as JSON and CSV."""
    compiled("mpich", "profiled_calls", tmp_path, "-g", "-D_POSIX_C_SOURCE=199309L")
    ran = ictus("run", "-m", "mpich", "-n", "4", "-o", "prof", "--", "./profiled_calls", how, folder=tmp_path)
    assert (ran.returncode != 0) == (how == "terminated"), ran.stderr
    assert "Calls by cost" in ran.stderr
    unfinished = "4 of 4 processes did not call MPI_Finalize"
    assert unfinished in " ".join(ran.stderr.split())

    answer = json.loads(ictus("show", "prof", "--json", folder=tmp_path).stdout)
    assert (answer["schema"], answer["n_ranks"]) == ("ictus.profile/1", 4)
    assert answer["warnings"][0].startswith(unfinished)
    (row,) = (one for one in answer["rows"] if (one["operation"], one["op"]) == ("Allreduce", "MPI_SUM"))
    kind = ("Allreduce", 24, 24, "MPI_COMM_WORLD", "0-3", "MPI_DOUBLE", "MPI_SUM", None, False)
    assert tuple(row[key] for key in KEYS) == kind
    assert (row["calls"], row["site"]) == (4 * 7, line_of("profiled_calls", "allreduce"))
    assert 0 < row["share"] < answer["mpi_share"] < 1

    listed = list(csv.DictReader(io.StringIO(ictus("show", "prof", "--csv", folder=tmp_path).stdout)))
    calls = [(one["operation"], one["site"], one["calls"]) for one in listed]
    assert calls == [(one["operation"], one["site"], str(one["calls"])) for one in answer["rows"]]

    again = ictus("run", "-m", "mpich", "-n", "4", "-o", "prof", "--", "./profiled_calls", folder=tmp_path)
    assert again.returncode == 2
    assert "holds a profile already" in " ".join(again.stderr.split())
