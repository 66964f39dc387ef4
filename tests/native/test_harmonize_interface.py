"""MPIX_Harmonize in programs on the installed libictus: the examples, threads, many communicators, load."""

import re
import shutil
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.native.installed import CMAKE, compiled, libraries_of, prefix, ran
from tests.native.launching import EITHER, LIBRARIES, Ended, start
from tests.native.trees import NATIVE, installation

pytestmark = pytest.mark.mpi

EXAMPLES = NATIVE / "examples"
PROGRAMS = NATIVE / "tests/programs"
CAP_US = 1000.0
"""The default of ICTUS_HARMONIZE_CAP."""


@dataclass(frozen=True)
class Cost:
    """What native/examples/harmonize_cost.c printed."""

    first_ms: float
    calls: int
    elapsed_s: float
    met: int
    median_us: float
    longest_slack_us: float
    synchronisations: int


def parse_cost(output: str) -> Cost:
    """Its four lines; an assertion fails where they are not there."""
    found = re.fullmatch(
        r"the first call took (\S+) ms\n"
        r"(\d+) calls in (\S+) s; all processes met (\d+) deadlines \(\S+ %\)\n"
        r"cost of a call, slowest process: median (\S+) us, .*\n"
        r"slack of the last call \S+ us, longest (\S+) us; clocks synchronised (\d+) times, .*\n",
        output,
    )
    assert found, output
    first, calls, elapsed, met, median, slack, synchronisations = found.groups()
    return Cost(float(first), int(calls), float(elapsed), int(met), float(median), float(slack), int(synchronisations))


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Others that want the cores too, for as long as the block lasts."""
    busy = [subprocess.Popen((sys.executable, "-c", "while True: pass")) for _ in range(count)]
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.wait()


def check_reduction(ended: Ended) -> None:
    """A time for MPI_Reduce that is one, from as many valid samples as were wanted and no more than were tried."""
    assert ended.exit_code == 0, ended.error
    found = re.fullmatch(
        r"MPI_Reduce of 8 bytes: (?:mean|median) +(\S+) us over (\d+) valid samples of (\d+)\n", ended.output
    )
    assert found, ended.output
    latency_us, valid, tried = float(found[1]), int(found[2]), int(found[3])
    assert 0.01 < latency_us < 100e3
    assert valid <= tried <= 10000
    assert valid >= 1000 or tried == 10000
    assert valid < 1000 + 16, "it stops at the end of the batch that brings the last one"


@pytest.mark.parametrize("label", EITHER)
def test_the_examples_measure_a_reduction(label: str, tmp_path: Path) -> None:
    """Listing 1 of the paper made complete, in C99 and C++11; the NA of a broken one would not pass."""
    for language, name in (("c", "harmonized_reduce.c"), ("c++", "harmonized_reduce.cpp")):
        check_reduction(start(label, 2, compiled(label, EXAMPLES / name, tmp_path, language), folder=tmp_path))
    with pytest.raises(AssertionError):
        check_reduction(Ended(0, "MPI_Reduce of 8 bytes: NA, no valid sample among 10000\n", ""))
    ended = start(label, 2, tmp_path / "harmonized_reduce", "none", folder=tmp_path)
    assert ended.exit_code != 0
    assert "BYTES is 'none'; it must be a whole number above 0" in ended.error


@pytest.mark.long
@pytest.mark.parametrize("label", LIBRARIES)
def test_under_load_calls_stay_short_and_slack_stays_below_its_cap(label: str, tmp_path: Path) -> None:
    """Two ranks and two busy processes: 6,000 calls within 60 s, 90 % of the deadlines met by all processes."""
    program = compiled(label, EXAMPLES / "harmonize_cost.c", tmp_path)
    with busy_processes(2):
        ended = start(label, 2, program, 6000, folder=tmp_path)
    assert ended.exit_code == 0, ended.error
    cost = parse_cost(ended.output)
    assert cost.calls == 6000
    assert cost.elapsed_s < 60
    assert cost.longest_slack_us <= CAP_US
    assert cost.met >= 0.9 * cost.calls, ended.output
    assert cost.median_us < 1000


@pytest.mark.parametrize("label", LIBRARIES)
def test_constants_by_environment_hold_and_wrong_ones_end_the_program(label: str, tmp_path: Path) -> None:
    """A slack and a cap that can be told from the defaults; MPI's default handler aborts, with our words."""
    program = compiled(label, EXAMPLES / "harmonize_cost.c", tmp_path)
    constants = {"ICTUS_HARMONIZE_SLACK": "40us", "ICTUS_HARMONIZE_CAP": "50us", "ICTUS_HARMONIZE_EXPIRY": "0"}
    cost = parse_cost(start(label, 2, program, 200, folder=tmp_path, environment=constants).output)
    assert 40 <= cost.longest_slack_us <= 50
    assert cost.median_us >= 40
    assert cost.synchronisations == 202, "each call, one more before the first that is counted, and the first"
    ended = start(label, 2, program, 10, folder=tmp_path, environment={"ICTUS_HARMONIZE_CAP": "soon"})
    assert ended.exit_code != 0
    assert "environment variable ICTUS_HARMONIZE_CAP: 'soon' is not a time, such as 100us" in ended.error


@pytest.mark.parametrize("label", EITHER)
def test_threads_harmonize_communicators_of_their_own_at_once(label: str, tmp_path: Path) -> None:
    """MPI_THREAD_MULTIPLE, which both wheels have."""
    program = compiled(label, PROGRAMS / "harmonize_threads.c", tmp_path, "c", "-pthread", *linked(label))
    ended = start(label, 2, program, folder=tmp_path)
    assert ended.exit_code == 0, ended.output + ended.error
    assert ended.output == "2 threads of each process, 0 errors\n"


@pytest.mark.parametrize("label", LIBRARIES)
def test_a_program_of_the_sessions_model_harmonizes_and_has_clocks(label: str, tmp_path: Path) -> None:
    """In one session after the other inside a third, on communicators of theirs. MPI_COMM_WORLD is refused, for there
    is none, and no rank hangs.
    """
    ended = start(label, 2, compiled(label, PROGRAMS / "sessions_only.c", tmp_path), folder=tmp_path)
    assert ended.exit_code == 0, ended.output + ended.error
    for tag in ("first", "second"):
        assert ended.output.count(f"{tag}: harmonized 3, clock 1, near 1, world refused 1\n") == 2, ended.output
    assert "MPI is not initialised: call MPI_Init before MPIX_Harmonize" in ended.error


def linked(label: str) -> tuple[str, ...]:
    """Words that link the installed library."""
    folder = libraries_of(label)
    return (f"-L{folder}", f"-Wl,-rpath,{folder}", "-lictus")


STRETCHES = 10


def churned(label: str, count: int, folder: Path, *words: str) -> tuple[float, float]:
    """By how much a process grew in the middlemost of the later nine tenths of so many communicators: bytes that it
    allocated, KiB of addresses.

    A library enlarges a pool of its own once in a while, by a MiB in MPICH, and no one can tell when: that falls into
    one tenth or two. What is left behind of each communicator is in all of them.
    """
    program = compiled(label, PROGRAMS / "harmonize_churn.c", folder)
    ended = start(label, 2, program, count, *words, folder=folder, timeout_s=600)
    assert ended.exit_code == 0, ended.error
    found = re.fullmatch(r"(\d+) communicators, (\d+) deadlines met, bytes ([-\d ]+), KiB ([-\d ]+)\n", ended.output)
    assert found, ended.output
    assert int(found[1]) == count
    assert int(found[2]) > count / 2
    allocated, addresses = ([int(word) for word in words.split()] for words in found.groups()[2:])
    assert len(allocated) == len(addresses) == STRETCHES - 1
    return statistics.median(allocated), statistics.median(addresses)


def check_no_growth(label: str, count: int, folder: Path) -> None:
    """Less than 100 bytes for each, where a duplicate is several KiB; and no memory from elsewhere."""
    allocated, addresses = churned(label, count, folder)
    assert allocated < 100 * count / STRETCHES
    assert addresses == 0


@pytest.mark.parametrize("label", EITHER)
def test_communicators_come_and_go_without_growth(label: str, tmp_path: Path) -> None:
    """400 of them; where one duplicate of each is left, that is seen."""
    check_no_growth(label, 400, tmp_path)
    allocated, _ = churned(label, 400, tmp_path, "leaky")
    assert allocated > 1024 * 400 / STRETCHES


@pytest.mark.long
@pytest.mark.parametrize("label", LIBRARIES)
def test_ten_thousand_communicators_come_and_go_without_growth(label: str, tmp_path: Path) -> None:
    """MPICH has no more than about 2,000 communicators at a time."""
    check_no_growth(label, 10_000, tmp_path)


PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(benchmark LANGUAGES C CXX)
find_package(ictus REQUIRED)
add_executable(in_c harmonized_reduce.c)
add_executable(in_cpp harmonized_reduce.cpp)
find_package(MPI REQUIRED COMPONENTS CXX)
target_link_libraries(in_c PRIVATE ictus::ictus)
target_link_libraries(in_cpp PRIVATE ictus::ictus MPI::MPI_CXX)
"""


@pytest.mark.parametrize("label", EITHER)
def test_a_foreign_project_finds_it(label: str, tmp_path: Path) -> None:
    """By CMake in C and C++, and by pkg-config."""
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    for name in ("harmonized_reduce.c", "harmonized_reduce.cpp"):
        shutil.copy(EXAMPLES / name, tmp_path)
    wrappers = [f"-DMPI_{kind}_COMPILER={installation(label).wrapper.with_name(name)}"
                for kind, name in (("C", "mpicc"), ("CXX", "mpicxx"))]  # fmt: skip
    ran(CMAKE, "-S", tmp_path, "-B", tmp_path / "b", f"-Dictus_ROOT={prefix(label)}", *wrappers)
    ran(CMAKE, "--build", tmp_path / "b")
    check_reduction(start(label, 2, tmp_path / "b/in_c", folder=tmp_path))
    paths = {"PKG_CONFIG_PATH": str(libraries_of(label) / "pkgconfig")}
    flags = ran("pkg-config", "--cflags", "--libs", "ictus", environment=paths).split()
    wrapper = installation(label).wrapper.with_name("mpicc")
    ran(wrapper, "-std=c99", EXAMPLES / "harmonized_reduce.c", "-o", tmp_path / "by_pkg_config", *flags)
    check_reduction(start(label, 2, tmp_path / "by_pkg_config", folder=tmp_path))
