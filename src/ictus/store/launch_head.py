"""launch.json of format 2, typed: what a launch records that does not grow with ranks, blocks or cases. A missing value
is unknown.
"""

import re
from collections.abc import Sequence
from math import nan
from statistics import median
from typing import Any, ClassVar

from pydantic import Field, field_validator

from ictus.model.document import Document, DocumentPart, Texts
from ictus.model.launch_arrays import ARRAYS, LAUNCH_FORMAT

_PLAIN = re.compile(r"(?!\.)[^/\0]+\.npy")


class MpiFacts(DocumentPart):
    """The library's facts about itself."""

    library_version: str = "unknown"
    standard: str = "unknown"
    thread_level: str = "unknown"
    wtime_is_global: bool | None = None


class CoreBuild(DocumentPart):
    """How the measuring core was built."""

    compiler: str = "unknown"
    flags: str = "unknown"
    build_type: str = "unknown"
    source_hash: str = "unknown"


class ClockFacts(DocumentPart):
    """The clock of each rank; frequency and costs are rank 0's."""

    spec: str = "unknown"
    frequency_hz: float | None = None
    frequency_source: str = "unknown"
    resolution_s: float | None = None
    """The shortest step seen."""
    reading_s: float | None = None
    """What one reading costs."""


class ClocksyncFacts(DocumentPart):
    """How clocks were synchronised."""

    spec: str = "unknown"
    synchronised: bool


class ContentionFacts(DocumentPart):
    """The share of the launch's CPU time that other processes took; None if unknown."""

    run_queue_share: float | None = None
    steal_share: float | None = None
    share: float | None = None
    oversubscribed: bool | None = None
    contended: bool | None


class RanksPerNode(DocumentPart):
    """The fewest and the most ranks of a node."""

    min: int
    max: int


class Extent(DocumentPart):
    """The smallest and the largest value of all ranks; None where none is known."""

    min: float | None = None
    max: float | None = None


class Probe(DocumentPart):
    """The state of the machine at one moment (native machine/probe.hpp)."""

    block: int
    """After this block; -1: before the first case."""
    elapsed_s: float | None = None
    line_round_trip_s: Extent = Extent()
    block_round_trip_s: Extent = Extent()
    multiplications_hz: Extent = Extent()
    copy_alone_bytes_per_s: Extent = Extent()
    copy_together_bytes_per_s: Extent = Extent()
    leader_round_trip_s: Extent = Extent()


class MachineState(DocumentPart):
    """What probes found in a launch. Two values decide its mode: the worst round trip between neighbouring ranks, and
    the speed of the slowest core; each is the median over the probes, NaN without any.
    """

    CHANGE: ClassVar = 1.5
    """The mode changed where one probe of a launch is this many times another: more than noise, less than two modes."""
    probes: tuple[Probe, ...] = ()

    @property
    def line_round_trip_s(self) -> float:
        """Seconds."""
        return _middle(self._lines)

    @property
    def multiplications_hz(self) -> float:
        """Dependent multiplications per second."""
        return _middle(self._speeds)

    @property
    def changed(self) -> bool:
        """Whether the mode changed between two probes."""
        return any(values and max(values) > self.CHANGE * min(values) for values in (self._lines, self._speeds))

    @property
    def mode_values(self) -> tuple[float, float]:
        """What decides the mode of the launch, its round trip and speed; NaN where the mode changed meanwhile."""
        return (nan, nan) if self.changed else (self.line_round_trip_s, self.multiplications_hz)

    @property
    def _lines(self) -> list[float]:
        return [probe.line_round_trip_s.max for probe in self.probes if probe.line_round_trip_s.max]

    @property
    def _speeds(self) -> list[float]:
        return [probe.multiplications_hz.min for probe in self.probes if probe.multiplications_hz.min]


def _middle(values: Sequence[float]) -> float:
    return median(values) if values else nan


class ArrayFile(DocumentPart):
    """An array beside launch.json."""

    file: str
    shape: tuple[int, ...]

    @field_validator("file")
    @classmethod
    def _inside(cls, file: str) -> str:
        if not _PLAIN.fullmatch(file):
            raise ValueError("expected the name of a .npy file in the launch's own folder")
        return file


class LaunchHead(Document):
    """launch.json of format 2."""

    FILE: ClassVar = "launch.json"
    SCHEMA: ClassVar = LAUNCH_FORMAT

    n_ranks: int
    seed: int
    started: str = "unknown"
    elapsed_s: float | None = None
    """Duration of the measurement."""
    imported: str | None = None
    """The program whose output the launch was read from; None where the core measured it."""
    mpi: MpiFacts = MpiFacts()
    core: CoreBuild = CoreBuild()
    clock: ClockFacts = ClockFacts()
    clocksync: ClocksyncFacts
    options: dict[str, Any] = Field(default_factory=dict)
    launcher: dict[str, Any] | None = None
    nodes: int
    ranks_per_node: RanksPerNode
    kinds: tuple[dict[str, Any], ...]
    """The distinct kinds of hosts: processor, caches, kernel, network."""
    heap: str = "unknown"
    """What becomes of freed memory: `kept`, `returned`, `mixed`, `unknown`."""
    machine: MachineState | None = None
    """What probes of the machine found; None in launches of earlier versions and of other programs."""
    environment: Texts = Field(default_factory=dict)
    contention: ContentionFacts
    warnings: tuple[str, ...] = ()
    arrays: dict[str, ArrayFile]

    @property
    def allocation_nodes(self) -> tuple[str, ...]:
        """The nodes of the allocation that it ran in; empty outside of one, or where they are not known."""
        allocation = (self.launcher or {}).get("allocation") or {}
        return tuple(map(str, allocation.get("nodes") or ()))

    @field_validator("arrays")
    @classmethod
    def _all_there(cls, arrays: dict[str, ArrayFile]) -> dict[str, ArrayFile]:
        missing = [name for name in ("samples", *ARRAYS) if name not in arrays]
        if missing:
            raise ValueError(f"expected the arrays {', '.join(('samples', *ARRAYS))}; {', '.join(missing)} not there")
        return arrays


class ListedLaunch(DocumentPart):
    """launch.json of format 1, which had its arrays in lists; their entries are checked when they become arrays."""

    n_ranks: int
    seed: int
    clocksync: ClocksyncFacts
    contention: ContentionFacts
    cases: list[dict[str, Any]]
    ranks: list[dict[str, Any]]
    blocks: list[dict[str, Any]] = Field(default_factory=list)
    hosts: list[dict[str, Any]] = Field(default_factory=list)
