"""The factors that libraries find for MPI_Dims_create, as Ictus reads them."""

import math
from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES, start
from tests.native.trees import installation, mpi_tree

from ictus.mpi.inquiry import dims_of

pytestmark = [pytest.mark.mpi, pytest.mark.beside]


@pytest.mark.parametrize("label", LIBRARIES)
def test_every_number_of_processes_has_its_factors(label: str) -> None:
    """In two, three and four dimensions: they multiply to p, the largest first, and a square is found."""
    found = dims_of(installation(label), mpi_tree(label).folder / "ictus-bench", 128)
    assert sorted(found) == [2, 3, 4]
    for dimensions, factors_of in found.items():
        assert sorted(factors_of) == list(range(1, 129))
        for p, factors in factors_of.items():
            assert len(factors) == dimensions
            assert math.prod(factors) == p
            assert list(factors) == sorted(factors, reverse=True)
    assert (found[2][100], found[3][27], found[4][16]) == ((10, 10), (3, 3, 3), (2, 2, 2, 2))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--up-to", "0"), "option 'up-to': 0 is below the least value 1"),
        (("--up-to", "2000000"), "is above the greatest value 1048576"),
        (("--upto", "3"), "unknown option 'upto'"),
    ],
)
def test_other_words_are_refused(words: tuple[str, ...], message: str, tmp_path: Path) -> None:
    """With what is allowed, and exit code 2."""
    ended = start("mpich", 1, mpi_tree("mpich").folder / "ictus-bench", "dims", *words, folder=tmp_path)
    assert (ended.exit_code, ended.output) == (2, "")
    assert message in ended.error
