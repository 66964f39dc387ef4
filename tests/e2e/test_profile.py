"""`ictus profile` as a user calls it, in processes of its own, on a wheel; its library comes from the cache."""

import csv
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import run_ictus, succeed
from tests.native.programs import IN_FORTRAN, beside, compiled
from tests.native.test_profile import KEYS, line_of
from tests.native.trees import installation

from ictus.mpi.build import build_profile

EXAMPLES = Path(__file__).parents[2] / "examples"
pytestmark = [pytest.mark.mpi, pytest.mark.beside]


def ictus(*words: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    """What `ictus profile` left."""
    line = (sys.executable, "-m", "ictus", "profile", *words)
    return subprocess.run(line, cwd=folder, check=False, capture_output=True, text=True, timeout=240)


@pytest.mark.few(1)
@pytest.mark.parametrize("how", ["terminated", "left"])
def test_what_was_counted_is_shown_however_the_program_ended(how: str, tmp_path: Path) -> None:
    """By SIGTERM, and without MPI_Finalize: the table behind the run, all rows as JSON and CSV, and the page, which
    tells no waiting.
    """
    compiled("mpich", "profiled_calls", tmp_path, "-g", "-D_POSIX_C_SOURCE=199309L")
    ran = ictus("run", "-m", "mpich", "-n", "4", "-o", "prof", "--", "./profiled_calls", how, folder=tmp_path)
    if how == "terminated":  # of processes that leave on their own, the launcher may end some: it chooses the code
        assert ran.returncode != 0, ran.stderr
    assert "Time by function" in ran.stderr
    unfinished = "4 of 4 processes did not call MPI_Finalize"
    assert unfinished in " ".join(ran.stderr.split())

    answer = json.loads(succeed("profile", "show", tmp_path / "prof", "--json", "-o", tmp_path / "page.html").out)
    assert (answer["waiting_share"], answer["clock"]) == (None, "")
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "not compared at the end: waiting is not proven" in page
    assert "When processes came" not in page
    assert (answer["schema"], answer["n_ranks"]) == ("ictus.profile/1", 4)
    assert answer["warnings"][0].startswith(unfinished)
    (row,) = (one for one in answer["rows"] if (one["operation"], one["op"]) == ("Allreduce", "MPI_SUM"))
    kind = ("Allreduce", 24, 24, "MPI_COMM_WORLD", "0-3", "MPI_DOUBLE", "MPI_SUM", None, False)
    assert tuple(row[key] for key in KEYS) == kind
    assert (row["calls"], row["site"]) == (4 * 7, line_of("profiled_calls", "allreduce"))
    assert 0 < row["share"] < answer["mpi_share"] < 1

    listed = list(csv.DictReader(io.StringIO(succeed("profile", "show", tmp_path / "prof", "--csv").out)))
    calls = [(one["operation"], one["site"], one["calls"]) for one in listed]
    assert calls == [(one["operation"], one["site"], str(one["calls"])) for one in answer["rows"]]

    again = run_ictus("profile", "run", "-m", "mpich", "-o", tmp_path / "prof", "--", tmp_path / "profiled_calls")
    assert again.code == 2
    assert "holds a profile already" in " ".join(again.err.split())


def test_a_program_that_reached_no_mpi_leaves_no_folder(tmp_path: Path) -> None:
    """One of its own that was there stays."""
    failed = ictus("run", "-m", "mpich", "-o", "prof", "--", "false", folder=tmp_path)
    assert failed.returncode == 1, failed.stderr
    assert not (tmp_path / "prof").exists()
    (tmp_path / "own").mkdir()
    ictus("run", "-m", "mpich", "-o", "own", "--", "false", folder=tmp_path)
    assert (tmp_path / "own").is_dir()


@pytest.mark.engine("fortran", "debian-mpi")
@pytest.mark.parametrize("label", IN_FORTRAN)
def test_the_example_in_fortran_is_counted_where_its_source_calls(label: str, tmp_path: Path) -> None:
    """By mpi_f08. Four parts of a plate have the heat of one; each line of the source that calls is named, with the
    number of its calls.
    """
    found = installation(label)
    wrapper = beside(found.wrapper, "mpifort")
    subprocess.run((wrapper, "-O2", "-g", "-Wall", EXAMPLES / "heat.f90", "-o", tmp_path / "heat"), check=True)
    build_profile(found)
    ends = {}
    for n, cells in ((1, "64"), (4, "32")):
        ran = ictus("run", "-m", label, "-n", str(n), "-o", f"on-{n}", "--", "./heat", "10", cells, folder=tmp_path)
        assert ran.returncode == 0, ran.stderr
        ends[n] = ran.stdout.split("last change")[1]
    assert ends[4] == ends[1]
    calls = ("call MPI_Sendrecv", "call MPI_Allreduce")
    lines = (EXAMPLES / "heat.f90").read_text().splitlines()
    sites = [
        f"heat.f90:{number + line.endswith('&')}"  # the line that ends the call
        for number, line in enumerate(lines, 1)
        if line.lstrip().startswith(calls)
    ]
    assert len(sites) == 6
    rows = json.loads(ictus("show", "on-4", "--json", folder=tmp_path).stdout)["rows"]
    counted: dict[str, int] = {}
    for row in rows:
        counted[row["site"]] = counted.get(row["site"], 0) + row["calls"]
    assert counted == dict.fromkeys(sites, 4 * 10)
