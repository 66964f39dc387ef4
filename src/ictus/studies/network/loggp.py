"""LogGP parameters from parametrised round trips (Hoefler, Lichei and Rehm 2007). Arrays in, values out.

    PRTT(n, d, s) = 2 (L + 2 o + (s-1) G) + (n-1) max(o + d, g + (s-1) G)

so that, with d longer than the gap of the messages,

    (PRTT(n, 0, s) - PRTT(1, 0, s)) / (n-1)      = g + (s-1) G      a straight line in s
    (PRTT(n, d, s) - PRTT(1, 0, s)) / (n-1) - d  = o
    PRTT(1, 0, s) / 2 - 2 o - (s-1) G            = L

Where a library changes its protocol, from eager to rendezvous, the line breaks: two lines are taken where they explain
the gaps so much better than one that the Bayesian information criterion prefers them strongly.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log

import numpy as np

from ictus.stats.arrays import FloatArray
from ictus.stats.mean import MeanInterval, mean_interval

FEWEST = 4
"""Sizes of a line: two parameters, and what shows whether it is one."""
_EVIDENCE = 10.0
"""By how much the criterion must prefer a break: very strong evidence (Kass and Raftery 1995). The best of many places
is taken, so that less is reached by noise alone.
"""
_EXACT = 1e-9
"""A relative residual below which a line is exact; less is the rounding of clocks."""


@dataclass(frozen=True)
class Trains:
    """Round trips of a link in one launch, seconds: arrays of shape (sizes, repeats)."""

    sizes_bytes: FloatArray
    """Shape (sizes,), ascending."""
    n: int
    """Messages of a train."""
    single_s: FloatArray
    train_s: FloatArray
    delayed_s: FloatArray
    waited_s: FloatArray

    @property
    def round_trip_s(self) -> FloatArray:
        """Shape (sizes,): medians over repeats, as are the other two."""
        return np.median(self.single_s, axis=1)

    @property
    def gap_s(self) -> FloatArray:
        """From one message of a train to the next."""
        return np.median((self.train_s - self.single_s) / (self.n - 1), axis=1)

    @property
    def overhead_s(self) -> FloatArray:
        """What the sender's call takes of its time."""
        return np.median((self.delayed_s - self.single_s - self.waited_s) / (self.n - 1), axis=1)


@dataclass(frozen=True)
class LogGP:
    """The parameters of one line of sizes, each as a mean over launches with Student's 95 % interval."""

    low_bytes: int
    high_bytes: int
    latency_s: MeanInterval | None
    """L; None behind a break: a sender that waits for its receiver has the latency in its overhead."""
    overhead_s: MeanInterval
    """o, at the smallest size of the line."""
    gap_s: MeanInterval
    """g."""
    gap_per_byte_s: MeanInterval
    """G."""
    residual: float
    """The largest relative distance of a gap from the line, in any launch."""


def fit(launches: Sequence[Trains]) -> tuple[LogGP, ...]:
    """The parameters of a link, one entry for each line that its gaps follow; `launches` have the same sizes.

    Raises ValueError for fewer than four sizes, or sizes that are not ascending.
    """
    sizes = launches[0].sizes_bytes
    if sizes.size < FEWEST or np.any(np.diff(sizes) <= 0):
        raise ValueError(f"LogGP needs {FEWEST} sizes or more, ascending and each once, not {sizes.tolist()}")
    gaps = [launch.gap_s for launch in launches]
    # A gap that is nothing beside a round trip (the network takes the messages at once) is no smaller than its noise.
    least = min(float(np.min(trains.round_trip_s)) for trains in launches) / 1000
    ends = break_at(sizes, np.mean(gaps, axis=0), least)
    return tuple(_line(launches, gaps, slice(low, high), least) for low, high in ends)


def break_at(sizes: FloatArray, gaps: FloatArray, least: float) -> tuple[tuple[int, int], ...]:
    """The index ranges of the sizes that share a line: one, or two where those are worth their three parameters.
    Residuals are relative to each gap, or to `least` where that is more; it is not 0.
    """
    of_single = _criterion([_residuals(sizes, gaps, least)], 2)
    best, where = of_single - _EVIDENCE, 0
    for at in range(FEWEST, sizes.size - FEWEST + 1):
        parts = [_residuals(sizes[part], gaps[part], least) for part in (slice(at), slice(at, None))]
        value = _criterion(parts, 5)  # two lines, and the place of the break
        if value < best:
            best, where = value, at
    return ((0, where), (where, sizes.size)) if where else ((0, sizes.size),)


def _criterion(parts: Sequence[FloatArray], parameters: int) -> float:
    """BIC of normal residuals."""
    residuals = np.concatenate(parts)
    n = residuals.size
    return n * log(max(float(np.mean(residuals**2)), _EXACT**2)) + parameters * log(n)


def _residuals(sizes: FloatArray, gaps: FloatArray, least: float) -> FloatArray:
    g, per_byte = _straight(sizes, gaps, least)
    return (gaps - g - (sizes - 1) * per_byte) / np.maximum(np.abs(gaps), least)


def _straight(sizes: FloatArray, gaps: FloatArray, least: float) -> tuple[float, float]:
    """Least squares of relative residuals: gaps span orders of magnitude, and their noise goes with them."""
    weight = 1 / np.maximum(np.abs(gaps), least)
    columns = np.stack([weight, (sizes - 1) * weight], axis=1)
    (g, per_byte), *_ = np.linalg.lstsq(columns, gaps * weight, rcond=None)
    return float(g), float(per_byte)


def _line(launches: Sequence[Trains], gaps: Sequence[FloatArray], part: slice, least: float) -> LogGP:
    sizes = launches[0].sizes_bytes[part]
    lines = [_straight(sizes, gap[part], least) for gap in gaps]
    overheads = [float(launch.overhead_s[part][0]) for launch in launches]
    latencies = [
        float(trains.round_trip_s[0]) / 2 - 2 * overhead - (float(sizes[0]) - 1) * per_byte
        for trains, overhead, (_, per_byte) in zip(launches, overheads, lines, strict=True)
    ]
    return LogGP(
        low_bytes=int(sizes[0]),
        high_bytes=int(sizes[-1]),
        latency_s=None if part.start else mean_interval(latencies),
        overhead_s=mean_interval(overheads),
        gap_s=mean_interval([g for g, _ in lines]),
        gap_per_byte_s=mean_interval([per_byte for _, per_byte in lines]),
        residual=max(float(np.max(np.abs(_residuals(sizes, gaps_s[part], least)))) for gaps_s in gaps),
    )
