"""The job that a launcher starts, the hosts that it names where no batch system does, and the outcome of the job."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ictus.model.algorithm import Variant
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
    """Network interface that the hosts know each other by."""
    record: Mapping[str, Any]
    """Facts for launch.json."""

    def ranks_per_host(self, n_ranks: int) -> int:
        """Ranks on each host but the last, which may get fewer."""
        return -(-n_ranks // len(self.addresses))


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
    """Cores that this process may use; more ranks than that is an oversubscribed job."""
    hosts: Hosts | None = None
    """Hosts to start on; None leaves it to the launcher: the batch system's or this one."""
    platform: SimulatedPlatform | None = None
    """Where the ranks of a simulated library run; None for the usual platform."""
    variant: Variant = field(default_factory=Variant)
    """The library's own algorithms that are forced."""

    @property
    def oversubscribed(self) -> bool:
        """Whether there are more ranks than cores, so that the library must yield while it waits."""
        return self.n_ranks > self.n_cores


@dataclass(frozen=True)
class Outcome:
    """The outcome of a job. `exit_code` is None when a time-out or an interrupt killed it."""

    command: tuple[str, ...]
    environment: Mapping[str, str]
    exit_code: int | None
    elapsed_s: float
    timed_out: bool = False
    interrupted: bool = False
