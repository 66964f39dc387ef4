"""A launch is waited for asleep and leaves no process behind, whatever its ranks do."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from ictus.launch import process
from ictus.model.errors import MeasurementError

STUBBORN = """
import os, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork():
    while not os.path.exists("daemon.pid"):
        time.sleep(0.01)
    sys.exit(0) if sys.argv[1] == "leave" else time.sleep(600)
os.setsid()
if os.fork():
    os._exit(0)
open("written.pid", "w").write(str(os.getpid()))
os.rename("written.pid", "daemon.pid")
time.sleep(600)
"""
"""A double fork into its own session whose processes ignore TERM: what a rank's children may do. The launcher goes on
when the daemon is there.
"""


def run(folder: Path, *command: str, timeout_s: float = 20.0, **environment: str) -> process.Outcome:
    return process.run(command, {"PATH": os.environ["PATH"], **environment}, folder, timeout_s)


def python(folder: Path, code: str, *arguments: str, timeout_s: float = 20.0) -> process.Outcome:
    return run(folder, sys.executable, "-c", code, *arguments, timeout_s=timeout_s)


def daemon_of(folder: Path) -> int:
    return int((folder / "daemon.pid").read_text())


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def children(pid: int) -> set[int]:
    """Of all its threads; zombies too."""
    tasks = Path("/proc", str(pid), "task").iterdir()
    return {int(child) for task in tasks for child in (task / "children").read_text().split()}


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE_S", 0.2)


def test_output_error_and_exit_code_are_kept(tmp_path: Path) -> None:
    """Both streams land in the folder, the exit code in the outcome."""
    outcome = python(tmp_path, "import sys; print('out'); print('err', file=sys.stderr); sys.exit(5)")
    assert (outcome.exit_code, outcome.timed_out, outcome.interrupted) == (5, False, False)
    assert (tmp_path / "stdout.txt").read_text() == "out\n"
    assert (tmp_path / "stderr.txt").read_text() == "err\n"


def test_standard_input_is_empty(tmp_path: Path) -> None:
    """A program that reads its input meets the end of the file, not the terminal."""
    assert python(tmp_path, "import sys; sys.exit(len(sys.stdin.read()))").exit_code == 0


def test_the_environment_is_exactly_what_was_given(tmp_path: Path) -> None:
    """Nothing of our own environment reaches the launch but what was passed, plus the mark."""
    os.environ["ICTUS_TEST_AMBIENT"] = "1"
    try:
        run(tmp_path, "/usr/bin/env", A="b c")
    finally:
        del os.environ["ICTUS_TEST_AMBIENT"]
    names = {line.partition("=")[0] for line in (tmp_path / "stdout.txt").read_text().splitlines()}
    assert names == {"PATH", "A", process.MARK}


def test_what_was_given_is_recorded(tmp_path: Path) -> None:
    """The outcome carries the variables that Ictus set, not the whole environment."""
    outcome = process.run(("/bin/true",), {"PATH": "/bin", "X": "1"}, tmp_path, 20.0, {"X": "1"})
    assert outcome.environment == {"X": "1"}
    assert outcome.command == ("/bin/true",)


def test_a_missing_program_is_a_measurement_error(tmp_path: Path) -> None:
    """The message names the program."""
    with pytest.raises(MeasurementError, match=r"cannot start /nowhere/mpiexec: No such file"):
        run(tmp_path, "/nowhere/mpiexec")


def test_time_out_ends_a_tree_that_ignores_term_and_daemonises(tmp_path: Path) -> None:
    """After the time-out neither the program nor the daemon in its own session is alive, and there is no exit code.

    A machine that compiles beside may not have started the daemon by then: the next attempt has more time.
    """
    for timeout_s in (1.0, 5.0, 30.0):
        outcome = python(tmp_path, STUBBORN, "stay", timeout_s=timeout_s)
        assert outcome.timed_out
        if (tmp_path / "daemon.pid").exists():
            break
    assert outcome.exit_code is None
    assert outcome.elapsed_s < 60
    assert not alive(daemon_of(tmp_path))


def test_ranks_that_outlive_their_launcher_are_ended(tmp_path: Path) -> None:
    """A launcher that exits 0 while a daemon of its tree sleeps: the exit code stands, the daemon is gone."""
    outcome = python(tmp_path, STUBBORN, "leave")
    assert outcome.exit_code == 0
    assert not alive(daemon_of(tmp_path))


def test_an_orphan_that_wiped_its_environment_is_ended(tmp_path: Path) -> None:
    """Without the mark it is still found, because its parent's death made it its supervisor's."""
    outcome = run(
        tmp_path,
        "/bin/sh",
        "-c",
        "setsid env -i /bin/sh -c 'echo $$ > daemon.pid; exec sleep 600' & "
        "until [ -s daemon.pid ]; do sleep 0.01; done",
    )
    assert outcome.exit_code == 0
    assert not alive(daemon_of(tmp_path))


def test_no_zombie_is_left_behind(tmp_path: Path) -> None:
    """Whatever a launch was, afterwards we have the children that we had before."""
    before = children(os.getpid())
    python(tmp_path, STUBBORN, "leave")
    assert children(os.getpid()) == before


def test_children_from_before_are_spared(tmp_path: Path) -> None:
    """A process in its own session that was ours before the launch is none of the launch's."""
    import subprocess

    with subprocess.Popen(["/bin/sleep", "600"], start_new_session=True) as bystander:
        python(tmp_path, "pass")
        survived = bystander.poll() is None
        bystander.kill()
    assert survived


def test_another_threads_launch_is_spared(tmp_path: Path) -> None:
    """Two launches at once: the end of the first does not end the second."""
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    outcomes = {}
    second = threading.Thread(target=lambda: outcomes.update(b=run(tmp_path / "b", "/bin/sleep", "1")))
    second.start()
    time.sleep(0.2)
    outcomes["a"] = run(tmp_path / "a", "/bin/true")
    second.join()
    assert {name: outcome.exit_code for name, outcome in outcomes.items()} == {"a": 0, "b": 0}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["Ctrl-C", "TERM"])
def test_an_interrupt_ends_the_tree(tmp_path: Path, number: signal.Signals) -> None:
    """Ctrl-C and TERM are an outcome, not an exception, and nothing stays alive."""

    def interrupt() -> None:
        while not (tmp_path / "daemon.pid").exists():
            time.sleep(0.01)
        os.kill(os.getpid(), number)

    interrupting = threading.Thread(target=interrupt, daemon=True)
    interrupting.start()
    outcome = python(tmp_path, STUBBORN, "stay")
    interrupting.join(20)
    assert outcome.interrupted
    assert outcome.exit_code is None
    assert not alive(daemon_of(tmp_path))


def test_signal_handlers_are_put_back(tmp_path: Path) -> None:
    """A launch leaves the handling of signals as it found it."""
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    run(tmp_path, "/bin/true")
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)] == before


def test_the_waiting_parent_uses_no_processor_time(tmp_path: Path) -> None:
    """Asleep in the kernel, not polling: a second of waiting costs a few milliseconds, start included."""
    before = time.process_time()
    run(tmp_path, "/bin/sleep", "1")
    switches_cost_s = time.process_time() - before
    assert switches_cost_s < 0.3
