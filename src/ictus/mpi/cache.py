"""The folders of the user, not of a campaign: settings, what the user has named, and the cache of builds. A lock gives
one process at a time exclusive access to an entry of the cache.
"""

import fcntl
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from ictus.model.errors import MeasurementError
from ictus.mpi.own_folder import SUMS, OwnFolder, seal


def config_folder() -> Path:
    """`$ICTUS_CONFIG`, else `$XDG_CONFIG_HOME/ictus`, else `~/.config/ictus`. It need not exist."""
    return _folder("ICTUS_CONFIG", "XDG_CONFIG_HOME", ".config")


def cache_folder() -> Path:
    """`$ICTUS_CACHE`, else `$XDG_CACHE_HOME/ictus`, else `~/.cache/ictus`. It need not exist."""
    return _folder("ICTUS_CACHE", "XDG_CACHE_HOME", ".cache")


def state_folder() -> Path:
    """`$ICTUS_STATE`, else `$XDG_STATE_HOME/ictus`, else `~/.local/state/ictus`. It need not exist."""
    return _folder("ICTUS_STATE", "XDG_STATE_HOME", ".local/state")


def noexec_reason(folder: Path, variable: str) -> str | None:
    """Why nothing in `folder` can run, and what to do; None where the mount of its file system lets programs run.
    `variable` names another folder instead.
    """
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    if not os.statvfs(existing).f_flag & os.ST_NOEXEC:
        return None
    mount = next(parent for parent in (existing, *existing.parents) if parent.is_mount())
    return (
        f"no program can run in {folder}: its file system is mounted noexec at {mount}; "
        f"set {variable} to a folder on another one"
    )


def check_cache_runs() -> None:
    """MeasurementError where what is built into the cache cannot run."""
    why = noexec_reason(cache_folder(), "ICTUS_CACHE")
    if why is not None:
        raise MeasurementError(f"the cache: {why}")


def _folder(variable: str, base: str, default: str) -> Path:
    if os.environ.get(variable):
        return Path(os.environ[variable]).expanduser().resolve()
    root = os.environ.get(base, "")
    return (Path(root) if Path(root).is_absolute() else Path.home() / default) / "ictus"


def cache() -> OwnFolder:
    """The cache as a folder of which no other user's files are run."""
    return OwnFolder(cache_folder(), "ICTUS_CACHE")


def state() -> OwnFolder:
    """The folder of what the user has named, in which no other user's files are believed."""
    return OwnFolder(state_folder(), "ICTUS_STATE")


_SEALED = ("builds", "operations", "platforms")
"""Folders of the cache whose entries are built by us and have checksums."""


def check_cached(words: Iterable[str]) -> None:
    """NotOurs where a word of a command names a file from the cache that is not what was built."""
    folder = cache()
    for path in map(Path, words):
        if any(path.is_relative_to(folder.root / sealed) for sealed in _SEALED):
            folder.checked(path)


def is_whole(entry: Path) -> bool:
    """Whether an entry of the cache is there, to its end. NotOurs."""
    return cache().holds(entry / SUMS)


def new_partial(entry: Path) -> Path:
    """A new folder beside the place of an entry, in which it is made."""
    partial = entry.with_name(f"{entry.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(mode=0o700)
    return partial


def put(partial: Path, entry: Path, *names: str) -> None:
    """Put an entry that is whole into its place; these files of it are run or believed."""
    seal(partial, *names)
    shutil.rmtree(entry, ignore_errors=True)
    partial.rename(entry)


@contextmanager
def exclusive_access(entry: Path) -> Iterator[None]:
    """Alone with `entry`, whatever other processes of this machine do. Its parent folder is made.

    Raises:
        MeasurementError: the cache cannot be written to.
    """
    folder = cache()
    try:
        if entry.is_relative_to(folder.root):
            folder.make(entry.parent)
        else:
            entry.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        file = os.fdopen(os.open(entry.with_name(f"{entry.name}.lock"), flags, 0o600), "r+")
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError as failure:  # network file systems may have no locks
        message = f"cannot write to {entry.parent}: {failure.strerror or failure}; set ICTUS_CACHE to another folder"
        raise MeasurementError(message) from failure
    with file:
        yield
