"""jsrun: the launcher of IBM's Job Step Manager, inside an allocation of LSF. Each rank is a resource set of one core.
Source: jsrun(1). Not run by us.
"""

from ictus.launch.launchers.launcher import Dialect
from ictus.launch.launchers.site import SiteLauncher
from ictus.model.errors import UsageError
from ictus.model.job import Job
from ictus.model.library import Installation


class Jsrun(SiteLauncher):
    """LSF's launcher."""

    name = "jsrun"
    summary = "IBM's jsrun, inside an allocation of LSF"
    program = "jsrun"
    allocation_variables = ("LSB_JOBID",)

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:  # noqa: ARG002
        """Resource sets, how many on each host, their order, binding. jsrun hands the environment on. Raises
        UsageError for more ranks than cores, which are more than the resources of an allocation.
        """
        self.check_words(job, mappings=("core", "node"))
        if job.oversubscribed:
            n_cores = job.n_cores if job.ppn else max(job.n_cores, job.n_cores_all)
            raise UsageError(
                f"launcher {self.name}: {job.ppn or job.n_ranks} ranks on {n_cores} cores are more than jsrun has"
            )
        sets = ("--nrs", str(job.n_ranks), "--tasks_per_rs", "1", "--cpu_per_rs", "1")
        where = ("--rs_per_host", str(job.ppn)) if job.nodes else ()
        order = "cyclic" if job.map_by == "node" else "packed"
        binding = "packed:1" if job.pin else "none"
        words = (self.program, *sets, *where, "--launch_distribution", order, "--bind", binding)
        return (*words, *job.launcher_options, *job.program)
