"""The native tests on real MPI: one launch per program, number of ranks and library, with all claims inside."""

from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES, RANKS, start
from tests.native.trees import NATIVE, mpi_tree

PROGRAMS = sorted(path.stem for path in (NATIVE / "tests" / "mpi").glob("*.cpp"))
FEWER_RANKS = {
    "clock_interface_test": (1, 2, 3, 8),
    "clock_test": (1, 2, 8),
    "clocksync_test": (1, 2, 3, 5, 8),
    "domains_test": (1, 2, 3, 5, 8),
    "exchange_test": (1, 2, 3, 5, 7, 8),
    "exit_attempts_test": (1, 2, 8),
    "group_clocksync_test": (1, 2, 3, 5, 8),
    "harmonize_errors_test": (1, 3),
    "harmonize_interface_test": (1, 2, 3, 8),
    "offset_test": (1, 2, 3, 5, 8),
    "operation_test": (1, 2, 3, 5, 7, 8),
    "overlap_test": (1, 2),
    "process_synchronisation_test": (1, 2, 3, 5, 8),
    "stopping_test": (1, 2, 3, 8),
    "synchroniser_test": (1, 3, 8),
}
"""Programs whose claims do not depend on the shape of a tree of ranks: what does is proved by the others, and in
simulated worlds, at every number."""
LAUNCHES = [(program, n) for program in PROGRAMS for n in FEWER_RANKS.get(program, RANKS)]

pytestmark = pytest.mark.mpi


@pytest.mark.parametrize("label", LIBRARIES)
@pytest.mark.parametrize(("program", "n_ranks"), LAUNCHES)
def test_all_claims_hold(program: str, n_ranks: int, label: str, tmp_path: Path) -> None:
    """What the C++ tests of this file say, on this library at this number of ranks; skipped where the machine was too
    busy for one of them to tell.
    """
    ended = start(label, n_ranks, mpi_tree(label).program("mpi", program), folder=tmp_path)
    assert ended.exit_code == 0, ended.output + ended.error
    last = ended.output.strip().splitlines()[-1]
    assert last.endswith("passed, 0 failed"), ended.output
    assert int(last.split()[0]) > 0
    untold = [line for line in ended.output.splitlines() if line.startswith("SKIPPED: ")]
    if untold:
        pytest.skip("; ".join(untold))


@pytest.mark.parametrize("label", LIBRARIES)
@pytest.mark.parametrize("mode", ["flip", "truncate", "skip"])
def test_a_spoiled_result_is_seen_in_every_operation(mode: str, label: str, tmp_path: Path) -> None:
    """Behind a library that spoils what rank 1 receives, check() complains on rank 1, in every operation with data."""
    tree = mpi_tree(label)
    spoiler = {
        "LD_PRELOAD": str(tree.folder / "libictus-flip.so"),
        "ICTUS_FLIP_OPERATION": "*",
        "ICTUS_FLIP_RANK": "1",
        "ICTUS_FLIP_MODE": mode,
    }
    program = tree.program("mpi", "operation_test")
    ended = start(label, 3, program, "--expect-corruption", folder=tmp_path, environment=spoiler)
    assert ended.exit_code == 0, ended.output + ended.error
    honest = start(label, 3, program, folder=tmp_path, environment=spoiler)
    assert honest.exit_code != 0, "the same program without --expect-corruption must fail"
