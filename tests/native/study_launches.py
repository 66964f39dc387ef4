"""Launches of `ictus-bench clocks`, and clocks whose skews are computed here a second time.

The clocks are skewed by seed, so what each shows at an instant of the counter that all share is known (clocks.md, the
affine part of `skewed`), and what a study tells is held against it.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.native.launching import Ended, start
from tests.native.trees import mpi_tree

from ictus.model.random import SplitMix64

SEED = 41
"""Gives ranks 1 and 2 drifts that lie 60 ppm and more from the root's."""
DRIFTING = f"skewed(base=monotonic,offset=2s,drift=50ppm,seed={SEED})"

Document = dict[str, Any]


@dataclass(frozen=True)
class Skew:
    """Offset and drift of one rank's clock."""

    offset_s: float
    drift: float

    def shows(self, true_s: float) -> float:
        """The clock's reading at a true time."""
        return true_s + self.offset_s + self.drift * true_s


def skew(rank: int) -> Skew:
    """What DRIFTING draws for a rank."""
    generator = SplitMix64(_mix(SEED) + rank)
    first, second = (2 * (generator.next_u64() >> 11) * 2.0**-53 - 1 for _ in range(2))
    return Skew(first * 2.0, second * 50e-6)


def _mix(number: int) -> int:
    """SplitMix64's finaliser alone."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        number = ((number ^ (number >> shift)) * factor) & (2**64 - 1)
    return number ^ (number >> 31)


def clocks(label: str, n_ranks: int, *words: str, folder: Path, topic: str = "clocks") -> Ended:
    """Launch `ictus-bench clocks ...`, or a study of another topic, of the test tree."""
    return start(label, n_ranks, mpi_tree(label).folder / "ictus-bench", topic, *words, folder=folder)


def document(label: str, n_ranks: int, *words: str, folder: Path, topic: str = "clocks") -> Document:
    """Launch, and read what it wrote."""
    path = folder / f"{topic}.json"
    ended = clocks(label, n_ranks, *words, "--output", str(path), folder=folder, topic=topic)
    assert ended.exit_code == 0, ended.error
    assert not ended.output
    loaded: Document = json.loads(path.read_text("utf-8"))
    return loaded
