"""Where the level of a series changes: hierarchical splits by the largest standardised rank-sum.

Each possible split of a segment is a rank-sum test of what is before against what is after (Pettitt 1979). A split
counts where its p-value is at most a limit, which follows from the false alarms that are allowed for each further value
(`false_alarms`). Of those that count the one with the largest standardised statistic is taken (James, James and
Siegmund 1987). Segments are split until none has such a split; then every change is judged again between its
neighbours, as a split that was found in a whole with several levels may lie elsewhere, or be none. Hierarchical splits
are those of Matteson and James (2014), which Apache Otava uses too; ranks in place of distances make single outliers
harmless.

The last value may belong to a level of its own that no test of two segments can see: `deviation` judges it against the
values of its level before.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb, nan, sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray
from ictus.stats.false_alarms import largest_p
from ictus.stats.interval import hodges_lehmann
from ictus.stats.rank_sum_tail import critical_sums, lower_tail

FEWEST = 3
"""Values on each side of a change: fewer are outliers."""
ALARMS = 0.001
"""False alarms for each further value of a series that is looked at for itself. A history states its own."""
FEWEST_BEFORE = 5
"""Values of a level from which its scatter is known well enough to judge the next."""


@dataclass(frozen=True)
class ChangePoint:
    """From value `index` on the level is another one."""

    index: int
    p_value: float
    """Of the rank-sum at this place, between the neighbouring changes: nothing is adjusted for the search."""
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


def change_points(values: ArrayLike, *, alarms: float = ALARMS) -> tuple[ChangePoint, ...]:
    """All changes in a series of positive values, in order. `alarms`: expected false ones for each further value, where
    a steady series is looked at after every value.

    Raises ValueError for a value that is not positive or not finite.
    """
    series = _checked(values)
    limit = largest_p(alarms)
    splits: list[int] = []
    segments = [(0, series.size)]
    while segments:
        low, high = segments.pop()
        split = _largest_split(series[low:high], limit)
        if split is not None:
            at = low + split[0]
            splits.append(at)
            segments += [(low, at), (at, high)]
    ends = _settled(series, sorted(splits), limit)
    bounds = (0, *(at for at, _ in ends), series.size)
    return tuple(_change(series, bounds[i : i + 3], ends[i][1]) for i in range(len(ends)))


def fewest_values(alarms: float = ALARMS) -> int:
    """Values with which a change can be found at all: from so many on, if all of one level lie below all of the
    other.
    """
    limit, n = largest_p(alarms), 2 * FEWEST
    while 2 / comb(n, n // 2) > limit:
        n += 1
    return n


def deviation(values: ArrayLike, changes: Sequence[ChangePoint]) -> Deviation:
    """Whether the last value is one of the level that the values since the last change have.

    Student's t for one further value (of logarithms): its scatter counts beside that of the mean.
    """
    series = np.log(_checked(values)[changes[-1].index if changes else 0 :])
    before = series[:-1]
    n = before.size
    if n < FEWEST_BEFORE:
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


def _settled(series: FloatArray, splits: list[int], limit: float) -> list[tuple[int, float]]:
    """The splits, each where it is likeliest between its neighbours, without those that are none there."""
    settled: list[tuple[int, float]] = []
    for _ in range(len(splits) + 2):  # moves could go round
        bounds = (0, *splits, series.size)
        settled = []
        for before, after in zip(bounds[:-2], bounds[2:], strict=True):
            split = _largest_split(series[before:after], limit)
            if split is not None:
                settled.append((before + split[0], split[1]))
        settled = sorted(dict(settled).items())
        if [at for at, _ in settled] == splits:
            break
        splits = [at for at, _ in settled]
    return settled


def _change(series: FloatArray, bounds: Sequence[int], p_value: float) -> ChangePoint:
    before, at, after = bounds
    interval = hodges_lehmann(series[at:after], series[before:at], paired=False)
    return ChangePoint(at, p_value, interval.ratio, interval.low, interval.high)


def _largest_split(segment: FloatArray, limit: float) -> tuple[int, float] | None:
    """Of the splits whose two-sided p-value is at most `limit`, the one with the largest standardised rank-sum, and its
    p-value; None where there is none.
    """
    n = segment.size
    if n < 2 * FEWEST:
        return None
    before = np.arange(FEWEST, n - FEWEST + 1)
    pairs = before * (n - before)
    sums = np.cumsum(scipy.stats.rankdata(segment))[FEWEST - 1 : n - FEWEST] - before * (before + 1) / 2
    least = np.minimum(sums, pairs - sums)  # with ties at a half: then it is less extreme than the whole number below
    counts = np.flatnonzero(least <= critical_sums(n, FEWEST, limit / 2))
    if counts.size == 0:
        return None
    at = int(counts[np.argmax((pairs / 2 - least)[counts] / np.sqrt(pairs[counts]))])
    return FEWEST + at, 2 * lower_tail(FEWEST + at, n - FEWEST - at, float(least[at]))
