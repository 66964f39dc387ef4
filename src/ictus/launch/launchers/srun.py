"""srun: Slurm starts the ranks inside an allocation of the user.

Which of Slurm's plug-ins (`srun --mpi=list`) fits a library is found out by trying (mpi/plugin.py). Where none does,
the library's own launcher is tried, which starts on the allocation's nodes. A choice of the user in `SLURM_MPI_TYPE`
stays. Variables go through the environment of srun, which passes it on (`--export=ALL`);
`--export=NAME=VALUE` could not express a value with commas.
"""

import os
import re
import subprocess

from ictus.launch.launchers.launcher import Dialect
from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.launchers.site import SiteLauncher
from ictus.launch.slurm_steps import step_name
from ictus.model.job import Job
from ictus.model.library import Installation

_DISTRIBUTIONS = {"core": "block:block", "socket": "block:cyclic", "node": "cyclic:block"}
"""Of ranks over nodes, and over the sockets of a node."""
_LIST_TIMEOUT_S = 20.0


class Srun(SiteLauncher):
    """Slurm's launcher."""

    name = "srun"
    summary = "Slurm's srun, inside an allocation"
    program = "srun"
    allocation_variables = ("SLURM_JOB_ID", "SLURM_JOBID")

    def plugins(self) -> tuple[str, ...]:
        """Those that `srun --mpi=list` names, the richest first, and at last the library's own launcher; none where the
        user chose one.
        """
        if os.environ.get("SLURM_MPI_TYPE"):
            return ()
        try:
            words = (self.program, "--mpi=list")
            listed = subprocess.run(words, capture_output=True, text=True, timeout=_LIST_TIMEOUT_S, check=False)
        except (OSError, subprocess.TimeoutExpired):
            return ()
        plugins = plugins_in(listed.stdout + listed.stderr)
        return (*plugins, Mpiexec.name) if plugins else ()

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:  # noqa: ARG002
        """One task a rank, bound to a core each unless unpinned or oversubscribed, ended whole when one fails. Raises
        UsageError for named hosts.
        """
        self.check_words(job, mappings=tuple(_DISTRIBUTIONS))
        binding = "cores" if job.pin and not job.oversubscribed else "none"
        where = (f"--nodes={job.nodes}", f"--ntasks-per-node={job.ppn}") if job.nodes else ()
        order = (f"--distribution={_DISTRIBUTIONS[job.map_by]}",) if job.nodes or job.map_by != "core" else ()
        placement = (f"--ntasks={job.n_ranks}", *where, "--cpus-per-task=1", *order, f"--cpu-bind={binding}")
        leave = ("--overcommit",) if job.oversubscribed else ()
        plugin = (f"--mpi={job.plugin}",) if job.plugin else ()
        name = f"--job-name={step_name(job.folder.parent)}"  # of the step: the job has its own
        job_words = (name, "--kill-on-bad-exit=1", "--export=ALL", *job.launcher_options, *job.program)
        return (self.program, *placement, *leave, *plugin, *job_words)


_PREFERENCE = ("pmix", "cray_shasta", "pmi2", "none")
"""The order of trying. `pmix` is listed with its versions too (`pmix_v4`), which are the same plug-in."""


def plugins_in(listed: str) -> tuple[str, ...]:
    """The plug-ins that `srun --mpi=list` names, in the order of trying. Sources: srun(1); releases print them after
    `MPI plugin types are...`, in one line or below each other, with or without `srun: `.
    """
    words = re.findall(r"^(?:srun:)?[ \t]*([a-z][a-z0-9_]*)[ \t]*$", listed, re.MULTILINE)
    plugins = dict.fromkeys(word for word in words if not word.startswith("pmix_"))
    preferred = [plugin for plugin in _PREFERENCE if plugin in plugins]
    return (*preferred, *(plugin for plugin in plugins if plugin not in preferred))
