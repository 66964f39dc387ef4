"""A launch does not outlive its runner: its supervisor ends it, a lease lapses, the next run ends the rest."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.launch.test_process import alive, children

from ictus.engine.journal import Journal
from ictus.engine.recovery import CAMPAIGN_LAUNCH, recover
from ictus.launch import lease as leases, leftovers, process
from ictus.launch.leftovers import end_leftovers
from ictus.store.journal import read_journal

RUNNER = """
import sys
from pathlib import Path
from ictus.launch.process import run
run(("/bin/sh", "-c", sys.argv[2]), {"PATH": "/bin:/usr/bin"}, Path(sys.argv[1]), 600.0)
"""


def started(folder: Path, script: str, trap: str = ":") -> tuple["subprocess.Popen[bytes]", int]:
    """A runner whose launch has written its process id, and that id."""
    runner = subprocess.Popen(
        (sys.executable, "-c", RUNNER, str(folder), f"{trap}; echo $$ > now; mv now pid; {script}")
    )
    while not (folder / "pid").exists():
        time.sleep(0.01)
    return runner, int((folder / "pid").read_text())


def killed(runner: "subprocess.Popen[bytes]") -> None:
    runner.kill()
    runner.wait()


def killed_with_supervisor(runner: "subprocess.Popen[bytes]") -> None:
    """Then nobody but the kernel is left to tell the launcher. The supervisor must not act in between."""
    (supervisor,) = children(runner.pid)
    os.kill(supervisor, signal.SIGSTOP)
    killed(runner)
    os.kill(supervisor, signal.SIGKILL)


def gone(pid: int) -> bool:
    """Whether it ends within a minute, which is far more than it takes."""
    deadline = time.monotonic() + 60
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    return not alive(pid)


def test_a_launcher_ends_with_its_runner(tmp_path: Path) -> None:
    """Its supervisor ends it, also where it does not end by TERM."""
    runner, launcher = started(tmp_path, "while :; do sleep 0.1; done", "trap '' TERM")
    killed(runner)
    assert gone(launcher)


def test_a_launcher_ends_with_its_supervisor_and_runner(tmp_path: Path) -> None:
    """The kernel tells it."""
    runner, launcher = started(tmp_path, "exec sleep 600")
    killed_with_supervisor(runner)
    assert gone(launcher)


def test_a_launcher_gets_term_so_that_it_can_end_its_ranks(tmp_path: Path) -> None:
    """KILL would leave those of other hosts."""
    runner, launcher = started(tmp_path, "while :; do sleep 0.1; done", "trap 'echo told > told; exit' TERM")
    killed(runner)
    assert gone(launcher)
    assert (tmp_path / "told").read_text() == "told\n"


def test_leftovers_of_a_launch_are_named_and_ended(tmp_path: Path) -> None:
    """One that ignores TERM is there when the next run begins."""
    runner, stubborn = started(tmp_path, "while :; do sleep 0.1; done", "trap '' TERM")
    killed_with_supervisor(runner)
    assert alive(stubborn)
    found = end_leftovers(tmp_path, patience_s=0.1)
    assert found is not None
    assert found.ended
    assert f"sh ({stubborn})" in str(found)
    assert gone(stubborn)
    assert end_leftovers(tmp_path, patience_s=0.1) is None


def test_what_ends_by_itself_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A launcher that ends its ranks takes a moment."""
    slow_end = "trap 'while [ ! -e leave ]; do sleep 0.02; done; exit' TERM"
    runner, slow = started(tmp_path, "while :; do sleep 0.02; done", slow_end)
    killed_with_supervisor(runner)
    monkeypatch.setattr(leftovers.time, "sleep", lambda _: (tmp_path / "leave").touch())
    found = end_leftovers(tmp_path, patience_s=60)
    assert found is not None
    monkeypatch.undo()
    assert not found.ended
    assert gone(slow)


def test_a_shell_in_the_folder_is_left_alone(tmp_path: Path) -> None:
    """It was not launched."""
    with subprocess.Popen(("/bin/sleep", "600"), cwd=tmp_path) as shell:
        try:
            assert end_leftovers(tmp_path, patience_s=0.1) is None
            assert shell.poll() is None
        finally:
            shell.kill()


def test_a_lease_is_there_during_a_launch_and_renewed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The launch sees two numbers; afterwards the file is gone, so that it is not a file of what was measured."""
    monkeypatch.setattr(process, "RENEWED_S", 0.05)
    script = 'first=$(cat lease.txt); while [ "$first" = "$(cat lease.txt)" ]; do sleep 0.02; done; echo $first'
    environment = {"PATH": os.environ["PATH"]}
    with leases.lease_in(tmp_path, 60.0) as lease:
        outcome = process.run(("/bin/sh", "-c", script), environment, tmp_path, 60.0, lease=lease)
    assert outcome.exit_code == 0
    assert (tmp_path / "stdout.txt").read_text().startswith("120 90 ")
    assert not (tmp_path / leases.FILE).exists()


def test_a_launch_without_a_limit_has_a_lease_without_one(tmp_path: Path) -> None:
    """The core reads it as no timer."""
    with leases.lease_in(tmp_path, float("inf")):
        assert (tmp_path / leases.FILE).read_text() == "120 inf 1\n"


def test_time_out_holds_beside_a_lease(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Renewing does not put it off."""
    monkeypatch.setattr(process, "RENEWED_S", 0.1)
    with leases.lease_in(tmp_path, 0.35) as lease:
        outcome = process.run(("/bin/sleep", "600"), {"PATH": "/bin"}, tmp_path, 0.35, lease=lease)
    assert outcome.timed_out
    assert 2 <= lease.renewals <= 5


@pytest.mark.parametrize(("says", "stuck"), [(True, True), (False, False)])
def test_a_launcher_that_hangs_after_its_end_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: bool, stuck: bool
) -> None:
    """It has a renewal's time to end by itself; one that has said nothing may work."""
    monkeypatch.setattr(process, "RENEWED_S", 0.05)
    asked: list[bool] = []

    def announcement() -> process.Announcement:
        asked.append(says)
        if not says and len(asked) == 4:
            (tmp_path / "leave").touch()
        return "failed" if says else "none"

    script = "until [ -e leave ]; do sleep 0.01; done"
    with leases.lease_in(tmp_path, 600.0) as lease:
        outcome = process.run(
            ("/bin/sh", "-c", script), {"PATH": "/bin"}, tmp_path, 600.0, lease=lease, announcement=announcement
        )
    assert (outcome.stuck, outcome.timed_out, outcome.exit_code) == (stuck, False, None if stuck else 0)
    assert len(asked) == 2 if stuck else len(asked) >= 4


def test_the_runner_may_be_a_thread(tmp_path: Path) -> None:
    """The kernel means the thread that started the launcher, which waits for it: it does not end before."""
    import threading

    outcomes: list[process.Outcome] = []
    thread = threading.Thread(
        target=lambda: outcomes.append(process.run(("/bin/sleep", "0.3"), {"PATH": "/bin"}, tmp_path, 60.0))
    )
    thread.start()
    thread.join()
    assert [one.exit_code for one in outcomes] == [0]


def test_the_journal_takes_what_was_left(tmp_path: Path) -> None:
    """The event of a resumed campaign: an entry that cannot be read again would end it."""
    runner, stubborn = started(_launch_folder(tmp_path), "while :; do sleep 0.1; done", "trap '' TERM")
    killed_with_supervisor(runner)
    with Journal(tmp_path) as journal:
        _, notes = recover(tmp_path, (), journal, CAMPAIGN_LAUNCH)
    assert gone(stubborn)
    assert f"sh ({stubborn})" in notes[0]
    entry = read_journal(tmp_path / "journal.jsonl").entries[0]
    assert entry.event == "leftovers"


def _launch_folder(folder: Path) -> Path:
    place = folder / "launches" / "0000-mpich.partial"
    place.mkdir(parents=True)
    return place
