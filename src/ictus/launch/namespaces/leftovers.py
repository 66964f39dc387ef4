"""What is left when not only a run but its hosts were killed too: processes without a host, and a folder.

The machines end all that is theirs even when the run itself is killed. Only where somebody killed them as well is there
anything to do here, and it is done before hosts are made again.
"""

import os
import shutil
import signal
import tempfile
import time
from contextlib import suppress
from pathlib import Path

PREFIX = "ictus-hosts-"
"""Beginning of the name of the folder that hosts are described in."""

MARK = "ICTUS_HOSTS"
"""Variable that every process on the hosts inherits: that folder."""

_YOUNG_S = 60.0
"""A folder may be there for a moment before its machines are."""


def remove_leftovers(place: Path | None = None) -> tuple[int, ...]:
    """End processes of hosts that are gone and remove their folders from `place`, where temporary files go.

    Only folders of this user count. Returns the ids of the processes that were ended.
    """
    ended: list[int] = []
    for folder in (place or Path(tempfile.gettempdir())).glob(f"{PREFIX}*"):
        if _is_abandoned(folder):
            for pid in _with("environ", f"{MARK}={folder}".encode()):
                with suppress(OSError):
                    os.kill(pid, signal.SIGKILL)
                    ended.append(pid)
            shutil.rmtree(folder, ignore_errors=True)
    return tuple(ended)


def _is_abandoned(folder: Path) -> bool:
    """Whether the folder is ours, not just being filled, and its switch, which is called with its name, has ended."""
    try:
        facts = folder.lstat()
    except OSError:
        return False
    if facts.st_uid != os.geteuid() or time.time() - facts.st_mtime < _YOUNG_S:
        return False
    return not any(b"machine" in _words("cmdline", pid) for pid in _with("cmdline", str(folder).encode()))


def _with(file: str, text: bytes) -> tuple[int, ...]:
    """Ids of the processes that have `text` in /proc/PID/`file`."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return tuple(pid for pid in pids if pid != os.getpid() and text in _words(file, pid))


def _words(file: str, pid: int) -> bytes:
    try:
        return Path("/proc", str(pid), file).read_bytes()
    except OSError:  # ended meanwhile
        return b""
