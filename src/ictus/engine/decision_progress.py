"""How far a campaign is that is measured until verdicts are known."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class DecisionProgress:
    """What is decided after a number of blocks."""

    goal: str
    launches: int
    """Launches of each library so far."""
    next_look: int
    """Launches at the next look."""
    decided: int
    """Comparisons that are decided."""
    comparisons: int
    left_s: float | None
    """Seconds left of the budget; None without one."""
    lines: tuple[Mapping[str, Any], ...]
    """About each comparison, for the journal."""
    at_look: bool

    def blocks_to_come(self) -> int:
        """Blocks until the next look; how many follow nobody knows."""
        return max(self.next_look - self.launches, 0)

    def expected_s(self, since_s: float) -> float | None:
        """Time until the end `since_s` after this: at most the budget; None without one."""
        return None if self.left_s is None else max(self.left_s - since_s, 0.0)

    def record(self) -> dict[str, Any]:
        """All of it, for the journal."""
        names = ("launches", "next_look", "decided", "comparisons", "left_s")
        return {**{name: getattr(self, name) for name in names}, "cases": list(self.lines)}
