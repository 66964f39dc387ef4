"""Starts the supervisor of a launch (launch/supervisor.py) and speaks with it."""

import fcntl
import marshal
import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ictus.launch.supervisor import ENDED, FAILED, STARTED
from ictus.launch.tree import GRACE_S, end, members
from ictus.model.errors import MeasurementError

_CODE = """import sys
for name, folder in {packages!r}:
    sys.modules[name] = type(sys)(name)
    sys.modules[name].__path__ = [folder]
from ictus.launch.supervisor import main
main({connection}, {request_bytes}, {caller})
"""
"""The packages are put there without what `ictus/__init__.py` imports."""

_LONGEST_S = 3600.0
"""poll(2) takes milliseconds as an int."""


class Supervisor:
    """The supervisor of one launch, which has the variable `mark` (`NAME=value`)."""

    exit_code: int | None = None
    """Of the command, negative for a signal; known after `end`. That of the supervisor where somebody killed it."""

    def __init__(self, command: tuple[str, ...], mark: str, grace_s: float = GRACE_S) -> None:
        self._command, self._mark, self._grace_s = command, mark, grace_s
        self._connection: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._heard = b""

    def start(
        self,
        environment: Mapping[str, str],
        folder: Path,
        streams: tuple[int | None, int | None, int | None],
    ) -> None:
        """Start the command with exactly `environment` in `folder`, its standard streams being these descriptors (None:
        those of this process).

        Raises:
            OSError: the supervisor cannot be started. Whether the command can be is known later.
            MeasurementError: nobody knows which Python runs this process.
        """
        if not sys.executable:
            raise MeasurementError("sys.executable is empty: set it to a Python interpreter, which Ictus needs")
        words = [os.fsencode(word) for word in self._command]
        variables = {os.fsencode(name): os.fsencode(value) for name, value in environment.items()}
        request = marshal.dumps((words, variables, self._mark, self._grace_s))
        self._connection, theirs = socket.socketpair()
        with theirs:  # its descriptor above the standard streams, which a program without a terminal may have closed
            connection = fcntl.fcntl(theirs, fcntl.F_DUPFD_CLOEXEC, 3)
        try:
            self._process = subprocess.Popen(
                _command(connection, len(request)),
                cwd=folder,
                stdin=streams[0],
                stdout=streams[1],
                stderr=streams[2],
                start_new_session=True,
                pass_fds=(connection,),
            )
        finally:
            os.close(connection)
        with suppress(BrokenPipeError, ConnectionResetError):  # then it has ended, which `end` says
            self._connection.sendall(request, getattr(socket, "MSG_NOSIGNAL", 0))

    def has_ended(self, timeout_s: float) -> bool:
        """Whether the command ended within `timeout_s`, which may be infinite. Sleeps in the kernel."""
        assert self._connection is not None
        deadline = time.monotonic() + timeout_s
        poll = select.poll()
        poll.register(self._connection, select.POLLIN)
        while self._report(ENDED) is None:
            left_s = max(deadline - time.monotonic(), 0.0)
            if poll.poll(1000 * min(left_s, _LONGEST_S)):
                received = self._connection.recv(4096)
                if not received:  # it was killed
                    return True
                self._heard += received
            elif left_s == 0.0:
                return False
        return True

    def end(self) -> None:
        """End what is left of the launch, and wait for that.

        Raises:
            MeasurementError: the command could not be started.
        """
        if self._connection is None:
            return
        with self._connection as connection:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_WR)
            if self._process is not None:
                self._process.wait()
                # Not until the end of what it said: another thread may have forked with a copy of its end.
                connection.setblocking(False)
            with suppress(BlockingIOError, ConnectionResetError):
                while received := connection.recv(4096):
                    self._heard += received
        self.exit_code = self._conclusion()

    def _conclusion(self) -> int | None:
        code, failure = self._report(ENDED), self._report(FAILED)
        if failure is not None:
            raise MeasurementError(f"cannot start {self._command[0]}: {failure}")
        if code is not None or self._process is None:
            return None if code is None else int(code)
        end(lambda: members(self._mark), self._grace_s)  # it was killed, so that nobody else does
        if self._report(STARTED) is None and self._process.returncode != 0:
            raise MeasurementError(
                f"cannot start {self._command[0]}: {sys.executable}, which is to start it and to end what it leaves, "
                f"ended with exit code {self._process.returncode}"
            )
        return self._process.returncode

    def _report(self, word: str) -> str | None:
        """What followed `word` in what the supervisor said; None where it has not said it."""
        lines = (line.partition(" ") for line in self._heard.decode(errors="replace").splitlines())
        return next((text for first, _, text in lines if first == word), None)


def _command(connection: int, request_bytes: int) -> tuple[str, ...]:
    launch = Path(__file__).parent
    packages = (("ictus", str(launch.parent)), ("ictus.launch", str(launch)))
    code = _CODE.format(packages=packages, connection=connection, request_bytes=request_bytes, caller=os.getpid())
    return (sys.executable, "-I", "-S", "-c", code)
