"""Two runners of one folder: one has it, the other is refused or waits, also where flock holds nothing."""

import errno
import json
import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

import pytest

from ictus.engine import folder_lock
from ictus.engine.folder_lock import FolderLock
from ictus.engine.journal import Journal
from ictus.model.errors import UsageError

ELSEWHERE = {"host": "far", "boot": "another", "pids": "pid:[1]", "pid": 1, "began": "1", "token": "t", "renewals": 0}


def newest(folder: Path) -> dict[str, Any]:
    """The content of the only lock there."""
    (path,) = folder.glob("lock.*")
    values: dict[str, Any] = json.loads(path.read_text())
    return values


def test_a_second_runner_is_told_who_has_it(tmp_path: Path) -> None:
    """And has it after the first let it go; a single file stays, with a higher number."""
    first = FolderLock(tmp_path)
    with pytest.raises(UsageError, match=rf"is in use by another ictus run \(process {os.getpid()} on "):
        FolderLock(tmp_path)
    first.release()
    assert newest(tmp_path)["released"]
    FolderLock(tmp_path).release()
    assert [path.name for path in tmp_path.iterdir()] == ["lock.2"]


def test_the_lock_of_a_dead_process_is_taken_at_once(tmp_path: Path) -> None:
    """On this host the end of a process is known; another one with its number is no owner."""
    here = FolderLock(tmp_path)
    values = newest(tmp_path)
    here.release()
    (tmp_path / "lock.1").write_text(json.dumps({**values, "began": "0"}))
    FolderLock(tmp_path, wait=lambda _: pytest.fail("it waits")).release()


def test_a_runner_in_another_container_of_this_host_is_not_taken_for_dead(tmp_path: Path) -> None:
    """Two containers have one boot id, and each its own processes: one took the other's lock at once, for it has no
    process of that number.
    """
    here = FolderLock(tmp_path)
    values = {**newest(tmp_path), "pid": 2**22 + 1, "pids": "pid:[1]", "token": "other"}
    here.release()
    lock = tmp_path / "lock.1"
    lock.write_text(json.dumps(values))

    def renew(_: float) -> None:
        lock.write_text(json.dumps({**values, "renewals": 1}))

    with pytest.raises(UsageError, match=r"is in use by another ictus run"):
        FolderLock(tmp_path, term_s=60, wait=renew)


@pytest.mark.parametrize(
    "content",
    [*(json.dumps({**ELSEWHERE, name: value}) for name in ("boot", "pids") for value in ("", None)), "{}", "torn", ""],
)
def test_a_lock_that_does_not_say_where_its_owner_runs_is_not_outlasted(tmp_path: Path, content: str) -> None:
    """It was taken over after two minutes: an earlier version, a kernel that does not tell, a file that is damaged. The
    user knows whether that run is there, and is told what to remove; the folder stays as it is.
    """
    lock = tmp_path / "lock.3"
    lock.write_text(content)
    with pytest.raises(UsageError, match=rf"may be in use by another ictus run .*remove {lock}, and give the command"):
        FolderLock(tmp_path, term_s=0)
    assert [path.name for path in tmp_path.iterdir()] == ["lock.3"]
    lock.unlink()
    FolderLock(tmp_path).release()


def test_a_kernel_that_does_not_say_where_we_are_outlasts_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any owner may be beside us. A lock that was given back can be taken all the same."""
    (tmp_path / "lock.1").write_text(json.dumps(ELSEWHERE))
    monkeypatch.setattr(folder_lock, "_pid_namespace", lambda: "")
    with pytest.raises(UsageError, match="may be in use by"):
        FolderLock(tmp_path, term_s=0)
    (tmp_path / "lock.1").write_text(json.dumps({**ELSEWHERE, "released": True}))
    FolderLock(tmp_path).release()


def test_a_file_system_that_gives_no_lock_now_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NFS whose lock service does not answer: another run may have the lock, and nobody is told."""

    def refuses(_descriptor: int, _what: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr("ictus.engine.journal.fcntl.flock", refuses)
    with pytest.raises(UsageError, match=r"cannot be locked: .*\(No locks available\).*give an -o on another"):
        Journal(tmp_path)


@pytest.mark.parametrize("number", [errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_that_knows_no_such_locks_has_that_of_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """Lustre without `-o flock`: there nobody can have one, and the second runner is refused by the other lock."""

    def refuses(_descriptor: int, _what: int) -> None:
        raise OSError(number, "no such locks")

    monkeypatch.setattr("ictus.engine.journal.fcntl.flock", refuses)
    with Journal(tmp_path), pytest.raises(UsageError, match="is in use by another ictus run"):
        Journal(tmp_path)


def test_a_file_system_without_hard_links_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It tried for ever."""

    def refuses(_source: Path, _target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(folder_lock.os, "link", refuses)
    with pytest.raises(UsageError, match=r"made no hard link \(Operation not permitted\).*give an -o on another"):
        FolderLock(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_zombie_has_no_lock(tmp_path: Path) -> None:
    """A killed runner whose parent has not asked about it yet is dead."""
    child = multiprocessing.get_context("fork").Process(target=FolderLock, args=(tmp_path,))
    child.start()
    os.waitid(os.P_PID, child.pid or 0, os.WEXITED | os.WNOWAIT)
    assert newest(tmp_path)["pid"] == child.pid
    assert "released" not in newest(tmp_path)
    FolderLock(tmp_path, wait=lambda _: pytest.fail("it waits")).release()
    child.join()


def test_a_runner_of_another_host_is_outlasted_where_it_is_dead(tmp_path: Path) -> None:
    """Its file stays as it is for the term; renewed meanwhile, the new one is refused."""
    (tmp_path / "lock.7").write_text(json.dumps(ELSEWHERE))
    with pytest.raises(UsageError, match=r"process 1 on far"):
        FolderLock(tmp_path, term_s=5, wait=lambda _: renewed(tmp_path))
    FolderLock(tmp_path, term_s=0.2).release()
    assert [path.name for path in tmp_path.glob("lock.*")] == ["lock.8"]


def renewed(folder: Path) -> None:
    """As its owner would."""
    (folder / "lock.7").write_text(json.dumps({**ELSEWHERE, "renewals": 1}))


def test_an_owner_renews_its_file(tmp_path: Path) -> None:
    """By its content, which other hosts read whatever their clocks say."""
    lock = FolderLock(tmp_path, renewed_s=0.01)
    deadline = time.monotonic() + 10
    while newest(tmp_path)["renewals"] < 3 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert newest(tmp_path)["renewals"] >= 3
    lock.release()


def test_a_runner_that_was_taken_over_writes_nothing_more(tmp_path: Path) -> None:
    """As after a sleep of its host that was longer than the term."""
    with Journal(tmp_path) as journal:
        journal.append("start", {})
        (tmp_path / "lock.2").write_text(json.dumps(ELSEWHERE))
        with pytest.raises(UsageError, match=r"was taken over by another ictus run \(process 1 on far\)"):
            journal.append("launch", {"slot": 0})
    assert (tmp_path / "journal.jsonl").read_text().count("\n") == 1


def test_a_lost_answer_is_no_lost_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NFS may repeat a call whose answer was lost, and report that the file is there: the count of links tells."""
    link = os.link

    def answers_badly(source: Path, target: Path) -> None:
        link(source, target)
        raise FileExistsError(17, "File exists")

    monkeypatch.setattr(folder_lock.os, "link", answers_badly)
    lock = FolderLock(tmp_path)
    assert newest(tmp_path)["token"]
    lock.release()


def _race(folder: Path, slow: bool, barrier: Any, held: Any, seen: Any) -> None:
    """Take the lock at the same moment as others, with a file system that answers late; count those inside."""
    import fcntl

    fcntl.flock = lambda *_: None  # type: ignore[assignment] # a file system on which it holds nothing
    link, replace = os.link, Path.replace
    if slow:
        os.link = lambda *args: (time.sleep(0.05), link(*args))[1]  # type: ignore[assignment]
        Path.replace = lambda self, target: (time.sleep(0.05), replace(self, target))[1]  # type: ignore[assignment]
    for _ in range(6):
        barrier.wait()
        try:
            with Journal(folder) as journal:
                with held.get_lock():
                    held.value += 1
                    seen.value = max(seen.value, held.value)
                journal.append("start", {"pid": os.getpid()})
                time.sleep(0.02)
                with held.get_lock():
                    held.value -= 1
        except UsageError:
            pass


def test_two_processes_are_never_inside_together_with_a_delayed_rename(tmp_path: Path) -> None:
    """Without any flock, with links and renames that take long on one side: the journal has whole lines alone."""
    context = multiprocessing.get_context("fork")
    barrier, held, seen = context.Barrier(2), context.Value("i", 0), context.Value("i", 0)
    runs = [context.Process(target=_race, args=(tmp_path, slow, barrier, held, seen)) for slow in (False, True)]
    for run in runs:
        run.start()
    for run in runs:
        run.join(60)
    assert [run.exitcode for run in runs] == [0, 0]
    assert seen.value == 1
    lines = (tmp_path / "journal.jsonl").read_text().splitlines()
    assert len(lines) >= 6
    assert all(json.loads(line)["event"] == "start" for line in lines)
