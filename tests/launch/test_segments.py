"""A launch that is ended leaves no shared memory of its MPI library, and takes no other file of this folder with it."""

import mmap
import shutil
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.conftest import left_segments
from tests.launch.test_process import python, run
from tests.native.launching import HANGS_S, LIBRARIES
from tests.native.programs import compiled
from tests.native.trees import installation

from ictus.launch import process, segments
from ictus.model.job import Job
from ictus.mpi.command import compose

RANK = """
import mmap, os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN if sys.argv[1] == "stubborn" else signal.SIG_DFL)
maps = []
for path in sys.argv[2:]:
    file = open(path, "w+b")
    file.truncate(4096)
    maps.append(mmap.mmap(file.fileno(), 4096))
open("running", "w")
time.sleep(600)
"""
"""A process that shares memory as a rank does."""

HERE = Path(segments.FOLDER)


@pytest.fixture
def names() -> Iterator[tuple[str, str]]:
    """What MPICH could have called a segment, and what a program called its own."""
    own = uuid.uuid4().hex
    found = (f"mpich_shm_{own}_0", f"ictus_test_{own}")
    yield found
    for name in found:
        (HERE / name).unlink(missing_ok=True)


@pytest.mark.parametrize("how", ["obedient", "stubborn"])
def test_a_killed_launch_leaves_no_segment(
    tmp_path: Path, names: tuple[str, str], how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether TERM ends it or KILL; what the program named itself stays."""
    monkeypatch.setattr(process, "GRACE_S", 0.2)
    outcome = python(tmp_path, RANK, how, *(f"{HERE}/{name}" for name in names), timeout_s=2.0)
    assert outcome.timed_out
    assert (tmp_path / "running").exists()
    assert [(HERE / name).exists() for name in names] == [False, True]


def test_a_launcher_that_ends_before_its_rank_leaves_no_segment(tmp_path: Path, names: tuple[str, str]) -> None:
    """The supervisor ends the rank then."""
    script = 'python3 -c "$1" obedient "$2" & until [ -e running ]; do sleep 0.01; done'
    assert run(tmp_path, "/bin/sh", "-c", script, "sh", RANK, f"{HERE}/{names[0]}").exit_code == 0
    assert not (HERE / names[0]).exists()


def test_what_took_the_place_of_a_segment_stays(names: tuple[str, str]) -> None:
    """A link, and a file that another launch made under the same name; only the file itself goes."""
    path, kept = HERE / names[0], HERE / names[1]
    path.touch()
    held = (names[0], path.stat().st_dev, path.stat().st_ino)
    path.rename(kept)
    path.symlink_to(kept)
    segments.remove([held])
    assert path.is_symlink()
    assert kept.exists()
    path.unlink()
    path.touch()
    segments.remove([held])
    assert path.exists()
    path.unlink()
    kept.rename(path)
    segments.remove([held])
    assert not path.exists()


LAUNCHER = """
import os, subprocess, sys
from pathlib import Path
from ictus.launch import segments, tree

ranks = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
ranks.stdout.readline()
held = segments.held(tree.members("NO_MARK=", os.getpid()))
Path("held").write_text("".join(name + "\\n" for name, _, _ in held))
"""
"""Starts ranks, writes down what they share when they have begun, and leaves them."""


@pytest.mark.mpi
@pytest.mark.parametrize("label", LIBRARIES)
def test_killed_ranks_of_a_library_leave_no_segment(tmp_path: Path, label: str) -> None:
    """That both libraries have segments shows that their names are still those that we know."""
    job = Job(n_ranks=2, program=(str(compiled(label, "stays", tmp_path)),), folder=tmp_path, timeout_s=HANGS_S)
    ranks = compose(installation(label), job)
    words = (sys.executable, "-c", LAUNCHER, *ranks.tokens)
    outcome = process.run(words, ranks.environment, tmp_path, HANGS_S)
    assert outcome.exit_code == 0, (tmp_path / "stderr.txt").read_text()
    held = (tmp_path / "held").read_text().split()
    assert held
    assert [name for name in held if (HERE / name).exists()] == []


def test_the_suite_counts_what_launches_left(names: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Segments that are new and that no process has; others of this folder are no segments."""
    monkeypatch.setattr(segments, "FOLDER", str(tmp := HERE / f"{names[1]}"))
    tmp.mkdir()
    for name in ("mpich_shm_1_0", "mpich_shm_2_0", "other"):
        (tmp / name).write_bytes(b"0" * 1024)
    with (tmp / "mpich_shm_3_0").open("w+b") as file:
        file.truncate(4096)
        with mmap.mmap(file.fileno(), 4096):
            assert left_segments({"mpich_shm_2_0"}) == ["mpich_shm_1_0"]
    assert left_segments({"mpich_shm_2_0"}) == ["mpich_shm_1_0", "mpich_shm_3_0"]
    shutil.rmtree(tmp)
