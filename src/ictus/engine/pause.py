"""Waiting for the begin of a block: the only place of the engine that sleeps. A simulated world has its own time
(launch/launchers/simulated_time.py), and so have tests.
"""

import time
from datetime import datetime
from typing import Protocol


class Pause(Protocol):
    """A clock, and waiting by it."""

    def passed_s(self, began: str) -> float:
        """Seconds since an ISO 8601 time of a journal."""
        ...

    def wait(self, seconds: float) -> None:
        """Return after so much time. Ctrl-C ends it with KeyboardInterrupt."""
        ...


class RealPause:
    """The time of day, read once; from then on the monotonic clock counts, as the time of day may be stepped."""

    def __init__(self) -> None:
        self._day_s, self._monotonic_s = time.time(), time.monotonic()

    def passed_s(self, began: str) -> float:
        """Seconds since an ISO 8601 time; 0 where another program wrote one that is none."""
        now_s = self._day_s + time.monotonic() - self._monotonic_s
        try:
            return max(now_s - datetime.fromisoformat(began).timestamp(), 0.0)
        except ValueError:
            return 0.0

    def wait(self, seconds: float) -> None:
        """Sleep."""
        time.sleep(seconds)
