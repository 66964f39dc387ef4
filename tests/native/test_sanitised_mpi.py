"""The native tests on real MPI again, under the address, leak and undefined-behaviour sanitizers."""

import functools
from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES, RANKS, start
from tests.native.test_harmonize_sanitised import check_clean
from tests.native.test_mpi import FEWER_RANKS, PROGRAMS
from tests.native.trees import NATIVE, Tree, programs_on_mpi, sanitised_tree

pytestmark = [pytest.mark.mpi, pytest.mark.long]

OPTIONS = {
    "mpich": {},
    "openmpi": {
        "ASAN_OPTIONS": "fast_unwind_on_malloc=0",  # its libraries have no frame pointers to go by
        "LSAN_OPTIONS": f"suppressions={NATIVE / 'tests/leaks_of_openmpi.txt'}:print_suppressions=0",
    },
}
"""What the sanitizers are told of a library."""


@functools.cache
def tree(label: str) -> Tree:
    """All programs of native/tests/mpi."""
    return sanitised_tree(label, *(f"mpi_{program}" for program in programs_on_mpi()))


@pytest.mark.parametrize("label", LIBRARIES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_all_claims_hold_under_the_sanitizers(program: str, label: str, tmp_path: Path) -> None:
    """At every number of ranks of `make test`."""
    for n_ranks in FEWER_RANKS.get(program, RANKS):
        folder = tmp_path / str(n_ranks)
        folder.mkdir()
        ended = start(label, n_ranks, *tree(label).on_mpi(program), folder=folder, environment=OPTIONS[label])
        check_clean(ended)
        assert ended.output.strip().splitlines()[-1].endswith("passed, 0 failed"), ended.output
