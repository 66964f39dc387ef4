"""Writes the journal: one synced line per event, with a lock that keeps a second process out of the folder."""

import errno
import fcntl
import json
import os
import socket
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from ictus.engine.folder_lock import FolderLock
from ictus.model.document import parsed
from ictus.model.errors import FolderLost, UsageError
from ictus.store import durable
from ictus.store.campaign import JOURNAL
from ictus.store.journal import JournalEntry, check_own, read_journal, sealed_line


class Journal:
    """journal.jsonl of a campaign folder, opened for one process alone; a context manager.

    A last line that a crash cut short is taken off. `entries` are all events so far, those appended here included.
    """

    def __init__(self, folder: Path) -> None:
        """Open and lock; UsageError when another process runs this campaign, MeasurementError for a damaged journal."""
        self._path = folder / JOURNAL
        check_own(self._path)
        flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
        self._descriptor = os.open(self._path, flags | os.O_NOFOLLOW, 0o666)  # nor a link put there since
        self._folder_lock: FolderLock | None = None
        try:
            self._lock()
            self._folder_lock = FolderLock(folder)
            text = read_journal(self._path)
            os.ftruncate(self._descriptor, text.sound_bytes)
        except BaseException:
            self._let_go()
            raise
        self._entries, self._last = list(text.entries), text.last

    @property
    def entries(self) -> tuple[JournalEntry, ...]:
        """All events, oldest first."""
        return tuple(self._entries)

    def append(self, event: str, fields: Mapping[str, Any]) -> None:
        """Write one event; it is on the disk on return. FolderLost where the file is no longer in its folder: nobody
        would read it.
        """
        if not self._is_there():
            raise FolderLost(self._path.parent)
        if self._folder_lock is not None:
            self._folder_lock.check()
        entry = {"time": datetime.now().astimezone().isoformat(timespec="milliseconds"), "event": event, **fields}
        line, seal = sealed_line(json.dumps(entry, ensure_ascii=False), self._last)
        size, last, n_entries = os.fstat(self._descriptor).st_size, self._last, len(self._entries)
        try:
            durable.append(self._descriptor, line)
            self._last = seal
            self._entries.append(parsed(JournalEntry, entry, str(self._path)))
        except BaseException:  # half a line on a full disk, or one that Ctrl-C left unknown here, would damage the next
            os.ftruncate(self._descriptor, size)
            self._last = last
            del self._entries[n_entries:]
            raise

    def start(self, *, resumed: bool) -> None:
        """Write the event `start` with the process that runs it, so that the message to a process that is locked out
        can name it.
        """
        self.append("start", {"resumed": resumed, "pid": os.getpid(), "host": socket.gethostname()})

    def __enter__(self) -> "Journal":  # noqa: PYI034 (Self needs Python 3.11)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._let_go()

    def _let_go(self) -> None:
        try:
            if self._folder_lock is not None:
                self._folder_lock.release()
        finally:
            os.close(self._descriptor)  # which lets the other lock go, as the end of the process does

    def _is_there(self) -> bool:
        try:
            return os.path.samestat(os.fstat(self._descriptor), self._path.stat())
        except FileNotFoundError:
            return False

    def _lock(self) -> None:
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in (errno.ENOSYS, errno.EOPNOTSUPP):
                return  # this file system has none, so nobody holds one; the lock of the folder holds on all
            if error.errno == errno.ENOLCK:  # it has locks and gives none now: another runner may hold one
                raise UsageError(
                    f"'{self._path.parent}' cannot be locked: its file system gives no lock now ({error.strerror}), by "
                    f"which two runs of one folder see each other; have the lock service of its NFS mount started, or "
                    f"give an -o on another file system"
                ) from error
            if not isinstance(error, BlockingIOError):
                raise
            starts = (entry for entry in reversed(read_journal(self._path).entries) if entry.event == "start")
            start = next(starts, JournalEntry(event="start"))
            raise UsageError(
                f"'{self._path.parent}' is in use by another ictus run (process {start.pid or 'unknown'} on "
                f"{start.host}); wait for it, or give another -o"
            ) from None
