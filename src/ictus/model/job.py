"""The job that a launcher starts, the hosts that it names where no batch system does, and the outcome of the job."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ictus.model.algorithm import Variant
from ictus.model.errors import UsageError
from ictus.model.job_size import ANYWHERE
from ictus.model.platform import SimulatedPlatform


@dataclass(frozen=True)
class Hosts:
    """Hosts, and how a command is started on one of them. The ranks are spread in equal blocks, in this order."""

    addresses: tuple[str, ...]
    """What a launcher calls them by."""
    agent: str
    """Program that runs a command on a host, called as ssh is: `AGENT ADDRESS WORD...`."""
    entry: tuple[str, ...]
    """Words before a launcher's command that make it run on the first host."""
    interface: str
    """Network interface that the hosts know each other by; empty leaves it to the library."""
    record: Mapping[str, Any]
    """Facts for launch.json."""
    share_cores: bool = False
    """Whether they are one machine, so that ranks of several would be pinned to one core."""

    def ranks_per_host(self, n_ranks: int) -> int:
        """Ranks on each host but the last, which may get fewer."""
        return -(-n_ranks // len(self.addresses))

    def first(self, nodes: int) -> "Hosts":
        """The first of them, as many as a job asks for; all where it leaves that open. Raises UsageError."""
        if nodes > len(self.addresses):
            raise UsageError(f"--nodes {nodes}: there are {len(self.addresses)} hosts, {', '.join(self.addresses)}")
        return replace(self, addresses=self.addresses[: nodes or None])


@dataclass(frozen=True)
class Job:
    """One launch: `program` started `n_ranks` times by a launcher, output and error caught in `folder`."""

    n_ranks: int
    program: tuple[str, ...]
    folder: Path
    """Existing folder that receives stdout.txt and stderr.txt."""
    timeout_s: float
    environment: Mapping[str, str] = field(default_factory=dict)
    """Variables set for the ranks on top of the flavour's own and a cleaned environment."""
    pin: bool = True
    """One rank per core through the launcher's own options; ignored when oversubscribed."""
    launcher_options: tuple[str, ...] = ()
    """Further words for the launcher."""
    n_cores: int = 1
    """Cores of one node that ranks may use, the fewest of any; more ranks on it than that is an oversubscribed job."""
    n_cores_all: int = 0
    """Cores of all nodes that ranks may use; 0: there is one node."""
    nodes: int = ANYWHERE
    """Nodes to start on; 0 leaves it to the launcher."""
    ppn: int = ANYWHERE
    """Ranks on each."""
    map_by: str = "core"
    """What consecutive ranks take in turn: cores of one node, its sockets, or nodes."""
    plugin: str = ""
    """How the launcher introduces ranks to each other, by its own name. `mpiexec`: the library's own launcher starts
    them instead. Empty: as the site decided.
    """
    hosts: Hosts | None = None
    """Hosts to start on; None leaves it to the launcher: the batch system's or this one."""
    platform: SimulatedPlatform | None = None
    """Where the ranks of a simulated library run; None for the usual platform."""
    variant: Variant = field(default_factory=Variant)
    """The library's own algorithms that are forced."""
    is_written: Callable[[], bool] = lambda: False
    """Whether all results are on the disk: a job that does not end after that is ended, and its results count."""

    @property
    def oversubscribed(self) -> bool:
        """Whether a node has more ranks than cores, so that the library must yield while it waits."""
        if self.hosts is not None:
            each = self.ppn or self.hosts.ranks_per_host(self.n_ranks)
            return (self.n_ranks if self.hosts.share_cores else each) > self.n_cores
        return self.ppn > self.n_cores if self.ppn else self.n_ranks > max(self.n_cores, self.n_cores_all)


@dataclass(frozen=True)
class Outcome:
    """The outcome of a job. `exit_code` is None when a time-out or an interrupt killed it, or it was stuck or hung."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    exit_code: int | None
    elapsed_s: float
    timed_out: bool = False
    interrupted: bool = False
    stuck: bool = False
    """Whether it was said that the job ends, and its launcher did not, and was ended."""
    hung: bool = False
    """Whether all results were written, and the job did not end, and was ended."""
    steering: tuple[str, ...] = ()
    """Variables that steered the library, each with who set it: `OMPI_MCA_pml=ucx (shell)`."""
