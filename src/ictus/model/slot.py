"""A launch slot: one line of schedule.json."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ictus.model.algorithm import DEFAULT
from ictus.model.library import check_label


@dataclass(frozen=True)
class Slot:
    """One launch of one library with `n` processes, decided before the first launch."""

    slot: int
    block: int
    """Each block holds every (library, n, algorithm) once."""
    mpi: str
    """Label of the library."""
    n: int
    seed: int
    cases: tuple[int, ...]
    """Case ids in the order in which this launch measures them."""
    algorithm: str = DEFAULT
    """Name of the library's variant."""
    nrep: tuple[int | None, ...] = ()
    """Valid repetitions of each case, in the same order, where a precision goal planned them; None, and where it is
    empty: what the case says."""

    @property
    def folder_name(self) -> str:
        """Name of its folder under launches/: `0003-mpich`."""
        return f"{self.slot:04d}-{self.mpi}"

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> "Slot":
        """A slot of schedule.json. Raises UsageError for a label that cannot be a part of its folder's name."""
        return Slot(
            slot=int(values["slot"]),
            block=int(values["block"]),
            mpi=check_label(str(values["mpi"])),
            n=int(values["n"]),
            seed=int(values["seed"]),
            cases=tuple(map(int, values["cases"])),
            algorithm=str(values.get("algorithm", DEFAULT)),
            nrep=tuple(None if count is None else int(count) for count in values.get("nrep", ())),
        )
