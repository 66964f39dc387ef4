"""Campaigns on a real Slurm: nodes as factors, jobs that stop in time, reach their limit or lose a node.

Both nodes are this machine, so nothing is said about times. UCX over TCP alone: with all its ways more launches fail
under Slurm's pmi2 (docs/how-to/clusters.md).
"""

import json
import re
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cluster.conftest import ICTUS
from tests.cluster.slurm import Slurm
from tests.engines import ROOT
from tests.native.trees import installation

from ictus.mpi.build import build_preload, build_profile

pytestmark = [pytest.mark.mpi, pytest.mark.engine("slurm")]
TCP = {"UCX_TLS": "tcp", "COLUMNS": "100"}
QUICK = ("--op", "bcast", "--sizes", "8", "--nrep", "20", "--clocksync", "hca3-offset", "--no-page-faults",
         "--procsync", "barrier")  # fmt: skip
"""Samples that begin behind a barrier are valid however late they are: others may use the two cores."""
PLAN = 'mpi = "mpich"\nop = "bcast"\nsizes = "8"\nnrep = 20\nclocksync = "hca3-offset"\n'
PLAN += "page-faults = false\nnodes = 2\nppn = 1\ncontention-retries = 0\n"

N_LAUNCHES = 40
"""More than are made while a signal is on its way."""


def journal(folder: Path) -> list[dict[str, Any]]:
    """All events; none before the campaign began."""
    path = folder / "journal.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def until(holds: Callable[[], object], slurm: Slurm, folder: Path, timeout_s: float = 240.0) -> None:
    """Wait until something holds; the test fails with what jobs and Slurm said."""
    deadline = time.monotonic() + timeout_s
    while not holds():
        said = folder / "jobs" / "output.txt"
        text = said.read_text()[-3000:] if said.exists() else ""
        assert time.monotonic() < deadline, f"{text}\n{slurm.call('squeue', '-l', check=False).stdout}\n{slurm.logs()}"
        time.sleep(0.2)


def accepted(folder: Path) -> int:
    """Launches that count."""
    return sum(one["event"] == "accepted" for one in journal(folder))


def status(slurm: Slurm, folder: Path) -> dict[str, Any]:
    """What `ictus status` says."""
    found: dict[str, Any] = json.loads(slurm.call(ICTUS, "status", str(folder), "--json").stdout)["rows"][0]
    return found


def submitted(slurm: Slurm, tmp_path: Path, launches: int, *words: str, begin: str = PLAN) -> Path:
    """A campaign as a job; its folder. `begin` is its plan without launches."""
    (tmp_path / "plan.toml").write_text(f"{begin}launches = {launches}\n")
    folder = tmp_path / "camp"
    plan = str(tmp_path / "plan.toml")
    time_limit = () if "--time" in words else ("--time", "10min")
    asked = ("submit", plan, "-o", str(folder), "--scheduler", "slurm", *time_limit, *words)
    said = slurm.call(ICTUS, *asked, **TCP).stdout
    assert re.match(r"job \d+ of slurm measures /", said)
    return folder


def test_a_campaign_inside_an_allocation_knows_its_nodes(slurm: Slurm, tmp_path: Path) -> None:
    """Two processes on one node and on two: ranks say their nodes, launches their allocation; nodes are compared."""
    words = ("run", "-o", str(tmp_path / "camp"), "-m", "mpich", *QUICK, "-n", "2", "--nodes", "1,2", "--launches", "2")
    slurm.call("salloc", "-Q", "-N2", ICTUS, *words, "--launcher", "srun", "--contention-retries", "0", **TCP)
    found = {}
    for folder in sorted((tmp_path / "camp" / "launches").iterdir()):
        head = json.loads((folder / "launch.json").read_text())
        names = [name.decode() for name in np.load(folder / "ranks.npy")["node"].tolist()]
        found.setdefault(head["nodes"], names)
        assert head["launcher"]["allocation"]["nodes"] == ["n1", "n2"]
        assert "--mpi=pmi2" in head["launcher"]["command"]
        assert {name.decode() for name in np.load(folder / "hosts.npy")["name"].tolist()} == {socket.gethostname()}
    assert found == {1: ["n1", "n1"], 2: ["n1", "n2"]}
    compared = slurm.call(ICTUS, "compare", str(tmp_path / "camp"), "--by", "nodes", "--json").stdout
    (row,) = json.loads(compared)["rows"]
    assert {row["a"], row["b"]} == {"1", "2"}


def test_links_and_programs_of_two_nodes_are_measured_by_srun(slurm: Slurm, tmp_path: Path) -> None:
    """`ictus network`, `exec` and `profile run` inside an allocation of two nodes, a rank on each."""
    on_both = ("--launcher", "srun", "-n", "2", "--nodes", "2", "--ppn", "1", "-m", "mpich")
    few = ("--launches", "1", "--repeats", "2", "--matchings", "1", "--quanta", "20", "--sizes", "1,1Ki,4Ki,8Ki")
    folder = tmp_path / "net"
    said = slurm.call("salloc", "-Q", "-N2", ICTUS, "network", *on_both, *few, "-o", str(folder), **TCP).stdout
    assert re.search("2 processes on 2 (hosts|nodes)", " ".join(said.split()))  # MPICH may see one host for each node
    (launch,) = json.loads((folder / "network.json").read_text())["launches"]
    assert [(link["from"], link["to"]) for link in launch["links"]] == [(0, 1)]
    program = tmp_path / "halo"
    wrapper = installation("mpich").wrapper.with_name("mpicc")
    subprocess.run((wrapper, "-O2", str(ROOT / "examples/halo_allreduce.c"), "-o", str(program)), check=True)
    build_preload(installation("mpich"))
    build_profile(installation("mpich"))
    slurm.call("salloc", "-Q", "-N2", ICTUS, "exec", *on_both, "--", str(program), "20", **TCP)
    kept = tmp_path / "prof"
    slurm.call(
        "salloc", "-Q", "-N2", ICTUS, "profile", "run", *on_both, "-o", str(kept), "--", str(program), "20", **TCP
    )
    rows = json.loads(slurm.call(ICTUS, "profile", "show", str(kept), "--json").stdout)["rows"]
    assert sum(row["calls"] for row in rows if row["operation"] == "Allreduce") == 2 * 20


def test_a_job_that_reaches_its_limit_is_warned_by_slurm_and_the_next_one_goes_on(slurm: Slurm, tmp_path: Path) -> None:
    """Nobody but Slurm sends the signal. The job of one minute has its nodes alone, stops, and submits the next one,
    which continues: no launch counts twice.
    """
    folder = submitted(slurm, tmp_path, 1000, "--time", "1min", "--partition", "main")
    until(lambda: any(one["event"] == "stopped" for one in journal(folder)), slurm, folder)
    kept = accepted(folder)
    assert 1 <= kept < 1000
    until(lambda: accepted(folder) > kept, slurm, folder)
    first, second, *_ = (one["job"] for one in status(slurm, folder)["jobs"])
    shown = dict(word.partition("=")[::2] for word in slurm.call("scontrol", "show", "job", first).stdout.split())
    assert (shown["TimeLimit"], shown["OverSubscribe"], shown["Restarts"]) == ("00:01:00", "NO", "0")
    assert shown["Partition"] == "main"
    assert "00:00:10" < shown["RunTime"] <= "00:01:00"
    assert shown["ExitCode"] == "3:0"
    assert int(second) == int(first) + 1
    slurm.call("scancel", "--user=root")
    slots = [one["slot"] for one in journal(folder) if one["event"] == "accepted"]
    assert slots == list(range(len(slots)))


def test_a_job_stops_in_time_and_the_next_one_goes_on(slurm: Slurm, tmp_path: Path) -> None:
    """The signal that Slurm sends before the limit comes after some launches: the job stops and submits the next one,
    which makes the rest; none is measured twice. That no launch begins too late is tested in tests/engine.
    """
    folder = submitted(slurm, tmp_path, N_LAUNCHES)
    until(lambda: accepted(folder) >= 1, slurm, folder)
    job = json.loads((folder / "jobs" / "submitted.jsonl").read_text())["job"]
    slurm.call("scancel", "--batch", "--signal=USR1", job)
    until(lambda: journal(folder)[-1]["event"] == "done", slurm, folder)
    entries = journal(folder)
    assert [one["event"] for one in entries].count("stopped") == 1
    assert sorted(one["slot"] for one in entries if one["event"] == "accepted") == list(range(N_LAUNCHES))
    until(lambda: all(one["state"] == "ended" for one in status(slurm, folder)["jobs"]), slurm, folder)
    found = status(slurm, folder)
    assert (found["state"], found["done"], found["total"]) == ("done", N_LAUNCHES, N_LAUNCHES)
    assert [one["job"] for one in found["jobs"]] == [job, str(int(job) + 1)]


def test_blocks_over_a_time_are_measured_by_jobs_that_begin_with_them(slurm: Slurm, tmp_path: Path) -> None:
    """Three blocks at random instants of four minutes, in jobs of one: a job does not hold its nodes until a block that
    begins behind its end, and the next job begins with that block.
    """
    (tmp_path / "plan.toml").write_text(f'{PLAN}launches = 3\nover = "4min"\nseed = 7\n')
    folder = tmp_path / "camp"
    asked = ("submit", str(tmp_path / "plan.toml"), "-o", str(folder), "--scheduler", "slurm", "--time", "1min")
    slurm.call(ICTUS, *asked, **TCP)
    until(lambda: journal(folder) and journal(folder)[-1]["event"] == "done", slurm, folder, timeout_s=420)
    jobs = [one["job"] for one in status(slurm, folder)["jobs"]]
    assert len(jobs) >= 2, "80 s or more lie between the first block and the last"
    shown = json.loads(slurm.call(ICTUS, "show", str(folder), "--json").stdout)
    assert shown["span_s"] > 60
    heads = [json.loads((one / "launch.json").read_text()) for one in sorted((folder / "launches").iterdir())]
    measured = [one["launcher"]["allocation"]["job"] for one in heads]
    assert len(measured) == 3
    assert measured == sorted(measured, key=jobs.index)
    assert len(set(measured)) >= 2


def test_a_cancelled_job_keeps_its_launches_and_submits_no_other(slurm: Slurm, tmp_path: Path) -> None:
    """And a second job of the same folder is refused while the first is there."""
    folder = submitted(slurm, tmp_path, 200)
    until(lambda: accepted(folder) >= 2, slurm, folder)
    again = ("submit", str(folder), "--scheduler", "slurm")
    refused = slurm.call(ICTUS, *again, check=False)
    assert (refused.returncode, "is running already" in refused.stderr) == (2, True)
    found = status(slurm, folder)
    assert (found["state"], found["total"]) == ("running", 200)
    assert found["ends"] is not None
    (job,) = found["jobs"]
    slurm.call("scancel", job["job"])
    slurm.wait_for(job["job"], "CANCELLED")
    until(lambda: status(slurm, folder)["jobs"][0]["state"] == "ended", slurm, folder)
    found = status(slurm, folder)
    assert (found["state"], len(found["jobs"]), found["done"] >= 2) == ("stopped", 1, True)


def test_a_lost_node_ends_the_job_and_the_next_one_goes_on(slurm: Slurm, tmp_path: Path) -> None:
    """The daemon of a node is killed: Slurm ends the job; with the node back, the campaign continues where it was."""
    folder = submitted(slurm, tmp_path, 40, "--once")
    until(lambda: accepted(folder) >= 2, slurm, folder)
    slurm.kill_node("n2")
    (job,) = status(slurm, folder)["jobs"]
    slurm.wait_for(job["job"], "NODE_FAIL", "FAILED", "CANCELLED", "TIMEOUT", "COMPLETED")
    kept = accepted(folder)
    slurm.start_node("n2")
    until(lambda: slurm.states().get("n2") == "idle", slurm, folder)
    slurm.call(ICTUS, "submit", str(folder), "--scheduler", "slurm", "--time", "10min", "--once", **TCP)
    until(lambda: accepted(folder) > kept, slurm, folder)
    slurm.call("scancel", "--user=root")


def test_a_drained_node_leaves_the_job_queued(slurm: Slurm, tmp_path: Path) -> None:
    """`ictus status` says so; with the node back it is measured."""
    slurm.call("scontrol", "update", "nodename=n2", "state=drain", "reason=test")
    folder = submitted(slurm, tmp_path, 2)
    time.sleep(2)
    assert status(slurm, folder)["state"] == "queued"
    slurm.call("scontrol", "update", "nodename=n2", "state=resume")
    until(lambda: journal(folder) and journal(folder)[-1]["event"] == "done", slurm, folder)
    assert status(slurm, folder)["state"] == "done"


@pytest.mark.parametrize("label", ["mpich", "openmpi"])
def test_the_libraries_own_launchers_work_inside_an_allocation(slurm: Slurm, tmp_path: Path, label: str) -> None:
    """The mpiexec of both wheels on one node of two."""
    words = ("run", "-o", str(tmp_path / "camp"), "-m", label, *QUICK, "-n", "2", "--launches", "1")
    slurm.call("salloc", "-Q", "-N1", ICTUS, *words, "--contention-retries", "0", **TCP)
    assert accepted(tmp_path / "camp") == 1
