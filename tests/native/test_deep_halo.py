"""The example of the sparse exchanges: a stencil with deep halos, compared with one process's own computation."""

from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES, start
from tests.native.trees import mpi_tree

pytestmark = pytest.mark.mpi

EXCHANGES = ("direct", "dimensions", "logarithmic", "MPI_Neighbor_alltoallw")


@pytest.mark.parametrize("label", LIBRARIES)
@pytest.mark.parametrize(("n_ranks", "setting"), [(1, ()), (6, (7, 3, 8))])
def test_every_exchange_computes_what_one_process_does(
    n_ranks: int, setting: tuple[int, ...], label: str, tmp_path: Path
) -> None:
    """Bit for bit, also where the steps are no whole number of exchanges and a rank is its own neighbour."""
    ended = start(label, n_ranks, mpi_tree(label).program("mpi", "deep_halo"), *setting, folder=tmp_path)
    assert ended.exit_code == 0, ended.output + ended.error
    verdicts = {line.split()[0]: line.split()[-1] for line in ended.output.splitlines()[2:]}
    assert verdicts == dict.fromkeys(EXCHANGES, "right")


def test_a_halo_that_is_wider_than_a_rank_is_refused(tmp_path: Path) -> None:
    """It would need cells of the next rank but one."""
    ended = start("mpich", 1, mpi_tree("mpich").program("mpi", "deep_halo"), 2, 3, folder=tmp_path)
    assert ended.exit_code == 2
    assert "DEPTH 3 is more than SIDE 2" in ended.error
