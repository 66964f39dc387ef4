"""The libraries' own algorithms on real MPI: offered, in force, and refused where the library does not heed them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import Answer, run_ictus
from tests.e2e.test_campaign import rows
from tests.launch_document import launch_document

pytestmark = [pytest.mark.mpi, pytest.mark.e2e, pytest.mark.beside]

CASES = ("--sizes", "8,4Ki", "--nrep", "40", "--launches", "1", "--seed", "5", "--contention-retries", "0")
LOCAL = ("--clocksync", "none", "--procsync", "barrier(library)")
VARIABLE = {"mpich": "MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM", "openmpi": "coll_tuned_allreduce_algorithm"}


def run(folder: Path, *words: str) -> Answer:
    """A campaign of MPI_Allreduce with two ranks."""
    return run_ictus("run", "--op", "allreduce", "--no-page-faults", *CASES, *LOCAL, *words, "-o", folder)


def test_each_library_tells_its_algorithms() -> None:
    """Names that are known of both releases, each with its number."""
    offered = {(row["mpi"], row["operation"], row["name"]): row["number"] for row in rows("list", "algorithms")}
    assert offered["openmpi", "allreduce", "ring"] == 4
    assert offered["openmpi", "barrier", "tree"] == 6
    assert offered["mpich", "barrier", "k_dissemination"] > 0
    assert not [key for key in offered if key[2] in ("auto", "ignore", "default")]


def test_what_is_asked_for_is_in_force(tmp_path: Path) -> None:
    """In the launches with it, and not in those without; the control variables of each launch are the proof."""
    done = run(tmp_path / "c", "-m", "mpich", "-m", "openmpi", "--algorithm", "allreduce=ring,default")
    assert done.code == 0, done.err
    slots = json.loads((tmp_path / "c" / "schedule.json").read_text("utf-8"))["slots"]
    assert sorted((slot["mpi"], slot["algorithm"]) for slot in slots) == [
        (mpi, name) for mpi in ("mpich", "openmpi") for name in ("allreduce=ring", "default")
    ]
    values: dict[tuple[str, str], Any] = {}
    for slot in slots:
        launch = tmp_path / "c" / "launches" / f"{slot['slot']:04d}-{slot['mpi']}"
        cvars = json.loads((launch / "cvars.json").read_text("utf-8"))["cvars"]
        values[slot["mpi"], slot["algorithm"]] = cvars[VARIABLE[slot["mpi"]]]
        told = launch_document(launch)["launcher"]["algorithm"]
        assert told["name"] == slot["algorithm"]
    assert values["openmpi", "allreduce=ring"] == "ring"
    assert values["mpich", "allreduce=ring"] not in ("0", values["mpich", "default"])
    assert {row["case"]["algorithm"] for row in rows("show", tmp_path / "c")} == {"default", "allreduce=ring"}


def test_an_algorithm_that_cannot_serve_the_calls_is_refused(tmp_path: Path) -> None:
    """MPICH's reduce_scatter_allgather needs as many elements as ranks: one element gets another one, silently."""
    done = run(tmp_path / "c", "-m", "mpich", "--algorithm", "allreduce=reduce_scatter_allgather")
    assert done.code == 3
    assert "algorithm 'allreduce=reduce_scatter_allgather' is not in force" in done.err
    assert re.search(r"cannot be applied\.' \d+ times in \d+ calls of case 0, and takes another one", done.err), (
        done.err
    )


def test_a_variable_is_not_set_twice(tmp_path: Path) -> None:
    """By --env and by --algorithm: the message names both."""
    twice = ("--env", "OMPI_MCA_coll_tuned_allreduce_algorithm=1", "--algorithm", "allreduce=ring")
    done = run(tmp_path / "c", "-m", "openmpi", *twice)
    assert done.code == 2
    assert "--env OMPI_MCA_coll_tuned_allreduce_algorithm: algorithm 'allreduce=ring' sets this" in done.err


@pytest.mark.long
def test_a_real_study_of_starts(tmp_path: Path) -> None:
    """Two libraries, three starts, a launch each: every cell has a median and a skew, and nothing can be proven."""
    starts = ("--procsync", "barrier(library),window,harmonize", "--op", "bcast", "-m", "mpich", "-m", "openmpi")
    done = run_ictus("barriers", "impact", *starts, *CASES, "-o", tmp_path / "c", "--json")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    assert len(document["rows"]) == 2 * 2 * 3
    assert all(row["median_s"] > 0 and row["start_skew_s"] > 0 for row in document["rows"])
    assert {contest["outcome"] for contest in document["winners"]} == {"undecided"}
    assert (tmp_path / "c" / "impact.html").stat().st_size > 20_000
