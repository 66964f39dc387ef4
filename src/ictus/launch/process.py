"""One launch as a process: started, waited for, ended as a whole.

The parent sleeps while the launch runs: on busy cores even a display at 10 Hz causes stalls of milliseconds in the
measurement. It wakes up every 20 s to renew the lease of the launch (launch/lease.py). Meanwhile processes whose parent
dies become our children and not init's, so that they can be found. If we are killed ourselves, the kernel sends TERM to
the launcher, which ends its ranks. Source: prctl(2), PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG; the latter means the
thread that started the launcher, which is the one that waits here.
"""

import ctypes
import math
import os
import select
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import BinaryIO

from ictus.launch.lease import RENEWED_S, Lease
from ictus.launch.tree import Tree, children
from ictus.model.errors import MeasurementError
from ictus.model.job import Outcome

_SET_PARENT_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36
_GET_CHILD_SUBREAPER = 37


@contextmanager
def adopting_orphans() -> Iterator[bool]:
    """Make this process the reaper of its descendants inside the block; the previous setting is restored.

    Yields whether it took effect: only Linux has it, and the walk of /proc finds marked processes without it too.
    """
    before = _reaping()
    if before is None:
        yield False
        return
    _set(value=True)
    try:
        yield True
    finally:
        _set(before)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _reaping() -> bool | None:
    if sys.platform != "linux":
        return None
    value = ctypes.c_int(0)
    if _libc().prctl(_GET_CHILD_SUBREAPER, ctypes.byref(value), 0, 0, 0) != 0:
        return None
    return bool(value.value)


def _set(value: bool) -> None:
    _libc().prctl(_SET_CHILD_SUBREAPER, int(value), 0, 0, 0)


MARK = "ICTUS_LAUNCH"
"""Variable that every process of a launch inherits."""


@dataclass(frozen=True)
class PassedStreams:
    """The streams of a launch that is not captured: it reads and writes where this process does."""

    output: int | None = None
    """File descriptor for its standard output; None: this process's."""


def run(
    command: tuple[str, ...],
    environment: Mapping[str, str],
    folder: Path,
    timeout_s: float,
    given: Mapping[str, str] | None = None,
    *,
    passed: PassedStreams | None = None,
    lease: Lease | None = None,
) -> Outcome:
    """Start `command` with exactly `environment`, wait for it, and leave no process behind.

    Standard input is empty; output and error go to stdout.txt and stderr.txt in `folder`, which is the working
    directory; unless all three are `passed` on. The whole tree is ended when `timeout_s` has passed (it may be
    infinite), on Ctrl-C or TERM, and when the launcher ended but ranks still run. `given` is what Ictus set, for the
    record; `lease` is renewed meanwhile.

    Raises:
        MeasurementError: the command cannot be started.
    """
    mark = uuid.uuid4().hex
    tree = Tree(f"{MARK}={mark}", children())
    process = None
    exit_code = None
    timed_out = interrupted = False
    started = time.monotonic()
    with adopting_orphans(), _termination_as_interrupt():
        try:
            process = _start(command, {**environment, MARK: mark}, folder, passed)
            timed_out = not _sleep_until_end(process, timeout_s, lease)
        except KeyboardInterrupt:
            interrupted = True
        finally:
            with _undisturbed():
                tree.end()
                if process is not None:
                    exit_code = process.wait()
                tree.reap()
    elapsed_s = time.monotonic() - started
    killed = timed_out or interrupted
    return Outcome(command, dict(given or {}), None if killed else exit_code, elapsed_s, timed_out, interrupted)


def _start(
    command: tuple[str, ...], environment: Mapping[str, str], folder: Path, passed: PassedStreams | None
) -> "subprocess.Popen[bytes]":
    def start(stdin: int | None, stdout: int | None, stderr: int | None) -> "subprocess.Popen[bytes]":
        # A session of its own: Ctrl-C at the terminal reaches only us, and we end the tree in order.
        return subprocess.Popen(
            command,
            env=environment,
            cwd=folder,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            preexec_fn=_dying_with(os.getpid()),  # noqa: PLW1509 (it calls the kernel, takes no lock)
        )

    try:
        if passed is not None:
            return start(None, passed.output, None)
        with _spoken(folder / "stdout.txt") as output, _spoken(folder / "stderr.txt") as error:
            return start(subprocess.DEVNULL, output.fileno(), error.fileno())
    except OSError as failure:
        message = f"cannot start {command[0]}: {failure.strerror or failure}"
        raise MeasurementError(message) from failure


def _spoken(path: Path) -> BinaryIO:
    """A file for what a launch says; a link in its place is not followed."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o666), "wb")


def _dying_with(parent: int) -> Callable[[], None] | None:
    """What the child calls before it becomes the launcher: TERM for it when the thread that starts it ends."""
    if sys.platform != "linux":
        return None
    prctl = ctypes.PyDLL(None).prctl  # looked up here: between fork and exec only the call itself is safe

    def request() -> None:
        prctl(_SET_PARENT_DEATH_SIGNAL, int(signal.SIGTERM), 0, 0, 0)
        if os.getppid() != parent:  # it died in between
            os._exit(1)

    return request


def _sleep_until_end(process: "subprocess.Popen[bytes]", timeout_s: float, lease: Lease | None) -> bool:
    """Whether the process ended in time. Sleeps in the kernel, where Popen.wait would wake 20 times a second."""
    deadline = time.monotonic() + timeout_s
    while lease is not None and deadline - time.monotonic() > RENEWED_S:
        if _sleep(process, RENEWED_S):
            return True
        lease.renew()
    return _sleep(process, max(deadline - time.monotonic(), 0.0))


def _sleep(process: "subprocess.Popen[bytes]", timeout_s: float) -> bool:
    try:
        descriptor = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # no Linux, or a kernel before 5.3
        return _poll_until_end(process, timeout_s)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        return bool(poll.poll(None if math.isinf(timeout_s) else timeout_s * 1000))
    finally:
        os.close(descriptor)


def _poll_until_end(process: "subprocess.Popen[bytes]", timeout_s: float) -> bool:
    try:
        process.wait(None if math.isinf(timeout_s) else timeout_s)
    except subprocess.TimeoutExpired:
        return False
    return True


def _in_main_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@contextmanager
def _handling(
    numbers: tuple[signal.Signals, ...], handler: Callable[[int, FrameType | None], None] | signal.Handlers
) -> Iterator[None]:
    """Signals handled by `handler` inside the block; outside the main thread it does nothing."""
    if not _in_main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers}
    try:
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous if previous is not None else signal.SIG_DFL)


@contextmanager
def _termination_as_interrupt() -> Iterator[None]:
    """TERM and a lost terminal end a launch as Ctrl-C does."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    # Where somebody handles or ignores one (the command line, nohup), that stays.
    ours = (one for one in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) == signal.SIG_DFL)
    with _handling(tuple(ours), interrupt):
        yield


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A second Ctrl-C must not leave half a tree behind."""
    with _handling((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), signal.SIG_IGN):
        yield
