"""The data of one case in one launch: all that a suite could reduce to its numbers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class RankSummaries:
    """Each rank's local durations over the repetitions, seconds a call; all of shape (ranks,)."""

    mean: FloatArray
    min: FloatArray
    max: FloatArray
    median: FloatArray


@dataclass(frozen=True)
class SuiteSamples:
    """The valid repetitions of one case in one launch. Times in seconds a call, on each rank's own clock.

    In the schemes of loops a repetition is a whole loop, and its time the loop's divided by its calls.
    """

    size_bytes: int
    calls: int
    """Calls in one repetition: 1 unless the scheme is a loop."""
    local_max: FloatArray
    """The slowest rank of each repetition, in the order measured, shape (repetitions,)."""
    root: FloatArray
    """Rank 0 of each repetition, shape (repetitions,)."""
    ranks: RankSummaries
    local: FloatArray | None
    """Every rank of every repetition, shape (ranks, repetitions); None where the launch kept no raw data."""
    resolution_s: float
    """The shortest step of the clock that was seen."""

    def __post_init__(self) -> None:
        """Refuse data that no method leaves: every lens may then rely on it."""
        times = [self.local_max, self.root, *vars(self.ranks).values(), *(() if self.local is None else (self.local,))]
        if self.local_max.size == 0 or self.local_max.shape != self.root.shape:
            raise ValueError(f"{self.local_max.size} repetitions of the slowest rank and {self.root.size} of the root")
        if self.local is not None and self.local.shape != (self.ranks.mean.size, self.local_max.size):
            raise ValueError(
                f"raw durations of shape {self.local.shape} for {self.ranks.mean.size} ranks and "
                f"{self.local_max.size} repetitions"
            )
        if not all(np.all(np.isfinite(array)) and np.all(array >= 0) for array in times):
            raise ValueError("a duration is negative or no number")
