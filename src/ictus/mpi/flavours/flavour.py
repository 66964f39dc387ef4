"""The interface of family flavour: all that differs between MPI libraries, and nothing else."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from ictus.model.algorithm import Algorithm, Offer, Setting
from ictus.model.hosts import Hosts
from ictus.model.installation import Installation
from ictus.model.told import Knob, Launched, Signature, Told


@dataclass(frozen=True)
class Simulation:
    """The platform that simulated ranks run on, ready to be used."""

    library: Path
    """What the simulator makes the platform with."""
    hostfile: Path
    """The host of each rank."""
    description: str
    """What the library is told."""
    reading_s: float
    """What reading a clock costs."""


@dataclass(frozen=True)
class Situation:
    """What a launch looks like to the library: the facts that decide which options it needs."""

    n_ranks: int
    oversubscribed: bool = False
    """More ranks than cores: ranks must yield while they wait, and cannot be pinned one per core."""
    pin: bool = True
    cores: tuple[int, ...] | None = None
    """The cores to pin to, named only when this process may not use all of the machine's: launchers ignore that limit
    and would pin to the machine's first cores."""
    one_host: bool = True
    """All ranks on this host."""
    as_root: bool = False
    hosts: Hosts | None = None
    """Hosts that are to be named to the launcher. Ranks are not pinned there: hosts made of namespaces share the
    machine's cores, and each would pin its first rank to the first core."""
    simulation: Simulation | None = None
    """The simulated platform of a simulated library."""

    @property
    def pinned(self) -> bool:
        """Whether each rank gets a core of its own."""
        return self.pin and not self.oversubscribed


@dataclass(frozen=True)
class Choice:
    """What a library says, through MPI_T, that a control variable may be set to."""

    description: str = ""
    items: tuple[tuple[int, str], ...] = ()
    """Value and name, where it has an enumeration."""


Refused = Callable[[tuple[str, ...]], str]
"""What a launch of one rank with these words for the launcher says, which is expected to be turned down."""


class Flavour(Protocol):
    """One family of MPI libraries, told apart by what its compiler wrapper says about itself.

    The variables of `run_environment` are defaults: what the user has set in the shell or in the plan wins, except
    where the flavour's launcher cannot work otherwise.
    """

    @property
    def name(self) -> str:
        """The word for it everywhere."""
        ...

    @property
    def summary(self) -> str:
        """One line for lists."""
        ...

    @property
    def wrapper_names(self) -> tuple[str, ...]:
        """Names of its C++ wrappers, the preferred first, without a distribution's suffix."""
        ...

    @property
    def launcher_names(self) -> tuple[str, ...]:
        """Names of its launchers, the preferred first, without a distribution's suffix."""
        ...

    @property
    def version_arguments(self) -> tuple[str, ...]:
        """Arguments that make the wrapper print its library's name and version."""
        ...

    @property
    def version_pattern(self) -> re.Pattern[str]:
        """Matches that output for this flavour alone; group 1 is the version."""
        ...

    @property
    def build_info_arguments(self) -> tuple[str, ...]:
        """Program beside the wrapper, with arguments, that prints how the library was built; may be empty."""
        ...

    @property
    def simulated(self) -> bool:
        """Whether ranks, network and time are simulated: nothing of this machine is measured, and the wrapper alone
        can compile.
        """
        ...

    def build_info(self, output: str) -> str:
        """The lines of that output that say which compiler and options the library was built with."""
        ...

    def compile_environment(self, installation: Installation) -> dict[str, str]:
        """Variables that the wrapper needs."""
        ...

    def run_environment(self, installation: Installation, situation: Situation) -> dict[str, str]:
        """Variables that launcher and ranks need in this situation."""
        ...

    def placement(self, installation: Installation, situation: Situation) -> tuple[str, ...]:
        """Launcher options: the number of ranks and where each runs."""
        ...

    def exports(self, variables: Mapping[str, str]) -> tuple[str, ...]:
        """Launcher options that hand `variables` to the ranks, on every host."""
        ...

    def algorithms(self, choices: Mapping[str, Choice], refused: Refused) -> Offer:
        """The algorithms that this installation has for its collectives, by operation. `choices` is what its control
        variables may be set to; `refused` asks a launcher that tells only those who ask for something wrong.
        """
        ...

    def use(self, forced: Mapping[str, Algorithm]) -> Setting:
        """What makes a launch use these algorithms, by operation, and proves afterwards that it did."""
        ...

    def told(self, call: Signature, launched: Launched) -> Told:
        """Which algorithm it took for a call in a launch."""
        ...

    def knobs(self, operation: str, cvars: Mapping[str, str], *, spread: bool) -> tuple[Knob, ...]:
        """Settings that may make an operation faster, of those that a launch with these variables has. `spread`:
        whether there are several packages of cores to place ranks on.
        """
        ...


def prefix(installation: Installation) -> str:
    """The folder that the installation lies in: two above the wrapper."""
    return str(installation.wrapper.parent.parent)


def lines_with(output: str, *names: str) -> str:
    """The lines `name: value` of `output` with these names, joined by `; `, blanks squeezed."""
    kept = (" ".join(line.split()) for line in output.splitlines() if line.strip().startswith(names))
    return "; ".join(kept) or "unknown"
