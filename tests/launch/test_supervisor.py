"""A launch belongs to its supervisor: the program that asks for it keeps its children and its settings."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from tests.launch.test_orphans import gone, killed
from tests.launch.test_process import STUBBORN, alive, children, daemon_of, python, run

from ictus.launch import process, tree
from ictus.model.errors import MeasurementError

HOST = """
import ctypes, json, os, subprocess, sys, threading, time
from pathlib import Path
from ictus.launch import process

folder, script, before = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
libc = ctypes.CDLL(None)
libc.prctl(36, before, 0, 0, 0)  # PR_SET_CHILD_SUBREAPER
flags = []

def reaper():
    value = ctypes.c_int()
    libc.prctl(37, ctypes.byref(value), 0, 0, 0)
    return value.value

def leave_an_orphan():
    while not (folder / "running").exists():
        time.sleep(0.01)
    flags.append(reaper())
    script = "setsid sleep 600 > /dev/null 2>&1 & echo $! > orphan.new; mv orphan.new orphan"
    subprocess.run(["/bin/sh", "-c", script], cwd=folder)

thread = threading.Thread(target=leave_an_orphan)
thread.start()
process.GRACE_S = 0.2
outcome = process.run(("/bin/sh", "-c", script), {"PATH": "/bin:/usr/bin"}, folder, 600.0)
thread.join()
flags.append(reaper())
print(json.dumps({"exit_code": outcome.exit_code, "flags": flags}))
"""
"""A program with a grandchild that becomes an orphan during a launch, in a session of its own."""

UNTIL_ORPHAN = "touch running; until [ -e orphan ]; do sleep 0.01; done; exit 4"


@pytest.fixture(autouse=True)
def short_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "GRACE_S", 0.2)


@pytest.mark.parametrize("before", [0, 1], ids=["flag unset", "flag set"])
def test_orphans_of_the_calling_program_live_and_its_flag_stays(tmp_path: Path, before: int) -> None:
    """Whether it asked for orphans itself or not."""
    words = (sys.executable, "-c", HOST, str(tmp_path), UNTIL_ORPHAN, str(before))
    said = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    orphan = int((tmp_path / "orphan").read_text())
    lives = alive(orphan)
    os.kill(orphan, signal.SIGKILL)
    assert lives
    assert said == {"exit_code": 4, "flags": [before, before]}


def test_nothing_is_left_of_a_launch_whose_caller_is_killed(tmp_path: Path) -> None:
    """Not even a daemon that ignores TERM in its own session. The orphan of the caller lives."""
    script = f"{sys.executable} -c '{STUBBORN}' stay & touch running; wait"
    words = (sys.executable, "-c", HOST, str(tmp_path), script, "0")
    caller = subprocess.Popen(words)
    while not ((tmp_path / "daemon.pid").exists() and (tmp_path / "orphan").exists()):
        time.sleep(0.01)
    killed(caller)
    assert gone(daemon_of(tmp_path))
    orphan = int((tmp_path / "orphan").read_text())
    lives = alive(orphan)
    os.kill(orphan, signal.SIGKILL)
    assert lives


FORKED = """
import os, sys, time
from pathlib import Path
from ictus.launch import process
folder = Path(sys.argv[1])
process.GRACE_S = 0.2
import threading
def fork():
    while not (folder / "running").exists():
        time.sleep(0.01)
    child = os.fork()
    if child == 0:
        time.sleep(600)
    (folder / "fork.new").write_text(str(child))
    (folder / "fork.new").rename(folder / "fork")
threading.Thread(target=fork, daemon=True).start()
script = "trap '' TERM; echo $$ > new; mv new running; sleep 600"
process.run(("/bin/sh", "-c", script), dict(os.environ), folder, 600.0)
"""


def test_a_fork_of_the_caller_that_lives_on_keeps_no_launch(tmp_path: Path) -> None:
    """It has a copy of every descriptor of the caller, so that nothing is closed when the caller is killed."""
    caller = subprocess.Popen((sys.executable, "-c", FORKED, str(tmp_path)))
    while not (tmp_path / "fork").exists():
        time.sleep(0.01)
    killed(caller)
    ended = gone(int((tmp_path / "running").read_text()))
    os.kill(int((tmp_path / "fork").read_text()), signal.SIGKILL)
    assert ended


def test_a_killed_supervisor_is_a_failed_launch_and_nothing_is_left(tmp_path: Path) -> None:
    """The mark is what the launch is found by then."""
    before = children(os.getpid())

    def kill() -> None:
        while not (tmp_path / "daemon.pid").exists():
            time.sleep(0.01)
        (supervisor,) = children(os.getpid()) - before
        os.kill(supervisor, signal.SIGKILL)

    killing = threading.Thread(target=kill)
    killing.start()
    outcome = python(tmp_path, STUBBORN, "stay", timeout_s=600.0)
    killing.join()
    assert (outcome.exit_code, outcome.timed_out) == (-signal.SIGKILL, False)
    assert gone(daemon_of(tmp_path))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_to_the_supervisor_ends_the_launch(tmp_path: Path, number: signal.Signals) -> None:
    """Whoever ends all processes of a user, as a batch system does, may meet it first."""
    before = children(os.getpid())

    def end() -> None:
        while not (tmp_path / "daemon.pid").exists():
            time.sleep(0.01)
        (supervisor,) = children(os.getpid()) - before
        os.kill(supervisor, number)

    ending = threading.Thread(target=end)
    ending.start()
    outcome = python(tmp_path, STUBBORN, "stay", timeout_s=600.0)
    ending.join()
    assert outcome.exit_code == -signal.SIGKILL  # it ignores TERM
    assert not alive(daemon_of(tmp_path))


@pytest.mark.parametrize(("script", "code"), [("exit 0", 0), ("exit 77", 77), ("kill -9 $$", -9), ("kill -11 $$", -11)])
def test_the_exit_code_is_the_commands(tmp_path: Path, script: str, code: int) -> None:
    """Negative for a signal."""
    assert run(tmp_path, "/bin/sh", "-c", script).exit_code == code


def test_signals_and_descriptors_of_the_command_are_those_of_the_caller(tmp_path: Path) -> None:
    """A mask and ignored signals are handed on, but those that every Python ignores (SIGPIPE, SIGXFSZ); of descriptors
    there are three (and the one that ls reads from). The exit code is known also where the caller ignores SIGCHLD, so
    that the kernel keeps none.
    """
    code = """
import os, signal, sys
from pathlib import Path
from ictus.launch.process import run
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
signal.signal(signal.SIGHUP, signal.SIG_IGN)
signal.pthread_sigmask(signal.SIG_SETMASK, {signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR1})
os.set_inheritable(os.dup(1), True)
said = Path("stdout.txt")
print(*(line.split()[1] for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("SigIgn")))
for command in (("grep", "-E", "Sig(Blk|Ign)", "/proc/self/status"), ("ls", "/proc/self/fd"), ("sh", "-c", "exit 6")):
    print(run(command, dict(os.environ), Path(), 60.0).exit_code, *said.read_text().split())
"""
    done = subprocess.run((sys.executable, "-c", code), cwd=tmp_path, capture_output=True, text=True, check=True)
    (ignored,), signals, descriptors, exit_code = (line.split() for line in done.stdout.splitlines())

    def bits(*numbers: signal.Signals) -> int:
        return sum(1 << (number - 1) for number in numbers)

    assert int(signals[2], 16) == bits(signal.SIGTERM, signal.SIGCHLD, signal.SIGUSR1)
    assert int(signals[4], 16) == int(ignored, 16) & ~bits(signal.SIGPIPE, signal.SIGXFSZ)
    assert int(signals[4], 16) & bits(signal.SIGCHLD, signal.SIGHUP) == bits(signal.SIGCHLD, signal.SIGHUP)
    assert descriptors == ["0", "0", "1", "2", "3"]
    assert exit_code == ["6"]


def test_the_output_ends_when_the_command_has_closed_it(tmp_path: Path) -> None:
    """Nobody else holds a stream that is passed on."""
    reading, writing = os.pipe()

    def read() -> None:
        os.read(reading, 1)
        os.close(writing)
        while os.read(reading, 100):
            pass
        (tmp_path / "ended").touch()

    reader = threading.Thread(target=read)
    reader.start()
    script = "echo x; exec >&-; until [ -e ended ]; do sleep 0.01; done"
    environment = {"PATH": os.environ["PATH"]}
    passed = process.PassedStreams(writing)
    outcome = process.run(("/bin/sh", "-c", script), environment, tmp_path, 60.0, passed=passed)
    (tmp_path / "ended").touch()
    assert outcome.exit_code == 0
    reader.join()
    os.close(reading)


def test_a_caller_without_standard_streams_can_launch(tmp_path: Path) -> None:
    """A daemon has closed them: what is opened next gets their numbers."""
    code = """
import os, sys
from pathlib import Path
from ictus.launch.process import run
os.closerange(0, 3)
code = run(("/bin/sh", "-c", "echo out; echo err >&2; exit 9"), dict(os.environ), Path(sys.argv[1]), 60.0).exit_code
os._exit(code)
"""
    assert subprocess.run((sys.executable, "-c", code, str(tmp_path)), check=False).returncode == 9
    assert [(tmp_path / f"{name}.txt").read_text() for name in ("stdout", "stderr")] == ["out\n", "err\n"]


def test_an_environment_larger_than_a_socket_is_handed_over(tmp_path: Path) -> None:
    """1 MB, in variables of 100 KB."""
    variables = {f"V{i}": "x" * 100_000 for i in range(10)}
    outcome = run(tmp_path, "/bin/sh", "-c", "test ${#V0}${#V9} = 100000100000", **variables)
    assert outcome.exit_code == 0


def test_a_word_with_a_zero_byte_is_a_measurement_error(tmp_path: Path) -> None:
    """No program can get it."""
    with pytest.raises(MeasurementError, match="cannot start /bin/echo: embedded null byte"):
        run(tmp_path, "/bin/echo", "a\0b")


@pytest.mark.parametrize(
    ("interpreter", "message"),
    [
        ("", "sys.executable is empty"),
        ("/nowhere/python", "cannot start /bin/true: No such file"),
        ("/bin/false", "cannot start /bin/true: /bin/false, which is to start it .* ended with exit code 1"),
    ],
)
def test_an_interpreter_that_cannot_supervise_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreter: str, message: str
) -> None:
    """A program that embeds Python may say nothing useful of it."""
    monkeypatch.setattr(sys, "executable", interpreter)
    with pytest.raises(MeasurementError, match=message):
        run(tmp_path, "/bin/true")


def test_without_proc_the_process_group_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can be done where the kernel does not tell of other processes."""
    monkeypatch.setattr(tree, "PROCESSES", str(tmp_path / "none"))
    script = "trap '' TERM; sleep 600 & echo $! > new; mv new pid; wait; wait"
    leader = subprocess.Popen(("/bin/sh", "-c", script), cwd=tmp_path, start_new_session=True)
    while not (tmp_path / "pid").exists():
        time.sleep(0.01)
    assert tree.members("A=b", leader.pid) == ()

    def find() -> tuple[int, ...]:
        leader.poll()
        return tree.group(leader.pid)

    assert find() == (-leader.pid,)
    tree.end(find, grace_s=0.1)
    assert leader.wait() == -signal.SIGKILL
    assert gone(int((tmp_path / "pid").read_text()))
    assert tree.group(leader.pid) == ()
