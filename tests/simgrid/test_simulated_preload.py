"""The preload library's code linked into a program of others, for nothing can be loaded in front of simulated ranks."""

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.model.platform import parse_platform
from ictus.mpi.command import launch
from ictus.mpi.discover import find

from .conftest import ROOT, Ended

pytestmark = pytest.mark.engine("simgrid")

RANKS = 16
BARRIERS = 10
PROGRAM = ROOT / "native/tests/programs/classic_benchmark.c"

Run = Callable[..., Ended]


def made(*command: object, environment: dict[str, str] | None = None) -> None:
    """Run a command that must succeed."""
    words = [str(word) for word in command]
    ended = subprocess.run(
        words, check=False, capture_output=True, text=True, env={**os.environ, **(environment or {})}
    )
    assert ended.returncode == 0, f"{words}\n{ended.stdout[-8000:]}{ended.stderr[-2000:]}"


@pytest.fixture(scope="module")
def simulator() -> Installation:
    """SimGrid."""
    return find("simgrid")


@pytest.fixture(scope="module")
def archive(simulator: Installation) -> Path:
    """libictus-preload.a, as preload.md says that it is built."""
    tree = ROOT / "build/tests/simgrid-preload"
    words = ("-G", "Ninja", "-S", ROOT / "native", "-B", tree, "-DICTUS_WERROR=ON")
    made("cmake", *words, environment={"CXX": str(simulator.wrapper)})
    made("cmake", "--build", tree, "--target", "ictus-preload", "--parallel", os.cpu_count() or 1)
    return tree / "libictus-preload.a"


@pytest.fixture
def run(simulator: Installation, archive: Path, tmp_path: Path) -> Run:
    """The classic benchmark on simulated ranks, linked with the archive or not: `run(linked, word..., NAME=value)`."""

    def start(linked: bool, *words: object, **variables: str) -> Ended:
        folder = tmp_path / f"run{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        program = folder / "classic_benchmark"
        ours = ("-Wl,--whole-archive", archive, "-Wl,--no-whole-archive", "-lstdc++")
        wrapper = simulator.wrapper.with_name("smpicc")
        made(wrapper, "-O2", "-pthread", PROGRAM, "-o", program, *(ours if linked else ()))
        variables["ICTUS_PRELOAD_LOG"] = str(folder / "log")
        command = (str(program), *map(str, words))
        job = Job(RANKS, command, folder, 300.0, environment=variables, platform=parse_platform("flat"))
        return Ended(launch(simulator, job), folder)

    return start


def true_spreads(ended: Ended) -> list[float]:
    """From the first rank's exit to the last's, seconds, of each barrier: simulated time is one for all ranks."""
    found = re.findall(r"^rank \d+ .*?exits((?: \d+)+)", ended.output, re.MULTILINE)
    exits = np.array([[int(word) for word in words.split()] for words in found]) * 1e-9
    assert exits.shape == (RANKS, BARRIERS), ended.output
    spreads: list[float] = (exits.max(axis=0) - exits.min(axis=0)).tolist()
    return spreads


def test_the_same_code_linked_in_replaces_barriers_of_simulated_ranks(run: Run) -> None:
    """All barriers are replaced, counted and logged, and the program sees what the log says: its ranks go on within the
    error of offsets, ten times closer than after the simulator's own barrier, which it has without the archive.
    """
    untouched = run(False, BARRIERS)
    assert untouched.outcome.exit_code == 0, untouched.output
    assert not (untouched.folder / "log").exists()
    replaced = run(True, BARRIERS, ICTUS_PROCSYNC="harmonize")
    report = replaced.document("log/preload.json")
    assert (report["state"], report["procsync"].split("(")[0], report["n_ranks"]) == ("finalised", "harmonize", RANKS)
    assert (report["barriers"], report["calls"], report["left_to_library"]) == (BARRIERS, RANKS * BARRIERS, 0)
    assert f"of {RANKS * BARRIERS} calls missed the deadline" in replaced.output
    spreads = true_spreads(replaced)
    assert np.median(spreads) < 1e-6
    assert np.median(true_spreads(untouched)) > 10 * np.median(spreads)
    exits = np.load(replaced.folder / "log/exits.npy")
    logged = [np.ptp(exits["exit"][exits["barrier"] == number]) for number in range(BARRIERS)]
    assert logged == pytest.approx(spreads, abs=1e-6)


def test_communicators_of_simulated_ranks_and_mistakes(run: Run) -> None:
    """Duplicates that come and go and two halves at once; a start that does not exist is refused with one message."""
    replaced = run(True, BARRIERS, 0, "sub", ICTUS_PROCSYNC="barrier(dissemination)")
    report = replaced.document("log/preload.json")
    halves = {one["name"]: one["barriers"] for one in report["communicators"] if one["barriers"] > 1}
    assert halves == {"MPI_COMM_WORLD": BARRIERS, "even": BARRIERS, "odd": BARRIERS}
    assert report["barriers"] == 4 * BARRIERS
    refused = run(True, BARRIERS, ICTUS_PROCSYNC="harmonise")
    assert refused.outcome.exit_code != 0
    assert "variable 'ICTUS_PROCSYNC': unknown procsync 'harmonise'" in refused.output
