"""The example of isomorphic collectives on the installed libictus: a stencil with deep halos, against one process."""

from pathlib import Path

import pytest
from tests.native.installed import compiled
from tests.native.launching import EITHER, start
from tests.native.trees import NATIVE

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

EXCHANGES = ("direct", "dimensions", "logarithmic", "MPI_Neighbor_alltoallw")
EXAMPLE = NATIVE / "examples/deep_halo.cpp"


@pytest.mark.parametrize("label", EITHER)
def test_every_exchange_computes_what_one_process_does(label: str, tmp_path: Path) -> None:
    """Bit for bit, also where the steps are no whole number of exchanges and a rank is its own neighbour. A halo wider
    than a rank is refused: it would need cells of the next rank but one.
    """
    program = compiled(label, EXAMPLE, tmp_path, "c++")
    for n_ranks, setting in ((1, ()), (6, (7, 3, 8))):
        ended = start(label, n_ranks, program, *setting, folder=tmp_path)
        assert ended.exit_code == 0, ended.output + ended.error
        verdicts = {line.split()[0]: line.split()[-1] for line in ended.output.splitlines()[2:]}
        assert verdicts == dict.fromkeys(EXCHANGES, "right")
    ended = start(label, 1, program, 2, 3, folder=tmp_path)
    assert ended.exit_code == 2
    assert "DEPTH 3 is more than SIDE 2" in ended.error


def test_the_header_is_c(tmp_path: Path) -> None:
    """C99 without a warning, linked with the installed library."""
    program = compiled("mpich", NATIVE / "tests/programs/isomorphic_ring.c", tmp_path)
    ended = start("mpich", 3, program, folder=tmp_path)
    assert ended.exit_code == 0, ended.error
