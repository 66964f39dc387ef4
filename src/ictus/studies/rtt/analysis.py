"""The distribution of a pair's round trips, and the quality of the offset from the first N. Arrays in, values out."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

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
    """One pair. Times are seconds."""

    client: int
    reference: int
    same_host: bool
    exchanges: int
    least_s: float
    median_s: float
    mean_s: float
    p95_s: float
    p99_s: float
    largest_s: float
    skewness: float
    """Third standardised moment: 0 for symmetric delays, 2 for exponential ones; NaN where all are equal."""
    quality: tuple[OffsetQuality, ...]


def summarise(pair: RoundTrips) -> PairSummary:
    """Least, quantiles (linear between order statistics), skewness, and the quality of offsets against their number."""
    rtt = pair.rtt_s
    median, p95, p99 = np.quantile(rtt, (0.5, 0.95, 0.99))
    centred = rtt - rtt.mean()
    variance = float(np.mean(centred**2))
    skewness = float(np.mean(centred**3)) / variance**1.5 if variance > 0 else float("nan")
    return PairSummary(
        client=pair.client,
        reference=pair.reference,
        same_host=pair.client_host == pair.reference_host,
        exchanges=rtt.size,
        least_s=float(rtt.min()),
        median_s=float(median),
        mean_s=float(rtt.mean()),
        p95_s=float(p95),
        p99_s=float(p99),
        largest_s=float(rtt.max()),
        skewness=skewness,
        quality=tuple(_qualities(pair)),
    )


def _qualities(pair: RoundTrips) -> Iterator[OffsetQuality]:
    best = pair.offset_s[int(np.argmin(pair.rtt_s))]
    for n in counts(pair.rtt_s.size):
        quickest = int(np.argmin(pair.rtt_s[:n]))
        difference = abs(float(pair.offset_s[quickest] - best))
        yield OffsetQuality(n, difference, float(pair.rtt_s[quickest]) / 2, float(pair.elapsed_s[n - 1]))


def counts(most: int) -> tuple[int, ...]:
    """1, 2, 5, 10, 20, ... up to `most`, which is the last."""
    found = [step * 10**power for power in range(len(str(most))) for step in STEPS]
    return (*(n for n in found if n < most), most)
