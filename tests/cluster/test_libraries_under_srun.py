"""Libraries compared over two node daemons in one allocation: each by the plug-in of srun that fits it, or by its own
launcher where none does.

Both nodes are this machine, so nothing is said about times, and ranks are not pinned: launchers that take the nodes for
two machines would put both ranks on the first core.
"""

import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.cluster.conftest import ICTUS
from tests.cluster.slurm import Slurm
from tests.cluster.test_slurm import PLAN, QUICK, TCP, accepted, journal, status, submitted, until
from tests.native.trees import installation

from ictus.mpi.build import build_core

pytestmark = pytest.mark.mpi
OVER_NODES = ("-n", "2", "--nodes", "2", "--pin", "none", "--launcher", "srun", "--launches", "4")


LOGGED = (
    r"submit_batch_job: JobId={first} ",
    r"(Allocate|Started) JobId={first} .*n\[1-2\]",
    r"warning signal 10 to JobId={first}",
    r"submit_batch_job: JobId={second} ",
    r"JobId={first} WEXITSTATUS 3",
    r"(Allocate|Started) JobId={second} .*n\[1-2\]",
)
"""What Slurm's controller writes: a job is warned by USR1 (10), submits the next one, and ends with launches left."""


def compared(slurm: Slurm, folder: Path, *labels: str) -> tuple[dict[str, list[str]], str]:
    """A campaign of these libraries, a rank on each node: the command of each, and what was said. Every launch had its
    two nodes, and there is a row for each pair.
    """
    words = ("run", "-o", str(folder), "-m", ",".join(labels), *QUICK, *OVER_NODES, "--contention-retries", "0")
    said = slurm.call("salloc", "-Q", "-N2", ICTUS, *words, timeout_s=1800.0, **TCP).stderr
    commands: dict[str, list[str]] = {}
    for launch in sorted((folder / "launches").iterdir()):
        head = json.loads((launch / "launch.json").read_text())
        assert [name.decode() for name in np.load(launch / "ranks.npy")["node"].tolist()] == ["n1", "n2"]
        assert head["launcher"]["allocation"]["nodes"] == ["n1", "n2"]
        commands[head["launcher"]["library"]["label"]] = head["launcher"]["command"]
    assert len(list((folder / "launches").iterdir())) == 4 * len(labels)
    rows = json.loads(slurm.call(ICTUS, "compare", str(folder), "--json").stdout)["rows"]
    pairs = {frozenset((row["a"], row["b"])) for row in rows}
    assert pairs == set(map(frozenset, combinations(labels, 2)))
    return commands, " ".join(said.split())


def doctor(slurm: Slurm) -> dict[str, Any]:
    """What `ictus doctor --launcher srun` finds in an allocation of both nodes. MPICH fails by pmi2 in so many launches
    that one of a dozen answers has its own mpiexec: then it is asked again.
    """
    words = ("salloc", "-Q", "-N2", ICTUS, "doctor", "--launcher", "srun", "--json")
    for _ in range(3):
        said = slurm.call(*words, check=False, timeout_s=1800.0, **TCP)
        assert said.stdout, f"{said.returncode}: {said.stderr}\n{slurm.logs()}"
        found: dict[str, Any] = json.loads(said.stdout)
        if all(row["plugin"] != "mpiexec" for row in found["rows"] if row["label"] == "mpich"):
            break
    return found


@pytest.mark.engine("slurm")
def test_a_library_that_no_plugin_starts_is_started_by_its_own_launcher(slurm: Slurm, tmp_path: Path) -> None:
    """MPICH needs pmi2. This site has no pmix: under the other plug-ins each rank of Open MPI is alone, and its own
    mpiexec starts them on both nodes. The doctor finds that, and says what to ask for; a campaign uses it, and says so.
    """
    answer = doctor(slurm)
    rows = {row["label"]: row for row in answer["rows"]}
    hosts = [(one["name"], one["n_ranks"]) for one in answer["hosts"]]
    findings = {one["subject"]: one["message"] for one in answer["findings"]}
    assert hosts == [("n1", 1), ("n2", 1)], f"{findings}{slurm.logs()}"
    assert all(one["library"].startswith("MPICH") for one in answer["hosts"])
    assert {one["subject"] for one in answer["host_findings"]} <= {
        "governor", "turbo", "clock", "huge pages", "shared memory", "quota", "load", "pinning", "oversubscription",
        "hyperthreads",
    }  # fmt: skip
    ways = {label: (row["works"], row["plugin"], row["n_ranks"]) for label, row in rows.items()}
    assert (ways["mpich"], ways["openmpi"]) == ((True, "pmi2", 2), (True, "mpiexec", 2))
    assert "since no plug-in of srun does" in findings["openmpi"]
    assert "pmi2: started 2 processes that found 1 ranks each" in findings["openmpi"]
    assert findings["openmpi"].endswith("ask the administrator for the plug-in pmix")
    commands, said = compared(slurm, tmp_path / "camp", "mpich", "openmpi")
    assert (commands["mpich"][0], "--mpi=pmi2" in commands["mpich"]) == ("srun", True)
    assert commands["openmpi"][0].endswith("/openmpi/bin/mpiexec")
    assert "openmpi: its own mpiexec starts it inside the allocation, since no plug-in of srun does" in said
    assert "mpich: its own" not in said


@pytest.mark.engine("slurm", "debian-mpi")
def test_libraries_of_debian_and_wheels_are_compared_by_pmi2_and_pmix(pmix_slurm: Slurm, tmp_path: Path) -> None:
    """Both releases of MPICH by pmi2, both of Open MPI by pmix, which the doctor finds; all by srun in one campaign."""
    found = {row["label"]: row["plugin"] for row in doctor(pmix_slurm)["rows"]}
    fits = {"mpich": "pmi2", "openmpi": "pmix", "mpich-debian": "pmi2", "openmpi-debian": "pmix"}
    assert {label: found.get(label) for label in fits} == fits
    commands, said = compared(pmix_slurm, tmp_path / "camp", *fits)
    for label, plugin in fits.items():
        assert (commands[label][0], f"--mpi={plugin}" in commands[label]) == ("srun", True), f"{label}: {said}"
    assert "its own mpiexec" not in said


def measured(folder: Path) -> dict[str, set[str]]:
    """The libraries that were measured in each job."""
    found: dict[str, set[str]] = {}
    for launch in (folder / "launches").glob("*/launch.json"):
        head = json.loads(launch.read_text())["launcher"]
        found.setdefault(head["allocation"]["job"], set()).add(head["library"]["label"])
    return found


@pytest.mark.engine("slurm")
def test_two_libraries_reach_the_limit_of_their_job_and_the_next_one_goes_on(slurm: Slurm, tmp_path: Path) -> None:
    """MPICH by pmi2, Open MPI by its own mpiexec, in jobs of two minutes. Slurm itself warns the first one, which stops
    between two launches and submits the next one; both measure both libraries, and no launch counts twice. Slurm's log
    says all of it.
    """
    build_core(installation("openmpi"))
    doctor(slurm)  # which plug-in starts which library is tried once: a job of two minutes has little time for it
    plan = PLAN.replace('mpi = "mpich"', 'mpi = ["mpich", "openmpi"]\npin = "none"')
    folder = submitted(slurm, tmp_path, 1000, "--time", "2min", begin=plan)
    until(lambda: any(one["event"] == "stopped" for one in journal(folder)), slurm, folder, timeout_s=420)
    until(lambda: len(measured(folder)) == 2 and all(len(one) == 2 for one in measured(folder).values()),
          slurm, folder, timeout_s=420)  # fmt: skip
    first, second, *_ = (one["job"] for one in status(slurm, folder)["jobs"])
    assert measured(folder) == {job: {"mpich", "openmpi"} for job in (first, second)}
    slots = [one["slot"] for one in journal(folder) if one["event"] == "accepted"]
    assert slots == list(range(accepted(folder)))
    slurm.call("scancel", "--user=root")
    log = (slurm.folder / "controller.log").read_text()
    print(evidence := [line for line in log.splitlines() if f"JobId={first}" in line or f"JobId={second}" in line])
    lines = iter(evidence)
    for words in LOGGED:  # in this order
        assert any(re.search(words.format(first=first, second=second), line) for line in lines), words
