"""The distribution of a pair's round trips, and the quality of the offset from the first N, of each launch. Arrays in,
values out.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ictus.stats.arrays import FloatArray
from ictus.studies.rtt.record import RoundTrips

STEPS = (1, 2, 5)
"""Numbers of exchanges at which the offset is judged, in each power of ten."""


@dataclass(frozen=True)
class OffsetQuality:
    """The offset that the quickest of the first `n` exchanges shows (Cristian 1989)."""

    n: int
    difference_s: float
    """How far it lies from the offset of the quickest of all exchanges: what more of them would still change."""
    bound_s: float
    """Half its round trip: how wrong it can be, whatever the ways take (proven)."""
    cost_s: float
    """Time of these exchanges."""


@dataclass(frozen=True)
class PairSummary:
    """One pair. Times are seconds; each statistic is the median of those of the launches."""

    client: int
    reference: int
    same_host: bool
    launches: int
    exchanges: int
    """Of a launch."""
    least_s: float
    median_s: float
    mean_s: float
    p95_s: float
    p99_s: float
    largest_s: float
    skewness: float
    """Third standardised moment: 0 for symmetric delays, 2 for exponential ones; NaN where all are equal."""
    quality: tuple[OffsetQuality, ...]


def summarise(launches: Sequence[RoundTrips]) -> PairSummary:
    """What launches measured of one pair: least, quantiles (linear between order statistics), skewness, and the quality
    of offsets against their number.
    """
    first = launches[0]
    middle = {name: float(np.median([of(answer.rtt_s) for answer in launches])) for name, of in _STATISTICS.items()}
    return PairSummary(
        client=first.client,
        reference=first.reference,
        same_host=first.client_host == first.reference_host,
        launches=len(launches),
        exchanges=first.rtt_s.size,
        quality=_qualities(launches),
        **middle,
    )


def _skewness(rtt_s: FloatArray) -> float:
    centred = rtt_s - rtt_s.mean()
    variance = float(np.mean(centred**2))
    return float(np.mean(centred**3)) / variance**1.5 if variance > 0 else float("nan")


_STATISTICS: Mapping[str, Callable[[FloatArray], float]] = {
    "least_s": np.min,
    "median_s": np.median,
    "mean_s": np.mean,
    "p95_s": partial(np.quantile, q=0.95),
    "p99_s": partial(np.quantile, q=0.99),
    "largest_s": np.max,
    "skewness": _skewness,
}
"""Of a launch, by the names of `PairSummary`."""


def _qualities(launches: Sequence[RoundTrips]) -> tuple[OffsetQuality, ...]:
    numbers = counts(min(trips.rtt_s.size for trips in launches))
    values = np.median([[_quality(trips, n) for n in numbers] for trips in launches], axis=0)
    return tuple(OffsetQuality(n, *map(float, row)) for n, row in zip(numbers, values, strict=True))


def _quality(trips: RoundTrips, n: int) -> tuple[float, ...]:
    quickest, best = int(np.argmin(trips.rtt_s[:n])), int(np.argmin(trips.rtt_s))
    difference = abs(trips.offset_s[quickest] - trips.offset_s[best])
    return difference, trips.rtt_s[quickest] / 2, trips.elapsed_s[n - 1]


def counts(most: int) -> tuple[int, ...]:
    """1, 2, 5, 10, 20, ... up to `most`, which is the last."""
    ticks = [step * 10**power for power in range(len(str(most))) for step in STEPS]
    return (*(n for n in ticks if n < most), most)
