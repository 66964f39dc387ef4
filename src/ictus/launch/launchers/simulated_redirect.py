"""What libictus-redirect.so would have done in a simulated launch, and written."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
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
        """What is called instead; counted."""
        self.calls, self.bytes = self.calls + 1, self.bytes + moved_bytes
        return self.mockup


def redirect_document(lines: Sequence[SimulatedReroute], n_ranks: int) -> dict[str, Any]:
    """redirect.json (docs/redirect.md)."""
    calls = sum(one.calls for one in lines)
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
        "reroutes": [asdict(one) for one in lines],
        "warnings": [],
    }
