"""CMake trees of the native tests: configured and built at most once a session, under build/tests."""

import functools
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from ictus.model.installation import Installation
from ictus.mpi.discover import find

ROOT = Path(__file__).resolve().parents[2]
NATIVE = ROOT / "native"


@dataclass(frozen=True)
class Tree:
    """A built tree; `kind` is `plain` or the label of an MPI library."""

    folder: Path

    def program(self, kind: str, name: str) -> Path:
        """A test program of `unit`, `sim` or `mpi`."""
        return self.folder / kind / f"{kind}_{name}"


@functools.cache
def plain_tree() -> Tree:
    """Everything that needs no MPI, with the address and undefined-behaviour sanitizers."""
    return _built("plain", "-DICTUS_MPI=OFF", "-DICTUS_SANITIZE=ON", "-DCMAKE_CXX_FLAGS_RELEASE=-O1")


@functools.cache
def mpi_tree(label: str) -> Tree:
    """ictus-bench, its MPI tests and the test instruments, for one installation."""
    targets = ("all", "ictus-flip", "ictus-delay")
    return _built(label, f"-DMPI_CXX_COMPILER={installation(label).wrapper}", targets=targets)


@functools.cache
def sanitised_tree(label: str) -> Tree:
    """The library libictus alone, with the address and undefined-behaviour sanitizers."""
    definitions = ("-DICTUS_SANITIZE=ON", "-DCMAKE_CXX_FLAGS_RELEASE=-O1")
    wrapper = f"-DMPI_CXX_COMPILER={installation(label).wrapper}"
    return _built(f"{label}-sanitised", *definitions, wrapper, targets=("ictus",))


@functools.cache
def installation(label: str) -> Installation:
    """The embedded wheel of this name: `make setup` put it there, so a test that cannot find it fails."""
    return find(label)


def claims(source: Path) -> list[str]:
    """The names of the tests in a C++ file."""
    return re.findall(r"^TEST\((\w+)\)", source.read_text("utf-8"), re.MULTILINE)


def _built(name: str, *definitions: str, targets: tuple[str, ...] = ("all",)) -> Tree:
    folder = ROOT / "build" / "tests" / name
    configure = ("cmake", "-G", "Ninja", "-S", str(NATIVE), "-B", str(folder), "-DICTUS_TESTS=ON", "-DICTUS_WERROR=ON")
    _run(*configure, *definitions)
    _run("cmake", "--build", str(folder), "--target", *targets, "--parallel", str(os.cpu_count() or 1))
    return Tree(folder)


def _run(*command: str) -> None:
    path = f"{os.environ.get('PATH', '')}:{ROOT / '.venv' / 'bin'}"
    program = shutil.which(command[0], path=path)
    assert program, f"{command[0]} is neither in PATH nor in the virtual environment"
    ended = subprocess.run(
        (program, *command[1:]), check=False, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert ended.returncode == 0, f"{' '.join(command)}\n{ended.stdout[-8000:]}{ended.stderr[-2000:]}"
