"""Faults of a shared machine, on real launches: what is complete stays as it is, and the campaign continues.

robustness.md is the table of these tests.
"""

import os
import re
import signal
import subprocess
from pathlib import Path

import pytest
from tests.command_line import run_ictus
from tests.native.launching import LIBRARIES
from tests.native.trees import installation

from ictus.mpi.build import build_core
from ictus.store.campaign import load

from .running import all_gone, ended, events, hanging, launcher_of, ranks_of_hanging, running, supervisors_of

pytestmark = [pytest.mark.mpi, pytest.mark.beside, pytest.mark.e2e]


@pytest.mark.few(1)
@pytest.mark.parametrize("label", LIBRARIES)
def test_a_killed_runner_leaves_no_process_and_the_next_run_continues(label: str, tmp_path: Path) -> None:
    """SIGKILL: the supervisor tells the launcher, which ends its ranks. They ran on beside the next launch."""
    folder = tmp_path / "campaign"
    with running(folder, *hanging(label, tmp_path)) as runner:
        assert len(ranks_of_hanging(folder)) == 2
        runner.kill()
        assert all_gone(folder)
    done = run_ictus("run", "-o", folder)
    assert done.code == 0, done.err
    assert load(folder).complete
    assert len(list((folder / "aside").iterdir())) == 1
    assert not list((folder / "launches").rglob("lease.txt"))


def test_processes_of_a_killed_run_are_named_and_ended_by_the_next(tmp_path: Path) -> None:
    """All of them stopped (SIGSTOP), so that they hear nothing until then, and their supervisor killed too."""
    folder = tmp_path / "campaign"
    with running(folder, *hanging("mpich", tmp_path)) as runner:
        ranks = ranks_of_hanging(folder)
        launcher = launcher_of(folder)
        (supervisor,) = supervisors_of(runner.pid)
        for pid in (supervisor, launcher, *ranks):
            os.kill(pid, signal.SIGSTOP)
        runner.kill()
        os.kill(supervisor, signal.SIGKILL)
        done = run_ictus("run", "-o", folder)
    assert done.code == 0, done.err
    assert "were ended" in done.err
    assert all(f"({pid})" in done.err for pid in (launcher, *ranks))
    assert "leftovers" in events(folder)
    assert load(folder).complete


def test_a_rank_that_hangs_in_a_collective_ends_with_the_time_limit(tmp_path: Path) -> None:
    """One rank is stopped for good: the others wait for it in the call; all of them go, and the message says why."""
    folder = tmp_path / "campaign"
    with running(folder, *hanging("mpich", tmp_path), "--retries", "0", "--timeout", "3s") as runner:
        said = ended(runner, 3)
        assert all_gone(folder)
    assert (tmp_path / "faults.txt").read_text() == "", "the rank was stopped before the limit"
    assert "did not end within 3 s" in said
    assert events(folder)[-1] == "failed"


def bench(folder: Path, lease: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """The core under its launcher in a folder with this lease, which nobody renews."""
    (folder / "lease.txt").write_text(lease, "ascii")
    command = (installation("mpich").launcher, "-n", "2", build_core(installation("mpich")).program, *words)
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)


def test_ranks_end_between_cases_where_nobody_renews_their_lease(tmp_path: Path) -> None:
    """They are those of another host, whose launcher was lost: the message says it."""
    words = ("--op=bcast", "--sizes=8..1Mi", "--nrep=20000", "--clocksync=none", "--procsync=barrier(library)")
    done = bench(tmp_path, "0.2 600 1\n", *words)
    assert done.returncode != 0
    assert "does not renew its lease" in done.stderr + done.stdout
    done = bench(tmp_path, "600 600 1\n", *words[:1], "--sizes=8", "--nrep=100", *words[3:])
    assert done.returncode == 0, done.stderr + done.stdout


def test_the_kernel_ends_ranks_that_are_over_their_limit(tmp_path: Path) -> None:
    """Also one that waits in a call; nothing in the process could forget it."""
    words = ("--op=alltoall", "--sizes=64Ki", "--nrep=10000000", "--clocksync=none", "--procsync=barrier(library)")
    done = bench(tmp_path, "600 1.5 1\n", *words)
    assert done.returncode != 0
    assert re.search(r"(EXIT CODE|SIGNAL): 9\b", done.stdout + done.stderr), done.stdout + done.stderr
