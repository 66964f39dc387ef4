"""MPIX_Harmonize in Fortran, with Debian's MPI libraries: they have the module mpi_f08, the wheels do not."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.native.installed import CMAKE, ran
from tests.native.launching import LIBRARIES, start
from tests.native.programs import IN_FORTRAN, beside
from tests.native.test_harmonize_interface import check_reduction
from tests.native.trees import NATIVE, ROOT, installation, mpi_tree

from ictus.mpi.discover import find

pytestmark = [pytest.mark.mpi, pytest.mark.beside]
in_fortran = pytest.mark.engine("fortran", "debian-mpi")

EXAMPLE = NATIVE / "examples/harmonized_reduce.f90"

CLAIMS = """
program claims
    use mpi_f08
    use ictus_harmonize
    implicit none
    type(MPI_Comm) :: comm
    type(MPI_Info) :: info, found
    type(MPIX_Harmonize_statistics) :: statistics
    character(len=64) :: value
    logical :: flag, there
    integer :: code, error_class
    call MPI_Init()
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
    if (ictus_global_time(comm) == ictus_global_time(comm)) error stop 2
    call MPI_Info_create(info)
    call MPI_Info_set(info, 'ictus_harmonize_run', '17')
    call MPIX_Harmonize_set_info(comm, info, code)
    if (code /= MPI_SUCCESS) error stop 3
    call MPIX_Harmonize_get_info(comm, found)
    call MPI_Info_get(found, 'ictus_harmonize_run', 64, value, there)
    if (.not. there .or. value /= '17') error stop 4
    call MPIX_Harmonize(comm, flag)
    call MPIX_Harmonize(comm, flag, code)
    if (code /= MPI_SUCCESS .or. .not. ictus_global_time(comm) > 0) error stop 5
    call MPIX_Harmonize_get_statistics(comm, statistics)
    if (statistics%calls /= 2 .or. statistics%slack_s <= 0) error stop 6
    call MPI_Info_set(info, 'ictus_harmonize_run', '0')
    call MPIX_Harmonize_set_info(comm, info, code)
    call MPI_Error_class(code, error_class)
    if (error_class /= MPI_ERR_INFO_VALUE) error stop 7
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN)
    flag = .true.
    call MPIX_Harmonize(MPI_COMM_NULL, flag, code)
    if (code == MPI_SUCCESS .or. flag) error stop 8
    call MPI_Info_free(info)
    call MPI_Info_free(found)
    call MPI_Comm_free(comm)
    call MPI_Finalize()
end program
"""


PROJECT = """
cmake_minimum_required(VERSION 3.20)
project(user LANGUAGES C Fortran)
find_package(ictus REQUIRED)
find_package(MPI REQUIRED COMPONENTS Fortran)
add_executable(reduce {source})
target_link_libraries(reduce PRIVATE ictus::ictus_fortran MPI::MPI_Fortran)
"""


def all_with_fortran() -> Iterator[tuple[str, Path]]:
    """Labels of Debian's libraries, whose Fortran module can be built, and their configured trees."""
    for found in map(find, IN_FORTRAN):
        tree = ROOT / "build/tests" / f"fortran-{found.label}"
        definitions = (f"-DMPI_CXX_COMPILER={found.wrapper}", "-DICTUS_WERROR=ON")
        said = ran(CMAKE, "-G", "Ninja", "-S", NATIVE, "-B", tree, *definitions)
        assert "Fortran module ictus_harmonize: by " in said
        yield found.label, tree


def fortran_wrapper(label: str) -> Path:
    """The Fortran wrapper beside the C++ one."""
    return beside(installation(label).wrapper, "mpifort")


def built(tree: Path, *targets: str) -> None:
    """Targets of a tree; all of them where none is named."""
    wanted = ("--target", *targets) if targets else ()
    ran(CMAKE, "--build", tree, *wanted, "--parallel", os.cpu_count() or 1)


@in_fortran
def test_fortran_programs_harmonize(tmp_path: Path) -> None:
    """The example, and every procedure of the module with its types; an error comes back in ierror."""
    label, tree = next(all_with_fortran())
    built(tree, "ictus_fortran")
    (tmp_path / "claims.f90").write_text(CLAIMS)
    library = (f"-I{tree}/modules", f"-L{tree}", f"-Wl,-rpath,{tree}", "-lictus_fortran", "-lictus")
    for source in (EXAMPLE, tmp_path / "claims.f90"):
        ran(fortran_wrapper(label), "-Wall", "-Werror", "-std=f2008", source, "-o", tmp_path / source.stem, *library)
    ended = start(label, 2, tmp_path / "claims", folder=tmp_path)
    assert ended.exit_code == 0, ended.output + ended.error
    check_reduction(start(label, 2, tmp_path / "harmonized_reduce", folder=tmp_path))


@in_fortran
def test_installed_with_fortran_it_is_found_by_pkg_config_and_cmake(tmp_path: Path) -> None:
    """Everything built and installed for each library that has mpi_f08; a Fortran program finds it either way."""
    for label, tree in all_with_fortran():
        built(tree)
        place = tmp_path / label
        ran(CMAKE, "--install", tree, "--prefix", place)
        packages = {"PKG_CONFIG_PATH": str(next(place.glob("lib*/pkgconfig")))}
        flags = ran("pkg-config", "--cflags", "--libs", "ictus-fortran", environment=packages).split()
        ran(fortran_wrapper(label), "-std=f2008", EXAMPLE, *flags, "-o", place / "harmonized_reduce")
        check_reduction(start(label, 2, place / "harmonized_reduce", folder=place))
        project = place / "project"
        project.mkdir()
        (project / "CMakeLists.txt").write_text(PROJECT.format(source=EXAMPLE))
        fortran = fortran_wrapper(label)
        compilers = (
            f"-DMPI_Fortran_COMPILER={fortran}",
            f"-DMPI_C_COMPILER={fortran.with_name(fortran.name.replace('mpifort', 'mpicc'))}",
        )
        ran(CMAKE, "-S", project, "-B", project, f"-DCMAKE_PREFIX_PATH={place}", *compilers)
        ran(CMAKE, "--build", project)
        check_reduction(start(label, 2, project / "reduce", folder=place))


@pytest.mark.parametrize("label", LIBRARIES)
def test_a_library_without_fortran_is_said_to_be_without(label: str) -> None:
    """The wheels have no Fortran wrapper: another library's is not taken in its place."""
    said = ran(CMAKE, "-S", NATIVE, "-B", mpi_tree(label).folder)
    assert f"Fortran module ictus_harmonize: left out, no Fortran wrapper beside {installation(label).wrapper}" in said
