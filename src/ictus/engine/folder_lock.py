"""The lock of a campaign folder: one runner at a time, whatever host it is on and whatever the file system does.

`flock` holds on one host; over NFS and other network file systems it may be missing, or hold on one host alone. So a
runner also owns the newest of the files `lock.1`, `lock.2`, ... in the folder. It makes a file of its own and links it
to the next number: of two runners one succeeds, also over NFS, where the number of links tells after a lost answer.
Numbers only grow and the newest file stays, so a runner that is late finds that it has lost. A thread renews the
content. Of a runner on another host, or in a container of its own, an unchanged file says that it is dead; where it has
our numbers of processes, the end of its process does. A file that does not say where its runner is, and any file where
the kernel does not say where we are, proves nothing: it is refused until the user removes it.
Source: open(2) on O_EXCL and NFS.
"""

import json
import os
import re
import socket
import threading
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ictus.launch.lease import RENEWED_S, TERM_S
from ictus.model.document import object_or_none
from ictus.model.errors import UsageError
from ictus.model.input_file import UnreadableFile, file_content

_NAME = re.compile(r"lock\.(\d+)")
_POLL_S = 1.0
_HELD: set[str] = set()
"""The tokens of this process: a file of its own that it did not give back, for the disk was full, is nobody's."""


class FolderLock:
    """A lock that is taken; `release` gives it back."""

    def __init__(
        self,
        folder: Path,
        *,
        term_s: float = TERM_S,
        renewed_s: float = RENEWED_S,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        """Take the lock, after as long as it takes to see that its last owner is gone. Raises UsageError where it is
        not.
        """
        self._folder, self._renewed_s = folder, renewed_s
        self._values: dict[str, Any] = {
            "host": socket.gethostname(),
            **_own_place(),
            "pid": os.getpid(),
            "began": _began(os.getpid()),
            "token": uuid.uuid4().hex,
            "renewals": 0,
        }
        self._path = self._take(term_s, wait)
        _HELD.add(self._values["token"])
        self._ended = threading.Event()
        self._renewer = threading.Thread(target=self._renew, daemon=True)
        self._renewer.start()

    def check(self) -> None:
        """UsageError where another runner has taken the folder meanwhile, as after a sleep of this host."""
        newest = _newest(self._folder)
        if newest is not None and newest != self._path and newest.name != self._path.name:
            raise UsageError(
                f"'{self._folder}' was taken over by {_owner(_read(newest))}; nothing more is written by this run"
            )

    def release(self) -> None:
        """Let the next runner have it at once."""
        _HELD.discard(self._values["token"])
        self._ended.set()
        self._renewer.join()
        with suppress(OSError):
            self._write({**self._values, "released": True})

    def _take(self, term_s: float, wait: Callable[[float], None]) -> Path:
        while True:
            newest = _newest(self._folder)
            if newest is not None:
                self._outlast(newest, term_s, wait)
            number = 1 if newest is None else _number(newest) + 1
            path = self._folder / f"lock.{number}"
            if self._link(path):
                for old in self._folder.glob("lock.*"):
                    if _NAME.fullmatch(old.name) and _number(old) < number:
                        old.unlink(missing_ok=True)
                return path

    def _link(self, path: Path) -> bool:
        """Whether this runner made the file. The answer of the call may be lost, that of the count of links is not."""
        own_file = self._folder / f".lock-{self._values['token']}"
        with own_file.open(
            "x"
        ) as file:  # on the disk: a loss of power would leave a lock that does not say whose it is
            file.write(json.dumps(self._values))
            file.flush()
            os.fsync(file.fileno())
        try:
            with suppress(FileExistsError):
                os.link(own_file, path)
            return own_file.stat().st_nlink == 2
        except OSError as error:
            if own_file.exists() and own_file.stat().st_nlink == 2:
                return True
            raise UsageError(
                f"'{self._folder}' cannot be locked: its file system made no hard link ({error.strerror}), by which "
                f"two runs of one folder see each other; give an -o on another file system"
            ) from error
        finally:
            own_file.unlink(missing_ok=True)

    def _outlast(self, path: Path, term_s: float, wait: Callable[[float], None]) -> None:
        """Return when the owner of the file is gone; UsageError where it is there, or nobody can tell."""
        first = _read(path)
        if first is None or first.get("released"):
            return
        if not all(_place_of(first).values()) or not all(_own_place().values()):
            raise UsageError(
                f"'{self._folder}' may be in use by {_owner(first)}: it is not known on which host and in which "
                f"container that is. Where no such run measures in the folder any more, remove {path}, and give the "
                f"command again"
            )
        alive = _is_alive(first)
        if alive is False:
            return
        deadline = time.monotonic() + term_s
        while alive is None and time.monotonic() < deadline:
            wait(min(_POLL_S, term_s / 4))
            current = _read(path)
            if current is None or current.get("released"):
                return
            if current != first:
                alive = True
        if alive:
            raise UsageError(f"'{self._folder}' is in use by {_owner(first)}; wait for it, or give another -o")

    def _renew(self) -> None:
        while not self._ended.wait(self._renewed_s):
            self._values["renewals"] += 1
            with suppress(OSError):
                self._write(self._values)

    def _write(self, values: dict[str, Any]) -> None:
        """In the place of the file, not over it: a reader never sees half of it."""
        if not self._path.exists():  # taken over
            return
        path = self._folder / f".lock-{self._values['token']}"
        path.write_text(json.dumps(values), "utf-8")
        path.replace(self._path)


def is_held(folder: Path) -> bool:
    """Whether a runner has the folder, as far as can be seen without waiting: one of another host that did not give it
    back counts.
    """
    newest = _newest(folder)
    values = None if newest is None else _read(newest)
    return values is not None and not values.get("released") and _is_alive(values) is not False


def _newest(folder: Path) -> Path | None:
    paths = [path for path in folder.glob("lock.*") if _NAME.fullmatch(path.name)]
    return max(paths, key=_number, default=None)


def _number(path: Path) -> int:
    return int(path.name.partition(".")[2])


def _read(path: Path) -> dict[str, Any] | None:
    """None where it is gone; what cannot be read is somebody's, who is not known."""
    try:
        return object_or_none(file_content(path)) or {}
    except UnreadableFile:
        return {} if os.path.lexists(path) else None


def _owner(values: dict[str, Any] | None) -> str:
    owner = values or {}
    return f"another ictus run (process {owner.get('pid', 'unknown')} on {owner.get('host', 'unknown')})"


def _is_alive(values: dict[str, Any]) -> bool | None:
    """Whether the owner is there; None where it may be on another host or count processes anew, as in a container, so
    that only time tells.
    """
    here = _own_place()
    if not all(here.values()) or _place_of(values) != here:
        return None
    pid = int(values.get("pid", 0))
    return values.get("began") == _began(pid) and (pid != os.getpid() or values.get("token") in _HELD)


def _own_place() -> dict[str, Any]:
    """Where this process is."""
    return {"boot": _boot(), "pids": _pid_namespace()}


def _place_of(values: dict[str, Any]) -> dict[str, Any]:
    """Where the owner of a lock is; None or empty for what its file does not say."""
    return {"boot": values.get("boot"), "pids": values.get("pids")}


def _boot() -> str:
    """What tells this host, since it was started, from all others; empty where the kernel does not say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return ""


def _pid_namespace() -> str:
    """What tells the numbers of our processes from those of other containers of this host; empty where the kernel does
    not say.
    """
    try:
        return str(Path("/proc/self/ns/pid").readlink())
    except OSError:
        return ""


def _began(pid: int) -> str | None:
    """When a process began, in ticks since the host did: another one may have its number later. None without one, and
    for one that ended and that its parent has not asked about yet (a zombie).
    """
    try:
        state, *others = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return None if state in "ZX" else others[18]
    except (OSError, ValueError, IndexError):
        return None
