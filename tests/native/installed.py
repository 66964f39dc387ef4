"""libictus as other programs get it: the trees of the native tests installed, and programs compiled on that."""

import functools
import os
import shutil
import subprocess
from pathlib import Path

from tests.native.trees import ROOT, installation, mpi_tree

STRICT = ("-Wall", "-Wextra", "-Wpedantic", "-Werror")

CMAKE = shutil.which("cmake", path=f"{os.environ.get('PATH', '')}:{ROOT / '.venv' / 'bin'}") or "cmake"


def ran(*command: object, environment: dict[str, str] | None = None) -> str:
    """What a command that must succeed printed."""
    words = [str(word) for word in command]
    ended = subprocess.run(
        words, check=False, capture_output=True, text=True, env={**os.environ, **(environment or {})}
    )
    assert ended.returncode == 0, f"{words}\n{ended.stdout}{ended.stderr}"
    return ended.stdout


@functools.cache
def prefix(label: str) -> Path:
    """The tree of this library, installed as `make install` does it; by each worker for itself, for what one installs
    another may be reading.
    """
    place = mpi_tree(label).folder / f"prefix-{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}"
    shutil.rmtree(place, ignore_errors=True)
    ran(CMAKE, "--install", mpi_tree(label).folder, "--prefix", place)
    return place


def libraries_of(label: str) -> Path:
    """Where they are installed: lib, or lib64 on some systems."""
    return next(prefix(label).glob("lib*/libictus.so")).parent


def compiled(label: str, source: Path, folder: Path, language: str = "c", *more: str) -> Path:
    """A program on the installed library, compiled by the library's wrapper as C99 or C++11 without a warning."""
    wrapper = installation(label).wrapper.with_name("mpicc" if language == "c" else "mpicxx")
    standard = "-std=c99" if language == "c" else "-std=c++11"
    place = prefix(label)
    flags = (f"-I{place}/include", *STRICT, standard, "-x", language)
    folder_of = libraries_of(label)
    libraries = more or (f"-L{folder_of}", f"-Wl,-rpath,{folder_of}", "-lictus")
    program = folder / source.stem
    ran(wrapper, *flags, source, "-x", "none", "-o", program, *libraries)
    return program
