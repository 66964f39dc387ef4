"""flux: the launcher of Flux, inside an instance. Source: flux-run(1), flux-shell(1). Not run by us."""

from ictus.launch.launchers.launcher import Dialect
from ictus.launch.launchers.site import SiteLauncher
from ictus.model.job import Job
from ictus.model.library import Installation


class FluxRun(SiteLauncher):
    """`flux run`."""

    name = "flux"
    summary = "flux run, inside a Flux instance"
    program = "flux"
    allocation_variables = ("FLUX_URI",)

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:  # noqa: ARG002
        """Tasks, nodes, order, binding. Flux hands the environment on."""
        self.check_words(job, mappings=("core", "node"))
        where = (f"--nodes={job.nodes}", f"--tasks-per-node={job.ppn}") if job.nodes else (f"--ntasks={job.n_ranks}",)
        order = ("--taskmap=cyclic",) if job.map_by == "node" else ()
        binding = "per-task" if job.pin and not job.oversubscribed else "off"
        words = (self.program, "run", *where, *order, "-o", f"cpu-affinity={binding}")
        return (*words, *job.launcher_options, *job.program)
