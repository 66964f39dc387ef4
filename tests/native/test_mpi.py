"""The native tests on real MPI: one launch per program, number of ranks and library, with all claims inside. Files that
need no program of their own share one.
"""

import functools
import json
import os
import re
import tempfile
from pathlib import Path

import pytest
from tests.native.launching import LIBRARIES, RANKS, VALIDATED, Ended, start
from tests.native.trees import NATIVE, claims, mpi_tree, programs_on_mpi

from ictus.model.registries import Registries

PROGRAMS = sorted(path.stem for path in (NATIVE / "tests" / "mpi").glob("*.cpp"))
FEWER_RANKS = {
    "calls_test": (1, 2, 3, 5),
    "clock_interface_test": (1, 2, 3, 8),
    "clock_test": (1, 2, 8),
    "clocksync_test": (1, 2, 3, 5, 8),
    "domains_test": (1, 2, 3, 5, 8),
    "exchange_test": (1, 2, 3, 5, 7, 8),
    "exit_attempts_test": (1, 2, 8),
    "group_clocksync_test": (1, 2, 3, 5, 8),
    "harmonize_errors_test": (1, 3),
    "harmonize_interface_test": (1, 2, 3, 8),
    "isomorphic_test": (1, 2, 3, 5, 8),
    "layouts_test": (1,),
    "nested_test": (1, 2, 3, 5),
    "offset_test": (1, 2, 3, 5, 8),
    "operation_growth": (1,),
    "operation_test": (1, 2, 3, 5, 7, 8),
    "overlap_test": (1, 2),
    "process_synchronisation_test": (1, 2, 3, 5, 8),
    "stopping_test": (1, 2, 3, 8),
    "synchroniser_test": (1, 3, 8),
}
"""Programs whose claims do not depend on the shape of a tree of ranks: what does is proved by the others, and in
simulated worlds, at every number."""
VALIDATING = ("operation_test", "exchange_test", "nested_test")
LAUNCHES = [
    *((program, n, label) for label in LIBRARIES for program in PROGRAMS for n in FEWER_RANKS.get(program, RANKS)),
    *((program, n, "intelmpi") for program in VALIDATING for n in FEWER_RANKS[program]),
]
SHORT = {"mpich": (1, 2, 3), "openmpi": (2, 3)}
"""Numbers of ranks in `make test`; the others are long. How ranks are numbered is proved in simulated worlds, and eight
ranks validate every operation in test_ictus_bench."""
LONGEST = ("operation_test", 2, "openmpi")
"""Takes as long as a dozen others, and has no trial that three ranks on this library and two on the other have not."""
NEEDS_QUIET_CORES = ("harmonize_interface_test", "process_synchronisation_test")
"""They have claims about time, so they have the cores to themselves."""


def marks(program: str, n_ranks: int, label: str) -> tuple[pytest.MarkDecorator, ...]:
    """Up to two ranks leave the cores to others while they are started and end; more keep them busy all the time."""
    if label not in SHORT:
        return (pytest.mark.engine("intel-mpi"),)
    beside = (pytest.mark.beside,) if n_ranks <= 2 and program not in NEEDS_QUIET_CORES else ()
    is_short = n_ranks in SHORT[label] and (program, n_ranks, label) != LONGEST
    return beside if is_short else (*beside, pytest.mark.long)


pytestmark = pytest.mark.mpi


@pytest.mark.parametrize(
    ("program", "n_ranks", "label"),
    [pytest.param(*one, marks=marks(*one)) for one in LAUNCHES],
)
def test_all_claims_hold(program: str, n_ranks: int, label: str, tmp_path: Path) -> None:
    """What the C++ tests of this file say, on this library at this number of ranks."""
    if program in programs_on_mpi() or program in NEEDS_QUIET_CORES:
        ended = start(label, n_ranks, *mpi_tree(label).on_mpi(program), folder=tmp_path)
    else:
        ended = together(label, n_ranks)
    assert ended.exit_code == 0, ended.output + ended.error
    lines = ended.output.strip().splitlines()
    assert lines[-1].endswith("passed, 0 failed"), ended.output
    assert int(lines[-1].split()[0]) > 0
    assert {f"PASSED {claim}" for claim in claims(NATIVE / f"tests/mpi/{program}.cpp")} <= set(lines), ended.output


@functools.cache
def together(label: str, n_ranks: int) -> Ended:
    """One launch of all files without a program of their own that take so many ranks."""
    files = [
        one for one in PROGRAMS
        if n_ranks in FEWER_RANKS.get(one, RANKS) and one not in (*programs_on_mpi(), *NEEDS_QUIET_CORES)
    ]  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        return start(label, n_ranks, mpi_tree(label).program("claims"), *files, folder=Path(folder))


@pytest.mark.long
@pytest.mark.parametrize("label", LIBRARIES)
def test_starts_are_told_together_from_apart(label: str, tmp_path: Path) -> None:
    """Where others disturb all cases of a start, its claim holds without having been looked at: in one of five launches
    each can be.
    """
    untold: set[str] | None = None
    for _ in range(5):
        ended = start(label, 2, *mpi_tree(label).on_mpi("process_synchronisation_test"), folder=tmp_path)
        assert ended.exit_code == 0, ended.output + ended.error
        lines = {line for line in ended.output.splitlines() if line.startswith("UNTOLD: ")}
        untold = lines if untold is None else untold & lines
        if not untold:
            return
    raise AssertionError(f"others disturbed all launches: {untold}")


@pytest.mark.long
@pytest.mark.parametrize("label", VALIDATED)
def test_a_spoiled_result_is_seen_in_every_operation(label: str, tmp_path: Path) -> None:
    """Behind a library that spoils what one of 3 ranks receives, or puts, check() complains on the rank that has it
    then; in every operation with data, mock-ups and exchanges included, in at least one of the ways to spoil it, each
    of which has another rank. `make test` spoils some of them (tests/e2e/test_wrong_results.py, test_calls.py).
    """
    tree = mpi_tree(label)
    program = tree.program("operation_test")
    spoiler = {
        "LD_PRELOAD": str(tree.folder / "libictus-flip.so"),
        "ICTUS_FLIP_OPERATION": "*",
    }
    missed = []
    for mode, rank in (("flip", "1"), ("truncate", "2"), ("skip", "0")):
        environment = {**spoiler, "ICTUS_FLIP_MODE": mode, "ICTUS_FLIP_RANK": rank}
        ended = start(label, 3, program, "--expect-corruption", folder=tmp_path, environment=environment)
        assert ended.exit_code == 0, f"{mode}: {ended.output}{ended.error}"
        missed.append(set(re.findall(r"([^;]+);", "".join(re.findall("no corruption seen in(.*)", ended.output)))))
    assert not set.intersection(*missed)
    early = start(
        label, 3, program, "--expect-corruption", folder=tmp_path, environment={**spoiler, "ICTUS_FLIP_MODE": "early"}
    )
    assert early.exit_code == 0, early.output + early.error
    names = {"MPI_Barrier", "MPI_Ibarrier", "MPI_Barrier_init", "barrier_as_allreduce"}
    assert set(re.findall(r"(\w+);", "".join(re.findall("corruptions seen:(.*)", early.output)))) == names
    honest = start(label, 1, program, folder=tmp_path, environment=spoiler)
    assert honest.exit_code != 0, "the same program without --expect-corruption must fail"


TOLD = NATIVE / "tests" / "validated.json"


def test_every_operation_is_validated_by_a_test(tmp_path: Path) -> None:
    """Each program names what it validates; operations.md is made of that. ICTUS_UPDATE_GOLDEN=1 writes it."""
    tree = mpi_tree("mpich")  # which has every call
    told: dict[str, list[str]] = {}
    for name in ("operation_test", "exchange_test"):
        ended = start("mpich", 1, tree.program(name), "--list", folder=tmp_path)
        assert ended.exit_code == 0, ended.error
        for operation in ended.output.split():
            told.setdefault(operation, []).append(name)
    if os.environ.get("ICTUS_UPDATE_GOLDEN"):
        TOLD.write_text(json.dumps(dict(sorted(told.items())), indent=1) + "\n", "utf-8")
    assert json.loads(TOLD.read_text("utf-8")) == told
    registered = {member.name for member in Registries.load().family("operation").members}
    assert registered == told.keys(), "validated by no test, or unknown"
