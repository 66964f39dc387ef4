"""Taking turns: two processes that need the same thing in the cache make it one after the other."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ictus.model.errors import MeasurementError


@contextmanager
def turn(place: Path) -> Iterator[None]:
    """Alone with `place`, whatever other processes of this machine do. Its parent folder is made.

    Raises:
        MeasurementError: the cache cannot be written to.
    """
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = place.with_name(f"{place.name}.lock").open("w")
    except OSError as failure:
        message = f"cannot write to {place.parent}: {failure.strerror or failure}; set ICTUS_CACHE to another folder"
        raise MeasurementError(message) from failure
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
