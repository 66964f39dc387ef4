"""One launch as a process: started, waited for, ended as a whole.

This process sleeps while the launch runs: on busy cores even a display at 10 Hz causes stalls of milliseconds in the
measurement. It wakes up every 20 s to renew the lease of the launch (launch/lease.py). The launch belongs to a
supervisor (launch/supervisor.py), so that other children of this process are never touched, and nothing of the launch
is left when this process is killed.
"""

import os
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import BinaryIO, Literal

from ictus.launch.lease import RENEWED_S, Lease
from ictus.launch.supervised import Supervisor
from ictus.launch.tree import GRACE_S
from ictus.model.errors import MeasurementError
from ictus.model.job import Outcome

MARK = "ICTUS_LAUNCH"
"""Variable that every process of a launch inherits."""


Announcement = Literal["none", "failed", "written"]
"""What a launch has said of its end: nothing yet, that it failed, or that all of its results are written."""


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
    changed_variables: Mapping[str, str] | None = None,
    *,
    passed: PassedStreams | None = None,
    lease: Lease | None = None,
    announcement: Callable[[], Announcement] = lambda: "none",
) -> Outcome:
    """Start `command` with exactly `environment`, wait for it, and leave no process behind.

    Standard input is empty; output and error go to stdout.txt and stderr.txt in `folder`, which is the working
    directory; unless all three are `passed` on. The whole tree is ended when `timeout_s` has passed (it may be
    infinite), on Ctrl-C or TERM, and when the launcher ended but ranks still run. `changed_variables` is what Ictus
    set, for the record; `lease` is renewed meanwhile, and after each renewal `announcement` is asked what the launch
    has said of its end. One that is still there at the next renewal, at least RENEWED_S later, is ended: `stuck` where
    it had failed, `hung` where its results were written. Results that are written at the time limit count too.

    Raises:
        MeasurementError: the command cannot be started.
    """
    mark = uuid.uuid4().hex
    awaited: _End = "ended"
    interrupted = False
    started = time.monotonic()
    supervisor = Supervisor(command, f"{MARK}={mark}", GRACE_S)
    with _termination_as_interrupt():
        try:
            _start(supervisor, {**environment, MARK: mark}, folder, passed)
            awaited = _sleep_until_end(supervisor, timeout_s, lease, announcement)
        except KeyboardInterrupt:
            interrupted = True
        except OSError as failure:
            raise MeasurementError(f"cannot start {command[0]}: {failure.strerror or failure}") from failure
        finally:
            with _undisturbed():
                supervisor.end()
    elapsed_s = time.monotonic() - started
    return Outcome(
        command,
        dict(changed_variables or {}),
        None if interrupted or awaited != "ended" else supervisor.exit_code,
        elapsed_s,
        timed_out=awaited == "timed out",
        interrupted=interrupted,
        stuck=awaited == "stuck",
        hung=awaited == "hung",
    )


def _start(supervisor: Supervisor, environment: Mapping[str, str], folder: Path, passed: PassedStreams | None) -> None:
    if passed is not None:
        supervisor.start(environment, folder, (None, passed.output, None))
        return
    with _spoken(folder / "stdout.txt") as output, _spoken(folder / "stderr.txt") as error:
        supervisor.start(environment, folder, (subprocess.DEVNULL, output.fileno(), error.fileno()))


def _spoken(path: Path) -> BinaryIO:
    """A file for what a launch says; a link in its place is not followed."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(path, flags, 0o666), "wb")


_End = Literal["ended", "timed out", "stuck", "hung"]
"""What the wait for a launch ended with."""


def _sleep_until_end(
    supervisor: Supervisor, timeout_s: float, lease: Lease | None, announcement: Callable[[], Announcement]
) -> _End:
    deadline = time.monotonic() + timeout_s
    before: Announcement = "none"
    while lease is not None and deadline - time.monotonic() > RENEWED_S:
        if supervisor.has_ended(RENEWED_S):
            return "ended"
        lease.renew()
        state = announcement()
        if before != "none" and state != "none":
            return "stuck" if state == "failed" else "hung"
        before = state
    if supervisor.has_ended(max(deadline - time.monotonic(), 0.0)):
        return "ended"
    return "hung" if announcement() == "written" else "timed out"


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
    ours = (
        signal_number
        for signal_number in (signal.SIGTERM, signal.SIGHUP)
        if signal.getsignal(signal_number) == signal.SIG_DFL
    )
    with _handling(tuple(ours), interrupt):
        yield


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A second Ctrl-C must not leave half a tree behind."""
    with _handling((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), signal.SIG_IGN):
        yield
