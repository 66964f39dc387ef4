"""How long a window must be: windows of several sizes in the same launches, around the latencies of a short one."""

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ictus.model.errors import MeasurementError, StoppedByUser
from ictus.model.quantity import format_duration

if TYPE_CHECKING:
    from ictus.engine.backend import World
    from ictus.engine.event import Observer
    from ictus.engine.measurement import PlanLike
    from ictus.studies.window_size.analysis import WindowSweep

NREP = 1000
LIMIT = 0.01
"""Largest accepted share of invalid samples."""
_PILOT = {"launches": 1, "nrep": 50, "repetition": None, "procsync": ["window"]}
"""A short launch with windows of size auto, which shows how long the calls take."""
_AUTO_FACTOR = 3.0
"""A window of size auto has this number of latencies (native/src/procsync/window.cpp)."""


def fixed_attempts(count: int) -> str:
    """A repetition of exactly this number of samples, valid or not."""
    return f"fixed(nrep={count},max_attempts={count})"


USUAL: dict[str, Any] = {"op": "alltoall,scan", "sizes": "8Ki", "launches": 10, "repetition": fixed_attempts(NREP)}
"""The defaults, by TOML key: those of the papers' figures."""


def measure(
    plan: "PlanLike",
    folder: Path | None,
    world: "World",
    observer: "Observer",
    *,
    windows_s: Sequence[float] | None = None,
    limit: float = LIMIT,
) -> "tuple[WindowSweep, ...]":
    """A sweep for each library and case over windows of these sizes, seconds (None: around the latencies); `limit` is
    the share of invalid samples that is put up with.
    """
    from ictus.store.campaign import load  # noqa: PLC0415 (polars takes most of a second)
    from ictus.studies.window_size.analysis import window_sweeps  # noqa: PLC0415

    return window_sweeps(load(measure_windows(plan, folder, world, observer, windows_s=windows_s)), limit)


def measure_windows(
    plan: "PlanLike",
    folder: Path | None,
    world: "World",
    observer: "Observer",
    *,
    windows_s: Sequence[float] | None = None,
) -> Path:
    """Measure the campaign of `measure`, or continue it; its folder."""
    from ictus.engine.measurement import measure_with_defaults, plan_words  # noqa: PLC0415
    from ictus.model.launch_factor import CLOCKS_AND_SETTINGS  # noqa: PLC0415
    from ictus.store.manifest import CAMPAIGN  # noqa: PLC0415

    target, values = plan_words(plan)
    exists = target or (folder is not None and (folder / CAMPAIGN).is_file())
    usual = dict(USUAL)
    if windows_s is not None:
        values["procsync"] = [_spelt(size) for size in windows_s]
    elif not exists and values.get("procsync") is None:
        given = {key: value for key, value in values.items() if value is not None}
        usual["procsync"] = [_spelt(size) for size in _sizes({**usual, **given}, world, observer)]
    return measure_with_defaults(
        target or values, folder, usual, world, observer, prefix="window", single=CLOCKS_AND_SETTINGS
    )


def _spelt(window_s: float) -> str:
    from ictus.studies.window_size.tables import size_text  # noqa: PLC0415

    return f"window(size={size_text(window_s)})"


def _sizes(given: Mapping[str, Any], world: "World", observer: "Observer") -> tuple[float, ...]:
    """Sizes around the latencies that a short launch with each library finds."""
    from ictus.engine.event import Note  # noqa: PLC0415
    from ictus.engine.measurement import measure_with_defaults  # noqa: PLC0415
    from ictus.store.campaign import load  # noqa: PLC0415
    from ictus.studies.window_size.analysis import auto_windows, sizes_around  # noqa: PLC0415

    with tempfile.TemporaryDirectory(prefix="ictus-window-") as name:
        try:
            pilot = measure_with_defaults({**given, **_PILOT}, Path(name) / "pilot", {}, world, observer)
        except StoppedByUser as error:
            raise MeasurementError("stopped; nothing is kept of the short launch") from error
        found = auto_windows([launch.record for launch in load(pilot).launches])
    if not found:
        raise MeasurementError("the short launch has found no window; name some: --windows 10us,20us,50us")
    sizes = sizes_around(min(found) / _AUTO_FACTOR, max(found) / _AUTO_FACTOR)
    observer(Note(f"windows: {', '.join(map(format_duration, sizes))}"))
    return sizes
