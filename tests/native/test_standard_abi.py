"""MPICH has two libraries, one with the standard ABI of MPI 5: what was built for one is refused by the other. One core
serves all libraries with the standard ABI.
"""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.command_line import run_ictus
from tests.launch_document import launch_document
from tests.native.launching import Ended, start
from tests.native.trees import NATIVE, installation

from ictus.mpi import recognition
from ictus.mpi.build import build_core
from ictus.mpi.discover import discover, find

pytestmark = [pytest.mark.mpi, pytest.mark.beside]

SOURCES = (NATIVE / "tests/programs/guarded.cpp", NATIVE / "src/interposition/preloading.cpp")
WRAPPERS = {"own": "mpicxx", "standard": "mpicxx_abi"}
REFUSED = {
    "own": "was built for MPICH or what is compatible with it, but the program runs on 'MPICH Version:      5",
    "standard": "was built for the standard ABI of MPI 5, but the program runs on 'MPICH Version:      5",
}


def wrapper(abi: str) -> Path:
    """The compiler of MPICH's wheel for this ABI."""
    return installation("mpich").wrapper.with_name(WRAPPERS[abi])


def test_the_guard_knows_the_standard_abi(tmp_path: Path) -> None:
    """Compiled for one ABI and linked to the library of the other it ends with exit code 2 and one message; with its
    own library it is accepted.
    """
    for built in WRAPPERS:
        for source in SOURCES:
            words = ("-std=c++20", "-I", NATIVE / "src", "-c", source, "-o", tmp_path / f"{source.stem}.{built}.o")
            subprocess.run((wrapper(built), *words), check=True)
        for linked in WRAPPERS:
            program = tmp_path / f"{built}_on_{linked}"
            objects = [tmp_path / f"{source.stem}.{built}.o" for source in SOURCES]
            library = wrapper(linked).parents[1] / "lib"
            subprocess.run((wrapper(linked), *objects, f"-Wl,-rpath,{library}", "-o", program), check=True)
            check_end(start("mpich", 2, program, folder=tmp_path), built, linked)


def check_end(ended: Ended, built: str, linked: str) -> None:
    """Accepted where both are one."""
    if built == linked:
        assert (ended.exit_code, ended.output.count("accepted")) == (0, 2), ended.error
        return
    assert (ended.exit_code, ended.output) == (2, "")
    assert ended.error.count("libictus-guarded.so") == 1
    assert REFUSED[built] in ended.error
    assert ("with the standard ABI" in ended.error) == (linked == "standard")


@pytest.mark.long
def test_one_core_serves_every_library_that_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """MPICH and Intel MPI: the same file measures with each, and each says which library it is. MPICH 5.0.1 has an
    earlier form of the ABI.
    """
    for folder, wheels in (("older", ["mpich==5.0.1"]), ("intel", ["impi-rt==2021.18.1", "impi-devel==2021.18.1"])):
        installing = (sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--prefix", tmp_path / folder)
        subprocess.run((*installing, *wheels), check=True)
    monkeypatch.setenv("ICTUS_SEARCH", "wheels,modules")
    monkeypatch.setenv("MPI_HOME", str(tmp_path / "older"))
    monkeypatch.setenv("I_MPI_ROOT", str(tmp_path / "intel"))
    said = {
        "mpich-abi": "MPICH Version: 5.0.2",
        "intelmpi-abi": "Intel(R) MPI Library 2021.18",
    }
    assert [one.label for one in discover() if one.abi_wrapper] == list(said)
    builds = [build_core(find(label)) for label in said]
    (program,) = {build.program.resolve() for build in builds}
    found = recognition.linked(program)
    assert found is not None
    assert "libmpi_abi.so.1" in found.libraries
    assert program != build_core(find("mpich")).program.resolve()
    for build, version in zip(builds, said.values(), strict=True):
        assert build.installation.library_version.startswith(version)
    words = ("--op", "bcast,allreduce,alltoall", "--sizes", "8", "--nrep", "20", "--launches", "1", "-n", "2")
    done = run_ictus("run", "-m", ",".join(said), *words, "-o", tmp_path / "camp")
    assert done.code == 0, done.err
    launches = [launch_document(folder) for folder in (tmp_path / "camp/launches").iterdir()]
    assert sorted(one["launcher"]["library"]["label"] for one in launches) == sorted(said)
    for one in launches:
        version = " ".join(one["mpi"]["library_version"].split())
        assert version.startswith(said[one["launcher"]["library"]["label"]])
