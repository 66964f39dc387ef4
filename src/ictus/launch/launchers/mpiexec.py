"""mpiexec: the library's own launcher, with the library's own options."""

from contextlib import AbstractContextManager, nullcontext

from ictus.launch.launchers.launcher import Dialect
from ictus.model.job import Hosts, Job
from ictus.model.library import Installation
from ictus.model.spec import Spec


class Mpiexec:
    """The installation's own launcher. One of another library would start single processes."""

    name = "mpiexec"
    summary = "the library's own mpiexec"
    shares_environment = False

    def check_usable(self, clock: Spec) -> None:
        """Every clock is; what is missing shows in the launch."""

    def plugins(self) -> tuple[str, ...]:
        """None: there is one way."""
        return ()

    def hosts(self) -> AbstractContextManager[Hosts | None]:
        """None: it starts on this host and on those that the batch system gave."""
        return nullcontext()

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:
        """Launcher, placement, exported variables, program; on the first of the hosts where they are named."""
        entry = () if job.hosts is None else job.hosts.entry
        return (*entry, str(installation.launcher), *dialect.placement, *dialect.exports, *job.program)
