"""The processes of a launch: found by ancestry and by a mark, and ended.

A process group does not hold MPI ranks: hydra and PRRTE put them into separate sessions, and they outlive a killed
launcher by seconds. They stay descendants of the supervisor of their launch, whatever they do (launch/supervisor.py).
Ranks that a daemon of the batch system starts on this host are no descendants; they have the mark of the launch, a
variable of its environment that every process inherits.

A supervisor imports this file, and each import costs every launch a moment: paths are texts here.
"""

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from ictus.launch import segments, session_folders

GRACE_S = 3.0
"""Seconds between TERM and KILL, enough for a launcher to end ranks on other hosts."""

PROCESSES = "/proc"
"""Where the kernel has a folder for each process; not on every system."""

_POLL_S = 0.02
_KILL_S = 5.0


def members(mark: str, ancestor: int | None = None) -> tuple[int, ...]:
    """Process ids of a launch that are alive now: descendants of `ancestor`, and those with `mark` (`NAME=value`) in
    their environment with their descendants. Where the kernel does not tell, there are none.
    """
    name = mark.partition("=")[0]
    parents = _parents()
    marked = {pid for pid in parents if mark_of(pid, name) == mark}
    below = _with_descendants({ancestor} if ancestor is not None else set(), parents) - {ancestor}
    return tuple(sorted(_with_descendants(marked | below, parents)))


def group(leader: int) -> tuple[int, ...]:
    """The process group of `leader`, as kill(2) names it, while it has a process: all that can be found of a launch
    where the kernel tells nothing of other processes.
    """
    try:
        os.kill(-leader, 0)
    except OSError:
        return ()
    return (-leader,)


def end(find: Callable[[], tuple[int, ...]], grace_s: float = GRACE_S) -> None:
    """End what `find` finds: TERM, a grace, KILL until nothing is left; then remove what it shared, and the folders of
    its launchers (launch/segments.py, launch/session_folders.py).
    """
    first = find()
    shared, folders = segments.held(first), _session_folders(first)
    _signal(first, signal.SIGTERM)
    if not _gone_within(find, grace_s):
        deadline = time.monotonic() + _KILL_S
        while (left := find()) and time.monotonic() < deadline:
            shared |= segments.held(left)
            folders |= _session_folders(left)
            _signal(left, signal.SIGKILL)  # again and again: a member may fork between the walk and the signal
            _gone_within(find, _POLL_S)
    if (shared or folders) and not find():
        segments.remove(shared)
        session_folders.remove(folders)


def mark_of(pid: int, name: str) -> str | None:
    """The `NAME=value` that a process inherited under this name."""
    value = _environment(pid).get(name.encode())
    return None if value is None else f"{name}={value.decode(errors='replace')}"


def _session_folders(pids: tuple[int, ...]) -> set[str]:
    return {folder for pid in pids for folder in session_folders.of(pid, _environment(pid))}


def _environment(pid: int) -> dict[bytes, bytes]:
    """The variables that a process was started with."""
    words = reversed(_read(pid, "environ").split(b"\0"))  # getenv(3) takes the first of a name
    return {name: value for name, is_set, value in (word.partition(b"=") for word in words) if is_set}


def _gone_within(find: Callable[[], tuple[int, ...]], seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while find():
        if time.monotonic() >= deadline:
            return False
        time.sleep(_POLL_S)
    return True


def _parents() -> dict[int, int]:
    """The parent of everything alive; processes that end during the walk are left out, and those that ended before."""
    parents_by_pid = {}
    with suppress(OSError):
        for entry in filter(str.isdigit, os.listdir(PROCESSES)):  # noqa: PTH208 (see above)
            # After the command, which is in parentheses and may itself hold blanks and parentheses (proc(5)).
            fields = _read(int(entry), "stat").rpartition(b")")[2].split()
            if len(fields) > 1 and fields[0] not in (b"Z", b"X"):
                parents_by_pid[int(entry)] = int(fields[1])
    return parents_by_pid


def _read(pid: int, name: str) -> bytes:
    """A file of a process; empty where it has ended meanwhile, or is another user's."""
    try:
        with open(f"{PROCESSES}/{pid}/{name}", "rb") as file:  # noqa: PTH123 (see above)
            return file.read()
    except OSError:
        return b""


def _with_descendants(roots: set[int], parents: dict[int, int]) -> set[int]:
    descendants = set(roots)
    grown = True
    while grown:
        children = {pid for pid, parent in parents.items() if parent in descendants}
        grown = not children <= descendants
        descendants |= children
    return descendants


def _signal(pids: tuple[int, ...], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
