"""libictus-preload.so in front of a benchmark that knows nothing of it: native/tests/programs/classic_benchmark.c."""

import json
import re
import statistics
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.native.launching import EITHER, HANGS_S, LIBRARIES, Ended, start
from tests.native.programs import IN_FORTRAN, compiled, compiled_fortran, seen_from_outside
from tests.native.trees import installation, mpi_tree

from ictus.model.registries import Registries

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

INTEL = pytest.param("intelmpi", marks=pytest.mark.engine("intel-mpi"))


@pytest.fixture(params=(*LIBRARIES, INTEL))
def label(request: pytest.FixtureRequest) -> str:
    """A library."""
    name: str = request.param
    return name


@dataclass(frozen=True)
class Run:
    """A program with its barriers replaced, what it said and what the library wrote."""

    ended: Ended
    folder: Path

    @property
    def report(self) -> dict[str, Any]:
        """preload.json."""
        document: dict[str, Any] = json.loads((self.folder / "log/preload.json").read_text())
        return document

    @property
    def exits(self) -> "np.ndarray[Any, Any]":
        """exits.npy."""
        exits: np.ndarray[Any, Any] = np.load(self.folder / "log/exits.npy")
        return exits

    def times(self, what: str) -> list[list[int]]:
        """What each rank printed of `exits` or `waits`, nanoseconds, in the order of ranks."""
        found = re.findall(rf"^rank (\d+) .*?{what}((?: \d+)+)", self.ended.output, re.MULTILINE)
        return [[int(word) for word in words.split()] for _, words in sorted(found)]


def run(label: str, n: int, procsync: str | None, program: Path, *words: object, **variables: str) -> Run:
    """Launch `program`, logged; without a procsync nothing is preloaded."""
    folder = program.parent
    environment = {**variables, "ICTUS_PRELOAD_LOG": str(folder / "log")}
    if procsync is not None:
        preload = mpi_tree(label).folder / "libictus-preload.so"
        environment |= {"LD_PRELOAD": str(preload), "ICTUS_PROCSYNC": procsync}
    return Run(start(label, n, program, *words, folder=folder, environment=environment), folder)


def test_every_barrier_is_replaced_counted_and_logged(label: str, tmp_path: Path) -> None:
    """On the world, on communicators that come and go, on two halves at once; results and exit code pass through.

    Ten repetitions on three ranks: 10 barriers of the world, one on each of 10 duplicates, 10 on each of two halves.
    """
    program = compiled(label, "classic_benchmark", tmp_path)
    untouched = run(label, 3, None, program, 10, 7, "sub")
    assert untouched.ended.exit_code == 7
    assert not (tmp_path / "log").exists(), "without the library nothing is written"
    replaced = run(label, 3, "harmonize", program, 10, 7, "sub")
    assert replaced.ended.exit_code == 7, replaced.ended.error
    assert len(replaced.times("exits")) == 3
    report = replaced.report
    assert (report["state"], report["n_ranks"]) == ("finalised", 3)
    assert (report["barriers"], report["calls"], report["left_to_library"]) == (40, 90, 0)
    sizes = sorted(
        (one["name"], one["n_ranks"], one["barriers"]) for one in report["communicators"] if one["barriers"] > 1
    )
    assert sizes == [("MPI_COMM_WORLD", 3, 10), ("even", 2, 10), ("odd", 1, 10)]
    assert len(report["communicators"]) == 13
    assert 0 <= report["missed"] <= report["calls"]
    assert report["missed_share"] == pytest.approx(report["missed"] / report["calls"])
    assert f"{report['missed']} of 90 calls missed the deadline" in replaced.ended.error
    check_log(replaced.exits, report)


def check_log(exits: "np.ndarray[Any, Any]", report: dict[str, Any]) -> None:
    """Every process of every barrier is there, and the skew is the time since the first of them."""
    assert exits.size == report["calls"]
    assert int(np.count_nonzero(exits["flags"])) == report["missed"]
    for index, communicator in enumerate(report["communicators"]):
        own = exits[exits["communicator"] == index]
        assert own.size == communicator["calls"]
        for barrier in range(communicator["barriers"]):
            ones = own[own["barrier"] == barrier]
            assert len(set(ones["rank"])) == communicator["n_ranks"]
            assert ones["skew"] == pytest.approx(ones["exit"] - ones["exit"].min(), abs=1e-12)
    assert np.all(exits["clock_bound"] >= 0)


def test_a_program_of_sessions_alone_is_left_as_it_is_and_one_that_then_initialises_is_not(
    label: str, tmp_path: Path
) -> None:
    """Barriers of sessions are the library's; where MPI_Init never comes, nothing is written."""
    program = compiled(label, "profiled_sessions", tmp_path)
    sessions = run(label, 4, "harmonize", program)
    assert (sessions.ended.exit_code, sessions.ended.error) == (0, "")
    assert not (tmp_path / "log").exists()
    if label == "intelmpi":
        return  # it refuses MPI_Init once a session has begun, with nothing in front of it too
    world = run(label, 4, "harmonize", program, "world")
    assert world.ended.exit_code == 0, world.ended.error
    assert (world.report["state"], world.report["n_ranks"], world.report["barriers"]) == ("finalised", 4, 0)


def test_replaced_barriers_hold_back_and_none_does_not(label: str, tmp_path: Path) -> None:
    """Rank 1 comes 10 ms late to every barrier. Rank 0 waits for it in each that is one, and `none` is seen to be none.

    Each form of MPI_Init.
    """
    program = compiled(label, "classic_benchmark", tmp_path)
    for procsync, form in (("harmonize", "world"), ("barrier(dissemination)", "thread"), ("barrier(library)", "world")):
        replaced = run(label, 2, procsync, program, 20, 0, form)
        assert replaced.ended.exit_code == 0, replaced.ended.error
        assert replaced.report["barriers"] == 20
        assert statistics.median(replaced.times("waits")[0]) > 5_000_000, procsync
    replaced = run(label, 2, "none", program, 20, 0)
    assert replaced.ended.exit_code == 0, replaced.ended.error
    assert "procsync 'none' does not make any process wait" in replaced.ended.error
    # Rank 0 meets rank 1 in the MPI_Allreduce behind the barrier instead.
    assert statistics.median(replaced.times("waits")[0]) < 1_000_000


@pytest.mark.parametrize("label", [*EITHER, INTEL])
def test_the_log_tells_what_the_program_saw_even_by_wrong_clocks(label: str, tmp_path: Path) -> None:
    """Rank 1 is sent off 40 ms after rank 0: by a clock that all share, and by logs on clocks seconds apart."""
    program = compiled(label, "classic_benchmark", tmp_path)
    late = "arrival(one-late(1),size=40ms,start=window(size=20ms,batch=1))"
    for clock in ("tsc", "skewed(base=monotonic,offset=5s,drift=100ppm)"):
        replaced = run(label, 2, late, program, 10, 0, ICTUS_PRELOAD_CLOCK=clock)
        assert replaced.ended.exit_code == 0, replaced.ended.error
        first, second = (np.array(times) * 1e-9 for times in replaced.times("exits"))
        seen = second - first
        assert np.median(seen) == pytest.approx(40e-3, abs=15e-3)
        exits = replaced.exits
        at = {rank: exits[(exits["rank"] == rank)]["exit"] for rank in (0, 1)}
        assert np.median(np.abs((at[1] - at[0]) - seen)) < 100e-6, clock
        assert np.median(exits[exits["rank"] == 1]["skew"]) == pytest.approx(40e-3, abs=15e-3)


def test_windows_on_clocks_that_nobody_vouches_for_are_told(tmp_path: Path) -> None:
    """On clocks that drift: none for long windows and a proven bound, one for short windows or without a bound."""
    program = compiled("mpich", "classic_benchmark", tmp_path)
    drifting = "skewed(base=monotonic,offset=5s,drift=100ppm)"
    cases = (
        ("window(size=20ms)", "ictus", None),
        ("window(size=100ns)", "ictus", "their error may have been "),
        ("window(size=20ms)", "skampi", "no bound of their error is proven"),
        ("arrival(start=harmonize)", "skampi", None),
    )
    for procsync, clocksync, warning in cases:
        variables = {"ICTUS_PRELOAD_CLOCK": drifting, "ICTUS_PRELOAD_CLOCKSYNC": clocksync}
        replaced = run("mpich", 2, procsync, program, 5, **variables)
        assert replaced.ended.exit_code == 0, replaced.ended.error
        warnings = " ".join(replaced.report["warnings"])
        assert ("clocks for windows" in warnings) == (warning is not None), (procsync, warnings)
        assert warning is None or warning in warnings


def test_between_two_groups_the_library_does_it(label: str, tmp_path: Path) -> None:
    """A barrier of an intercommunicator is passed on and told."""
    program = compiled(label, "classic_benchmark", tmp_path)
    replaced = run(label, 2, "harmonize", program, 10, 0, "inter")
    assert replaced.ended.exit_code == 0, replaced.ended.error
    assert (replaced.report["barriers"], replaced.report["left_to_library"]) == (0, 20)
    assert "20 calls left to the library" in replaced.ended.error


HANDED_ON: dict[str, Callable[[str, str], tuple[str, ...]]] = {
    "mpich": lambda name, value: ("-genv", name, value),
    "openmpi": lambda name, value: ("-x", f"{name}={value}"),
}
"""Words of the launchers that give the ranks a variable."""


@pytest.mark.parametrize(
    ("label", "options"),
    [("mpich", ()), ("openmpi", ("--oversubscribe", "--allow-run-as-root"))],
)
def test_beyond_the_world_the_library_does_it(label: str, options: tuple[str, ...], tmp_path: Path) -> None:
    """With a spawned process, loaded (MPICH) or not (Open MPI): passed on and told. Bound ranks cannot spawn."""
    program = compiled(label, "classic_benchmark", tmp_path)
    launcher = installation(label).wrapper.with_name("mpiexec")
    preload = mpi_tree(label).folder / "libictus-preload.so"
    variables = {"LD_PRELOAD": str(preload), "ICTUS_PRELOAD_RANKS": "2"}
    passed = (word for name, value in variables.items() for word in HANDED_ON[label](name, value))
    command = (launcher, "-n", "2", *options, *passed, program, "5", "0", "spawn")
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=HANGS_S)
    assert ended.returncode == 0, ended.stderr
    assert "10 calls left to the library" in ended.stderr


@pytest.mark.parametrize("label", [*EITHER, INTEL])
def test_a_pattern_that_a_small_communicator_cannot_have_is_left_there(label: str, tmp_path: Path) -> None:
    """Rank 1 is to be late: not in the half of one process. On the world it is a mistake that ends the program."""
    program = compiled(label, "classic_benchmark", tmp_path)
    late = "arrival(one-late(1),size=1ms,start=harmonize)"
    replaced = run(label, 3, late, program, 5, 0, "sub")
    assert replaced.ended.exit_code == 0, replaced.ended.error
    assert (replaced.report["barriers"], replaced.report["left_to_library"]) == (15, 5)
    check_refused(run(label, 1, late, program, 5), "'rank': 1 is not below the number of ranks, 1")


def test_threads_have_barriers_at_once_and_may_leave_all_to_finalise(label: str, tmp_path: Path) -> None:
    """Two threads on two communicators, which the ranks take up in opposite orders and nobody frees."""
    program = compiled(label, "classic_benchmark", tmp_path)
    replaced = run(label, 2, "harmonize", program, 5, 0, "threads")
    assert replaced.ended.exit_code == 0, replaced.ended.error
    assert sorted(one["barriers"] for one in replaced.report["communicators"]) == [0, 5, 5]


def test_nothing_of_the_program_runs_inside_a_barrier(label: str, tmp_path: Path) -> None:
    """It keeps an attribute with a communicator: copying that would end it."""
    program = compiled(label, "classic_benchmark", tmp_path)
    replaced = run(label, 2, "harmonize", program, 5, 0, "attributes")
    assert replaced.ended.exit_code == 0, replaced.ended.error
    assert replaced.report["barriers"] == 5


def test_a_barrier_inside_finalise_is_the_librarys(label: str, tmp_path: Path) -> None:
    """Where nobody is held back, that one does: rank 1 comes 10 ms late to it."""
    program = compiled(label, "classic_benchmark", tmp_path)
    replaced = run(label, 2, "none", program, 5, 0, "last")
    assert replaced.ended.exit_code == 0, replaced.ended.error
    assert replaced.report["barriers"] == 5
    (waited,) = re.findall(r"last waited (\d+)", replaced.ended.output)
    assert int(waited) > 5_000_000


def test_every_name_that_fortran_compilers_give_is_replaced_once(label: str, tmp_path: Path) -> None:
    """Five names, and mpi_f08's without its optional argument; also where the library has no Fortran."""
    replaced = run(label, 2, "barrier(dissemination)", compiled(label, "fortran_names", tmp_path))
    assert replaced.ended.exit_code == 0, replaced.ended.error
    assert replaced.ended.output.count("6 answered, 0 failed") == 2
    assert (replaced.report["barriers"], replaced.report["calls"]) == (6, 12)


@pytest.mark.engine("fortran", "debian-mpi")
@pytest.mark.parametrize("label", IN_FORTRAN)
@pytest.mark.parametrize("form", ["INCLUDED", "MODULE", "MODULE_F08"])
def test_fortran_programs_are_replaced(form: str, label: str, tmp_path: Path) -> None:
    """mpif.h, the module mpi and mpi_f08: each barrier counts once."""
    program = compiled_fortran(label, "classic_benchmark", form, tmp_path)
    replaced = run(label, 2, "harmonize", program)
    assert replaced.ended.exit_code == 0, replaced.ended.error
    assert replaced.ended.output.count(" right 10 ") == 2
    assert (replaced.report["barriers"], replaced.report["calls"]) == (10, 20)


USABLE = {
    "none": "none",
    "barrier": "barrier(binomial)",
    "window": "window(size=5ms)",
    "harmonize": "harmonize",
    "arrival": "arrival(start=harmonize)",
}
REFUSED = {
    "window-adaptive": "it repeats a case",
    "round-time": "it ends a case",
}


def test_each_process_synchronisation_replaces_or_says_why_not(tmp_path: Path) -> None:
    """All members of the family: what a new one means in a program of others must be decided."""
    program = compiled("mpich", "classic_benchmark", tmp_path)
    names = {member.name for member in Registries.load().family("procsync").members}
    assert names == USABLE.keys() | REFUSED.keys()
    for name, spec in USABLE.items():
        replaced = run("mpich", 2, spec, program, 5)
        assert replaced.ended.exit_code == 0, replaced.ended.error
        assert replaced.report["procsync"].startswith(name)
        assert replaced.report["barriers"] == 5
    for name, reason in REFUSED.items():
        check_refused(run("mpich", 2, name, program), f"procsync '{name}' cannot replace a barrier: {reason}")


MISTAKES = {
    "harmonise": ({}, "variable 'ICTUS_PROCSYNC': unknown procsync 'harmonise'"),
    "window": ({}, "variable 'ICTUS_PROCSYNC': procsync 'window': size=auto follows the latency"),
    "arrival": ({}, "variable 'ICTUS_PROCSYNC': procsync 'window': size=auto follows the latency"),
    "barrier(x)": ({}, "unknown barrier 'x'"),
    "none": ({"ICTUS_PRELOAD_LOG_LIMIT": "3"}, "variable 'ICTUS_PRELOAD_LOG_LIMIT': 3 is not between 16 and"),
    "barrier": ({"ICTUS_PRELOAD_CLOCKSYNC": "hca9"}, "variable 'ICTUS_PRELOAD_CLOCKSYNC': unknown clocksync 'hca9'"),
    "barrier()": ({"ICTUS_PRELOAD_CLOCK": "sundial"}, "variable 'ICTUS_PRELOAD_CLOCK': unknown clock 'sundial'"),
    "harmonize": ({"ICTUS_PRELOAD_RANKS": "3"}, "asked for 3 ranks, but the program has 2"),
    "barrier(library)": (
        {"ICTUS_PRELOAD_REPORT": "/nowhere/preload.json"},
        "variable 'ICTUS_PRELOAD_REPORT': cannot create /nowhere/preload.json",
    ),
}


@pytest.mark.parametrize("procsync", MISTAKES)
def test_a_mistake_ends_the_program_at_its_begin(procsync: str, tmp_path: Path) -> None:
    """One message that names variable, value and what is allowed; the program has said nothing yet."""
    variables, message = MISTAKES[procsync]
    check_refused(run("mpich", 2, procsync, compiled("mpich", "classic_benchmark", tmp_path), **variables), message)


def check_refused(refused: Run, message: str) -> None:
    """Ended by the library, with one line."""
    assert (refused.ended.exit_code, refused.ended.output) == (2, ""), refused.ended.error
    lines = [line for line in refused.ended.error.splitlines() if line.startswith("ictus-preload:")]
    assert len(lines) == 1, refused.ended.error
    assert message in lines[0]


def test_the_log_keeps_to_its_limit(tmp_path: Path) -> None:
    """100 barriers in room for 16: every eighth is kept, on all ranks the same, and all are counted."""
    program = compiled("openmpi", "classic_benchmark", tmp_path)
    replaced = run("openmpi", 2, "barrier", program, 100, ICTUS_PRELOAD_LOG_LIMIT="16")
    assert replaced.ended.exit_code == 0, replaced.ended.error
    (world,) = replaced.report["communicators"]
    assert (world["barriers"], world["kept"], world["stride"]) == (100, 13, 8)
    exits = replaced.exits
    for rank in (0, 1):
        assert list(exits[exits["rank"] == rank]["barrier"]) == list(range(0, 100, 8))


@pytest.mark.parametrize("label", LIBRARIES)
def test_only_mpi_functions_are_seen_from_outside(label: str) -> None:
    """No symbol of ours meets one of the program's."""
    names = seen_from_outside(mpi_tree(label).folder / "libictus-preload.so")
    assert {"MPI_Init", "MPI_Init_thread", "MPI_Barrier", "MPI_Finalize", "mpi_barrier_", "mpi_barrier_f08_"} <= names
    assert {name for name in names if not name.lower().startswith("mpi_")} == set()
