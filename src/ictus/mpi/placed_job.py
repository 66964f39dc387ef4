"""What every launch has in common, whoever starts it: its nodes, their cores, and the launcher's plug-in."""

from dataclasses import replace

from ictus.launch.launchers import named_hosts
from ictus.model.job import Job
from ictus.model.job_size import JobSize
from ictus.model.library import Installation
from ictus.mpi.machine import cores_of_nodes
from ictus.mpi.plugin import plugin_for


def placed_job(job: Job, installation: Installation, launcher: str, size: JobSize, map_by: str) -> Job:
    """The job with these nodes and this order of ranks. Raises MeasurementError where no plug-in of the launcher starts
    the library.
    """
    cores = cores_of_nodes()
    return replace(
        job,
        nodes=size.nodes,
        ppn=size.ppn,
        map_by=map_by,
        n_cores=min(cores),
        n_cores_all=sum(cores),
        plugin=plugin_for(installation, launcher),
    )


def ranks_of_node(size: JobSize, launcher: str) -> int:
    """The most ranks that a launch has on one node. Where that is left open, named hosts have equal shares, and nodes
    of an allocation are filled one after the other.
    """
    cores, hosts = cores_of_nodes(), named_hosts(launcher)
    if hosts:
        return size.ppn or -(-size.n // len(hosts))
    filled = size.n if len(cores) == 1 else min(size.n, max(cores))
    return size.ppn or (filled if size.n <= sum(cores) else -(-size.n // len(cores)))
