"""`ictus check` on real ranks of both libraries, with a violation that is known because it was planted, and on
simulated ones.
"""

import itertools
import json
import math
from pathlib import Path

import pytest
from tests.command_line import succeed
from tests.launch_document import launch_document
from tests.native.trees import mpi_tree

from ictus.model.algorithm import Algorithm
from ictus.model.job import Job
from ictus.mpi.algorithm_trace import TraceRequest, trace_functions
from ictus.mpi.build import build_core
from ictus.mpi.discover import find
from ictus.mpi.flavours import flavour
from ictus.mpi.machine import usable_cores

LIBRARIES = ("mpich", "openmpi")
SMALL = ("--sizes", "8,4Ki", "--launches", "6", "--nrep", "20", "--seed", "4", "--contention-retries", "0",
         "--no-page-faults")  # fmt: skip
START = ("--clocksync", "none", "--procsync", "barrier")
DELAY_NS = 300_000
"""Far above what others on the cores do to a median."""


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.e2e
@pytest.mark.parametrize("library", LIBRARIES)
def test_a_planted_violation_is_found_and_a_clean_guideline_is_not_blamed(library: str, tmp_path: Path) -> None:
    """MPI_Gather is delayed behind the library's back: gather loses to its mock-up at every size, and by that delay
    where no launch says that others were on its cores. Both sides are validated in every launch.
    """
    shim = mpi_tree(library).folder / "libictus-delay.so"
    delayed = ("--env", f"LD_PRELOAD={shim}", "--env", f"ICTUS_DELAY=MPI_Gather={DELAY_NS}")
    folder = tmp_path / "chk"
    # Six launches decide nothing in each of two modes of the machine, between which they may happen to fall.
    words = ("-m", library, "-n", "2", *SMALL, *START, "--strata", "off", "--guidelines", "GL3", *delayed, "-o", folder)
    document = json.loads(succeed("check", *words, "--json").out)
    assert [(row["size_bytes"], row["state"]) for row in document["rows"]] == [(8, "violated"), (4096, "violated")]
    launches = [launch_document(launch) for launch in (folder / "launches").iterdir()]
    contended = any(launch["contention"]["contended"] for launch in launches)
    for row in document["rows"]:
        assert contended or row["loss_s"] == pytest.approx(DELAY_NS * 1e-9, rel=0.5)
        assert row["n_launches"] == 6
    for launch in launches:
        assert {(case["operation"], case["validated"]) for case in launch["cases"]} == {
            ("gather", True),
            ("gather_as_allgather", True),
        }
    told = {row["algorithm"] is not None for row in document["explanations"]}
    assert library != "openmpi" or told == {True}, "the function that gather entered names its algorithm"
    shown = succeed("check", folder).out
    assert "Gather <= Allgather" in shown
    assert "MPI_Gather(n) ≤ MPI_Allgather(n)" in (folder / "check.html").read_text("utf-8")


FORCED = {
    "allgather": ("ring", "ring"),
    "allreduce": ("nonoverlapping", "nonoverlapping"),
    "bcast": ("chain", "chain"),
    "gather": ("basic_linear", "basic_linear"),
    "reduce": ("pipeline", "pipeline"),
    "reduce_scatter": ("butterfly", "butterfly"),
    "reduce_scatter_block": ("recursive_halving", "recursivehalving"),
    "scan": ("recursive_doubling", "recursivedoubling"),
    "scatter": ("linear_nb", "linear_nb"),
}
"""Algorithms as Open MPI calls them, and the functions that they are."""


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.e2e
def test_algorithms_that_are_forced_are_seen_to_be_entered(tmp_path: Path) -> None:
    """What Open MPI was told to take is what its calls enter, in all nine functions of the paper, with the bytes of the
    message or of a block: so what they enter untold is what it chose. What others do inside of a call is not counted.
    """
    build = build_core(find("openmpi"))
    setting = flavour("openmpi").use({name: Algorithm(asked) for name, (asked, _) in FORCED.items()})
    job = Job(2, (), tmp_path, 60, environment=setting.environment, n_cores=usable_cores().n)
    found = trace_functions(
        build.installation, build.program, job, "mpiexec", TraceRequest(tuple(FORCED), (7000,), "byte", "bor", "0")
    )
    messages = ("allreduce", "bcast", "reduce", "scan")
    for name, (_, function) in FORCED.items():
        (one,) = found[(name, 7000 if name in messages else 3500)]
        assert one.removeprefix("intra_") == function


@pytest.mark.engine("simgrid")
def test_simulated_ranks_are_checked_and_said_to_be_simulated(tmp_path: Path) -> None:
    """Eight ranks of SimGrid; each launch draws its own latencies, so that none repeats another."""
    build_core(find("simgrid"))  # so that no time limit below is spent on it
    folder = tmp_path / "chk"
    words = ("-m", "simgrid", "--platform", "flat", "-n", "8", *SMALL, *START, "--guidelines", "GL1,GL12")
    document = json.loads(succeed("check", *words, "-o", folder, "--json").out)
    assert document["marks"][0].startswith("simulated ranks, on platform flat")
    assert {row["guideline"] for row in document["rows"]} == {"GL1", "GL12"}
    assert all(row["left_s"] > 0 for row in document["rows"])
    launches = [launch_document(launch) for launch in (folder / "launches").iterdir()]
    durations = {json.dumps([case["per_rank"]["mean_s"] for case in one["cases"]]) for one in launches}
    assert len(durations) == len(launches) == 6


@pytest.mark.mpi
@pytest.mark.beside
@pytest.mark.e2e
def test_answers_of_real_libraries_are_held_against_all_factorisations() -> None:
    """MPI_Dims_create of both libraries up to 64: each answer that is blamed has a better one, found by trying all."""
    document = json.loads(succeed("dims", "-m", "mpich", "-m", "openmpi", "--up-to", 64, "--json").out)
    assert [(one["mpi"], one["dimensions"], one["checked"]) for one in document["counts"]] == [
        (library, dimensions, 64) for library in LIBRARIES for dimensions in (2, 3, 4)
    ]
    for row in document["rows"]:
        p, best, answer = row["processes"], row["best"], row["answer"]
        divisors = [factor for factor in range(1, p + 1) if p % factor == 0]
        ways = (way for way in itertools.product(divisors, repeat=row["dimensions"]) if math.prod(way) == p)
        least = min(max(way) - min(way) for way in ways)
        assert math.prod(best) == math.prod(answer) == p
        assert best[0] - best[-1] == least
        assert row["fault"] == ("spread" if answer[0] - answer[-1] > least else "tie")
