"""Sweeps of window sizes, one for each case of each library: the share of invalid samples, the latency of the valid
ones, and the recommended size.

After Fig. 19 and 20 of "MPI benchmarking revisited". A launch gives one share and one median; both are summarised over
launches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ictus.comparison.case_titles import IDENTITY, brief
from ictus.comparison.matching import medians
from ictus.model.errors import UsageError
from ictus.model.quantity import parse_duration
from ictus.model.spec import parse_spec
from ictus.stats.median import MedianInterval, median_interval
from ictus.store.campaign import Campaign
from ictus.store.launch_record import LaunchRecord

LIMIT = 0.01
"""Largest accepted share of invalid samples."""


@dataclass(frozen=True)
class WindowLaunch:
    """One window size in one launch."""

    window_s: float
    attempted: int
    valid: int
    late: int
    """Samples for which a rank reached the start after the deadline ..."""
    long: int
    """... or was still in the call when its window ended. A sample may be both."""
    median_s: float | None
    """Latency of the valid samples; None where there are none."""


@dataclass(frozen=True)
class WindowPoint:
    """One window size over its launches."""

    window_s: float
    launches: int
    attempted: int
    invalid: int
    late: int
    long: int
    shares: tuple[float, ...]
    """Share of invalid samples of each launch, in the order measured."""
    latency: MedianInterval | None
    """Median over launches of the launch medians, seconds; None where no sample is valid."""

    @property
    def least_share(self) -> float:
        """The smallest share of invalid samples of any launch."""
        return min(self.shares)

    @property
    def most_share(self) -> float:
        """The largest."""
        return max(self.shares)

    @property
    def share(self) -> float:
        """Share of the samples that are invalid, all launches together."""
        return self.invalid / self.attempted if self.attempted else float("nan")


@dataclass(frozen=True)
class WindowAdvice:
    """A window size with its reason. `window_s` is None if none of the measured ones will do."""

    window_s: float | None
    share: float
    """Share of invalid samples at that size; without one, the least of any size."""
    shorter: WindowPoint | None
    """The next shorter window, which would not do; None where the shortest one does."""
    latency_ratio: float | None
    """Latency there over the latency at the longest window; None where either is not known."""


def points(launches: Sequence[WindowLaunch]) -> tuple[WindowPoint, ...]:
    """A point for each size, ascending. Launches without a sample are left out."""
    attempted_launches = [launch for launch in launches if launch.attempted]
    sizes = sorted({window_launch.window_s for window_launch in attempted_launches})
    return tuple(_point(size, [launch for launch in attempted_launches if launch.window_s == size]) for size in sizes)


def _point(window_s: float, launches: Sequence[WindowLaunch]) -> WindowPoint:
    shares = [1 - launch.valid / launch.attempted for launch in launches]
    medians = [window_launch.median_s for window_launch in launches if window_launch.median_s is not None]
    return WindowPoint(
        window_s=window_s,
        launches=len(launches),
        attempted=sum(launch.attempted for launch in launches),
        invalid=sum(launch.attempted - launch.valid for launch in launches),
        late=sum(launch.late for launch in launches),
        long=sum(launch.long for launch in launches),
        shares=tuple(shares),
        latency=median_interval(medians) if medians else None,
    )


def advise(window_points: Sequence[WindowPoint], limit: float) -> WindowAdvice:
    """The smallest window of which, and of all longer ones, at most the share `limit` of the samples are invalid.

    A longer window wastes time in which clocks drift; one that invalidates more than a few leaves only the quick calls.
    """
    if not window_points:
        raise ValueError("a window can only be chosen among those that were measured")
    good = [
        index for index in range(len(window_points)) if all(point.share <= limit for point in window_points[index:])
    ]
    if not good:
        return WindowAdvice(None, min(window_point.share for window_point in window_points), window_points[-1], None)
    first = good[0]
    chosen, last = window_points[first], window_points[-1]
    ratio = chosen.latency.median / last.latency.median if chosen.latency and last.latency else None
    return WindowAdvice(chosen.window_s, chosen.share, window_points[first - 1] if first else None, ratio)


def sizes_around(shortest_s: float, longest_s: float, at_most: int = 12) -> tuple[float, ...]:
    """Window sizes for latencies from `shortest_s` to `longest_s`: from 0.7 times the one to 10 times the other, each
    about 1.5 times the one before, in two significant digits; wider apart where there would be more than `at_most`.
    """
    low, high = 0.7 * shortest_s, 10 * longest_s
    n = min(at_most, max(2, round(float(np.log(high / low) / np.log(1.5))) + 1))
    return tuple(dict.fromkeys(float(f"{size:.1e}") for size in np.geomspace(low, high, n)))


_WINDOW = "window"
_SHARED = tuple(name for name in IDENTITY if name != "procsync")


@dataclass(frozen=True)
class WindowSweep:
    """All window sizes of one case of one library."""

    mpi: str
    case: Mapping[str, Any]
    """What the sizes share."""
    points: tuple[WindowPoint, ...]
    advice: WindowAdvice


def window_sweeps(campaign: Campaign, limit: float) -> tuple[WindowSweep, ...]:
    """A sweep for each library and case; `limit` is the share of invalid samples that is put up with.

    UsageError where the campaign has no windows of fixed size.
    """
    groups: dict[tuple[object, ...], tuple[str, dict[str, Any], list[WindowLaunch]]] = {}
    for row in medians(campaign).iter_rows(named=True):
        size_s = fixed_window(str(row["procsync"]))
        if size_s is None:
            continue
        case = {name: row[name] for name in _SHARED}
        # Sizes of windows are told apart, whatever else the windows differ in.
        start = brief("procsync", _without_size(str(row["procsync"])))
        _, _, launches = groups.setdefault((row["mpi"], start, *case.values()), (row["mpi"], case, []))
        counts = {name: int(row[name]) for name in ("attempted", "valid", "late", "long")}
        launches.append(WindowLaunch(size_s, **counts, median_s=row["median"]))
    sweeps = [(mpi, case, points(launches)) for mpi, case, launches in groups.values()]
    with_points = [
        WindowSweep(mpi, case, window_points, advise(window_points, limit))
        for mpi, case, window_points in sweeps
        if window_points
    ]
    if not with_points:
        raise UsageError(
            f"'{campaign.folder}' has no windows of fixed size: measure with --procsync 'window(size=100us),...', or "
            f"leave out the folder"
        )
    return tuple(with_points)


def fixed_window(procsync: str) -> float | None:
    """The size of a window in full form, seconds; None for another start, or a size that is found anew each launch."""
    spec = parse_spec(procsync)
    size = spec.argument("size")
    return None if spec.name != _WINDOW or size is None or str(size) == "auto" else parse_duration(str(size))


def _without_size(procsync: str) -> str:
    spec = parse_spec(procsync)
    return str(type(spec)(spec.name, tuple(argument for argument in spec.arguments if argument.key != "size")))


def auto_windows(records: Sequence[LaunchRecord]) -> tuple[float, ...]:
    """The windows that were found from the warm-ups, of all cases of these launches, seconds."""
    sizes_s = (case.window_s for record in records for case in record.cases)
    return tuple(size_s for size_s in sizes_s if size_s)
