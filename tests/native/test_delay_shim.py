"""libictus-delay.so in front of MPI: a call becomes slower by what was asked, and nothing else does."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.launch_document import launch_document
from tests.native.launching import LIBRARIES, Ended, start
from tests.native.trees import mpi_tree

pytestmark = pytest.mark.mpi

DELAY_NS = 200_000
"""Far above what a busy machine does to the median of a call that does next to nothing."""
WORDS = ("--op", "empty,bcast,allreduce", "--sizes", "8", "--nrep", "60", "--clocksync", "none", "--procsync", "none")


def bench(label: str, folder: Path, **environment: str) -> Ended:
    """Three operations on a single rank, for which a collective has nothing to do."""
    tree = mpi_tree(label)
    preload = {"LD_PRELOAD": str(tree.folder / "libictus-delay.so"), **environment}
    return start(label, 1, tree.folder / "ictus-bench", *WORDS, "--output", folder, folder=folder, environment=preload)


def medians_ns(folder: Path) -> dict[str, float]:
    """Median of each operation's durations."""
    document = launch_document(folder)
    samples = np.load(folder / "samples.npy")
    return {
        case["operation"]: 1e9 * float(np.median(samples["local_max"][samples["case_id"] == case["case_id"]]))
        for case in document["cases"]
    }


@pytest.mark.parametrize("label", LIBRARIES)
def test_a_call_takes_longer_by_the_delay_and_others_do_not(label: str, tmp_path: Path) -> None:
    """The delayed broadcast against its own log; `empty`, which calls nothing, and the allreduce stay as they are."""
    log = tmp_path / "delay.jsonl"
    ended = bench(label, tmp_path, ICTUS_DELAY=f"MPI_Bcast={DELAY_NS}", ICTUS_DELAY_LOG=str(log))
    assert ended.exit_code == 0, ended.error
    found = medians_ns(tmp_path)
    assert found["bcast"] >= 0.99 * DELAY_NS
    assert max(found["empty"], found["allreduce"]) < DELAY_NS / 4
    (line,) = map(json.loads, log.read_text("utf-8").splitlines())
    assert (line["operation"], line["asked_ns"], line["rank"]) == ("MPI_Bcast", DELAY_NS, 0)
    assert line["calls"] >= 60
    assert DELAY_NS <= line["least_ns"] <= line["mean_ns"]


@pytest.mark.parametrize("label", LIBRARIES)
def test_without_settings_nothing_is_delayed(label: str, tmp_path: Path) -> None:
    """Loaded, but asked for nothing: as fast as without it, and no log."""
    ended = bench(label, tmp_path, ICTUS_DELAY_LOG=str(tmp_path / "delay.jsonl"))
    assert ended.exit_code == 0, ended.error
    assert max(medians_ns(tmp_path).values()) < DELAY_NS / 4
    assert (tmp_path / "delay.jsonl").read_text() == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("MPI_Bcst=100", "'MPI_Bcst=100': not a blocking collective; known are MPI_Barrier"),
        ("MPI_Bcast=1us", "'MPI_Bcast=1us': expected NAME=NANOSECONDS"),
        ("MPI_Bcast", "'MPI_Bcast': expected NAME=NANOSECONDS"),
        ("MPI_Bcast=5,MPI_Scan=-1", "'MPI_Scan=-1': expected NAME=NANOSECONDS"),
    ],
)
def test_a_mistake_ends_the_program_and_is_named(text: str, said: str, tmp_path: Path) -> None:
    """Before MPI begins, with what is allowed."""
    ended = bench("mpich", tmp_path, ICTUS_DELAY=text)
    assert ended.exit_code != 0
    assert said in ended.error
