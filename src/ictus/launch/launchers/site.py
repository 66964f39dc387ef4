"""Shared by the launchers of batch systems: the hosts are those of the allocation, and the launcher is a program of the
site.
"""

import os
import shutil
from contextlib import AbstractContextManager, nullcontext

from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Hosts, Job
from ictus.model.spec import Spec


class SiteLauncher:
    """A launcher inside an allocation. A member says its name, its summary, its program and its words."""

    name: str
    summary: str
    program: str
    """What is called."""
    allocation_variables: tuple[str, ...] = ()
    """Variables of the environment, of which one at least is set inside an allocation."""
    shares_environment = True

    def check_usable(self, clock: Spec) -> None:  # noqa: ARG002 (every clock is)
        """MeasurementError where the program is not here, or this is no allocation."""
        if shutil.which(self.program) is None:
            raise MeasurementError(f"launcher {self.name}: there is no program '{self.program}' here")
        if self.allocation_variables and not any(os.environ.get(variable) for variable in self.allocation_variables):
            raise MeasurementError(
                f"launcher {self.name}: this shell is in no allocation ({' and '.join(self.allocation_variables)} not "
                f"set); get one first, or let `ictus submit` do it"
            )

    def plugins(self) -> tuple[str, ...]:
        """None: there is one way."""
        return ()

    def hosts(self) -> AbstractContextManager[Hosts | None]:
        """None: it starts on those that the batch system gave."""
        return nullcontext()

    def check_words(self, job: Job, *, mappings: tuple[str, ...]) -> None:
        """UsageError for hosts, which are the allocation's business, and for an order of ranks that it has no words
        for.
        """
        if job.hosts is not None:
            raise UsageError(
                f"{self.name} starts on the hosts of its allocation; hosts can be named to the launcher mpiexec or ssh"
            )
        if job.map_by not in mappings:
            raise UsageError(f"--map-by '{job.map_by}': launcher {self.name} can do {', '.join(mappings)}")
