"""Several nodes: the cores of all of them count, and every command that launches says the same of nodes and order."""

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from ictus.engine import study
from ictus.engine.event import ignore
from ictus.engine.study import StudyBackend, StudyLaunch, run_study
from ictus.launch.allocation import read_allocation
from ictus.launch.launchers import Dialect, launcher, with_hosts
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Job, Outcome
from ictus.model.job_size import JobSize
from ictus.model.library import Installation
from ictus.mpi import command, placed_job
from ictus.mpi.command import on_one_host
from ictus.programs.option_sets import RankOptions, StartOptions
from ictus.programs.program import program_job
from ictus.studies.core_material import parse_study_options

MPICH = Installation("a", "mpich", "5.0.2", Path("/opt/m/bin/mpicxx"), Path("/opt/m/bin/mpiexec"))
FLUX = """#!/bin/sh
case "$*" in
"getattr hostlist") echo 'n[1-2]' ;;
"resource list -n -o {ncores}") printf '48\\n16\\n0\\n' ;;
*) exit 1 ;;
esac
"""
"""The words of flux-environment(7); free, allocated and lost cores are a line each."""


@pytest.fixture
def of_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """An allocation of two nodes with 32 cores each, as a batch system tells of it."""
    (tmp_path / "nodes").write_text("n1\n" * 32 + "n2\n" * 32)
    (tmp_path / "chunks").write_text("n1\nn2\n")
    (tmp_path / "flux").write_text(FLUX)
    (tmp_path / "flux").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    told: dict[str, dict[str, str]] = {
        "slurm": {"SLURM_JOB_ID": "7", "SLURM_JOB_NODELIST": "n[1-2]", "SLURM_JOB_CPUS_PER_NODE": "32(x2)"},
        "pbs": {"PBS_JOBID": "7", "PBS_NODEFILE": str(tmp_path / "nodes")},
        "pbs chunks": {"PBS_JOBID": "7", "PBS_NODEFILE": str(tmp_path / "chunks"), "NCPUS": "32"},
        "lsf": {"LSB_JOBID": "7", "LSB_DJOB_HOSTFILE": str(tmp_path / "nodes")},
        "flux": {"FLUX_URI": f"local://{tmp_path}", "FLUX_ENCLOSING_ID": "f7"},
    }
    monkeypatch.setenv("ICTUS_ALLOCATION_END", "5")
    monkeypatch.setenv("SLURM_MPI_TYPE", "pmi2")  # the user's choice: no plug-in is tried
    for name, value in told[request.param].items():
        monkeypatch.setenv(name, value)
    return str(request.param).split()[0]


ALL = pytest.mark.parametrize("of_two", ["slurm", "pbs", "pbs chunks", "lsf", "flux"], indirect=True)
SLURM = pytest.mark.parametrize("of_two", ["slurm"], indirect=True)


@ALL
def test_the_cores_of_all_nodes_of_an_allocation_count(of_two: str) -> None:
    """64 ranks fit into two nodes with 32 cores, 65 do not; 33 on one of them do not."""
    found = read_allocation()
    assert found is not None
    assert (found.scheduler, found.nodes, found.cores) == (of_two, ("n1", "n2"), (32, 32))
    assert not on_one_host(os.environ)
    crowded = {
        size: placed_job.placed_job(Job(size.n, (), Path(), 1.0), MPICH, "mpiexec", size, "core").oversubscribed
        for size in (JobSize(64), JobSize(65), JobSize(64, 2, 32), JobSize(33, 1, 33), JobSize(66, 2, 33))
    }
    assert list(crowded.values()) == [False, True, False, True, True]
    of_node = [placed_job.ranks_of_node(size, "srun") for size in (*crowded, JobSize(8))]
    assert of_node == [32, 33, 32, 33, 33, 8]


@SLURM
def test_srun_gets_words_for_all_cores_of_the_allocation(of_two: str) -> None:
    """Pinned and without --overcommit as long as they suffice."""
    del of_two
    job = Job(64, ("/core",), Path("/f/x"), 1.0)
    pinned = launcher("srun").tokens(placed_job.placed_job(job, MPICH, "srun", JobSize(64), "core"), MPICH, Dialect())
    assert "--cpu-bind=cores" in pinned
    assert "--overcommit" not in pinned
    job = Job(65, ("/core",), Path("/f/x"), 1.0)
    crowded = launcher("srun").tokens(placed_job.placed_job(job, MPICH, "srun", JobSize(65), "core"), MPICH, Dialect())
    assert "--cpu-bind=none" in crowded
    assert "--overcommit" in crowded


@SLURM
def test_a_program_is_started_as_a_campaign_is(of_two: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes, ranks on each, order and plug-in; -n follows from the first two."""
    del of_two
    monkeypatch.setattr(placed_job, "plugin_for", lambda *asked: "pmi2" if asked == (MPICH, "srun") else "")
    asked = StartOptions(map_by="node", launcher="srun").request(("solver",), RankOptions(nodes=2, ppn=4))
    assert (asked.n, asked.size) == (8, JobSize(8, 2, 4))
    words = launcher("srun").tokens(program_job(Path("/solver"), asked, MPICH, {}), MPICH, Dialect())
    expected = "--ntasks=8 --nodes=2 --ntasks-per-node=4 --cpus-per-task=1 --distribution=cyclic:block --cpu-bind=cores"
    assert " ".join(words).startswith(f"srun {expected} --mpi=pmi2 ")


def test_hosts_of_a_file_share_the_ranks_out(tmp_path: Path) -> None:
    """A program on four hosts, of which two are enough; more ranks than one host has cores are no crowd."""
    (tmp_path / "hosts").write_text("n1\nn2\nn3\nn4\n")
    start = StartOptions(launcher="ssh", hosts=tmp_path / "hosts")
    assert start.request(("solver",), RankOptions()).launcher == with_hosts("ssh", tmp_path / "hosts")
    assert placed_job.ranks_of_node(JobSize(8), with_hosts("ssh", tmp_path / "hosts")) == 2
    with launcher(with_hosts("ssh", tmp_path / "hosts")).hosts() as hosts:
        assert not Job(8, (), Path(), 1.0, n_cores=2, hosts=hosts).oversubscribed
        assert Job(9, (), Path(), 1.0, n_cores=2, hosts=hosts).oversubscribed


def test_the_runner_is_known_to_be_elsewhere_only_where_no_host_is_its_own() -> None:
    """An own address, in numbers or as a name, is this host; a name that nobody resolves may be."""
    assert command._runner(("192.0.2.1",)) == socket.gethostname()
    assert [command._runner(one) for one in (("192.0.2.1", "127.0.0.1"), ("localhost",), ("no.such.invalid",))] == [
        ""
    ] * 3


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"n": 3, "nodes": 2}, "cannot be shared out equally with nodes = 2"),
        ({"n": 3, "nodes": 2, "ppn": 2}, "which make 4 processes"),
        ({"map-by": "cores"}, "cores"),
    ],
)
def test_what_cannot_be_is_refused_by_every_command(given: dict[str, Any], said: str) -> None:
    """Of programs and of studies in the same words."""
    ranks = RankOptions(n=given.get("n", 2), nodes=given.get("nodes"), ppn=given.get("ppn"))
    with pytest.raises(UsageError, match=said):
        StartOptions(map_by=given.get("map-by")).request(("solver",), ranks)
    with pytest.raises(UsageError, match=said):
        parse_study_options(given)


def test_a_study_is_started_as_a_campaign_is(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its launches have the nodes, the order and the plug-in that were asked for; -n follows. One whose ranks are
    elsewhere is an error.
    """
    monkeypatch.setattr(placed_job, "plugin_for", lambda *_: "pmi2")
    jobs: list[Job] = []
    answer: dict[str, Any] = {"format": 1, "n_ranks": 8}

    def started(installation: Installation, job: Job, _: str) -> Outcome:
        jobs.append(job)
        (job.folder / "study.json").write_text(json.dumps(answer))
        assert installation == MPICH
        return Outcome(("x",), {}, 0, 1.0)

    monkeypatch.setattr(study, "launch", started)
    options = parse_study_options({"nodes": 2, "ppn": 4, "map-by": "node", "launcher": "srun"})
    assert options.processes == (8,)
    backend = StudyBackend(MPICH, Path("/core"), "srun", "tsc", options)
    launches = [StudyLaunch(backend, ("network", "state"), 8, {}, "state")]
    run_study(launches, ignore, tmp_path)
    assert [(one.n_ranks, one.nodes, one.ppn, one.map_by, one.plugin) for one in jobs] == [(8, 2, 4, "node", "pmi2")]
    answer |= {"hosts": [{"host": "n1"}], "places": {"host": [0] * 8}, "ranks": [{"host": "n1"}] * 8}
    with pytest.raises(MeasurementError, match="asked for 2 nodes with 4 ranks on each, got 1: n1 has 8"):
        run_study(launches, ignore)
