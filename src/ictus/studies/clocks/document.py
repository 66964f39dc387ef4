"""What all studies of the native core write and keep: the answer of a launch, under what it was measured, the document.

Times are in seconds. clocks.json is in record.py; other studies describe their conditions with the same keys.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from pydantic import field_validator, model_validator

from ictus.model.document import Document, DocumentPart, Integers
from ictus.model.written_rows import rows_of


class Places(DocumentPart):
    """For each rank: equal numbers mean the same place."""

    host: Integers


class RankFacts(DocumentPart):
    """One rank."""

    rank: int
    host: str
    node: str = ""
    cpus_allowed: str = ""


class HostFacts(DocumentPart):
    """One host."""

    host: str
    n_cpus: int | None = None


class StudyClock(DocumentPart):
    """The clock of all ranks."""

    spec: str
    frequency_source: str = "unknown"


class StudyMpi(DocumentPart):
    """The library, as it speaks of itself."""

    library_version: str = "unknown"
    thread_level: str = "unknown"


class Disturbance(DocumentPart):
    """Disturbances of the ranks' cores by other processes."""

    contended: bool | None = None
    share: float | None = None


class LaunchedLibrary(DocumentPart):
    """The library, as it was called when it was launched."""

    label: str = ""


class LauncherFacts(DocumentPart):
    """Who started the core."""

    library: LaunchedLibrary | None = None


@dataclass(frozen=True)
class StudySetting:
    """Under what a launch was measured."""

    n_ranks: int
    hosts: tuple[str, ...]
    """The name of each rank's host."""
    n_hosts: int
    """Counted by the memory that ranks share: two hosts may have one name."""
    n_nodes: int
    """The same, where the batch system does not say that a host is several nodes."""
    clock: str
    """The clock's spec in full form."""
    frequency_source: str
    simulated: bool
    library: str
    """The first line of the library's version."""
    label: str
    """What the library was called when it was launched; empty where the core was started by hand."""
    seed: int
    warnings: tuple[str, ...] = ()
    disturbed_share: float | None = None
    """Share of the ranks' time on their cores that others took, where that is so much that the launch counts as
    contended.
    """


class CoreAnswer(Document):
    """The part of a launch's answer that all studies of the core share."""

    FILE: ClassVar = "study.json"
    SCHEMA: ClassVar = 2

    study: str
    n_ranks: int
    seed: int
    simulated: bool
    started: str = "unknown"
    places: Places
    clock: StudyClock
    mpi: StudyMpi
    ranks: tuple[RankFacts, ...] | None = None
    hosts: tuple[HostFacts, ...] | None = None
    contention: Disturbance | None = None
    launcher: LauncherFacts | None = None
    warnings: tuple[str, ...] = ()

    @field_validator("ranks", "hosts", mode="before")
    @classmethod
    def _of_columns(cls, value: Any) -> Any:
        return rows_of(value)

    @model_validator(mode="after")
    def _a_place_for_each(self) -> "CoreAnswer":
        if len(self.places.host) < self.n_ranks:
            raise ValueError(f"{self.n_ranks} ranks, but places.host has {len(self.places.host)}")
        return self

    @property
    def setting(self) -> StudySetting:
        """Under what the launch was measured."""
        # All simulated ranks run on the simulator's own host: theirs have numbers only.
        named = {} if self.simulated else {facts.rank: facts for facts in self.ranks or ()}
        places = self.places.host[: self.n_ranks]
        nodes = {(host, named[rank].node if rank in named else "") for rank, host in enumerate(places)}
        library = None if self.launcher is None else self.launcher.library
        contention = self.contention
        return StudySetting(
            n_ranks=self.n_ranks,
            hosts=tuple(named[rank].host if rank in named else f"host{host}" for rank, host in enumerate(places)),
            n_hosts=len(set(places)),
            n_nodes=len(nodes),
            clock=self.clock.spec,
            frequency_source=self.clock.frequency_source,
            simulated=self.simulated,
            library=(self.mpi.library_version.splitlines() or ["unknown"])[0],
            label="" if library is None else library.label,
            seed=self.seed,
            warnings=self.warnings,
            disturbed_share=contention.share if contention is not None and contention.contended else None,
        )


D = TypeVar("D", bound="StudyDocument")


class StudyDocument(Document):
    """A study as its folder keeps it. A file may also be what one launch wrote: then it is the only one."""

    SCHEMA: ClassVar = 2

    study: str = "unknown"
    """The requested study: one of the core, or `pareto`."""
    created: str | None = None
    on: str = ""
    launches: tuple[CoreAnswer, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _of_one_launch(cls, values: Any) -> Any:
        alone = isinstance(values, Mapping) and "launches" not in values
        return {**values, "launches": [values]} if alone else values

    @property
    def began(self) -> str:
        """The start of the study, or of its first launch."""
        return self.created or (self.launches[0].started if self.launches else "unknown")

    @property
    def settings(self) -> tuple[StudySetting, ...]:
        """Under what each launch was measured."""
        return tuple(launch.setting for launch in self.launches)

    @property
    def document(self: D) -> D:  # noqa: PYI019 (Self needs Python 3.11)
        """What is kept: it itself, where a study has no other record."""
        return self
