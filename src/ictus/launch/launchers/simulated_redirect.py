"""Redirecting in simulated ranks, which heed a profile without the library: the lines of the profile, and redirect.json
with every key of redirect.md, as libictus-redirect.so writes it.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ictus.model.sample import FORMAT


@dataclass
class SimulatedReroute:
    """A line of a profile, with the cases that it made others: simulated ranks have no calls to count."""

    line: int
    operation: str
    n: int
    from_bytes: int
    to_bytes: int
    mockup: str
    calls: int = 0
    bytes: int = 0

    def holds(self, operation: str, n: int, moved_bytes: int) -> bool:
        """Whether it is for this call."""
        return (operation, n) == (self.operation, self.n) and self.from_bytes <= moved_bytes <= self.to_bytes

    def called(self, moved_bytes: int) -> str:
        """The operation that is called instead; counts the call."""
        self.calls, self.bytes = self.calls + 1, self.bytes + moved_bytes
        return self.mockup


def reroutes_of(profile: str | None) -> list[SimulatedReroute]:
    """Its lines that say what calls become."""
    lines = [] if profile is None else [line.split() for line in Path(profile).read_text("utf-8").splitlines()]
    return [
        SimulatedReroute(number, words[0], int(words[1]), int(words[2]), int(words[3]), words[4])
        for number, words in enumerate(lines, 1)
        if len(words) >= 5 and words[1].isdigit()
    ]


def redirect_document(lines: Sequence[SimulatedReroute], n_ranks: int) -> dict[str, Any]:
    """redirect.json (redirect.md)."""
    calls = sum(line.calls for line in lines)
    return {
        "format": FORMAT,
        "ictus": "simulated",
        "state": "finalised",
        "profile": "simulated",
        "measured_on": "",
        "library_version": "Simulated MPI 1.0",
        "n_ranks": n_ranks,
        "limit_bytes": 0,
        "scratch_bytes": 0,
        "calls": calls,
        "rerouted": calls,
        "operations": [],
        "reroutes": [asdict(reroute) for reroute in lines],
        "warnings": [],
    }
