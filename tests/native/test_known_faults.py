"""What libraries are known to do wrongly, shown by plain MPI programs without us: as operations.md says, and no
longer left out or waived once a release does it rightly.
"""

from pathlib import Path

import pytest
from tests.native.launching import VALIDATED, Ended, start
from tests.native.programs import compiled

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

RIGHT = "as MPI says"
SWAPPED = {
    "mpich": {"blocking": RIGHT, "nonblocking": RIGHT},
    "openmpi": {"blocking": RIGHT, "nonblocking": "swapped"},
    "intelmpi": {"blocking": "swapped", "nonblocking": "swapped"},
}
"""The two blocks of a periodic dimension of one or two ranks (exchange_test.cpp waives exactly this)."""

GATHERED = {1: "-", 2: "-o", 3: "-oo"}
"""What the root has of a gather_init by Intel MPI at every start: `o` a block from when it was made, `-` none."""


def ran(label: str, source: str, n_ranks: int, folder: Path, *arguments: str) -> Ended:
    """A C program of native/tests/programs on a library."""
    program = compiled(label, source, folder)
    return start(label, n_ranks, program, *arguments, folder=folder)


def received(ended: Ended) -> dict[tuple[int, int], str]:
    """Of persistent_faults: what each rank had of each block, by start and rank."""
    lines = [line.split() for line in ended.output.splitlines() if line.startswith("start ")]
    return {(int(words[1]), int(words[3].rstrip(":"))): "".join(words[4:]) for words in lines}


@pytest.mark.parametrize("n_ranks", [1, 2])
@pytest.mark.parametrize("label", VALIDATED)
def test_blocks_of_a_periodic_dimension_of_one_or_two_ranks(label: str, n_ranks: int, tmp_path: Path) -> None:
    """Whose they are, in a blocking call and in one that is not."""
    ended = ran(label, "swapped_blocks", n_ranks, tmp_path)
    assert ended.exit_code == 0, ended.error
    assert dict(line.split(": ") for line in ended.output.splitlines()) == SWAPPED[label]


@pytest.mark.parametrize("n_ranks", [1, 2, 3])
@pytest.mark.parametrize("call", ["gather", "allgather", "scatter"])
@pytest.mark.parametrize("label", VALIDATED)
def test_persistent_collectives_at_every_start(label: str, call: str, n_ranks: int, tmp_path: Path) -> None:
    """Right with MPICH and Open MPI; Intel MPI's faults are those for which they are left out (known_fault.hpp)."""
    ended = ran(label, "persistent_faults", n_ranks, tmp_path, call)
    found = received(ended)
    if label == "intelmpi" and call == "scatter" and n_ranks == 3:
        assert ended.exit_code != 0
        assert "Invalid communicator" in ended.output + ended.error
        return
    assert ended.exit_code == 0, ended.error
    blocks = {"gather": n_ranks, "allgather": n_ranks, "scatter": 1}[call]
    receivers = 1 if call == "gather" else n_ranks
    expected = {(k, rank): "." * blocks if rank < receivers else "" for k in range(3) for rank in range(n_ranks)}
    if label == "intelmpi" and call == "gather":
        expected |= {(k, 0): GATHERED[n_ranks] for k in range(3)}
    elif label == "intelmpi" and n_ranks == 2:
        expected |= {(k, 1): ".-" if call == "allgather" else "-" for k in (1, 2)}
    assert found == expected
