"""Over which times a campaign was measured: stretches of launches between which its machine was left alone.

A campaign that is continued or grown on another day gets launches of all its sides, so that these stay side by side.
The reader wants to know it all the same: a verdict then holds over several states of the machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ictus.model.instant import instant
from ictus.store.launch import Launch

PAUSE = timedelta(hours=1)
"""Without a launch. Shorter ones are those of a run itself: builds, predictions, launches that are repeated."""


@dataclass(frozen=True)
class Stretch:
    """Launches without a pause between them."""

    begin: datetime
    """Of the first launch."""
    end: datetime
    """Of the last launch, as far as its duration is known."""
    labels: tuple[str, ...]
    """Libraries with a launch in it."""

    @property
    def text(self) -> str:
        """`2026-11-27 10:00 to 10:20 UTC`; the day of the end where it is another one."""
        days = self.end.date() != self.begin.date()
        return f"{self.begin:%Y-%m-%d %H:%M} to {self.end:{'%Y-%m-%d %H:%M' if days else '%H:%M'}} UTC"


def stretches(launches: Sequence[Launch]) -> tuple[Stretch, ...]:
    """In the order of time; none where a launch does not say when it began."""
    begun = [began(launch) for launch in launches]
    begins = [(at, index) for index, at in enumerate(begun) if at is not None]
    if not begins or len(begins) < len(launches):
        return ()
    joined: list[Stretch] = []
    for at, index in sorted(begins):
        launch = launches[index]
        end = at + timedelta(seconds=launch.elapsed_s or 0.0)
        last = joined[-1] if joined else None
        if last is None or at - last.end > PAUSE:
            joined.append(Stretch(at, end, (launch.mpi,)))
        else:
            labels = tuple(dict.fromkeys((*last.labels, launch.mpi)))
            joined[-1] = Stretch(last.begin, max(last.end, end), labels)
    return tuple(joined)


def over_times(times: Sequence[Stretch]) -> str:
    """`over 2 times: 2026-11-27 10:00 to 10:20 UTC; 2026-11-28 09:00 to 09:15 UTC (only mpich)`; empty for one time."""
    if len(times) < 2:
        return ""
    every = {label for stretch in times for label in stretch.labels}
    only = [f" (only {', '.join(stretch.labels)})" if set(stretch.labels) != every else "" for stretch in times]
    return (
        f"over {len(times)} times: {'; '.join(time.text + lacking for time, lacking in zip(times, only, strict=True))}"
    )


def began(launch: Launch) -> datetime | None:
    """When it began, in UTC; None for a text that is no time, and for one without a zone."""
    try:
        return instant(launch.started) if datetime.fromisoformat(launch.started).tzinfo is not None else None
    except ValueError:
        return None
