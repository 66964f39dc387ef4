"""Times by a rank's own clock and by the global clock: the same calls after several starts."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ictus.engine.backend import World
    from ictus.engine.event import Observer
    from ictus.engine.measurement import PlanLike
    from ictus.studies.local_and_global.analysis import TimesRow

USUAL: dict[str, Any] = {
    "op": "allreduce",
    "sizes": "8,1Ki,32Ki",
    "procsync": ["barrier(library)", "barrier(dissemination)", "window", "harmonize"],
    "launches": 10,
}
"""The defaults, by TOML key."""


def measure(plan: "PlanLike", folder: Path | None, world: "World", observer: "Observer") -> "tuple[TimesRow, ...]":
    """A row for each library and case."""
    from ictus.engine.measurement import measure_with_defaults  # noqa: PLC0415 (polars takes most of a second)
    from ictus.model.launch_factor import NAMED  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415
    from ictus.studies.local_and_global.analysis import times_rows  # noqa: PLC0415

    return times_rows(load(measure_with_defaults(plan, folder, USUAL, world, observer, prefix="times", single=NAMED)))
