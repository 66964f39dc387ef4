"""The time budget of a tuning: divided among races after the time for their confirmation is reserved, and never
exceeded.

A look begins only if it is expected to end within its race's share: an equal one, or the time that all candidates need
for a first look, if that is more and available. Later races get what a race leaves; the most costly violations race
first.
"""

from dataclasses import dataclass

CONFIRMING = 0.5
"""Share of the whole that confirmation and the check again may take: without them nothing is recommended."""

LEAST_LAUNCHES = 6
"""With fewer launches no test by ranks could confirm anything at 5 %, one-sided, with a second remedy."""


@dataclass(frozen=True)
class Budget:
    """Seconds in launches, retries included."""

    total_s: float

    def racing_left_s(self, spent_s: float) -> float:
        """The time that all remaining races may take together, after `spent_s` was used before them."""
        return max(self.total_s * (1 - CONFIRMING) - spent_s, 0.0)

    def share_s(self, spent_s: float, races_left: int) -> float:
        """An equal share for the next of `races_left` races."""
        return self.racing_left_s(spent_s) / max(races_left, 1)

    def left_s(self, spent_s: float) -> float:
        """The rest of the whole budget, for the confirmation and the second check."""
        return max(self.total_s - spent_s, 0.0)


def affordable(launches: int, launch_s: float, left_s: float) -> bool:
    """Whether this number of launches is expected to end in time."""
    return launches * launch_s <= left_s
