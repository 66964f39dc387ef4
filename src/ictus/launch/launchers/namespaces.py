"""namespaces: the library's own mpiexec on two hosts made of namespaces of this machine for the launch.

Real processes over real TCP, whose `monotonic` clocks differ by a known step (launch/namespaces).
"""

from contextlib import AbstractContextManager

from ictus.launch.launchers.launcher import Dialect
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.namespaces.hosts import namespace_hosts
from ictus.launch.namespaces.probe import probe
from ictus.model.errors import MeasurementError, UsageError
from ictus.model.job import Hosts, Job
from ictus.model.library import Installation
from ictus.model.platform import base_clock
from ictus.model.spec import Spec

CLOCK = "monotonic"
"""The base clock that differs between such hosts."""


def check_clock(clock: Spec) -> None:
    """Check that `clock` distinguishes such hosts: `monotonic`, a clock on top of it, or one that is skewed on every
    host. Raises UsageError.
    """
    if base_clock(clock) != CLOCK and clock.name != "skewed":
        raise UsageError(
            f"clock '{clock}' reads the same on all hosts made of namespaces, for they share the machine's counter and "
            f"its time of day: only CLOCK_MONOTONIC is set apart; use --clock {CLOCK}, or a skewed one"
        )


class Namespaces:
    """mpiexec on two hosts of its own."""

    name = "namespaces"
    summary = "mpiexec on two hosts made of network and time namespaces"
    shares_environment = False

    def check_usable(self, clock: Spec) -> None:
        """UsageError for a clock that reads the same on all such hosts, MeasurementError where none can be made here
        (tried by making two).
        """
        check_clock(clock)
        reason = probe()
        if reason is not None:
            raise MeasurementError(f"no hosts can be made of namespaces here: {reason}")

    def plugins(self) -> tuple[str, ...]:
        """None: there is one way."""
        return ()

    def hosts(self) -> AbstractContextManager[Hosts | None]:
        """Two hosts; the block may fail to begin with a MeasurementError."""
        return namespace_hosts()

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:
        """As mpiexec's, started on the first host."""
        return Mpiexec().tokens(job, installation, dialect)
