"""Counts beyond an int, for real: more than 2^31 bytes moved by MPI 4's calls, every element checked."""

from pathlib import Path

import pytest
from tests.launch_document import launch_document
from tests.native.launching import LIBRARIES, start
from tests.native.trees import mpi_tree

pytestmark = [pytest.mark.mpi, pytest.mark.long]

SIZE = 2**31 + 24
"""Bytes of one message, and its elements: beyond an int."""
MEMORY = 5 * SIZE
"""What two ranks need: a buffer each, a copy of it while it is checked, and what the library has under way."""


def available_bytes() -> int:
    """Memory that programs may have without swapping."""
    for line in Path("/proc/meminfo").read_text().splitlines():
        name, _, value = line.partition(":")
        if name == "MemAvailable":
            return int(value.split()[0]) * 1024
    return 0


def _require_memory() -> None:
    there = available_bytes()
    assert there >= MEMORY, f"needs {MEMORY / 2**30:.0f} GiB of memory, there are {there / 2**30:.0f}"


def command(
    operation: str, output: Path, *, label: str = "mpich", size: int = SIZE, datatype: str = "byte"
) -> tuple[object, ...]:
    """One call of it, validated."""
    program = mpi_tree(label).folder / "ictus-bench"
    what = ("--op", operation, "--size", size, "--datatype", datatype, "--output", output)
    return (program, *what, "--nrep", 1, "--warmup", 1, "--clocksync", "none", "--procsync", "barrier")


@pytest.mark.parametrize("operation", ["bcast", "ibcast", "bcast_init"])
def test_a_message_beyond_an_int_arrives_whole(operation: str, tmp_path: Path) -> None:
    """On MPICH, which has the calls. Validation looks at every element, and names one that is wrong."""
    _require_memory()
    ended = start("mpich", 2, *command(operation, tmp_path), folder=tmp_path, timeout_s=550)
    assert ended.exit_code == 0, ended.error
    (case,) = launch_document(tmp_path)["cases"]
    assert (case["count"], case["moved_bytes"], case["validated"], case["valid"]) == (SIZE, SIZE, True, 1)
    assert (
        case["mpi_name"]
        == {"bcast": "MPI_Bcast_c", "ibcast": "MPI_Ibcast_c", "bcast_init": "MPI_Bcast_init_c"}[operation]
    )


@pytest.mark.parametrize("label", LIBRARIES)
def test_more_bytes_than_an_int_in_elements_that_fit_are_the_plain_call(label: str, tmp_path: Path) -> None:
    """300 million doubles are a legal MPI_Bcast, in a library without large counts too; every element is checked."""
    _require_memory()
    words = command("bcast", tmp_path, label=label, size=2_400_000_000, datatype="double")
    ended = start(label, 2, *words, folder=tmp_path, timeout_s=550)
    assert ended.exit_code == 0, ended.error
    (case,) = launch_document(tmp_path)["cases"]
    assert (case["count"], case["mpi_name"], case["validated"], case["valid"]) == (300_000_000, "MPI_Bcast", True, 1)


def test_the_end_of_such_a_message_is_checked_too(tmp_path: Path) -> None:
    """Behind a library that spoils its last element, the launch fails and names it."""
    _require_memory()
    tree = mpi_tree("mpich")
    spoiler = {
        "LD_PRELOAD": str(tree.folder / "libictus-flip.so"),
        "ICTUS_FLIP_OPERATION": "MPI_Bcast_c",
        "ICTUS_FLIP_RANK": "1",
    }
    ended = start("mpich", 2, *command("bcast", tmp_path), folder=tmp_path, environment=spoiler, timeout_s=550)
    assert ended.exit_code == 3
    assert f"element {SIZE - 1} of the receive buffer" in ended.error
