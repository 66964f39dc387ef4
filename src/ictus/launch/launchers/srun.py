"""srun: Slurm starts the ranks inside an allocation of the user.

The site chooses the MPI plug-in that fits the library (`SLURM_MPI_TYPE`, MpiDefault); Ictus does not guess it.
Variables go through the environment of srun, which passes it on (`--export=ALL`); `--export=NAME=VALUE` could not
express a value with commas.
"""

from contextlib import AbstractContextManager, nullcontext

from ictus.launch.launchers.launcher import Dialect
from ictus.model.errors import UsageError
from ictus.model.job import Hosts, Job
from ictus.model.library import Installation
from ictus.model.spec import Spec


class Srun:
    """Slurm's launcher."""

    name = "srun"
    summary = "Slurm's srun, inside an allocation"
    shares_environment = True

    def check_usable(self, clock: Spec) -> None:
        """Every clock is; what is missing shows in the launch."""

    def hosts(self) -> AbstractContextManager[Hosts | None]:
        """None: it starts on this host and on those that the batch system gave."""
        return nullcontext()

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:  # noqa: ARG002
        """One task a rank, bound to a core each unless unpinned or oversubscribed, ended whole when one fails.

        Raises:
            UsageError: hosts are named, which are the allocation's business.
        """
        if job.hosts is not None:
            raise UsageError("srun starts on the hosts of its allocation; hosts can be named to mpiexec")
        binding = "cores" if job.pin and not job.oversubscribed else "none"
        placement = (f"--ntasks={job.n_ranks}", "--cpus-per-task=1", f"--cpu-bind={binding}")
        leave = ("--overcommit",) if job.oversubscribed else ()
        return ("srun", *placement, *leave, "--kill-on-bad-exit=1", "--export=ALL", *job.launcher_options, *job.program)
