"""The algorithms that a library offers for its collectives, and how a launch selects one.

    allreduce=ring,recursive_doubling      two variants of every library
    openmpi:barrier=tree,default           two variants of the library with that label only

Several such texts are crossed. `default` is the library's own choice. A variant is a factor of a launch; its name lists
the forced operations, `allreduce=ring,barrier=tree`, or is `default`.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ictus.model.environment import ENVIRONMENT
from ictus.model.errors import UsageError
from ictus.model.spec import operation_text, split_list
from ictus.model.unknown import unknown

DEFAULT = "default"
"""The library's own choice, as an algorithm and as a variant."""

COLLECTIVES = (
    "allgather",
    "allgatherv",
    "allreduce",
    "alltoall",
    "alltoallv",
    "alltoallw",
    "barrier",
    "bcast",
    "exscan",
    "gather",
    "gatherv",
    "reduce",
    "reduce_scatter",
    "reduce_scatter_block",
    "scan",
    "scatter",
    "scatterv",
)
"""The blocking collectives of MPI that libraries have algorithms for, in our spelling."""

_REQUEST = re.compile(r"(?:(?P<label>[^:=\s]+):)?(?P<operation>[^:=\s]+)=(?P<names>\S+)")
_NAME = re.compile(r"[A-Za-z0-9_.-]+")


@dataclass(frozen=True)
class Algorithm:
    """One algorithm that a library offers for an operation."""

    name: str
    number: int | None = None
    """Its number in the library, where it has one."""


Offer = Mapping[str, tuple[Algorithm, ...]]
"""The algorithms that a library offers, by operation in our spelling."""


@dataclass(frozen=True)
class Request:
    """One `--algorithm`: an operation with the algorithms to be tried, in every library or in that of one label."""

    operation: str
    names: tuple[str, ...]
    label: str | None = None

    def __str__(self) -> str:
        return f"{'' if self.label is None else f'{self.label}:'}{self.operation}={','.join(self.names)}"


@dataclass(frozen=True)
class Setting:
    """A setting that makes a launch use algorithms, and the evidence that it did."""

    environment: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    """Words for the launcher."""
    expected: Mapping[str, str] = field(default_factory=dict)
    """Control variables (MPI_T) as they must be found in the launch."""
    confirmed: tuple[str, ...] = ()
    """Patterns of lines by which the library says that it read the setting; each must be there."""
    refusals: tuple[str, ...] = ()
    """Patterns of the library's lines that refuse a setting; one such line is enough."""
    fallbacks: tuple[str, ...] = ()
    """Patterns of the line that it prints for each call for which it took another algorithm."""

    def overlaid(self, other: "Setting") -> "Setting":
        """This setting with another one over it. Its own evidence in the library's lines still counts, unless the other
        replaces one of its variables: then it is no longer in force.
        """
        replaced = self.environment.keys() & other.environment.keys()
        lines = Setting() if replaced else self
        return Setting(
            {**self.environment, **other.environment},
            (*self.options, *other.options),
            {**self.expected, **other.expected},
            tuple(dict.fromkeys((*lines.confirmed, *other.confirmed))),
            tuple(dict.fromkeys((*lines.refusals, *other.refusals))),
            tuple(dict.fromkeys((*lines.fallbacks, *other.fallbacks))),
        )


@dataclass(frozen=True)
class Variant:
    """One way in which a library is launched."""

    name: str = DEFAULT
    setting: Setting = Setting()
    factors: Mapping[str, str] = field(default_factory=dict)
    """The factors of launches that the plan crosses (model/launch_factor.py), with their values here."""

    @property
    def environment(self) -> dict[str, str]:
        """The variables among them."""
        variables = ((name, value) for name, value in self.factors.items() if name.startswith(ENVIRONMENT))
        return {name.removeprefix(ENVIRONMENT): value for name, value in variables}

    def record(self) -> dict[str, Any]:
        """As campaign.json and launch.json have it."""
        return {
            "name": self.name,
            "environment": {**self.setting.environment, **self.environment},
            "options": list(self.setting.options),
            "control_variables": dict(self.setting.expected),
            "factors": dict(self.factors),
        }


def parse_request(text: str) -> Request:
    """Parse `allreduce=ring,tree` or `openmpi:allreduce=ring`; UsageError says what is wrong."""
    matched = _REQUEST.fullmatch(text.strip())
    if matched is None:
        raise UsageError(f"algorithm '{text}': expected OPERATION=NAME,... as in 'allreduce=ring,default'")
    operation = operation_text(matched["operation"])
    if operation not in COLLECTIVES:
        raise unknown(f"operation '{matched['operation']}' of algorithm '{text}'", operation, COLLECTIVES)
    names = split_list(matched["names"])
    wrong = next((name for name in names if not _NAME.fullmatch(name)), None)
    if wrong is not None:
        raise UsageError(f"algorithm '{text}': '{wrong}' is not a name; `ictus list algorithms -m LIBRARY` has them")
    return Request(operation, tuple(dict.fromkeys(names)), matched["label"])


def requests_of(texts: Iterable[str]) -> tuple[Request, ...]:
    """All requests of a plan; UsageError where an operation occurs twice for one library."""
    requests = [parse_request(text) for text in texts]
    for a, b in itertools.combinations(requests, 2):
        if a.operation == b.operation and (a.label is None or b.label is None or a.label == b.label):
            raise UsageError(
                f"algorithm '{b}': {b.operation} is in '{a}' already; write one list, or name a library in each"
            )
    return tuple(requests)


def known_requests(requests: Iterable[Request], offers: Mapping[str, Offer]) -> tuple[Request, ...]:
    """The requests with every algorithm by its name, also where its number was given. `offers` by label of the library.

    Raises UsageError for a label that is not measured and for what a library does not offer.
    """
    by_name = []
    for request in requests:
        if request.label is not None and request.label not in offers:
            raise unknown(f"library '{request.label}' of algorithm '{request}'", request.label, offers)
        name_lists = [_named(request, label, offers[label]) for label in offers if request.label in (None, label)]
        if any(names != name_lists[0] for names in name_lists):
            raise UsageError(f"algorithm '{request}': its numbers mean other algorithms in every library; give names")
        by_name.append(Request(request.operation, name_lists[0], request.label))
    return tuple(by_name)


def _named(request: Request, label: str, offer: Offer) -> tuple[str, ...]:
    """The names that the request has in one library."""
    offered = offer.get(request.operation, ())
    if not offered:
        what = ", ".join(offer) or "nothing"
        raise UsageError(f"algorithm '{request}': {label} offers no choice for {request.operation}; it does for {what}")
    return tuple(dict.fromkeys(_chosen(request, label, offered, text) for text in request.names))


def _chosen(request: Request, label: str, offered: Sequence[Algorithm], text: str) -> str:
    algorithm = next((offer for offer in offered if text in (offer.name, str(offer.number))), None)
    if algorithm is not None or text == DEFAULT:
        return DEFAULT if algorithm is None else algorithm.name
    raise unknown(f"algorithm '{text}' for {request.operation} in {label}", text, (DEFAULT, *(o.name for o in offered)))


def choices(requests: Iterable[Request], label: str) -> tuple[Mapping[str, str], ...]:
    """The variants of one library: for each the forced operations with their algorithms. All combinations, in the order
    of the requests.
    """
    of_library = [request for request in requests if request.label in (None, label)]
    combined = itertools.product(*([(request.operation, name) for name in request.names] for request in of_library))
    forced = [{operation: name for operation, name in chosen if name != DEFAULT} for chosen in combined]
    return tuple({variant_name(names): names for names in forced}.values())


def variants_of(
    requests: Iterable[Request],
    offers: Mapping[str, Offer],
    uses: Mapping[str, Callable[[Mapping[str, Algorithm]], Setting]],
) -> dict[str, tuple[Variant, ...]]:
    """The variants of each library, by its label, from what it offers and from what makes it use an algorithm. Raises
    UsageError.
    """
    named = known_requests(requests, offers)
    return {
        label: tuple(
            Variant(variant_name(forced), uses[label](_algorithms(offer, forced))) for forced in choices(named, label)
        )
        for label, offer in offers.items()
    }


def _algorithms(offer: Offer, forced: Mapping[str, str]) -> dict[str, Algorithm]:
    by_name = {operation: {entry.name: entry for entry in offer[operation]} for operation in forced}
    return {operation: by_name[operation][name] for operation, name in forced.items()}


def variant_name(forced: Mapping[str, str]) -> str:
    """`allreduce=ring,barrier=tree`, operations in alphabetical order; `default` where nothing is forced."""
    return ",".join(f"{operation}={forced[operation]}" for operation in sorted(forced)) or DEFAULT


@dataclass(frozen=True)
class SelectedAlgorithm:
    """The algorithm that a library took for an operation, where it is known."""

    algorithm: str | None
    """None where the library does not say."""
    where: str
    """Where the answer comes from, or what would give it."""
    remark: str = ""
    """A further remark."""


@dataclass(frozen=True)
class CallSignature:
    """The properties by which a library chooses an algorithm. Sizes in bytes, as really moved."""

    operation: str
    """Its name alone: `gather`."""
    n: int
    total_bytes: int
    """Bytes of the largest buffer of one process."""
    block_bytes: int
    """Bytes of one process's share of it; without blocks the same."""
    count: int
    """Elements of a block."""
    one_host: bool = True
    built_in: bool = True
    """Whether its operator, where it has one, is MPI's own."""
    in_place: bool = False


@dataclass(frozen=True)
class LaunchEvidence:
    """Facts about a launch."""

    cvars: Mapping[str, str]
    """Its control variables."""
    environment: Mapping[str, str] = field(default_factory=dict)
    offer: Offer = field(default_factory=dict)
    """The algorithms that the library offers, where they are known."""
    wrapper: Path | None = None
    """The library's wrapper, whose folder may have more facts."""


@dataclass(frozen=True)
class Knob:
    """A setting that may make an operation faster."""

    name: str
    environment: Mapping[str, str] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    """Words for the launcher."""
    expected: Mapping[str, str] = field(default_factory=dict)
    """Control variables as they must be found in a launch with it."""
    algorithm: str | None = None
    """For segments: the library's algorithm that cuts messages this way."""
    segment_bytes: int = 0
    placement: bool = False
    """Whether it is about where ranks are."""

    @property
    def setting(self) -> Setting:
        """What it sets."""
        return Setting(self.environment, self.options, self.expected)


SEGMENTS = (4096, 32768)
"""Bytes that messages are cut into, where an algorithm does."""
STEPS = (4, 16)
"""Factors for the limit of eager messages."""

EAGER_BYTES = (4096, 65536)
"""Limits that are tried where the library does not say its own."""
