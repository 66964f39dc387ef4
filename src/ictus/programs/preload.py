"""The report of libictus-preload.so: preload.json and exits.npy (preload.md)."""

from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ictus.model.document import Document, DocumentPart
from ictus.model.errors import MeasurementError
from ictus.model.input_file import regular_file

REPORT = "preload.json"
EXITS = "exits.npy"

_FIELDS = ("communicator", "barrier", "rank", "flags", "exit", "skew", "clock_bound")


class ReplacedBarriers(DocumentPart):
    """The barriers of one communicator, or of several that are no longer distinguished."""

    name: str
    communicators: int
    n_ranks: int
    barriers: int
    """A barrier of all its processes counts once."""
    calls: int
    """Here once for each process."""
    missed: int
    """Calls that missed their deadline."""
    missed_share: float | None
    """Share of the calls; None without deadlines."""
    kept: int
    """Barriers in the log."""
    stride: int
    """One of this number of barriers is in the log."""


class PreloadReport(Document):
    """The report on a program's barriers."""

    FILE: ClassVar = REPORT

    state: str
    """`finalised`; else the program has not called MPI_Finalize (yet), and nothing is counted."""
    procsync: str
    library_version: str
    n_ranks: int
    barriers: int
    calls: int
    missed: int
    missed_share: float | None
    left_to_library: int
    """Calls that had no common start: between two groups, beyond MPI_COMM_WORLD, on too few processes."""
    communicators: tuple[ReplacedBarriers, ...]
    log: dict[str, Any] | None
    """The file of exits and how they were stamped; None without one."""
    warnings: tuple[str, ...]

    @property
    def finalised(self) -> bool:
        """Whether the program ended as MPI asks, so that its barriers are counted."""
        return self.state == "finalised"


def read_exits(folder: Path) -> NDArray[np.void]:
    """The log of a folder: structured records with the fields of preload.md, shape (exits,).

    Raises:
        MeasurementError: it is missing, torn, or no such log.
    """
    file = folder / EXITS
    try:
        with regular_file(file) as content:
            exits: NDArray[np.void] = np.load(content, allow_pickle=False)
    except OSError as error:
        raise MeasurementError(f"{file}: {error.strerror or error}") from error
    except ValueError as error:
        raise MeasurementError(f"{file} is torn or no log of exits: {error}") from error
    if exits.dtype.names != _FIELDS:
        raise MeasurementError(f"{file} is not a log of exits: its fields are {exits.dtype.names}")
    return exits
