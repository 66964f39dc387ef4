"""A user's program, and how it is to be launched."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ictus.model.job_size import ANYWHERE, MAPPINGS, JobSize, check_order, one_placement


@dataclass(frozen=True)
class ProgramRequest:
    """The same for every command that launches a program."""

    words: Sequence[str]
    """The program, as a path or by its name in PATH, and its arguments."""
    mpi: str | None
    """The library that it was built with, by label, flavour or wrapper; None: the first that is found."""
    n: int
    """Number of processes."""
    environment: Mapping[str, str]
    """Variables of its ranks."""
    pin: bool
    """Whether ranks are placed on cores."""
    launcher: str
    timeout_s: float = math.inf
    """A launch that takes longer is ended."""
    nodes: int = ANYWHERE
    """Nodes to start on; 0 leaves it to the launcher."""
    ppn: int = ANYWHERE
    """Processes on each."""
    map_by: str = MAPPINGS[0]
    """What consecutive processes take in turn."""

    @property
    def size(self) -> JobSize:
        """Processes and nodes. Raises OptionError where they cannot be shared out equally."""
        (size,) = one_placement((self.n,), self.nodes, self.ppn)
        return size

    def agreed(self) -> "ProgramRequest":
        """With the processes and nodes that follow from each other. Raises UsageError."""
        check_order(self.map_by)
        size = self.size
        return replace(self, n=size.n, nodes=size.nodes, ppn=size.ppn)
