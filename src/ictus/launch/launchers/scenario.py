"""The world of simulated launches: how long a call takes, how it scatters, what fails."""

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, get_type_hints

import numpy as np
from numpy.typing import NDArray
from pydantic import TypeAdapter, ValidationError

from ictus.model.algorithm import Variant
from ictus.model.document import object_or_none
from ictus.model.environment import UNSET
from ictus.model.errors import UsageError
from ictus.model.spec import Number, Spec

FAULTS = (
    "fail",
    "usage",
    "timeout",
    "interrupt",
    "torn",
    "singletons",
    "misplaced",
    "missing",
    "contended",
    "unvalidated",
    "mode-change",
    "hang",
    "hang-unseen",
)
"""The faults of a launch; see `Scenario.faults`."""
VARIABLE = "SIMULATED_"
"""The prefix of the variable that forces an algorithm of a simulated library: `SIMULATED_BCAST`."""

COMPOSED = ("repeated", "sequence")
"""Operations that call others one after another."""


@dataclass(frozen=True)
class Scenario:
    """The world that the launches measure. Times in seconds."""

    KEYS: ClassVar[tuple[str, ...]]
    """The fields that a file may have: all but those that are functions."""

    startup_s: float = 1e-6
    """The time of a call that moves nothing."""
    bandwidth: float = 1e9
    """Bytes per second."""
    factors: Mapping[str, float] = field(default_factory=dict)
    """By label of the library: how much slower than 1 it is."""
    operation_factors: Mapping[str, float] = field(default_factory=dict)
    """By `OPERATION` or `OPERATION:SIZE`, of one library `LABEL:OPERATION`: how much slower than 1 its calls are."""
    process_factors: Mapping[str, float] = field(default_factory=dict)
    """By the number of processes: how much slower than 1 calls are."""
    mean_shares: Mapping[str, float] = field(default_factory=dict)
    """By the number of processes: the mean of the ranks' local times as a share of the longest."""
    layout_factors: Mapping[str, float] = field(default_factory=dict)
    """By the beginning of LAYOUT in full form: how much slower than 1 a call with it is."""
    procsync_factors: Mapping[str, float] = field(default_factory=dict)
    """What a process synchronisation does to a latency, by the beginning of `LABEL:PROCSYNC` or of PROCSYNC."""
    procsync_skews_s: Mapping[str, float] = field(default_factory=dict)
    """Start skew by the beginning of PROCSYNC; by default `start_skew_s`."""
    local_shares: Mapping[str, float] = field(default_factory=dict)
    """By the beginning of PROCSYNC: the longest local time as a share of the makespan; by default all of it."""
    algorithm_factors: Mapping[str, float] = field(default_factory=dict)
    """By `OPERATION=ALGORITHM`: how much slower than 1 that operation is when it is forced."""
    environment_factors: Mapping[str, float] = field(default_factory=dict)
    """By `NAME=VALUE` of the environment: how much slower than 1 all operations are where it is set."""
    heap_factors: Mapping[str, float] = field(default_factory=dict)
    """By `OPERATION:STATE:SIZE`, `OPERATION:STATE` or STATE of the heap: how much slower than 1 calls are in it."""
    page_faults: Mapping[str, float] = field(default_factory=dict)
    """Page faults of a call by `STATE:OPERATION` of the heap, or of one library `LABEL:STATE:OPERATION`, else 0;
    `STATE:malloc` of a block of 1 MiB. If there are any, they are counted.
    """
    ignores_algorithms: bool = False
    """Whether libraries ignore a forced algorithm."""
    campaign: int | None = None
    """The number of the campaign, which decides its state of the machine; None: its seed does."""
    campaign_spread: float = 0.0
    """Standard deviation of the logarithm of the factor of a state: one for each operation and size, the same for all
    libraries and launches of a campaign.
    """
    interaction_spread: float = 0.0
    """The same of the factor that a state has for one library alone."""
    launch_spread: float = 0.0
    """Standard deviation of the logarithm of the factor that all cases of a launch share."""
    case_spreads: Mapping[str, float] = field(default_factory=dict)
    """By `OPERATION` or `OPERATION:SIZE`: the same of a factor that each launch has for that case alone."""
    noise: float = 0.0
    """Standard deviation of the logarithm of the factor of each repetition."""
    launch_s: float = 0.0
    """The time of a launch without its repetitions."""
    late_share: float = 0.0
    """Share of repetitions that are late; they are topped up, as the core does."""
    late_shares: Mapping[str, float] = field(default_factory=dict)
    """By the beginning of `OPERATION:SIZE:PROCSYNC`; by default `late_share`."""
    long_share: float = 0.0
    """Share of repetitions that outlast their window."""
    start_skew_s: float = 50e-9
    """How far apart ranks start."""
    pipelining: float = 1.0
    """What a call takes inside a loop, relative to a call by itself."""
    barrier_s: float = 0.0
    """What a barrier inside the timing adds to each call."""
    clock_bound_s: float = 100e-9
    """The proven bound of the clocks."""
    faults: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """By slot: what goes wrong with its first try, its second, ...; tries behind the list go well."""
    modes: Sequence[Mapping[str, Any]] = ()
    """Modes of the machine: `share` of the launches, `line_round_trip_s`, and `factors` by label of the library."""
    cvars: Mapping[str, str] = field(default_factory=dict)
    """Control variables that each launch reports."""
    set_ups_s: Mapping[str, float] = field(default_factory=dict)
    """By the beginning of OPERATION in full form: what is made before its first call, seconds."""
    redirect_s: float = 0.0
    """What libictus-redirect.so adds to a call that it reroutes."""
    trace: Callable[[int, str, int], NDArray[np.float64]] | None = None
    """(slot, operation, repetitions) to a factor for each repetition: what happens in the course of a launch."""

    @staticmethod
    def from_json(text: str) -> "Scenario":
        """A scenario from an object with these fields; UsageError for unknown fields and faults, and values of another
        type.
        """
        values = object_or_none(text)
        if values is None:
            raise UsageError("scenario: no JSON object")
        foreign = set(values) - set(Scenario.KEYS)
        if foreign:
            raise UsageError(f"scenario: unknown field '{min(foreign)}'; known: {', '.join(Scenario.KEYS)}")
        values = {name: _typed(name, value) for name, value in values.items()}
        faults = {slot: tuple(tries) for slot, tries in values.get("faults", {}).items()}
        unknown = {fault for tries in faults.values() for fault in tries} - {*FAULTS, ""}
        if unknown:
            raise UsageError(f"scenario: unknown fault '{min(unknown)}'; known: {', '.join(FAULTS)}")
        return Scenario(**{**values, "faults": faults})

    def latency(self, label: str, moved_bytes: int) -> float:
        """The time of a call before any spread."""
        return self.factors.get(label, 1.0) * (self.startup_s + moved_bytes / self.bandwidth)

    def mode(self, chance: float) -> Mapping[str, Any]:
        """The mode at a place between 0 and 1 of their shares; without modes, one that changes nothing."""
        reached = 0.0
        for mode in self.modes:
            reached += mode["share"]
            if chance < reached:
                return mode
        return self.modes[-1] if self.modes else {}

    def call(self, label: str, operation: Spec, size_bytes: int, moved_bytes: int) -> float:
        """The same for an operation; a composed operation takes as long as all of its calls."""
        inner = [argument.value for argument in operation.arguments if isinstance(argument.value, Spec)]
        if operation.name in COMPOSED and inner:
            times = operation.argument("times")
            each = sum(self.call(label, spec, size_bytes, moved_bytes) for spec in inner)
            return each * (int(times.text) if isinstance(times, Number) else 1)
        names = (operation.name, f"{operation.name}:{size_bytes}")
        factors = [self.operation_factors.get(prefix + name, 1.0) for name in names for prefix in ("", f"{label}:")]
        return self.latency(label, moved_bytes) * float(np.prod(factors))

    def layout_factor(self, layout: str) -> float:
        """The factor of a layout in full form."""
        return float(np.prod([factor for name, factor in self.layout_factors.items() if layout.startswith(name)]))

    def factor(self, label: str, operation: str, procsync: str, variant: Variant) -> float:
        """The factor of process synchronisation and algorithm."""
        named = [f for name, f in self.procsync_factors.items() if f"{label}:{procsync}".startswith(name)]
        named += [f for name, f in self.procsync_factors.items() if procsync.startswith(name)]
        set_by = variant.setting.environment
        read = {name: value for name, value in set_by.items() if name.startswith(VARIABLE) and value != UNSET}
        settings_in_force = [f"{name.removeprefix(VARIABLE).lower()}={value}" for name, value in read.items()]
        forced = [] if self.ignores_algorithms else dict.fromkeys((*variant.name.split(","), *settings_in_force))
        factors = [
            f for name, f in self.algorithm_factors.items() if name in forced and name.startswith(f"{operation}=")
        ]
        settings = {f"{name}={value}" for name, value in variant.environment.items()}
        set_here = [f for text, f in self.environment_factors.items() if text in settings]
        return float(np.prod([*named[:1], *factors, *set_here]))

    def heap_factor(self, operation: str, state: str, size_bytes: int) -> float:
        """The factor of what becomes of freed memory."""
        names = (f"{operation}:{state}:{size_bytes}", f"{operation}:{state}", state)
        return next((self.heap_factors[name] for name in names if name in self.heap_factors), 1.0)

    def faults_of(self, label: str, state: str, operation: str) -> float:
        """Page faults of a call."""
        return self.page_faults.get(f"{label}:{state}:{operation}", self.page_faults.get(f"{state}:{operation}", 0.0))

    def state_factor(self, label: str, operation: str, size_bytes: int) -> float:
        """What the state of the machine in this campaign does to a case of a library."""
        shared = _normal(f"{self.campaign} {operation}:{size_bytes}")
        deviation = _normal(f"{self.campaign} {label}:{operation}:{size_bytes}")
        return float(np.exp(self.campaign_spread * shared + self.interaction_spread * deviation))

    def case_spread(self, operation: str, size_bytes: int) -> float:
        """How much launches differ for a case alone."""
        return self.case_spreads.get(f"{operation}:{size_bytes}", self.case_spreads.get(operation, 0.0))

    def skew_s(self, procsync: str) -> float:
        """How far apart ranks start."""
        return next((s for name, s in self.procsync_skews_s.items() if procsync.startswith(name)), self.start_skew_s)

    def local_share(self, procsync: str) -> float:
        """The longest local time as a share of the makespan."""
        return next((share for name, share in self.local_shares.items() if procsync.startswith(name)), 1.0)

    def late(self, operation: str, size_bytes: int, procsync: str) -> float:
        """Share of the repetitions of a case that are late."""
        case = f"{operation}:{size_bytes}:{procsync}"
        return next((share for name, share in self.late_shares.items() if case.startswith(name)), self.late_share)


@functools.lru_cache(maxsize=4096)  # each launch of a campaign asks for the same ones
def _normal(name: str) -> float:
    """A standard normal number, the same for the same name."""
    return float(np.random.default_rng(list(name.encode())).standard_normal())


Scenario.KEYS = tuple(field_of.name for field_of in fields(Scenario) if field_of.name != "trace")


_SHOWN = 80


def _typed(name: str, value: object) -> Any:
    """The value of a field; UsageError where it is of another type."""
    try:
        return TypeAdapter(get_type_hints(Scenario)[name]).validate_python(value)
    except ValidationError as error:
        detail = error.errors(include_url=False)[0]
        where = ".".join(map(str, (name, *detail["loc"])))
        value_text = repr(detail["input"])[:_SHOWN]
        expected = detail["msg"].replace("Input should be ", "")
        raise UsageError(f"scenario: '{where}' is {value_text}, expected {expected}") from error
