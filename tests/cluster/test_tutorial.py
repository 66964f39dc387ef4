"""The tutorial of a first cluster campaign, on a real Slurm."""

from pathlib import Path

import pytest
from tests.cluster.slurm import Slurm
from tests.cluster.test_slurm import TCP, status, until
from tests.docs.pages import TUTORIALS, blocks
from tests.docs.test_tutorials import AFTER_THE_JOB, ON_A_CLUSTER, machine, script_of


@pytest.mark.engine("slurm")
@pytest.mark.mpi
def test_the_tutorial_of_a_cluster_runs_as_it_stands(slurm: Slurm, tmp_path: Path) -> None:
    """All commands up to the submission; when the jobs are over, all that follow."""
    page = blocks((TUTORIALS / ON_A_CLUSTER).read_text("utf-8"))
    variables = {**machine(tmp_path), **TCP}
    folder = tmp_path / "bcast"

    def run(script: str) -> None:
        slurm.call("bash", "-c", f"cd {tmp_path}\n{script}", **variables)

    run(script_of([block for block in page if block.mark != AFTER_THE_JOB]))
    until(lambda: status(slurm, folder)["state"] == "done", slurm, folder)
    later = [block for block in page if block.mark == AFTER_THE_JOB]
    assert later
    run(script_of(later))
    assert (folder / "report.html").exists()
