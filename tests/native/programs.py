"""Programs that know nothing of ours, compiled on a library; and what a library of ours shows to them."""

import functools
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.native.trees import NATIVE, installation

PROGRAMS = NATIVE / "tests/programs"
_FOLDER = tempfile.TemporaryDirectory(prefix="ictus-programs-")


def compiled(label: str, source: str, folder: Path, *more: str, folder_of_source: Path = PROGRAMS) -> Path:
    """A C program of native/tests/programs or another folder, by the library's wrapper; in `folder`."""
    program = folder / source
    shutil.copy2(_compiled_once(label, folder_of_source / f"{source}.c", more), program)
    return program


@functools.cache
def _compiled_once(label: str, source: Path, more: tuple[str, ...]) -> Path:
    """Dozens of tests run the same few programs."""
    program = Path(tempfile.mkdtemp(dir=_FOLDER.name), source.stem)
    wrapper = beside(installation(label).wrapper, "mpicc")
    command = (wrapper, "-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread", *more)
    subprocess.run((*command, source, "-o", program), check=True)
    return program


def compiled_fortran(label: str, source: str, form: str, folder: Path) -> Path:
    """A Fortran program that takes MPI in this form, by the library's wrapper."""
    program = folder / source
    wrapper = beside(installation(label).wrapper, "mpifort")
    subprocess.run((wrapper, "-cpp", f"-D{form}", PROGRAMS / f"{source}.f90", "-o", program), check=True)
    return program


def beside(wrapper: Path, name: str) -> Path:
    """Another wrapper of the same library: mpifort.mpich beside mpicxx.mpich, mpicc beside Intel's mpigxx."""
    return wrapper.with_name(re.sub("mpi[cg]xx", name, wrapper.name))


IN_FORTRAN = ("mpich-debian", "openmpi-debian")
"""Libraries with wrappers for Fortran: the wheels have none."""


def seen_from_outside(library: Path) -> set[str]:
    """The symbols that a shared library defines for whoever loads it."""
    listed = subprocess.run(("nm", "-D", "--defined-only", library), check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in listed.splitlines()}
