"""MPI installations made of shell scripts, and places to find them in."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ictus.mpi.search import Surroundings

SAYS = {
    "mpich": "mpicxx for MPICH version {version}",
    "openmpi": "mpicxx: Open MPI {version} (Language: C++)",
    "intelmpi": "mpigxx for the Intel(R) MPI Library {version} for Linux*",
    "simgrid": "SimGrid version {version}",
}
"""First line that each flavour's wrapper answers to the option that asks for its version."""

FakeMpi = Callable[..., Path]


def script(path: Path, body: str) -> Path:
    """An executable shell script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return path


def make_fake_mpi(
    prefix: Path, flavour: str, version: str, *, suffix: str = "", wrapper: str = "mpicxx", launcher: str = "mpiexec"
) -> Path:
    """A wrapper that answers as `flavour` does, with a launcher beside it; returns the wrapper."""
    option = {"openmpi": "--showme:version", "simgrid": "--version"}.get(flavour, "-v")
    answer = SAYS[flavour].format(version=version)
    script(prefix / "bin" / f"{launcher}{suffix}", "exit 0")
    body = f'case "$1" in\n{option}) echo "{answer}";;\n*) echo "g++: error: no input files" >&2; exit 1;;\nesac'
    return script(prefix / "bin" / f"{wrapper}{suffix}", body)


@pytest.fixture
def fake_mpi() -> FakeMpi:
    """`make_fake_mpi`."""
    return make_fake_mpi


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Surroundings:
    """Surroundings without any MPI, settings and cache of the test's own: what a test adds is all there is."""
    monkeypatch.setenv("ICTUS_CONFIG", str(tmp_path / "config"))
    monkeypatch.setenv("ICTUS_CACHE", str(tmp_path / "cache"))
    return Surroundings({"PATH": ""}, tmp_path / "venv", tmp_path / "root")
