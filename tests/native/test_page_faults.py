"""Page faults of calls, counted on real MPI: a library whose call takes and frees a large block is found."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.native.launching import EITHER, start
from tests.native.trees import mpi_tree

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

BUFFER = 1 << 20
PAGES = BUFFER // 4096
WORDS = ("--op", "bcast,barrier,allreduce", "--size", "8", "--page-faults", "11")
KEPT, RETURNED = "kept", "returned"


def counted(label: str, folder: Path, heap: str, shim: bool = True, **environment: str) -> dict[str, Any]:
    """page_faults.json of two ranks; with libictus-buffer in front of the library."""
    tree = mpi_tree(label)
    folder.mkdir()
    preload = {"LD_PRELOAD": str(tree.folder / "libictus-buffer.so")} if shim else {}
    words = ("--heap", heap, *WORDS, "--output", folder)
    ended = start(label, 2, tree.folder / "ictus-bench", *words, folder=folder, environment={**preload, **environment})
    assert ended.exit_code == 0, ended.error
    assert not (folder / "samples.npy").exists(), "nothing is timed"
    document = json.loads((folder / "page_faults.json").read_text())
    assert document["calls"] == 11
    assert set(document["ranks"]["keeps_freed_memory"]) == {heap == KEPT}
    return document


def faults(document: dict[str, Any]) -> list[float]:
    """Of a call of each case."""
    return [case["page_faults"] for case in document["cases"]]


@pytest.mark.parametrize("label", EITHER)
def test_a_temporary_buffer_is_paid_for_in_each_call_where_memory_is_returned(label: str, tmp_path: Path) -> None:
    """All of its pages, in the one call that has it; with memory kept, and without the buffer, nothing."""
    kept, returned = (counted(label, tmp_path / heap, heap, ICTUS_BUFFER=str(BUFFER)) for heap in (KEPT, RETURNED))
    assert faults(kept) == [0, 0, 0]
    bcast, *others = faults(returned)
    assert PAGES <= bcast <= PAGES + 2
    assert others == [0, 0]
    assert kept["block_faults"] == 0
    assert returned["block_faults"] >= PAGES
    assert faults(counted(label, tmp_path / "plain", RETURNED)) == [0, 0, 0]


def test_a_pool_of_the_library_is_no_temporary_buffer(tmp_path: Path) -> None:
    """A library that keeps its buffer pays for it once, whatever the heap."""
    pooled = {"ICTUS_BUFFER": str(BUFFER), "ICTUS_BUFFER_POOLED": "1"}
    assert faults(counted("mpich", tmp_path / RETURNED, RETURNED, **pooled)) == [0, 0, 0]


def test_a_wrong_size_of_the_buffer_is_refused(tmp_path: Path) -> None:
    """With the variable and its value."""
    tree = mpi_tree("mpich")
    environment = {"LD_PRELOAD": str(tree.folder / "libictus-buffer.so"), "ICTUS_BUFFER": "1Mi"}
    ended = start("mpich", 1, tree.folder / "ictus-bench", *WORDS, folder=tmp_path, environment=environment)
    assert ended.exit_code == 2
    assert "variable 'ICTUS_BUFFER', '1Mi': expected a number of bytes" in ended.error


def test_counts_and_states_that_cannot_be_are_refused(tmp_path: Path) -> None:
    """As every option: with what is allowed."""
    program = mpi_tree("mpich").folder / "ictus-bench"
    ended = start("mpich", 1, program, "--heap", "mine", folder=tmp_path)
    assert (ended.exit_code, "'mine' is not one of kept returned ordinary" in ended.error) == (2, True)
    ended = start("mpich", 1, program, "--page-faults", "many", folder=tmp_path)
    assert (ended.exit_code, "page-faults" in ended.error) == (2, True)
