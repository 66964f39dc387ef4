"""What has threads, under the thread sanitizer: the progress thread of overlaps, the probes of a machine, drifting
clocks that threads read, MPIX_Harmonize, libictus-preload and libictus-redirect in programs with MPI_THREAD_MULTIPLE.

The MPI library itself is not instrumented: what happens inside of it is left out.
"""

import functools
import json
from pathlib import Path

import pytest
from tests.native.installed import ran
from tests.native.launching import Ended, start
from tests.native.programs import PROGRAMS, compiled
from tests.native.test_redirect import everything
from tests.native.trees import NATIVE, Tree, built_tree, installation, threaded_tree

pytestmark = [pytest.mark.mpi, pytest.mark.long]

LABEL = "mpich"
"""Which has MPI_THREAD_MULTIPLE."""
OPTIONS = {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1", "UCX_MEM_MMAP_HOOK_MODE": "none", "UCX_MEM_EVENTS": "no"}
"""UCX, below MPICH, puts itself in front of madvise, which a thread calls after the sanitizer has taken leave of it."""
TARGETS = ("mpi_overlap_test", "ictus", "ictus-preload", "ictus-redirect")
SANITISED = ("-g", "-fsanitize=thread")
UNITS = ("unit/clockmath_skew", "unit/machine_probe")

RACE = """
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <stddef.h>
static int counted;
static void* count(void* unused) {
    for (int i = 0; i < 1000; ++i) {
        ++counted;
    }
    return unused;
}
int main(int argc, char** argv) {
    int provided;
    pthread_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    pthread_create(&other, NULL, count, NULL);
    count(NULL);
    pthread_join(other, NULL);
    MPI_Finalize();
    return counted < 0;
}
"""


@functools.cache
def tree() -> Tree:
    """All that is tested here, for one library."""
    return threaded_tree(LABEL, *TARGETS)


def check_without_races(ended: Ended) -> None:
    """It ended well, and the sanitizer had nothing to say."""
    assert "ThreadSanitizer" not in ended.error + ended.output, ended.error + ended.output
    assert ended.exit_code == 0, ended.error + ended.output


def test_a_race_is_found(tmp_path: Path) -> None:
    """Two threads that count in one variable, started in the same way: else the other tests would show nothing."""
    (tmp_path / "race.c").write_text(RACE)
    program = compiled(LABEL, "race", tmp_path, *SANITISED, folder_of_source=tmp_path)
    ended = start(LABEL, 2, program, folder=tmp_path, environment=OPTIONS)
    assert "data race" in ended.error + ended.output
    with pytest.raises(AssertionError, match="ThreadSanitizer"):
        check_without_races(ended)


@pytest.mark.parametrize("unit", UNITS)
def test_units_with_threads_have_no_race(unit: str) -> None:
    """Threads that read one drifting clock, and two that measure their round trip."""
    done = built_tree("threads", "-DICTUS_MPI=OFF", "-DICTUS_SANITIZE=thread", targets=("claims",)).claims(unit)
    assert "ThreadSanitizer" not in done.stdout + done.stderr, done.stderr
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_progress_thread_has_no_race(tmp_path: Path) -> None:
    """The overlaps of native/tests/mpi, of which some have a thread that makes progress."""
    check_without_races(start(LABEL, 2, tree().program("overlap_test"), folder=tmp_path, environment=OPTIONS))


def test_threads_that_harmonize_have_no_race(tmp_path: Path) -> None:
    """Two threads of each process, each on a communicator of its own."""
    folder, program = tree().folder, tmp_path / "harmonize_threads"
    library = (f"-I{NATIVE}/include", f"-L{folder}", f"-Wl,-rpath,{folder}", "-lictus")
    wrapper = installation(LABEL).wrapper.with_name("mpicc")
    ran(wrapper, "-std=c99", *SANITISED, PROGRAMS / "harmonize_threads.c", "-o", program, *library)
    ended = start(LABEL, 2, program, folder=tmp_path, environment=OPTIONS)
    check_without_races(ended)
    assert ended.output == "2 threads of each process, 0 errors\n"


def test_barriers_that_threads_have_replaced_have_no_race(tmp_path: Path) -> None:
    """libictus-preload in front of a program with two threads, on two communicators."""
    program = compiled(LABEL, "classic_benchmark", tmp_path, *SANITISED)
    preload = {"LD_PRELOAD": str(tree().folder / "libictus-preload.so"), "ICTUS_PROCSYNC": "harmonize"}
    words, variables = (5, 0, "threads"), {**OPTIONS, **preload, "ICTUS_PRELOAD_LOG": str(tmp_path / "log")}
    check_without_races(start(LABEL, 2, program, *words, folder=tmp_path, environment=variables))
    assert json.loads((tmp_path / "log/preload.json").read_text())["barriers"] > 0


def test_calls_that_threads_have_rerouted_have_no_race(tmp_path: Path) -> None:
    """libictus-redirect in front of a program with two threads, every operation rerouted."""
    program = compiled(LABEL, "redirected_calls", tmp_path, *SANITISED)
    (tmp_path / "faster.txt").write_text(everything(0))
    files = {"PROFILE": str(tmp_path / "faster.txt"), "REPORT": str(tmp_path / "redirect.json")}
    redirect = {f"ICTUS_REDIRECT_{name}": path for name, path in files.items()}
    variables = {**OPTIONS, "LD_PRELOAD": str(tree().folder / "libictus-redirect.so"), **redirect}
    check_without_races(start(LABEL, 2, program, "threads", folder=tmp_path, environment=variables))
    assert json.loads((tmp_path / "redirect.json").read_text())["rerouted"] > 0
