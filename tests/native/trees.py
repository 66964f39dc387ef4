"""What the tests need compiled, under build/tests: CMake trees, configured and built at most once a session, and the
product's own builds in a cache of the tests.

`python -m tests.native.trees` builds all that `make test` needs in one go. `make test` does that beside the tests that
need none of it; those that start ranks wait for its end (`settled`), because they are alone on the machine or they
measure it.
"""

import contextlib
import fcntl
import functools
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.engines import ROOT
from tests.surroundings import BUILT, enter

from ictus.model.library import Installation
from ictus.mpi.build import build_core, build_preload, build_profile, build_redirect, build_simulate
from ictus.mpi.discover import find

NATIVE = ROOT / "native"
OBJECTS = BUILT / "objects"
"""What tests/native/compiled_once.py keeps."""
_OBJECTS_KEPT_S = 7 * 24 * 3600


@dataclass(frozen=True)
class Tree:
    """A built tree."""

    folder: Path

    def program(self, name: str) -> Path:
        """A test program on MPI."""
        return self.folder / "mpi" / f"mpi_{name}"

    def on_mpi(self, name: str) -> tuple[object, ...]:
        """The words that run the claims of a file of native/tests/mpi."""
        return (self.program(name),) if name in programs_on_mpi() else (self.program("claims"), name)

    def claims(self, *words: str, sanitised: bool = False) -> "subprocess.CompletedProcess[str]":
        """The claims that need no MPI, or those that `words` name (native/tests/check_main.cpp)."""
        program = self.folder / ("claims-sanitised" if sanitised else "claims")
        return subprocess.run((program, *words), check=False, capture_output=True, text=True, timeout=3600)


@functools.cache
def plain_tree() -> Tree:
    """The claims that need no MPI, of the core that is measured and of one with the address and undefined-behaviour
    sanitizers.
    """
    return built_tree("plain", "-DICTUS_MPI=OFF", "-DICTUS_SANITIZE=OFF", targets=("claims", "claims-sanitised"))


@functools.cache
def mpi_tree(label: str) -> Tree:
    """ictus-bench, its MPI tests and the test instruments, for one installation."""
    fuzzed = ("fuzz_plan", "fuzz_profile") if label == "mpich" else ()
    targets = ("all", "ictus-flip", "ictus-delay", "ictus-buffer", *fuzzed)
    return built_tree(label, f"-DMPI_CXX_COMPILER={installation(label).wrapper}", targets=targets)


@functools.cache
def sanitised_tree(label: str, *targets: str) -> Tree:
    """Targets of the tree of a library, with the address and undefined-behaviour sanitizers; only tests marked long
    ask.
    """
    wrapper = f"-DMPI_CXX_COMPILER={installation(label).wrapper}"
    return built_tree(f"{label}-sanitised", "-DICTUS_SANITIZE=ON", wrapper, targets=targets)


@functools.cache
def threaded_tree(label: str, *targets: str) -> Tree:
    """The same with the thread sanitizer."""
    wrapper = f"-DMPI_CXX_COMPILER={installation(label).wrapper}"
    return built_tree(f"{label}-threads", "-DICTUS_SANITIZE=thread", wrapper, targets=targets)


@functools.cache
def installation(label: str) -> Installation:
    """The embedded wheel of this name: `make setup` put it there, so a test that cannot find it fails."""
    return find(label)


def claims(source: Path) -> list[str]:
    """The names of the tests in a C++ file."""
    return re.findall(r"^TEST(?:_IN_MANY_WORLDS)?\((\w+)\)", source.read_text("utf-8"), re.MULTILINE)


@functools.cache
def programs_on_mpi() -> tuple[str, ...]:
    """The files of native/tests/mpi that are a program each, and `claims`, which has the others."""
    (found,) = re.findall(r"set\(alone ([^)]*)\)", (NATIVE / "tests/CMakeLists.txt").read_text("utf-8"))
    return ("claims", *found.split())


def build_all() -> None:
    """Everything, in the order in which it is needed."""
    os.environ.update(_compiling_once())
    for path in OBJECTS.glob("*"):
        if path.stat().st_mtime < time.time() - _OBJECTS_KEPT_S:
            path.unlink()
    with _alone("all"):
        plain_tree()
        for label in ("mpich", "openmpi"):
            mpi_tree(label)
        for label in ("mpich", "openmpi"):
            build_core(installation(label))
            build_preload(installation(label))
            build_profile(installation(label))
        build_redirect(installation("mpich"))
        build_simulate(installation("mpich"))


@functools.cache
def settled() -> None:
    """Wait until nobody builds everything."""
    with _alone("all"):
        pass


def built_tree(name: str, *definitions: str, targets: tuple[str, ...] = ("all",)) -> Tree:
    """A CMake tree of that name, configured with `definitions` and built as far as `targets`."""
    folder = BUILT / name
    configure = ("cmake", "-G", "Ninja", "-S", str(NATIVE), "-B", str(folder), "-DICTUS_TESTS=ON", "-DICTUS_WERROR=ON")
    with _alone(name):
        _run(*configure, *definitions)
        _run("cmake", "--build", str(folder), "--target", *targets, "--parallel", str(os.cpu_count() or 1))
    return Tree(folder)


@contextlib.contextmanager
def _alone(name: str) -> Iterator[None]:
    """While no other process builds this."""
    BUILT.mkdir(parents=True, exist_ok=True)
    with (BUILT / f"{name}.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _run(*command: str) -> None:
    path = f"{os.environ.get('PATH', '')}:{ROOT / '.venv' / 'bin'}"
    program = shutil.which(command[0], path=path)
    assert program, f"{command[0]} is neither in PATH nor in the virtual environment"
    environment = {**os.environ, **_compiling_once(), "PATH": path}
    ended = subprocess.run((program, *command[1:]), check=False, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, f"{' '.join(command)}\n{ended.stdout[-8000:]}{ended.stderr[-2000:]}"


def _compiling_once() -> dict[str, str]:
    """What makes CMake take what was compiled before; nothing where the user has a launcher of his own."""
    if "CMAKE_CXX_COMPILER_LAUNCHER" in os.environ and "ICTUS_OBJECTS" not in os.environ:
        return {}
    launcher = f"{sys.executable};{Path(__file__).with_name('compiled_once.py')}"
    return {"CMAKE_CXX_COMPILER_LAUNCHER": launcher, "ICTUS_OBJECTS": str(OBJECTS)}


def _end_with_all_children(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.killpg(0, signal.SIGTERM)


if __name__ == "__main__":
    os.setpgrp()
    signal.signal(signal.SIGTERM, _end_with_all_children)
    os.nice(5)  # the tests that run meanwhile take one core, this the rest
    enter(os.environ)
    build_all()
