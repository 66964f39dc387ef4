"""A launch on a simulated platform, as far as it can be told without the simulator."""

from dataclasses import replace
from pathlib import Path

import pytest

from ictus.model.errors import UsageError
from ictus.model.job import Job
from ictus.model.library import Installation
from ictus.model.platform import parse_platform
from ictus.mpi import command as simulation
from ictus.mpi.command import compose
from ictus.mpi.discover import discover, find
from ictus.mpi.environment import launch_environment
from ictus.mpi.flavours import Simulation
from ictus.mpi.machine import Cores
from ictus.mpi.search import Surroundings

from .conftest import FakeMpi

SIMGRID = Installation("s", "simgrid", "3.32", Path("/usr/bin/smpicxx"), Path("/usr/bin/smpirun"), origin="path")
MPICH = Installation("m", "mpich", "5.0.2", Path("/m/bin/mpicxx"), Path("/m/bin/mpiexec"), origin="wheel")
READY = Simulation(Path("/lib.so"), Path("/folder/hosts.txt"), "network=star hosts=2", 2e-8)


def job(**changes: object) -> Job:
    return replace(Job(4, ("/core", "--clock=wtime"), Path("/folder"), 60.0, n_cores=2), **changes)  # type: ignore[arg-type]


def test_the_simulator_is_told_ranks_platform_and_hosts() -> None:
    """Words in its own order; the platform's description goes through the environment, whatever the shell says."""
    command = compose(
        SIMGRID, job(), ambient={"ICTUS_PLATFORM": "x"}, cores=Cores((0, 1), 2, restricted=False), simulation=READY
    )
    words = ("/usr/bin/smpirun", "-np", "4", "-platform", "/lib.so", "-hostfile", "/folder/hosts.txt")
    assert command.tokens[: len(words)] == words
    assert command.tokens[-2:] == ("/core", "--clock=wtime")
    assert "--cfg=smpi/wtime:2e-08" in command.tokens
    assert "--cfg=smpi/simulate-computation:no" in command.tokens
    assert command.changed_variables == {"ICTUS_PLATFORM": "network=star hosts=2"}


def test_a_platform_is_refused_by_real_libraries() -> None:
    """Nobody shall think that MPICH was measured on a fat tree."""
    with pytest.raises(UsageError, match="m is not simulated: a platform belongs to the flavour simgrid"):
        compose(MPICH, job(platform=parse_platform("flat")), ambient={}, cores=Cores((0,), 1, restricted=False))


def test_each_rank_has_a_host_in_the_job_s_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sixteen ranks a host on two levels; without a platform each rank has a host of its own."""
    monkeypatch.setattr(simulation, "platform_library", lambda _installation: Path("/lib.so"))
    two_level = job(folder=tmp_path, n_ranks=20, platform=parse_platform("two-level(reading=5ns)"))
    ready = simulation.prepare_simulation(SIMGRID, two_level)
    assert ready.hostfile.read_text().split() == ["host0"] * 16 + ["host1"] * 4
    assert (ready.library, ready.reading_s) == (Path("/lib.so"), 5e-9)
    assert "hosts=2 " in ready.description
    simulation.prepare_simulation(SIMGRID, job(folder=tmp_path))
    assert ready.hostfile.read_text().split() == ["host0", "host1", "host2", "host3"]


def test_words_with_blanks_are_refused(tmp_path: Path) -> None:
    """The launcher would make two of one."""
    with pytest.raises(UsageError, match="splits words at blanks: 'a b' must be without"):
        simulation.prepare_simulation(SIMGRID, job(program=("/core", "a b"), folder=tmp_path))


def test_smpirun_is_found_beside_smpicxx_and_is_an_installation_like_others(
    nowhere: Surroundings, tmp_path: Path, fake_mpi: FakeMpi
) -> None:
    """By PATH, under its flavour's name."""
    wrapper = fake_mpi(tmp_path / "s", "simgrid", "3.32", wrapper="smpicxx", launcher="smpirun")
    here = replace(nowhere, environ={"PATH": f"{tmp_path}/s/bin"})
    (found,) = discover(here)
    assert (found.label, found.version, found.launcher) == ("simgrid", "3.32", wrapper.with_name("smpirun"))
    assert find("simgrid", surroundings=here) == found


def test_the_description_is_not_the_shell_s_to_say() -> None:
    """What is launched is what is recorded."""
    told = launch_environment(SIMGRID, {"ICTUS_PLATFORM": "ours"}, ambient={"ICTUS_PLATFORM": "theirs"})
    assert told.variables["ICTUS_PLATFORM"] == "ours"
