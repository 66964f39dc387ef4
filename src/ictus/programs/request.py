"""A user's program, and how it is to be launched."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


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
