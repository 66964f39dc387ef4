"""A launch that is ended leaves no folder of Open MPI's launcher, which would stop a later launcher with its number."""

import sys
from pathlib import Path

import pytest
from tests.launch.test_process import run
from tests.native.launching import HANGS_S
from tests.native.trees import installation

from ictus.launch import process
from ictus.model.job import Job
from ictus.mpi.command import compose

LAUNCHER = """
import os, signal, sys, time
from pathlib import Path

how, kept = sys.argv[1:]
if how == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
own = Path(os.environ["TMPDIR"], f"ompi.{os.getpid()}")
(own / "0/1").mkdir(parents=True)
(own / "pmix.host.tool").write_text("contacts")
(own / "0/link").symlink_to(kept)
Path(os.environ["TMPDIR"], f"out.{os.getpid()}").mkdir()
if how == "killed":
    os.kill(os.getpid(), signal.SIGKILL)
Path("running").touch()
time.sleep(600)
"""
"""Makes what a launcher makes, and a folder of a program that has its process id too."""


WRAPPER = ("/bin/sh", "-c", '"$@" & until [ -e running ]; do sleep 0.01; done', "sh")
"""Somebody's script, which leaves the launcher to the supervisor."""


@pytest.mark.parametrize("how", ["obedient", "stubborn", "killed"])
def test_a_killed_launcher_leaves_no_folder(tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever killed it; what other processes made stays, and so does what a link leads to."""
    monkeypatch.setattr(process, "GRACE_S", 0.2)
    temporary, kept = tmp_path / "temporary", tmp_path / "kept"
    for folder in (temporary, kept, temporary / "ompi.1"):
        folder.mkdir()
    (kept / "file").touch()
    words = (*(WRAPPER if how != "killed" else ()), sys.executable, "-c", LAUNCHER, how, str(kept))
    outcome = run(tmp_path, *words, TMPDIR=str(temporary))
    assert outcome.exit_code == (-9 if how == "killed" else 0)
    assert [one.name.partition(".")[0] for one in sorted(temporary.iterdir())] == ["ompi", "out"]
    assert (temporary / "ompi.1").is_dir()
    assert (kept / "file").exists()


KILLER = """
import os, signal, time
os.kill(os.getppid(), signal.SIGKILL) if os.environ["OMPI_COMM_WORLD_RANK"] == "0" else time.sleep(600)
"""
"""One rank kills its launcher; a second that did could find the supervisor as its parent."""


@pytest.mark.mpi
def test_a_killed_launcher_of_open_mpi_leaves_nothing(tmp_path: Path) -> None:
    """Where it lived, nothing of it is left."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    job = Job(n_ranks=2, program=(sys.executable, "-c", KILLER), folder=tmp_path, timeout_s=HANGS_S)
    ranks = compose(installation("openmpi"), job)

    outcome = process.run(ranks.tokens, {**ranks.environment, "TMPDIR": str(temporary)}, tmp_path, HANGS_S)
    assert outcome.exit_code == -9, (tmp_path / "stderr.txt").read_text()
    assert list(temporary.iterdir()) == []
