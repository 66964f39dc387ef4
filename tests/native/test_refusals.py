"""The libraries that are loaded in front of a program end it in MPI_Init where they cannot begin: with their exit code
and nothing of a crash, however late a rank is to end.
"""

import re
from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES, start
from tests.native.programs import compiled
from tests.native.trees import mpi_tree

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

WRONG = {"preload": ("ICTUS_PROCSYNC", "never"), "redirect": ("ICTUS_REDIRECT_PROFILE", "/nowhere/faster.txt")}


@pytest.mark.parametrize("library", WRONG)
@pytest.mark.parametrize("label", LIBRARIES)
def test_all_ranks_of_a_refused_program_end_in_order(label: str, library: str, tmp_path: Path) -> None:
    """Each rank leaves its exit handlers 100 ms after the one before. Open MPI's launcher does not wait for that: it
    ends the others after the first, and passes on its exit code.
    """
    program = compiled(label, "late_to_end", tmp_path)
    name, value = WRONG[library]
    environment = {"LD_PRELOAD": str(mpi_tree(label).folder / f"libictus-{library}.so"), name: value}
    refused = start(label, 3, program, folder=tmp_path, environment=environment)
    assert refused.exit_code == 2, refused.error
    assert refused.error.count(f"ictus-{library}: rank 0: ") == 1
    ended = [int(rank) for rank in re.findall(r"^rank (\d) has ended$", refused.output, re.MULTILINE)]
    assert len(refused.output.splitlines()) == len(ended), refused.output
    assert ended == [0, 1, 2] if label == "mpich" else ended
