"""The lease of a launch: a file that says that its runner is there. Ranks end themselves where it is not renewed.

A runner that is killed can end nothing. Its launcher gets a signal from the kernel (launch/process.py), but ranks are
children of a proxy, on other hosts too. They look at the lease between cases (native/src/machine/lease.cpp), and the
kernel ends each one some time after its launch should have ended, also where it waits for ever in a call.

The file is renewed by its content: the clocks of hosts differ, and file systems keep times for a while.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from ictus.model.errors import MeasurementError

FILE = "lease.txt"
"""In the folder of a launch while it runs."""

RENEWED_S = 20.0
"""So often it is renewed: the only moments in which the runner wakes up during a launch."""
TERM_S = 6 * RENEWED_S
"""Unchanged for so long, it has lapsed."""
GRACE_S = 30.0
"""So long after the end of its time limit a rank ends itself: the runner would have ended it before."""


@dataclass
class Lease:
    """The lease of one launch; a runner that cannot write any more leaves it as it is."""

    path: Path
    limit_s: float
    """The time limit of the launch, with the grace; infinite for none."""
    renewals: int = 0

    def renew(self) -> None:
        """Write the next number. A file that cannot be written lapses: then nothing else could be written either.

        It is written over, never made again: no rank sees an empty one, and a folder that somebody removes at this
        moment stays removable. MeasurementError where it is gone: the launch would measure to its end for nothing.
        """
        with suppress(OSError):
            try:
                with self.path.open("r+b") as file:
                    file.write(self._next())
            except FileNotFoundError as error:
                raise MeasurementError(f"'{self.path}' was removed while the launch ran") from error

    def begin(self) -> None:
        """Make the file, with the first number."""
        with suppress(OSError):
            self.path.write_bytes(self._next())

    def _next(self) -> bytes:
        """A line that is never shorter than the one before it."""
        self.renewals += 1
        return f"{TERM_S:g} {self.limit_s:.9g} {self.renewals}\n".encode("ascii")


@contextmanager
def lease_in(folder: Path, timeout_s: float) -> Iterator[Lease]:
    """A lease in the folder of a launch, as long as the block."""
    lease = Lease(folder / FILE, timeout_s + GRACE_S if math.isfinite(timeout_s) else math.inf)
    lease.begin()
    try:
        yield lease
    finally:
        with suppress(OSError):
            lease.path.unlink()
