"""Writes that survive a crash: a file exists as a whole or not at all, and a rename is on the disk when it returns.

All files that a campaign folder relies on are written here, so that tests can end the process at any step.
"""

import errno
import os
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Write a whole file: under a temporary name, synced, then renamed over whatever was there."""
    temporary = path.with_name(path.name + ".writing")
    temporary.unlink(missing_ok=True)  # a link that lies there is not followed
    with temporary.open("xb") as file:  # nor one that was put there since
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    rename(temporary, path)


def is_ours(folder: Path) -> bool:
    """Whether a folder belongs to this user: what only saves time is written nowhere else, even where root could."""
    try:
        return folder.stat().st_uid == os.geteuid()
    except OSError:
        return False


def append(descriptor: int, content: bytes) -> None:
    """Append to an open file, synced. A short write (full disk) is completed or raises OSError."""
    while content:
        content = content[os.write(descriptor, content) :]
    os.fsync(descriptor)


def append_line(path: Path, text: str) -> None:
    """Append a line to a file, which is made where it is not there."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o666)
    try:
        append(descriptor, f"{text}\n".encode())
    finally:
        os.close(descriptor)


def rename(path: Path, target: Path) -> None:
    """Rename within one file system; both folders are synced."""
    path.rename(target)
    sync_folder(target.parent)
    if path.parent != target.parent:
        sync_folder(path.parent)


def make_folder(path: Path, within: Path | None = None) -> None:
    """Make a folder and what leads to it; the entry is synced. FileNotFoundError where `within`, which is above it, is
    not there: a campaign that somebody removed is not made again; and then a link in the place of the folder is an
    OSError too.
    """
    if within is not None and not within.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(within))
    path.mkdir(parents=True, exist_ok=True)
    if within is not None and path.is_symlink():  # it would lead out of the campaign
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Wait until a file that another process wrote is on the disk."""
    _sync(path, os.O_RDONLY)


def sync_folder(path: Path) -> None:
    """Wait until the entries of a folder are on the disk."""
    _sync(path, os.O_RDONLY | os.O_DIRECTORY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
