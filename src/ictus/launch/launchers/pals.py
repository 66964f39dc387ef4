"""pals: the mpiexec of HPE's PALS, inside an allocation of PBS. Source: mpiexec(1) of PALS. Not run by us."""

from ictus.launch.launchers.launcher import Dialect
from ictus.launch.launchers.site import SiteLauncher
from ictus.model.job import Job
from ictus.model.library import Installation


class Pals(SiteLauncher):
    """The mpiexec of the batch system, not of the library."""

    name = "pals"
    summary = "the mpiexec of PBS and PALS, inside an allocation"
    program = "mpiexec"
    allocation_variables = ("PBS_JOBID", "PBS_NODEFILE")

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:  # noqa: ARG002
        """Ranks, ranks on each node, binding. PALS hands the environment on."""
        self.check_words(job, mappings=("core",))
        where = ("--ppn", str(job.ppn)) if job.nodes else ()
        binding = "core" if job.pin and not job.oversubscribed else "none"
        words = (self.program, "-n", str(job.n_ranks), *where, "--cpu-bind", binding)
        return (*words, *job.launcher_options, *job.program)
