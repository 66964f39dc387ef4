"""The time of a simulated world: launches take none, waiting for one passes at once and moves the begins of those that
follow.
"""

from datetime import datetime, timedelta

STARTED = "2026-01-01T00:00:00+00:00"
"""Simulated launches that wait for nothing all begin at the same instant, so that equal scenarios give equal files."""


class SimulatedTime:
    """What was waited for since the process began, which every launch of it sees."""

    def __init__(self) -> None:
        self._waited_s = 0.0

    @property
    def now(self) -> str:
        """The time of day, ISO 8601."""
        return (datetime.fromisoformat(STARTED) + timedelta(seconds=self._waited_s)).isoformat()

    def passed_s(self, began: str) -> float:
        """Seconds since the simulation began, whatever the time of day was then."""
        del began
        return self._waited_s

    def wait(self, seconds: float) -> None:
        """So much later, at once."""
        self._waited_s += seconds
