"""Windows: how many samples a size makes invalid, what latency the valid ones show, and which size to take.

After Fig. 19 and 20 of "MPI benchmarking revisited". A launch gives one share and one median; both are put together
over launches.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ictus.stats.median import MedianInterval, median_interval


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
    least_share: float
    """The smallest share of invalid samples of any launch."""
    most_share: float
    """The largest."""
    latency: MedianInterval | None
    """Median over launches of the launch medians, seconds; None where no sample is valid."""

    @property
    def share(self) -> float:
        """Share of the samples that are invalid, all launches together."""
        return self.invalid / self.attempted if self.attempted else float("nan")


@dataclass(frozen=True)
class Advice:
    """A window size with its reason. `window_s` is None where none of those measured will do."""

    window_s: float | None
    share: float
    """Share of invalid samples at that size; without one, the least of any size."""
    shorter: WindowPoint | None
    """The next shorter window, which would not do; None where the shortest one does."""
    latency_ratio: float | None
    """Latency there over the latency at the longest window; None where either is not known."""


def points(launches: Sequence[WindowLaunch]) -> tuple[WindowPoint, ...]:
    """A point for each size, ascending. Launches without a sample are left out."""
    known = [one for one in launches if one.attempted]
    sizes = sorted({one.window_s for one in known})
    return tuple(_point(size, [one for one in known if one.window_s == size]) for size in sizes)


def _point(window_s: float, launches: Sequence[WindowLaunch]) -> WindowPoint:
    shares = [1 - one.valid / one.attempted for one in launches]
    medians = [one.median_s for one in launches if one.median_s is not None]
    return WindowPoint(
        window_s=window_s,
        launches=len(launches),
        attempted=sum(one.attempted for one in launches),
        invalid=sum(one.attempted - one.valid for one in launches),
        late=sum(one.late for one in launches),
        long=sum(one.long for one in launches),
        least_share=min(shares),
        most_share=max(shares),
        latency=median_interval(medians) if medians else None,
    )


def advise(found: Sequence[WindowPoint], limit: float) -> Advice:
    """The smallest window of which, and of all longer ones, at most the share `limit` of the samples are invalid.

    A longer window wastes time in which clocks drift; one that invalidates more than a few leaves only the quick calls.
    """
    if not found:
        raise ValueError("a window can only be chosen among those that were measured")
    good = [place for place in range(len(found)) if all(one.share <= limit for one in found[place:])]
    if not good:
        return Advice(None, min(one.share for one in found), found[-1], None)
    first = good[0]
    chosen, last = found[first], found[-1]
    ratio = chosen.latency.median / last.latency.median if chosen.latency and last.latency else None
    return Advice(chosen.window_s, chosen.share, found[first - 1] if first else None, ratio)


def sizes_around(shortest_s: float, longest_s: float, at_most: int = 12) -> tuple[float, ...]:
    """Window sizes for latencies from `shortest_s` to `longest_s`: from 0.7 times the one to 10 times the other, each
    about 1.5 times the one before, in two significant digits; wider apart where there would be more than `at_most`.
    """
    low, high = 0.7 * shortest_s, 10 * longest_s
    n = min(at_most, max(2, round(float(np.log(high / low) / np.log(1.5))) + 1))
    return tuple(dict.fromkeys(float(f"{size:.1e}") for size in np.geomspace(low, high, n)))
