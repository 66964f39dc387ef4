"""Page faults of calls, with freed memory kept and returned: which cases depend on the heap.

FOLDER/heap.json                      what was counted, for readers
FOLDER/faults/STATE/0000-mpich/       a launch that counted: page_faults.json of the core, and how it was started
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from ictus.model.document import Document, DocumentPart
from ictus.model.heap import KEPT, RETURNED
from ictus.model.launch_factor import without_heap

PAGE = 1.0
"""A case depends on the heap where its states differ by so many page faults a call, or more."""


class CaseFaults(DocumentPart):
    """Of a call: the median over calls, on the rank with the most."""

    case_id: int
    page_faults: float | None


class CoreFaults(Document):
    """page_faults.json, as the core writes it in one launch."""

    FILE: ClassVar = "page_faults.json"
    SCHEMA: ClassVar = 2

    calls: int
    block_faults: float | None
    """Of a block of 1 MiB that is taken from the C library, written and freed."""
    cases: tuple[CaseFaults, ...]


class LaunchFaults(DocumentPart):
    """One launch that counted."""

    mpi: str
    algorithm: str
    """The variant, without its heap."""
    n: int
    heap: str
    block_faults: float | None
    cases: tuple[CaseFaults, ...]


class HeapDocument(Document):
    """heap.json."""

    FILE: ClassVar = "heap.json"

    created: str = "unknown"
    calls: int
    launches: tuple[LaunchFaults, ...]


@dataclass(frozen=True)
class HeapEffect:
    """Page faults of one case in both states."""

    kept: float
    returned: float

    @property
    def matters(self) -> bool:
        """Whether the states differ by a page or more per call."""
        return abs(self.returned - self.kept) >= PAGE


Place = tuple[str, str, int]
"""Label, variant without its heap, case id."""


@dataclass(frozen=True)
class HeapEffects:
    """What the heap changes in a campaign."""

    by_case: Mapping[Place, HeapEffect]
    fixed: tuple[str, ...]
    """Labels of libraries in whose processes the C library's states change nothing: another allocator is there."""

    def of(self, mpi: str, variant: str, case_id: int) -> HeapEffect | None:
        """The effect on a case; None where it was not counted."""
        return self.by_case.get((mpi, without_heap(variant), case_id))


def heap_effects(folder: Path) -> HeapEffects | None:
    """What was counted in a campaign; None where nothing was. Raises MeasurementError, UsageError."""
    path = folder / HeapDocument.FILE
    if not path.is_file():
        return None
    document = HeapDocument.read(path)
    counted: dict[Place, dict[str, float]] = {}
    blocks: dict[str, dict[str, float]] = {}
    for launch in document.launches:
        if launch.block_faults is not None:
            blocks.setdefault(launch.mpi, {})[launch.heap] = launch.block_faults
        for case in launch.cases:
            if case.page_faults is not None:
                counted.setdefault((launch.mpi, launch.algorithm, case.case_id), {})[launch.heap] = case.page_faults
    both = {key: HeapEffect(faults[KEPT], faults[RETURNED]) for key, faults in counted.items() if _both(faults)}
    fixed = (mpi for mpi, faults in blocks.items() if _both(faults) and faults[RETURNED] - faults[KEPT] < PAGE)
    return HeapEffects(both, tuple(fixed))


def _both(faults: Mapping[str, Any]) -> bool:
    return faults.keys() >= {KEPT, RETURNED}
