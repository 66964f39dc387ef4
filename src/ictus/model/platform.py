"""Platforms that SimGrid simulates: their hosts and the time that a message takes.

A message takes latency x (1 + E) + size / bandwidth, where E is exponential with mean `jitter`; one message of a
hundred takes `tail_factor` times the latency. Platforms are specs: `flat`, `two-level(ranks_per_host=8)`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ictus.model.errors import UsageError
from ictus.model.quantity import parse_duration, parse_size
from ictus.model.registries import Family, Member, Parameter, Registries
from ictus.model.spec import Argument, Number, Spec


def base_clock(spec: Spec) -> str:
    """The name of the clock below all skews; `skewed` where it does not say over which clock it is put."""
    below = next((argument.value for argument in spec.arguments if argument.key in ("base", None)), None)
    return base_clock(below) if spec.name == "skewed" and isinstance(below, Spec) else spec.name


SIMULATED_CLOCK = Spec("wtime")
"""The base clock where time is simulated: a counter of this machine would go on in real time."""

_REAL_CLOCKS = ("tsc",)
"""Clocks that no simulator governs."""


@dataclass(frozen=True)
class SimulatedPlatform:
    """A platform in full. Times in seconds, bandwidths in bytes per second."""

    name: str
    ranks_per_host: int
    """Ranks in consecutive blocks share a host, and with it memory."""
    latency_s: float
    """One way between two hosts of one switch."""
    bandwidth: int
    """Bytes per second of each link; messages that use a link at the same time share it."""
    local_latency_s: float
    """One way between two ranks of one host."""
    local_bandwidth: int
    jitter: float
    tail_share: float
    tail_factor: float
    asymmetry_s: float
    """By how much the way up is longer for hosts of odd number. It shifts what any ping-pong finds by half of that."""
    reading_s: float
    """What reading a clock costs."""
    seed: int
    hosts_per_switch: int = 0
    """Below one leaf switch of a fat tree; 0: there is one switch."""

    def n_hosts(self, n_ranks: int) -> int:
        """Hosts for this number of ranks."""
        return -(-n_ranks // self.ranks_per_host)

    def host_names(self, n_ranks: int) -> tuple[str, ...]:
        """The host of each rank."""
        return tuple(f"host{rank // self.ranks_per_host}" for rank in range(n_ranks))

    def description(self, n_ranks: int) -> str:
        """The text for the platform library (native/src/platform/platform.hpp)."""
        words: dict[str, object] = {
            "network": "fat-tree" if self.hosts_per_switch else "star",
            "hosts": self.n_hosts(n_ranks),
            "hosts_per_switch": max(self.hosts_per_switch, 1),
            "latency": self.latency_s,
            "bandwidth": self.bandwidth,
            "local_latency": self.local_latency_s,
            "local_bandwidth": self.local_bandwidth,
            "jitter": self.jitter,
            "tail_share": self.tail_share,
            "tail_factor": self.tail_factor,
            "asymmetry": self.asymmetry_s,
            "seed": self.seed,
        }
        return " ".join(f"{key}={value}" for key, value in words.items())


def parse_platform(text: str | Spec) -> SimulatedPlatform:
    """Parse a platform such as `flat(latency=2us)`. Raises UsageError with what is known or allowed."""
    full = _REGISTRIES.check("platform", text)
    texts = {argument.key or "": str(argument.value) for argument in full.arguments}
    values: dict[str, int | float] = {}
    for parameter in _REGISTRIES.family("platform").member(full.name).parameters:
        field = f"{parameter.name}_s" if parameter.type == "duration" else parameter.name
        values[field] = _READERS[parameter.type](texts[parameter.name])
    return SimulatedPlatform(name=full.name, **values)  # type: ignore[arg-type] # tested against the fields


def full_platform(text: str | Spec) -> Spec:
    """The platform in full form, with every parameter, for records."""
    return _REGISTRIES.check("platform", text)


def reseeded(platform: Spec, seed: int) -> Spec:
    """The platform in full form, on which messages take other times than with another seed."""
    full = full_platform(platform)
    arguments = tuple(argument for argument in full.arguments if argument.key != "seed")
    return full_platform(Spec(full.name, (*arguments, Argument("seed", Number(str(seed))))))


def simulated_clocks(clocks: Sequence[Spec | None]) -> tuple[Spec, ...]:
    """Each once; raises as `simulated_clock`."""
    return tuple(dict.fromkeys(map(simulated_clock, clocks)))


def simulated_clock(clock: Spec | None) -> Spec:
    """The clock on a simulated platform: None selects simulated time, which is also the default base of a skewed clock.

    Raises UsageError for a clock of real time.
    """
    if clock is None:
        return SIMULATED_CLOCK
    if base_clock(clock) in _REAL_CLOCKS:
        raise UsageError(
            f"clock '{clock}' reads real time, and a simulator has a time of its own; on a simulated platform use "
            f"--clock {SIMULATED_CLOCK} or monotonic"
        )
    if (
        clock.name != "skewed"
        or clock.argument("base") is not None
        or any(argument.key is None for argument in clock.arguments)
    ):
        return clock
    return Spec(clock.name, (Argument("base", SIMULATED_CLOCK), *clock.arguments))


_READERS: dict[str, Callable[[str], int | float]] = {
    "count": int,
    "real": float,
    "duration": parse_duration,
    "size": parse_size,
}


def _parameters(ranks_per_host: int, *parameters: Parameter) -> tuple[Parameter, ...]:
    def parameter(
        name: str, kind: str, default: str, about: str, *, minimum: float = 0, maximum: float = 1e6
    ) -> Parameter:
        return Parameter(name, kind, default, about, minimum=minimum, maximum=maximum)

    return (
        parameter("ranks_per_host", "count", str(ranks_per_host), "consecutive ranks that share a host", minimum=1),
        *parameters,
        parameter("latency", "duration", "1us", "one way between two hosts of one switch", minimum=1e-9, maximum=1),
        parameter("bandwidth", "size", "12Gi", "bytes per second of each link", minimum=1, maximum=2**50),
        parameter("local_latency", "duration", "300ns", "one way between ranks of one host", minimum=1e-9, maximum=1),
        parameter("local_bandwidth", "size", "16Gi", "bytes per second inside a host", minimum=1, maximum=2**50),
        parameter("jitter", "real", "0.3", "mean of the exponential part of a latency, in latencies"),
        parameter("tail_share", "real", "0.01", "share of messages that are late", maximum=1),
        parameter("tail_factor", "real", "20", "how many times as long those take", minimum=1),
        parameter("asymmetry", "duration", "0", "longer way up from every second host", maximum=1),
        parameter("reading", "duration", "0", "what reading a clock costs", maximum=1),
        parameter("seed", "count", "1", "decides what each message takes", maximum=2**53 - 1),
    )


FAMILY = Family(
    "platform",
    "what SimGrid simulates the ranks on",
    (
        Member("flat", "every rank a host, all at one switch", "", _parameters(1)),
        Member(
            "fat-tree",
            "hosts below leaf switches, twice the latency between two of those, as many ways up as hosts below",
            "",
            _parameters(1, Parameter("hosts_per_switch", "count", "16", "below a leaf switch", minimum=1, maximum=1e4)),
        ),
        Member("two-level", "hosts of many ranks that share memory, all at one switch", "", _parameters(16)),
    ),
)

_REGISTRIES = Registries({FAMILY.name: FAMILY}, {}, ())

DEFAULT_PLATFORM = Spec("flat")
