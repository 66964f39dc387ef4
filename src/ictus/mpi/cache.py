"""The folders of the user, not of a campaign: settings, what the user has named, and the cache of builds. A lock gives
one process at a time exclusive access to an entry of the cache.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ictus.model.errors import MeasurementError


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
    place = next(one for one in (folder, *folder.parents) if one.exists())
    if not os.statvfs(place).f_flag & os.ST_NOEXEC:
        return None
    mount = next(one for one in (place, *place.parents) if one.is_mount())
    return (
        f"no program can run in {folder}: its file system is mounted noexec at {mount}; "
        f"set {variable} to a folder on another one"
    )


def check_cache_runs() -> None:
    """MeasurementError where what is built into the cache cannot run."""
    why = noexec_reason(cache_folder(), "ICTUS_CACHE")
    if why is not None:
        raise MeasurementError(f"the cache: {why}")


def _folder(own: str, base: str, default: str) -> Path:
    if os.environ.get(own):
        return Path(os.environ[own]).expanduser().resolve()
    root = os.environ.get(base, "")
    return (Path(root) if Path(root).is_absolute() else Path.home() / default) / "ictus"


@contextmanager
def exclusive_access(place: Path) -> Iterator[None]:
    """Alone with `place`, whatever other processes of this machine do. Its parent folder is made.

    Raises:
        MeasurementError: the cache cannot be written to.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = place.with_name(f"{place.name}.lock").open("w")
        fcntl.flock(file, fcntl.LOCK_EX)
    except OSError as failure:  # network file systems may have no locks
        message = f"cannot write to {place.parent}: {failure.strerror or failure}; set ICTUS_CACHE to another folder"
        raise MeasurementError(message) from failure
    with file:
        yield
