"""How values are spread: a histogram, and the smooth density that it is a rough picture of.

Bins are as wide as Freedman and Diaconis say, 2 IQR / n^(1/3), and at most 100: a tail a thousand times as long as the
middle would ask for thousands. The density is a sum of Gaussian bells, one on each value, of Silverman's width 0.9
min(sd, IQR / 1.34) n^(-1/5) (R's `bw.nrd0`; B. W. Silverman, Density Estimation, 1986, eq. 3.31), which the long right
tail of latencies does not widen. Fig. 12 and 15 of papers/mpi-benchmarking-revisited.
"""

from dataclasses import dataclass
from math import ceil, pi, sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray, IntArray, finite_sample
from ictus.stats.summary import quantile_sorted

MOST_BINS = 100
LEAST_PEAK = 0.03
"""The least share of the highest peak by which another stands out. Of 1,000 samples with one hump, normal or skewed, a
density has a second peak of this height in fewer than one of a hundred launches; one of twenty samples in a hump of its
own, as in the paper's Fig. 12, is found in 95 of a hundred."""
_BINS_OF_A_BELL = 4
"""Bins in the width of a bell, where peaks are looked for."""
_MOST_BELLS = 100_000
"""The most widths of a bell side by side: humps a million times their widths apart would ask for gigabytes of bins."""
_FINE = 4096
"""Places that many values are moved to before bells are put on them, far finer than any bell is wide."""


@dataclass(frozen=True)
class Histogram:
    """Counts in bins of equal width; the last bin holds its right edge too."""

    edges: FloatArray
    """Shape (bins + 1,), in the unit of the values."""
    counts: IntArray


def histogram(values: ArrayLike) -> Histogram:
    """Histogram of a sample. Constant values lie in the middle of one bin; `ValueError` for an empty sample, NaN or
    infinity.
    """
    sample = np.sort(finite_sample(values))
    low, high = float(sample[0]), float(sample[-1])
    if low == high:
        reach = abs(low) / 2 or 0.5
        return Histogram(np.array([low - reach, low + reach]), np.array([sample.size], np.int64))
    width = 2 * (quantile_sorted(sample, 0.75) - quantile_sorted(sample, 0.25)) / sample.size ** (1 / 3)
    # More than half of the values equal: the quartiles say nothing of the width, so Sturges' rule does.
    bins = (high - low) / width if width > 0 else np.log2(sample.size) + 1
    counts, edges = np.histogram(sample, min(max(ceil(bins), 1), MOST_BINS), (low, high))
    return Histogram(np.asarray(edges, dtype=np.float64), np.asarray(counts, dtype=np.int64))


def bandwidth(values: ArrayLike) -> float:
    """Silverman's width of the bells, in the unit of the values; 0 for constant values or a single one."""
    sample = np.sort(finite_sample(values))
    if sample.size < 2 or sample[0] == sample[-1]:
        return 0.0
    spread = float(sample.std(ddof=1))
    quartiles = (quantile_sorted(sample, 0.75) - quantile_sorted(sample, 0.25)) / 1.34
    return float(0.9 * (min(spread, quartiles) or spread) * sample.size**-0.2)


def peaks(values: ArrayLike) -> FloatArray:
    """Places of the peaks of a sample's density, ascending, in the unit of the values: those that stand out of what
    lies between them and a higher one by `LEAST_PEAK` of the highest. One for constant values. Errors as in
    `histogram`.
    """
    sample = np.sort(finite_sample(values))
    if sample[0] == sample[-1]:
        return sample[:1]
    # What a coarse clock reads lies on steps, between which the density must not fall.
    step = float(np.median(np.diff(np.unique(sample))))
    # As far as nearly all values reach: a few stalls are no peak.
    low, high = quantile_sorted(sample, 0.005), quantile_sorted(sample, 0.995)
    width = max(bandwidth(sample), step, (high - low) / _MOST_BELLS)
    low, high = low - 3 * width, high + 3 * width
    # Counts as fine as the bells ask for.
    counts, edges = np.histogram(sample, ceil(_BINS_OF_A_BELL * (high - low) / width), (low, high))
    heights = scipy.ndimage.gaussian_filter1d(counts.astype(np.float64), _BINS_OF_A_BELL, mode="constant")
    found, _ = scipy.signal.find_peaks(heights, prominence=LEAST_PEAK * float(heights.max()))
    return np.asarray((edges[found] + edges[found + 1]) / 2)


def density(values: ArrayLike, at: ArrayLike) -> FloatArray:
    """Kernel density of a sample at the places `at`, shape of `at`, in 1 / unit of the values.

    NaN everywhere for constant values: all their mass is in one point. Errors as in `histogram`.
    """
    sample, places = finite_sample(values), np.asarray(at, dtype=np.float64)
    width = bandwidth(sample)
    if width == 0:
        return np.full(places.shape, np.nan)
    weights = np.ones(sample.size)
    if sample.size > _FINE and np.ptp(sample) / _FINE < width / 20:
        counts, edges = np.histogram(sample, _FINE)
        sample, weights = (edges[1:] + edges[:-1]) / 2, counts.astype(np.float64)
    heights = [float(np.exp(-0.5 * ((center - sample) / width) ** 2) @ weights) for center in places.ravel()]
    mass = float(weights.sum()) * width * sqrt(2 * pi)
    return np.asarray(np.reshape(heights, places.shape) / mass, dtype=np.float64)
