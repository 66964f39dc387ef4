"""Processes of ours under valgrind: nothing is read that was not written, and at the end nothing is lost but what the
MPI libraries leave themselves (native/tests/valgrind.supp says what, and why).

Both without sanitizers, as users have them: the core in a launch of many kinds of cases, and libictus, libictus-preload
and libictus-redirect in programs of others.
"""

from pathlib import Path

import pytest
from tests.native.installed import compiled as compiled_on_libictus
from tests.native.launching import LIBRARIES, Ended, start
from tests.native.programs import PROGRAMS, compiled
from tests.native.test_harmonize_sanitised import LOST
from tests.native.test_redirect import everything
from tests.native.trees import NATIVE, mpi_tree

pytestmark = [
    pytest.mark.mpi,
    pytest.mark.engine("valgrind"),
]

FAULT = 77
"""Exit code of a process in which valgrind found something."""

PLAN = """\
launch ranks=2 seed=42 clock={clock} clocksync={clocksync} raw=on output={output}
case id=0 op=bcast size=8 repetition=fixed(20) procsync=barrier(dissemination)
case id=1 op=allreduce size=4096 repetition=fixed(20) procsync=barrier(library)
case id=2 op=alltoallv size=64 repetition=fixed(20) procsync=barrier counts=linear
case id=3 op=reduce size=1024 repetition=fixed(20) procsync=barrier scheme=loop(calls=5)
case id=4 op=bcast_as_scatter_and_allgather size=1000 repetition=fixed(20) procsync=window
case id=5 op=neighbor_alltoall size=64 repetition=fixed(20) procsync=barrier
case id=7 op=ibcast size=64 repetition=fixed(20) procsync=barrier
case id=6 op=scatter size=65536 repetition=time(slice=50ms) procsync=barrier cache=cold-memset(size=64Ki)
"""
CLOCKS = {"tsc": "ictus(span=20ms)", "monotonic": "hca3(span=20ms,fitpoints=20,exchanges=5)"}


def under_valgrind(label: str, program: Path, *words: object, folder: Path, **variables: str) -> Ended:
    """A launch of two ranks, each under valgrind."""
    tool = (
        "valgrind", "--quiet", f"--error-exitcode={FAULT}", "--leak-check=full", "--show-leak-kinds=definite",
        "--errors-for-leak-kinds=definite", "--gen-suppressions=all",
        f"--suppressions={NATIVE / 'tests/valgrind.supp'}",
        f"--log-file={folder}/valgrind.%p.txt",
    )  # fmt: skip
    return start(label, 2, *tool, program, *words, folder=folder, environment=variables)


def findings(path: Path) -> str:
    """What valgrind wrote, without its remarks on its own limits."""
    lines = path.read_text(errors="replace").splitlines()
    return "\n".join(line for line in lines if "WARNING: valgrind ignores" not in line)


def check_sound(ended: Ended, folder: Path) -> None:
    """Both ranks ended well, and valgrind wrote nothing about either."""
    said = {path.name: findings(path) for path in folder.glob("valgrind.*.txt")}
    assert not any(said.values()), "\n".join(said.values())
    assert len(said) == 2
    assert ended.exit_code == 0, ended.output + ended.error


def test_a_loss_is_found(tmp_path: Path) -> None:
    """77 bytes that a program loses, started in the same way: else the other tests would show nothing."""
    (tmp_path / "lost.c").write_text(LOST)
    program = compiled("mpich", "lost", tmp_path, "-Wno-unused-but-set-variable", folder_of_source=tmp_path)
    ended = under_valgrind("mpich", program, folder=tmp_path)
    with pytest.raises(AssertionError, match="77 bytes in 1 blocks are definitely lost"):
        check_sound(ended, tmp_path)


@pytest.mark.parametrize("label", LIBRARIES)
@pytest.mark.parametrize("clock", CLOCKS)
def test_a_launch_of_the_core_loses_nothing(clock: str, label: str, tmp_path: Path) -> None:
    """Operations of each kind, by every start, with the stamps of every rank."""
    plan = tmp_path / "arguments.txt"
    plan.write_text(PLAN.format(clock=clock, clocksync=CLOCKS[clock], output=tmp_path))
    core = mpi_tree(label).folder / "ictus-bench"
    check_sound(under_valgrind(label, core, "--plan", plan, folder=tmp_path), tmp_path)
    assert (tmp_path / "launch.json").exists()


@pytest.mark.parametrize("label", LIBRARIES)
def test_communicators_that_harmonize_lose_nothing(label: str, tmp_path: Path) -> None:
    """libictus: 200 communicators that are made, used and freed."""
    program = compiled_on_libictus(label, PROGRAMS / "harmonize_churn.c", tmp_path)
    check_sound(under_valgrind(label, program, 200, folder=tmp_path), tmp_path)


@pytest.mark.parametrize("label", LIBRARIES)
def test_a_program_with_barriers_replaced_loses_nothing(label: str, tmp_path: Path) -> None:
    """libictus-preload, on communicators that come and go."""
    program = compiled(label, "classic_benchmark", tmp_path)
    library, log = str(mpi_tree(label).folder / "libictus-preload.so"), str(tmp_path / "log")
    variables = {"LD_PRELOAD": library, "ICTUS_PROCSYNC": "harmonize", "ICTUS_PRELOAD_LOG": log}
    check_sound(under_valgrind(label, program, 5, 0, "sub", folder=tmp_path, **variables), tmp_path)
    assert (tmp_path / "log/preload.json").exists()


@pytest.mark.parametrize("label", LIBRARIES)
def test_a_program_with_calls_rerouted_loses_nothing(label: str, tmp_path: Path) -> None:
    """libictus-redirect, every operation by another."""
    program = compiled(label, "redirected_calls", tmp_path)
    (tmp_path / "faster.txt").write_text(everything(0))
    files = {"PROFILE": str(tmp_path / "faster.txt"), "REPORT": str(tmp_path / "redirect.json")}
    variables = {f"ICTUS_REDIRECT_{name}": path for name, path in files.items()}
    library = str(mpi_tree(label).folder / "libictus-redirect.so")
    check_sound(under_valgrind(label, program, folder=tmp_path, LD_PRELOAD=library, **variables), tmp_path)
    assert (tmp_path / "redirect.json").exists()
