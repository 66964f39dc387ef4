"""The process tree of a launch: its processes are found by a mark, by ancestry or by adoption, and ended.

A process group does not hold MPI ranks: hydra and PRRTE put them into separate sessions, and they outlive a killed
launcher by seconds. So a launch has a mark in its environment that every descendant inherits, and /proc is searched for
it.
"""

import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

GRACE_S = 3.0
"""Seconds between TERM and KILL, enough for a launcher to end ranks on other hosts."""

_POLL_S = 0.02
_KILL_S = 5.0


@dataclass(frozen=True)
class Tree:
    """The processes of one launch: those with `mark` in their environment, and orphans that we adopted during it."""

    mark: str
    """`NAME=value`, the value unique to the launch."""
    children_before: frozenset[int]
    """Children that this process had before the launch: never part of it."""

    def members(self) -> tuple[int, ...]:
        """Process ids of the launch that are alive now."""
        processes = _processes()
        marked = {pid for pid in processes if mark_of(pid, self._name) == self.mark}
        adopted = {
            pid for pid, process in processes.items() if self._is_adopted(pid, process) and not process.is_zombie
        }
        return tuple(sorted(_with_descendants(marked | adopted, processes)))

    def end(self, grace_s: float = GRACE_S) -> int:
        """End every member: TERM, a grace, KILL until none is left. Returns how many were alive at the start."""
        first = self.members()
        _signal(first, signal.SIGTERM)
        if not self._gone_within(grace_s):
            deadline = time.monotonic() + _KILL_S
            while (left := self.members()) and time.monotonic() < deadline:
                _signal(left, signal.SIGKILL)  # again and again: a member may fork between the walk and the signal
                self._gone_within(_POLL_S)
        return len(first)

    def reap(self) -> None:
        """Collect adopted orphans that have ended, so that no zombie is left. The launcher is waited for before."""
        for pid, process in _processes().items():
            if process.is_zombie and self._is_adopted(pid, process):
                with suppress(ChildProcessError):
                    os.waitpid(pid, os.WNOHANG)

    def _gone_within(self, seconds: float) -> bool:
        deadline = time.monotonic() + seconds
        while self.members():
            if time.monotonic() >= deadline:
                return False
            time.sleep(_POLL_S)
        return True

    @property
    def _name(self) -> str:
        return self.mark.partition("=")[0]

    def _is_adopted(self, pid: int, process: "_Process") -> bool:
        """Ours by adoption: an unmarked child that we did not have before, in a session that is not ours."""
        if process.parent != os.getpid() or pid in self.children_before or process.session == os.getsid(0):
            return False
        return mark_of(pid, self._name) is None  # one with another mark is another thread's launch


def children() -> frozenset[int]:
    """Process ids of the children that this process has now."""
    own = os.getpid()
    return frozenset(pid for pid, process in _processes().items() if process.parent == own)


@dataclass(frozen=True)
class _Process:
    parent: int
    session: int
    is_zombie: bool


def _processes() -> dict[int, _Process]:
    """Everything alive, from /proc/PID/stat; processes that end during the walk are left out."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, ValueError, IndexError):
                found[int(entry.name)] = _parse_stat((entry / "stat").read_text(errors="replace"))
    return found


def _parse_stat(text: str) -> _Process:
    """Fields after the command, which is in parentheses and may itself hold blanks and parentheses (proc(5))."""
    state, parent, _group, session = text[text.rindex(")") + 1 :].split()[:4]
    return _Process(int(parent), int(session), is_zombie=state in "ZX")


def mark_of(pid: int, name: str) -> str | None:
    """The `NAME=value` that a process inherited under this name."""
    try:
        words = Path("/proc", str(pid), "environ").read_bytes().split(b"\0")
    except OSError:  # ended meanwhile, or another user's
        return None
    return next((word.decode(errors="replace") for word in words if word.startswith(f"{name}=".encode())), None)


def _with_descendants(roots: set[int], processes: dict[int, _Process]) -> set[int]:
    members = set(roots)
    grown = True
    while grown:
        more = {pid for pid, process in processes.items() if process.parent in members and not process.is_zombie}
        grown = not more <= members
        members |= more
    return members


def _signal(pids: tuple[int, ...], number: signal.Signals) -> None:
    for pid in pids:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
