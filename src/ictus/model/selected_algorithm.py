"""What a library tells of its choice of algorithms, and settings of it that may be tried: as flavours say it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ictus.model.algorithm import Offer


@dataclass(frozen=True)
class SelectedAlgorithm:
    """Which algorithm a library took for an operation, as far as it can be known."""

    algorithm: str | None
    """None where it does not tell."""
    where: str
    """Where it was asked, or what would tell."""
    remark: str = ""
    """What is known besides."""


@dataclass(frozen=True)
class CallSignature:
    """What a library chooses by. Sizes in bytes, as they are really moved."""

    operation: str
    """Its name alone: `gather`."""
    n: int
    total_bytes: int
    """Of the largest buffer of one process."""
    block_bytes: int
    """Of one process's share of it; of an operation without blocks the same."""
    count: int
    """Elements of a block."""
    one_host: bool = True
    built_in: bool = True
    """Whether its operator, where it has one, is MPI's own."""
    in_place: bool = False


@dataclass(frozen=True)
class LaunchEvidence:
    """What is known of a launch."""

    cvars: Mapping[str, str]
    """Its control variables."""
    environment: Mapping[str, str] = field(default_factory=dict)
    offer: Offer = field(default_factory=dict)
    """The algorithms that the library has, where it was asked."""
    wrapper: Path | None = None
    """Of the library, in whose folder more may be found."""


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
    """Of segments: the library's algorithm that cuts messages so."""
    segment_bytes: int = 0
    placement: bool = False
    """Whether it is about where ranks are."""


SEGMENTS = (4096, 32768)
"""Bytes that messages are cut into, where an algorithm does."""
STEPS = (4, 16)
"""What a limit for eager messages is multiplied by."""
EAGER_BYTES = (4096, 65536)
"""Limits that are tried where the library does not say its own."""
