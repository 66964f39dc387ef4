"""namespaces: the library's own mpiexec on two hosts made of namespaces of this machine for the launch.

Real processes over real TCP, whose `monotonic` clocks differ by a known step (launch/namespaces).
"""

from contextlib import AbstractContextManager

from ictus.launch.launchers.launcher import Dialect
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.namespaces.hosts import namespace_hosts
from ictus.model.job import Hosts, Job
from ictus.model.library import Installation

CLOCK = "monotonic"
"""The base clock that differs between such hosts."""


class Namespaces:
    """mpiexec on two hosts of its own."""

    name = "namespaces"
    summary = "mpiexec on two hosts made of network and time namespaces"
    shares_environment = False

    def hosts(self) -> AbstractContextManager[Hosts | None]:
        """Two hosts; the block may fail to begin with a MeasurementError."""
        return namespace_hosts()

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:
        """As mpiexec's, started on the first host."""
        return Mpiexec().tokens(job, installation, dialect)
