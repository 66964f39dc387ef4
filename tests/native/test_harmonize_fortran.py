"""MPIX_Harmonize in Fortran, where an MPI library with module mpi_f08 is installed: Debian's have it, wheels do not."""

import os
import re
import shutil
from pathlib import Path

import pytest
from tests.native.installed import CMAKE, ran
from tests.native.launching import LIBRARIES, start
from tests.native.test_harmonize_interface import check_reduction
from tests.native.trees import NATIVE, ROOT, installation, mpi_tree

from ictus.mpi.discover import discover

pytestmark = pytest.mark.mpi

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


def with_fortran() -> tuple[str, Path]:
    """The label of the first installation whose Fortran module can be built, and its tree; skips if there is none."""
    reasons = ["no MPI but the wheels is installed"]
    for found in discover():
        if found.origin in ("wheel", "added") or found.flavour == "simgrid":
            continue
        tree = ROOT / "build/tests" / f"fortran-{found.label}"
        definitions = (f"-DMPI_CXX_COMPILER={found.wrapper}", "-DICTUS_WERROR=ON")
        said = ran(CMAKE, "-G", "Ninja", "-S", NATIVE, "-B", tree, *definitions)
        if "Fortran module ictus_harmonize: by " in said:
            ran(CMAKE, "--build", tree, "--target", "ictus_fortran", "--parallel", os.cpu_count() or 1)
            return found.label, tree
        reasons += re.findall(r"Fortran module ictus_harmonize: (left out.*)", said)
    pytest.skip("no Fortran module: " + "; ".join(reasons))


@pytest.mark.skipif(shutil.which("ninja") is None and not (ROOT / ".venv/bin/ninja").exists(), reason="no ninja")
def test_fortran_programs_harmonize(tmp_path: Path) -> None:
    """The example, and every procedure of the module with its types; an error comes back in ierror."""
    label, tree = with_fortran()
    (tmp_path / "claims.f90").write_text(CLAIMS)
    wrapper = installation(label).wrapper
    fortran = wrapper.with_name(wrapper.name.replace("mpicxx", "mpifort"))
    library = (f"-I{tree}/modules", f"-L{tree}", f"-Wl,-rpath,{tree}", "-lictus_fortran", "-lictus")
    for source in (EXAMPLE, tmp_path / "claims.f90"):
        ran(fortran, "-Wall", "-Werror", "-std=f2008", source, "-o", tmp_path / source.stem, *library)
    ended = start(label, 2, tmp_path / "claims", folder=tmp_path)
    assert ended.exit_code == 0, ended.output + ended.error
    check_reduction(start(label, 2, tmp_path / "harmonized_reduce", folder=tmp_path))


@pytest.mark.parametrize("label", LIBRARIES)
def test_a_library_without_fortran_is_said_to_be_without(label: str) -> None:
    """The wheels have no Fortran wrapper: another library's is not taken in its place."""
    said = ran(CMAKE, "-S", NATIVE, "-B", mpi_tree(label).folder)
    assert f"Fortran module ictus_harmonize: left out, no Fortran wrapper beside {installation(label).wrapper}" in said
