"""The supervisor of a launch: the process between Ictus and the launcher, which ends the launch as a whole.

A process whose parent ends becomes a child of the nearest ancestor that asked for such orphans, so only an ancestor
that asks can end all that a launch leaves behind. That must not be the process that calls Ictus: it may be somebody's
program with children of its own, and their orphans would come to it and be ended with the launch. So each launch has a
supervisor. It asks for orphans, starts the command in a session of its own, says how it ended, and ends what is left:
when the command has ended, when the caller says so, and when the caller was killed.

It is a program of its own, without the packages of a site and without the rest of Ictus: each import delays a launch.
launch/process.py starts it.

Source: prctl(2), PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG; the latter means the thread that started the process.
Other systems than Linux have neither. There the end of the caller closes the connection, and of a launch only the
process group of its command is found.
"""

import ctypes
import marshal
import os
import select
import signal
import sys

from ictus.launch import session_folders
from ictus.launch.tree import PROCESSES, end, group, members

STARTED = "started"
"""Said when there is a process for the command."""
FAILED = "failed"
"""Said with the reason when this process cannot become the command."""
ENDED = "ended"
"""Said with the exit code of the command, negative for a signal."""

_SET_PARENT_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36

_ENDING = frozenset({signal.SIGTERM, signal.SIGINT, signal.SIGHUP})
"""Signals that end the launch."""


def main(connection: int, request_bytes: int, caller: int) -> None:
    """Read a request from the socket `connection`, run its command, end what is left.

    The request is `(command, environment, mark, grace_s)`, the first two as bytes. When the socket can be read after
    it, which its closing causes, the launch is over. `caller` is the process that started this one.
    """
    os.set_inheritable(connection, False)
    request = _read(connection, request_bytes)
    if request is None:
        return
    command, environment, mark, grace_s = marshal.loads(request)  # noqa: S302 (from our parent)
    _prctl(_SET_CHILD_SUBREAPER, 1)
    caught = _ENDING | {signal.SIGCHLD}
    disposition = signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where it is ignored the kernel keeps no exit codes
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, caught)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGCHLD, disposition)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        _become(command, environment, connection)
    _say(connection, STARTED)
    _leave_streams()
    wakes = _catch(caught)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, caught)
    _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    ended: dict[int, int] = {}
    if os.getppid() == caller:  # else it died before
        _wait(child, ended, connection, wakes)
    if child in ended:
        _say(connection, f"{ENDED} {ended[child]}")

    def left() -> tuple[int, ...]:
        process_ids = members(mark, os.getpid()) if os.path.isdir(PROCESSES) else group(child)  # noqa: PTH112 (see above)
        _reap(ended)  # after the walk, so that nothing that ended is left when it found nothing
        return process_ids

    told = child in ended
    end(left, grace_s)
    session_folders.remove(session_folders.of(child, environment))  # of a launcher that somebody killed
    if not told:
        code = ended[child] if child in ended else os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        _say(connection, f"{ENDED} {code}")


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, int(value), 0, 0, 0)


def _read(connection: int, size: int) -> bytes | None:
    """The request; None where the caller went before it was whole."""
    text = b""
    while len(text) < size:
        received = os.read(connection, size - len(text))
        if not received:
            return None
        text += received
    return text


def _say(connection: int, words: str) -> None:
    try:
        os.write(connection, f"{words}\n".encode())
    except OSError:  # the caller has gone
        return


def _become(command: list[bytes], environment: dict[bytes, bytes], connection: int) -> None:
    """Never returns: this process is the command, or ends."""
    try:
        supervisor = os.getppid()
        os.setsid()  # Ctrl-C at the terminal reaches only the caller, which ends the launch in order
        _prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
        if os.getppid() == supervisor:  # else it died in between
            for number in (signal.SIGPIPE, signal.SIGXFSZ):  # ignored by every Python, not by what it starts
                signal.signal(number, signal.SIG_DFL)
            os.execvpe(command[0], command, environment)  # noqa: S606 (a launcher is what is started)
    except (OSError, ValueError) as error:
        _say(connection, f"{FAILED} {getattr(error, 'strerror', None) or error}")
    finally:
        os._exit(127)


def _leave_streams() -> None:
    """Whoever reads the output of the launch meets its end when its processes have closed it."""
    os.chdir("/")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nothing, stream)
    if nothing > 2:
        os.close(nothing)


def _catch(numbers: frozenset[signal.Signals]) -> int:
    """A file descriptor from which the numbers of these signals are read. Those that are ignored stay so."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    for number in numbers:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, lambda _number, _frame: None)
    return reading


def _wait(child: int, ended: dict[int, int], connection: int, wakes: int) -> None:
    """Sleep until the child has ended, the caller has closed the connection or was killed, or a signal asks for it."""
    poll = select.poll()
    for descriptor in (connection, wakes):
        poll.register(descriptor, select.POLLIN)
    _reap(ended)
    while child not in ended:
        ready = {descriptor for descriptor, _ in poll.poll()}
        numbers = os.read(wakes, 4096) if wakes in ready else b""
        _reap(ended)
        if connection in ready or not _ENDING.isdisjoint(numbers):
            return


def _reap(ended: dict[int, int]) -> None:
    """Collect the children that have ended, adopted orphans too, so that none stays a zombie: exit codes by id."""
    try:
        while (child_status := os.waitpid(-1, os.WNOHANG))[0] != 0:
            ended.setdefault(child_status[0], os.waitstatus_to_exitcode(child_status[1]))
    except ChildProcessError:
        return
