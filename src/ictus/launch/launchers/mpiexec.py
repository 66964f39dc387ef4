"""mpiexec: the launcher that belongs to the library, in the library's own words."""

from ictus.launch.launchers.launcher import Dialect
from ictus.model.installation import Installation
from ictus.model.job import Job


class Mpiexec:
    """The installation's own launcher. One of another library would start so many single processes."""

    name = "mpiexec"
    summary = "the library's own mpiexec"

    def tokens(self, job: Job, installation: Installation, dialect: Dialect) -> tuple[str, ...]:
        """Launcher, placement, exported variables, program."""
        return (str(installation.launcher), *dialect.placement, *dialect.exports, *job.program)
