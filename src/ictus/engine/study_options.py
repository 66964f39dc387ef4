"""Where and how a study is measured: on this machine, on two hosts made of namespaces, or on a simulated platform."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ictus.launch.launchers.mpiexec import Mpiexec
from ictus.launch.launchers.namespaces import CLOCK, Namespaces
from ictus.model.errors import OptionError
from ictus.model.job_size import ANYWHERE, MAPPINGS, TWO, JobSize, one_placement
from ictus.model.platform import FAMILY as PLATFORMS, SimulatedPlatform, parse_platform, simulated_clock
from ictus.model.spec import parse_spec
from ictus.model.unknown import unknown

HERE = "here"
SKEWED_HOSTS = "skewed(scope=host)"
"""The clock of a simulation: each host's own, off by a known skew."""
CLOCK_DOMAINS = ("auto", "host", "rank")
"""The ranks that share a clock: those of a host where the host has one clock, those of a host in any case, or none. The
first is the default.
"""


@dataclass(frozen=True)
class StudyOptions:
    """Where and how a study is measured. `mpi` and `clock` are None for the default of the place."""

    platform: str = HERE
    """Where ranks run: a place, or a simulated platform."""
    mpi: str | None = None
    launcher: str = Mpiexec.name
    processes: tuple[int, ...] = TWO
    """Of each launch; they follow where both `nodes` and `ppn` are given."""
    nodes: int = ANYWHERE
    """Nodes that the processes are spread over evenly; 0 leaves it to the launcher."""
    ppn: int = ANYWHERE
    """Processes on each node."""
    map_by: str = MAPPINGS[0]
    """What consecutive processes take in turn."""
    hosts: Path | None = None
    """File of the hosts to start on, for launchers that take one."""
    clock: str | None = None
    clock_domain: str = CLOCK_DOMAINS[0]
    seed: int = 1
    timeout_s: float = 3600.0
    environment: Mapping[str, str] = field(default_factory=dict)
    pin: bool = True
    output: Path | None = None
    """The folder of the study."""

    @property
    def sizes(self) -> tuple[JobSize, ...]:
        """Of its launches. Raises OptionError for processes that cannot be spread evenly."""
        return one_placement(self.processes, self.nodes, self.ppn)

    def size_of(self, n: int) -> JobSize:
        """That of its launches with `n` processes; of others than were asked for the launcher decides."""
        return {size.n: size for size in self.sizes}.get(n, JobSize(n))


def check_real(options: StudyOptions, what: str) -> None:
    """UsageError for a simulated place; `what` needs a real one."""
    if platform_of(options.platform) is not None:
        raise OptionError(("platform", options.platform, f"{what}; use {HERE} or {Namespaces.name}"))


def check_launcher(options: StudyOptions) -> None:
    """UsageError for a launcher that does not belong to the place: places other than here bring their own."""
    if options.platform != HERE and options.launcher not in (Mpiexec.name, options.platform):
        reason = f"on platform '{options.platform}' ranks are started in its own way"
        raise OptionError(("launcher", options.launcher, reason))
    if options.platform == HERE and options.launcher == Namespaces.name:
        raise OptionError(("launcher", options.launcher, f"give platform {Namespaces.name} instead"))


def platform_of(on: str) -> SimulatedPlatform | None:
    """The simulated platform that is named, None for a real place."""
    if on in (HERE, Namespaces.name):
        return None
    name = parse_spec(on).name
    platforms = [HERE, Namespaces.name, *(member.name for member in PLATFORMS.members)]
    if name not in platforms:
        raise unknown(f"--platform '{on}'", name, platforms)
    return parse_platform(on)


def clock_of(options: StudyOptions) -> str:
    """The clock: on namespaces one that distinguishes hosts, in simulated time one with a skew."""
    if options.platform == HERE:
        return options.clock or "tsc"
    if options.platform == Namespaces.name:
        return options.clock or CLOCK
    return str(simulated_clock(parse_spec(options.clock or SKEWED_HOSTS)))
