"""A run and its srun are killed inside an allocation that stays: the step is slurmstepd's child and measures on, until
the next run of the folder finds it by its name.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.cluster.conftest import ICTUS
from tests.cluster.slurm import Slurm
from tests.cluster.test_slurm import TCP
from tests.e2e.running import QUICK, all_gone, events, processes_of, supervisors_of, waited_for
from tests.native.trees import installation

from ictus.launch.slurm_steps import step_name
from ictus.mpi.build import build_core
from ictus.store.campaign import load

pytestmark = [pytest.mark.mpi, pytest.mark.engine("slurm")]


@pytest.fixture
def allocation(slurm: Slurm, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The environment of an allocation of both nodes, which stays for as long as the test: until its input ends."""
    build_core(installation("mpich"))
    file = tmp_path / "environment"
    words = ("salloc", "-Q", "-N2", "sh", "-c", f"env -0 >{file}.writing; mv {file}.writing {file}; exec cat")
    with subprocess.Popen(words, env=slurm.environment, stdin=subprocess.PIPE):
        assert waited_for(file.exists), slurm.logs()
        pairs = (line.partition("=") for line in file.read_text().split("\0") if line)
        yield {**{name: value for name, _, value in pairs}, **TCP}


def programs(folder: Path) -> dict[str, list[int]]:
    """Programs that work in the folder, each with its process ids."""
    found: dict[str, list[int]] = {}
    for pid, program in processes_of(folder).items():
        found.setdefault(program, []).append(pid)
    return found


def named_steps(slurm: Slurm, folder: Path) -> list[str]:
    """Steps with the name of this folder that Slurm knows as running."""
    listed = slurm.call("squeue", "--steps", "--noheader", "--format=%i|%j").stdout.split()
    return [step for step, _, name in (one.partition("|") for one in listed) if name == step_name(folder / "launches")]


def test_a_step_whose_run_and_srun_were_killed_is_ended_by_the_next_run(
    slurm: Slurm, allocation: dict[str, str], tmp_path: Path
) -> None:
    """It is named, its launch is set aside, and the campaign comes to its end beside nothing. The next run sees no
    process of the ranks, as where they are on other hosts: it has process ids of its own.
    """
    folder = tmp_path / "campaign"
    command = (ICTUS, "run", "-m", "mpich", "--op", "alltoall", "--sizes", "64", "--nrep", "400", "--launches", "1",
               *QUICK, "-n", "2", "--launcher", "srun", "-o", str(folder))  # fmt: skip
    with subprocess.Popen(command, env=allocation, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as runner:
        assert waited_for(lambda: "srun" in (found := programs(folder)) and len(found.get("ictus-bench", ())) >= 2)
        ranks, sruns = programs(folder)["ictus-bench"], programs(folder)["srun"]
        supervisors = supervisors_of(runner.pid)  # they would end the ranks, which have the mark of the launch
        for pid in (
            *ranks,
            runner.pid,
            *supervisors,
            *sruns,
        ):  # the runner would see the end of srun, whose child ends the step
            os.kill(pid, signal.SIGSTOP)
        for pid in (runner.pid, *supervisors, *sruns):
            os.kill(pid, signal.SIGKILL)
    (step,) = named_steps(slurm, folder)
    assert set(ranks) <= set(processes_of(folder))  # nobody tells them
    alone = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")
    again = subprocess.run((*alone, *command), env=allocation, capture_output=True, text=True, check=False)
    assert again.returncode == 0, again.stderr
    said = " ".join(again.stderr.split())
    assert f"steps of Slurm of an earlier run that was killed still ran and were ended: {step}" in said
    assert "still there" not in said
    assert "leftovers" in events(folder)
    assert len(list((folder / "aside").iterdir())) == 1
    assert load(folder).complete
    assert all_gone(folder)
    assert named_steps(slurm, folder) == []
