"""Programs that know nothing of ours, compiled on a library; and what a library of ours shows to them."""

import subprocess
from pathlib import Path

import pytest
from tests.native.trees import NATIVE, installation

PROGRAMS = NATIVE / "tests/programs"


def compiled(label: str, source: str, folder: Path, *more: str, folder_of_source: Path = PROGRAMS) -> Path:
    """A C program of native/tests/programs or another folder, by the library's wrapper."""
    program = folder / source
    wrapper = installation(label).wrapper.with_name("mpicc")
    command = (wrapper, "-std=c99", "-O2", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-pthread", *more)
    subprocess.run((*command, folder_of_source / f"{source}.c", "-o", program), check=True)
    return program


def compiled_fortran(label: str, source: str, form: str, folder: Path) -> Path:
    """A Fortran program that takes MPI in this form; the test is skipped where library or compiler have it not."""
    program = folder / source
    wrapper = next((w for w in map(installation(label).wrapper.with_name, ("mpifort", "mpif90")) if w.is_file()), None)
    if wrapper is None:
        pytest.skip(f"{label} has no Fortran wrapper")
    words = (wrapper, "-cpp", f"-D{form}", PROGRAMS / f"{source}.f90", "-o", program)
    made = subprocess.run(words, check=False, capture_output=True, text=True)
    if made.returncode != 0:
        said = (made.stdout + made.stderr).strip().splitlines()
        pytest.skip(f"{label}: no Fortran compiler or module: {next((s for s in said if 'Error' in s), said[-1])}")
    return program


def seen_from_outside(library: Path) -> set[str]:
    """The symbols that a shared library defines for whoever loads it."""
    listed = subprocess.run(("nm", "-D", "--defined-only", library), check=True, capture_output=True, text=True).stdout
    return {line.split()[-1] for line in listed.splitlines()}
