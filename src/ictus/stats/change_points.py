"""Where the level of a series changes: hierarchical splits by the largest standardised rank-sum.

Each possible split of a segment is a rank-sum test of what is before against what is after. The largest standardised
statistic over all splits decides (Pettitt 1979, as standardised by James, James and Siegmund 1987): under equal levels
its distribution depends on the length of the segment alone, and is simulated once for each length. Segments are split
until none has a significant change; then every change is judged again between its neighbours, as a split that was found
in a whole with several levels may lie elsewhere, or be none. Hierarchical splits with a permutation test are those of
Matteson and James (2014), which Apache Otava uses too; ranks in place of distances make single outliers harmless.

The last value may belong to a level of its own that no test of two segments can see: `deviation` judges it against the
values of its level before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import nan, sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray
from ictus.stats.interval import hodges_lehmann

FEWEST = 3
"""Values on each side of a change: fewer are outliers."""
LEVEL = 0.001
"""Of false alarms of a whole series, each time that it is looked at: a history is looked at after every campaign."""
_SIMULATED = 10_000
_SEED = 20141
_FEWEST_BEFORE = 5
"""Values of a level from which its scatter is known well enough to judge the next."""


@dataclass(frozen=True)
class ChangePoint:
    """From value `index` on the level is another one."""

    index: int
    p_value: float
    """Against one level between the neighbouring changes."""
    ratio: float
    """Level after over level before, up to the neighbouring changes (Hodges-Lehmann)."""
    ratio_low: float | None
    ratio_high: float | None
    """Its 95 % interval; None where too few values lie on a side."""


@dataclass(frozen=True)
class Deviation:
    """The last value against those of its level before it."""

    n_before: int
    ratio: float
    """Last value over the level's geometric mean; NaN where there are too few before."""
    ratio_low: float | None
    ratio_high: float | None
    """95 % interval of that ratio, the scatter of single values included; None where there are too few."""
    p_value: float | None


def change_points(values: ArrayLike, *, level: float = LEVEL) -> tuple[ChangePoint, ...]:
    """All changes in a series of positive values, in order. `level`: the false alarms of one look at the series.

    Raises ValueError for a value that is not positive or not finite.
    """
    series = _checked(values)
    splits: list[int] = []
    segments = [(0, series.size)]
    while segments:
        low, high = segments.pop()
        at, p_value = _largest_split(series[low:high])
        if p_value <= level:
            splits.append(low + at)
            segments += [(low, low + at), (low + at, high)]
    ends = _settled(series, sorted(splits), level)
    bounds = (0, *(at for at, _ in ends), series.size)
    return tuple(_change(series, bounds[i : i + 3], ends[i][1]) for i in range(len(ends)))


@lru_cache
def fewest_values(level: float = LEVEL) -> int:
    """Values with which a change can be significant at all: from so many on, if all of one level lie below all of the
    other.
    """
    n = 2 * FEWEST
    while _largest_split(np.arange(1.0, n + 1))[1] > level:
        n += 1
    return n


def deviation(values: ArrayLike, changes: Sequence[ChangePoint]) -> Deviation:
    """Whether the last value is one of the level that the values since the last change have.

    Student's t for one further value (of logarithms): its scatter counts beside that of the mean.
    """
    series = np.log(_checked(values)[changes[-1].index if changes else 0 :])
    before = series[:-1]
    n = before.size
    if n < _FEWEST_BEFORE:
        return Deviation(n, nan, None, None, None)
    away = float(series[-1] - before.mean())
    error = float(before.std(ddof=1)) * sqrt(1 + 1 / n)
    half = float(scipy.stats.t.ppf(0.975, n - 1)) * error
    p_value = 2 * float(scipy.stats.t.sf(abs(away) / error, n - 1)) if error > 0 else float(away == 0)
    low, middle, high = np.exp([away - half, away, away + half])
    return Deviation(n, float(middle), float(low), float(high), p_value)


def _checked(values: ArrayLike) -> FloatArray:
    series = np.asarray(values, dtype=np.float64)
    if not (np.isfinite(series).all() and (series > 0).all()):
        raise ValueError("a series of positive values is needed")
    return series


def _settled(series: FloatArray, splits: list[int], level: float) -> list[tuple[int, float]]:
    """The splits, each where it is likeliest between its neighbours, without those that are none there."""
    found: list[tuple[int, float]] = []
    for _ in range(len(splits) + 2):  # moves could go round
        bounds = (0, *splits, series.size)
        found = []
        for before, after in zip(bounds[:-2], bounds[2:], strict=True):
            at, p_value = _largest_split(series[before:after])
            if p_value <= level:
                found.append((before + at, p_value))
        found = sorted(dict(found).items())
        if [at for at, _ in found] == splits:
            break
        splits = [at for at, _ in found]
    return found


def _change(series: FloatArray, bounds: Sequence[int], p_value: float) -> ChangePoint:
    before, at, after = bounds
    found = hodges_lehmann(series[at:after], series[before:at], paired=False)
    return ChangePoint(at, p_value, found.ratio, found.low, found.high)


def _largest_split(segment: FloatArray) -> tuple[int, float]:
    """Where the standardised rank-sum is largest, and the p-value of that; p is 1 for a segment that is too short."""
    n = segment.size
    if n < 2 * FEWEST:
        return 0, 1.0
    statistics = _standardised(scipy.stats.rankdata(segment)[np.newaxis])[0]
    at = int(np.argmax(statistics))
    known = _null(n)
    exceeded = known.size - int(np.searchsorted(known, statistics[at] * (1 - 1e-12)))
    return FEWEST + at, (1 + exceeded) / (1 + known.size)


def _standardised(ranks: FloatArray) -> FloatArray:
    """For rows of ranks: |rank-sum - mean| / deviation of the first k, for each k that leaves enough on both sides."""
    n = ranks.shape[1]
    k = np.arange(FEWEST, n - FEWEST + 1)
    sums = np.cumsum(ranks, axis=1)[:, FEWEST - 1 : n - FEWEST]
    deviation_of_sum = np.sqrt(k * (n - k) * (n + 1) / 12)
    return np.asarray(np.abs(sums - k * (n + 1) / 2) / deviation_of_sum)


@lru_cache(maxsize=1024)
def _null(n: int) -> FloatArray:
    """The largest statistic of random orders of n different values, ascending."""
    random = np.random.default_rng((_SEED, n))
    largest = []
    piece = max(1, 2_000_000 // n)
    for begin in range(0, _SIMULATED, piece):
        rows = np.tile(np.arange(1.0, n + 1), (min(piece, _SIMULATED - begin), 1))
        largest.append(_standardised(random.permuted(rows, axis=1)).max(axis=1))
    return np.sort(np.concatenate(largest))
