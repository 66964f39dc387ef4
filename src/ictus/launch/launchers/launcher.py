"""The interface of family launcher: from a job to the words of a command line. A launcher starts nothing itself."""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from ictus.model.job import Hosts, Job
from ictus.model.library import Installation
from ictus.model.spec import Spec


@dataclass(frozen=True)
class Dialect:
    """The options of a library's own launcher for one job, from its flavour."""

    placement: tuple[str, ...] = ()
    """Options for the number of ranks and where each runs."""
    exports: tuple[str, ...] = ()
    """Options that hand variables to the ranks."""


class Launcher(Protocol):
    """A way to start ranks."""

    @property
    def name(self) -> str:
        """The word for it everywhere."""
        ...

    @property
    def summary(self) -> str:
        """One line for lists."""
        ...

    @property
    def shares_environment(self) -> bool:
        """Whether ranks have no other variables than the launcher itself: then it must have those for a loader too."""
        ...

    def check_usable(self, clock: Spec) -> None:
        """UsageError for a clock that tells nothing on its hosts, MeasurementError where this machine cannot make
        them, or where it cannot start anything from here.
        """
        ...

    def plugins(self) -> tuple[str, ...]:
        """The ways in which it can introduce ranks to each other, by its own names: which of them fits a library is
        found by trying (mpi/plugin.py). None where there is one way.
        """
        ...

    def hosts(self) -> AbstractContextManager[Hosts | None]:
        """Hosts that are there for one launch, as long as the block; None where they are there anyway."""
        ...

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:
        """The whole command: launcher, options, program and its arguments."""
        ...
