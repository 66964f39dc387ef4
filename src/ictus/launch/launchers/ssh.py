"""ssh: the library's own mpiexec on hosts that a file names, reached by ssh or what is called as ssh is.

    ictus run --launcher ssh --hosts hosts.txt

Hydra and Open MPI both start a daemon on each host by that program. Parameters: `ssh(agent=/path,interface=eth0)`.
"""

from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

from ictus.launch.launchers.launcher import Dialect
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.model.errors import UsageError
from ictus.model.job import Hosts, Job
from ictus.model.library import Installation
from ictus.model.spec import Spec


@dataclass(frozen=True)
class Ssh:
    """mpiexec on named hosts."""

    agent: str = "ssh"
    interface: str = ""
    addresses: tuple[str, ...] = ()
    """From the file; empty before it is read."""

    name = "ssh"
    summary = "the library's mpiexec on the hosts of --hosts FILE, by ssh"
    shares_environment = False

    def check_usable(self, clock: Spec) -> None:  # noqa: ARG002 (every clock is)
        """UsageError where no hosts are named."""
        if not self.addresses:
            raise UsageError("--launcher ssh: name the hosts in a file, one per line, with --hosts FILE")

    def plugins(self) -> tuple[str, ...]:
        """None: there is one way."""
        return ()

    def hosts(self) -> AbstractContextManager[Hosts | None]:
        """Those of the file."""
        record = {"made_of": "named", "names": list(self.addresses), "agent": self.agent}
        return nullcontext(Hosts(self.addresses, self.agent, (), self.interface, record))

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:
        """As mpiexec's."""
        return Mpiexec().tokens(job, installation, dialect)
