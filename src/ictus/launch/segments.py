"""Shared memory of MPI libraries: what a killed launch would leave, found while it lives and removed when it is dead.

A library makes a file in memory that the ranks of a host share, and removes it in MPI_Finalize, which killed ranks do
not reach. The files take memory until the machine is started again. MPICH builds the name from the process id of
mpiexec and the second in which it started, so that two launches can have one name (in containers process ids are
small and come again). The later one reads what the dead one wrote, and MPI_Init fails: "failed to unpack address".

Nobody but the process says which file is its own: the files are those that its memory holds. A file is removed if it
still is the one that was held, an ordinary file, and this user's.

Source: MPICH 5.0, posix_init.c (`mpich_shm_%x_%d`, the hash of the name of the job) and hydra's gen_kvsname.

A supervisor imports this file, as it does launch/tree.py: paths are texts here.
"""

import os
import stat
from collections.abc import Iterable

FOLDER = "/dev/shm"  # noqa: S108 (where libraries have them)
NAMES = ("mpich_shm_", "mpich_vci_", "sm_segment.", "vader_segment.")
"""How the names of files begin that MPICH and Open MPI make. A program may have others there that are to stay."""

Segment = tuple[str, int, int]
"""Name, device, number of the file."""


def held(pids: Iterable[int]) -> set[Segment]:
    """The segments that these processes have in their memory."""
    return {segment for pid in pids for line in _maps(pid) for segment in _segment(line)}


def remove(segments: Iterable[Segment]) -> None:
    """Remove those that nobody needs any more, because all processes that had them are dead."""
    for name, device, number in segments:
        path = f"{FOLDER}/{name}"
        try:
            status = os.lstat(path)
            same = (status.st_dev, status.st_ino) == (device, number)
            if same and stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid():
                os.unlink(path)  # noqa: PTH108
        except OSError:  # the library removed it
            continue


def _maps(pid: int) -> list[bytes]:
    try:
        with open(f"/proc/{pid}/maps", "rb") as file:  # noqa: PTH123
            return file.readlines()
    except OSError:  # it has ended, or is another user's
        return []


def _segment(line: bytes) -> list[Segment]:
    """Of one line of proc(5): `addresses rights offset major:minor number path`."""
    fields = line.rstrip(b"\n").split(None, 5)
    folder, _, name = os.fsdecode(fields[5]).rpartition("/") if len(fields) == 6 else ("", "", "")
    if folder != FOLDER or not name.startswith(NAMES):
        return []
    major, minor = fields[3].split(b":")
    return [(name, os.makedev(int(major, 16), int(minor, 16)), int(fields[4]))]
