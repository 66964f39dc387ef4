"""Folders of Open MPI's launcher: those that a killed launcher would leave, found and removed when it is dead.

`mpirun` and its daemons make a folder `NAME.PID` where temporary files are, and remove it as they end. One that was
killed leaves it. Process ids come again, and the next launcher that has this one cannot make its files: it ends with
"The PMIx server's listener thread failed to start", which speaks of nothing that the user could find.

Source: PRRTE 3.0, session_dir.c (the name of the folder), and OpenPMIx 5.0, ptl_base_listener.c (a file of contacts
that is there already ends the start).

A supervisor imports this file, as it does launch/tree.py: paths are texts here.
"""

import os
import stat
from collections.abc import Callable, Iterable, Mapping

NAMES = ("ompi", "prterun", "prte", "prted")
"""What the folder is called before the process id: the program that was started."""
TEMPORARY = (b"TMPDIR", b"TEMP", b"TMP")
"""The variables that say where temporary files are, as the launcher reads them."""


def of(pid: int, environment: Mapping[bytes, bytes]) -> set[str]:
    """The folders that process `pid`, which has `environment`, would have if it were a launcher, and has."""
    base = os.fsdecode(next((environment[name] for name in TEMPORARY if environment.get(name)), b"/tmp"))
    return {folder for name in NAMES if _is_ours(folder := f"{base}/{name}.{pid}")}


def remove(folders: Iterable[str]) -> None:
    """Remove those that nobody needs any more, because their processes are dead. Links are not followed."""
    for top in folders:
        for folder, below, files in os.walk(top, topdown=False):
            for name in files:
                _try(os.unlink, f"{folder}/{name}")
            for name in below:
                path = f"{folder}/{name}"
                _try(os.unlink if os.path.islink(path) else os.rmdir, path)  # noqa: PTH114
        _try(os.rmdir, top)


def _is_ours(folder: str) -> bool:
    try:
        status = os.lstat(folder)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid()


def _try(removal: Callable[[str], None], path: str) -> None:
    try:
        removal(path)
    except OSError:  # the launcher removed it, or somebody may write there and we may not
        return
