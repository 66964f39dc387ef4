"""Family scheduler: one file for each batch system; the list below names all of them."""

from ictus.model.unknown import unknown
from ictus.submission.schedulers.flux import Flux
from ictus.submission.schedulers.lsf import Lsf
from ictus.submission.schedulers.pbs import Pbs
from ictus.submission.schedulers.scheduler import ENDED, QUEUED, RUNNING, JobRequest, Scheduler
from ictus.submission.schedulers.slurm import Slurm

__all__ = ["ENDED", "QUEUED", "RUNNING", "SCHEDULERS", "JobRequest", "Scheduler", "scheduler"]

SCHEDULERS: tuple[Scheduler, ...] = (Slurm(), Pbs(), Flux(), Lsf())


def scheduler(name: str) -> Scheduler:
    """The batch system of that name. Raises UsageError that lists the known ones."""
    names = [candidate.name for candidate in SCHEDULERS]
    if name not in names:
        raise unknown(f"scheduler '{name}'", name, names)
    return next(candidate for candidate in SCHEDULERS if candidate.name == name)
