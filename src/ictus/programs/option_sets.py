"""The options that decide how a user's program is launched, declared once for all commands that launch one."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from ictus.launch.launchers import with_hosts
from ictus.model.job_size import ANYWHERE, MAPPINGS
from ictus.programs.request import ProgramRequest
from ictus.render.plan_options import (
    HostsFile,
    Library,
    Nodes,
    NoPin,
    Order,
    Ppn,
    Variables,
    environment,
    launcher_option,
    one_number,
)


@dataclass(frozen=True)
class RankOptions:
    """Whose processes, and how many."""

    mpi: Library = None
    n: Annotated[int, one_number("2")] = 2
    nodes: Nodes = None
    ppn: Ppn = None


@dataclass(frozen=True)
class StartOptions:
    """How they are started."""

    env: Variables = None
    no_pin: NoPin = None
    map_by: Order = None
    launcher: Annotated[str, launcher_option()] = "mpiexec"
    hosts: HostsFile = None

    def request(self, words: Sequence[str], ranks: RankOptions, timeout_s: float = math.inf) -> ProgramRequest:
        """The launch of the program `words`. UsageError for a variable that is not an assignment, and for processes
        that cannot be shared out equally.
        """
        return ProgramRequest(
            words,
            ranks.mpi,
            ranks.n,
            environment(self.env) or {},
            not self.no_pin,
            with_hosts(self.launcher, self.hosts),
            timeout_s,
            ranks.nodes or ANYWHERE,
            ranks.ppn or ANYWHERE,
            self.map_by or MAPPINGS[0],
        ).agreed()
