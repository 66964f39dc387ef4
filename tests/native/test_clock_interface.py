"""libictus as a tracing tool gets it: installed, found by pkg-config and CMake, compiled as C99 and as C++."""

import re
import shutil
from pathlib import Path

import pytest
from tests.native.installed import CMAKE, compiled, libraries_of, prefix, ran
from tests.native.launching import EITHER, LIBRARIES, start
from tests.native.trees import NATIVE, installation

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

LATE_FREE = """
#include <ictus/clock.h>
#include <stdio.h>
int main(int argc, char** argv) {
    ictus_clock* clock;
    if (ictus_clock_create(MPI_COMM_WORLD, NULL, NULL, &clock) != ICTUS_USAGE_ERROR) { return 2; }
    puts(ictus_clock_error_text());
    MPI_Init(&argc, &argv);
    if (ictus_clock_create(MPI_COMM_WORLD, "hca3-offset", "monotonic", &clock) != ICTUS_OK) { return 3; }
    const int64_t ticks = ictus_clock_ticks(clock);
    MPI_Finalize();
    if (!(ictus_clock_global(clock, ticks) <= ictus_clock_now(clock))) { return 4; }
    if (ictus_clock_synchronise(clock) != ICTUS_USAGE_ERROR) { return 5; }
    puts(ictus_clock_error_text());
    return ictus_clock_free(&clock) != ICTUS_OK || clock != NULL;
}
"""


def check_events(output: str, n_ranks: int) -> None:
    """Five events of all ranks; nobody leaves a barrier long before another has come: one time line indeed."""
    events: dict[int, list[float]] = {}
    for event, _rank, time in re.findall(r"^event (\d) rank (\d) left at (\S+) s$", output, re.MULTILINE):
        events.setdefault(int(event), []).append(float(time))
    assert [len(times) for times in events.values()] == [n_ranks] * 5, output
    for before, after in zip(list(events.values())[:-1], list(events.values())[1:], strict=True):
        assert max(before) <= min(after) + max(0.1, max(before) - min(before)), "barriers come one after the other"
    assert max(max(times) - min(times) for times in events.values()) < 1.0


@pytest.mark.parametrize("label", EITHER)
@pytest.mark.parametrize("n_ranks", [1, 2, 3])
def test_the_example_aligns_events_of_clocks_that_are_seconds_apart(n_ranks: int, label: str, tmp_path: Path) -> None:
    """native/examples/aligned_events.c as plain C99 without a warning; raw clocks here are up to 200 s apart."""
    source = NATIVE / "examples/aligned_events.c"
    assert len(source.read_text().splitlines()) <= 40
    program = compiled(label, source, tmp_path)
    for words in ((), ("hca3-offset", "skewed(base=monotonic,offset=100s)")):
        ended = start(label, n_ranks, program, *words, folder=tmp_path)
        assert ended.exit_code == 0, ended.error
        check_events(ended.output, n_ranks)
    refusals = {
        "hca9": "unknown clocksync 'hca9'; known are none, ",
        "extrapolate(hca3)": "clocksync 'extrapolate' is for the stamps of a launch; name the algorithm itself",
    }
    for word, reason in refusals.items():
        ended = start(label, n_ranks, program, word, folder=tmp_path)
        assert ended.exit_code != 0
        assert f"aligned_events: rank 0: {reason}" in ended.error


@pytest.mark.parametrize("label", LIBRARIES)
@pytest.mark.parametrize("language", ["c", "c++"])
def test_mpi_may_be_finalised_before_the_clock_is_freed(language: str, label: str, tmp_path: Path) -> None:
    """And a clock before MPI_Init or a synchronisation after MPI_Finalize is an error with a text, not an abort."""
    source = tmp_path / f"late_free.{language}"
    source.write_text(LATE_FREE.replace("NULL", "nullptr") if language == "c++" else LATE_FREE)
    ended = start(label, 2, compiled(label, source, tmp_path, language), folder=tmp_path)
    assert ended.exit_code == 0, ended.output + ended.error
    assert ended.output.count("MPI is not initialised: call MPI_Init before ictus_clock_create") == 2
    assert ended.output.count("MPI is finalised: clocks can no longer be synchronised") == 2


@pytest.mark.parametrize("label", LIBRARIES)
def test_the_static_library_needs_the_cpp_library_only(label: str, tmp_path: Path) -> None:
    """One program without libictus.so."""
    libraries = (str(libraries_of(label) / "libictus.a"), "-lstdc++", "-lm")
    program = compiled(label, NATIVE / "examples/aligned_events.c", tmp_path, "c", *libraries)
    assert "libictus" not in ran("ldd", program)
    ended = start(label, 2, program, folder=tmp_path)
    assert ended.exit_code == 0, ended.error
    check_events(ended.output, 2)


@pytest.mark.parametrize("label", LIBRARIES)
def test_only_the_interface_is_exported(label: str) -> None:
    """What the headers declare, what the Fortran module calls, and nothing else."""
    headers = [header.read_text() for header in (prefix(label) / "include/ictus").glob("*.h")]
    declared = set(re.findall(r"^ICTUS_API .*?(\w+)\(", "\n".join(headers), re.MULTILINE))
    module = (NATIVE / "fortran/ictus_harmonize.f90").read_text()
    called = set(re.findall(r"bind\(c, name='(\w+)'\)", module))
    listed = ran("nm", "-D", "--defined-only", libraries_of(label) / "libictus.so")
    assert {line.split()[-1] for line in listed.splitlines()} == declared | called
    assert len(declared) == 11 + 6 + 12  # clock.h, harmonize.h, isomorphic.h
    assert len(called) == 6


@pytest.mark.parametrize("label", LIBRARIES)
def test_pkg_config_knows_the_library(label: str, tmp_path: Path) -> None:
    """The flags it gives compile and link the example."""
    folder = {"PKG_CONFIG_PATH": str(libraries_of(label) / "pkgconfig")}
    flags = ran("pkg-config", "--cflags", "--libs", "ictus", environment=folder).split()
    wrapper = installation(label).wrapper.with_name("mpicc")
    ran(wrapper, "-std=c99", NATIVE / "examples/aligned_events.c", "-o", tmp_path / "aligned_events", *flags)


PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(tracer LANGUAGES C)
find_package(ictus REQUIRED)
foreach(library ictus ictus_static)
  add_executable(with_${library} aligned_events.c)
  target_link_libraries(with_${library} PRIVATE ictus::${library})
endforeach()
set_target_properties(with_ictus_static PROPERTIES LINKER_LANGUAGE C)
target_link_libraries(with_ictus_static PRIVATE stdc++ m)
"""


@pytest.mark.parametrize("label", EITHER)
def test_cmake_finds_the_library(label: str, tmp_path: Path) -> None:
    """find_package(ictus) in a project of C alone."""
    (tmp_path / "CMakeLists.txt").write_text(PROJECT)
    shutil.copy(NATIVE / "examples/aligned_events.c", tmp_path)
    wrapper = installation(label).wrapper.with_name("mpicc")
    ran(CMAKE, "-S", tmp_path, "-B", tmp_path / "b", f"-Dictus_ROOT={prefix(label)}", f"-DMPI_C_COMPILER={wrapper}")
    ran(CMAKE, "--build", tmp_path / "b")
    ended = start(label, 2, tmp_path / "b/with_ictus", folder=tmp_path)
    assert ended.exit_code == 0, ended.error
