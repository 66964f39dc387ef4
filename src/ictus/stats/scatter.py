"""The scatter of launches, taken from the launches themselves: what a rank test will do with more of the same kind.

A rank test does not use distances. It uses how often a launch of A lies above one of B; how far a shift moves that
chance depends on the *density* of the differences of two launches around zero. Outlying launches matter little, so no
standard deviation can predict a number of launches. All is taken from the differences of launches of A and B (for pairs
from the sums of two log ratios) around their median, smoothed by a normal kernel.

The power of n against m launches follows from three chances: that a launch of A lies above one of B, above two of B,
and two of A above one of B. They give mean and variance of U (of T for pairs) under a shift, for any distribution. U is
nearly normal from a handful of launches on. Source: E. L. Lehmann, Nonparametrics, sections 2.3 and 4.2.

A few launches determine their own scatter poorly. So the scatter varies by what chi-squared allows for their number,
and the power is the mean over it: the promise holds on average over campaigns, not for each.
"""

from dataclasses import dataclass
from functools import cached_property
from math import pi, sqrt

import numpy as np
import scipy

from ictus.stats.arrays import FloatArray, IntArray
from ictus.stats.null_distribution import rank_sum_count, signed_rank_count

_KEPT = 40
"""Launches a side beyond this are drawn coarser: 1,600 differences say what 160,000 do."""
_SMOOTHING = 0.6
"""Factor of the normal kernel's width, in robust standard deviations of the differences over the fifth root of their
number. Simulated launches of four distributions keep the promise with 0.55 to 0.65."""
_SHARES = (0.25, 0.5)
"""Shares of the differences whose widths estimate their density."""
_QUANTILES = (np.arange(9) + 0.5) / 9
_SHIFTS = 97
_FINEST = 1e-3
"""The smallest shift of the search, relative to the largest."""
_LEAST = 1e-9


@dataclass(frozen=True)
class Scatter:
    """Differences of two launches, shape (n, m), around 0; of pairs sums of two log ratios, shape (n, n)."""

    differences: FloatArray
    paired: bool
    degrees: int
    """Degrees of freedom with which the scale is known."""

    @cached_property
    def scales(self) -> FloatArray:
        """Equally likely ratios of the true scatter to the seen one."""
        return likely_scales(self.degrees)

    @cached_property
    def density(self) -> float:
        """The smoothed density of the differences at 0."""
        kernels = np.exp(-((self.differences / self._width) ** 2) / 2) * self._used
        return float(kernels.sum() / (self._used.sum() * self._width * sqrt(2 * pi)))

    @cached_property
    def spread(self) -> float:
        """Standard deviation of the normal launches that are equivalent in a rank test."""
        return 1 / (2 * sqrt(pi) * self.density)

    def error(self, n: int, m: int) -> float:
        """Standard error of the Hodges-Lehmann shift of that many launches (of `n` pairs)."""
        return sqrt((1 / n if self.paired else 1 / n + 1 / m) / 12) / self.density

    def critical(self, n: IntArray, m: IntArray, level: float) -> FloatArray:
        """The shift that each number of launches finds half the time, at the two-sided `level`; infinite where there is
        none.
        """
        pairs = n * (n + 1) / 2 if self.paired else n * m
        count = self._counts(n, m, level)
        chance = np.where(count > 0, 1 - (count - 0.5) / pairs, 1.0)
        shifts, chances = self._curve
        # Beyond the largest difference seen the kernel's tail goes on: for the test there is nothing more to gain.
        return np.where(count > 0, np.interp(chance, chances, shifts), np.inf)

    def power(self, shift: float, n: IntArray, m: IntArray, level: float) -> FloatArray:
        """The chance that each number of launches finds a true `shift` at the two-sided `level`."""
        above, both_b, both_a = (chance[:, np.newaxis] for chance in self._chances(abs(shift) / self.scales))
        count = self._counts(n, m, level)
        moments = _signed_rank_moments if self.paired else _rank_sum_moments
        mean, variance, most = moments(n.astype(np.float64), m.astype(np.float64), above, both_b, both_a)
        chances = scipy.special.ndtr((mean - (most - count + 0.5)) / np.sqrt(np.maximum(variance, _LEAST)))
        return np.asarray(np.where(count > 0, chances.mean(axis=0), 0.0), dtype=np.float64)

    @cached_property
    def _used(self) -> FloatArray:
        """1 for each difference, 0 for a launch against itself."""
        return 1.0 - np.eye(len(self.differences)) if self.paired else np.ones_like(self.differences)

    @cached_property
    def _width(self) -> float:
        """The width of the kernel."""
        used = self.differences[self._used > 0]
        near = np.quantile(np.abs(used), _SHARES) / scipy.special.ndtri((1 + np.array(_SHARES)) / 2)
        # Where launches are fast or slow, half of the differences and more are those between the two kinds.
        robust = min([float(np.std(used)), *near[near > 0]])
        return float(max(_SMOOTHING * robust * used.size**-0.2, _LEAST))

    @cached_property
    def _curve(self) -> tuple[FloatArray, FloatArray]:
        """Shifts, and the chance that a launch of A lies above one of B under each."""
        most = float(np.abs(self.differences).max()) + 4 * self._width
        # Of pairs a shift moves the sum of two log ratios twice. Thousands of launches need the smallest ones.
        shifts = np.append(0.0, np.geomspace(_FINEST * most, most, _SHIFTS)) / (2 if self.paired else 1)
        return shifts, self._chances(shifts)[0]

    def _chances(self, shifts: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """That A lies above B, above two of B, two of A above one of B; for each shift, up or down alike: without one
        the first is 1/2.
        """
        up, down = (self._seen(way * self.differences, shifts) for way in (1.0, -1.0))
        single, both_b, both_a = ((first + second) / 2 for first, second in zip(up, down, strict=True))
        return single, both_b, both_a

    def _seen(self, differences: FloatArray, shifts: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        n, m = differences.shape
        moved = shifts * (2 if self.paired else 1)
        above = scipy.special.ndtr((differences + moved[:, np.newaxis, np.newaxis]) / self._width) * self._used
        used = float(self._used.sum())
        single = np.asarray(above.sum(axis=(1, 2)) / used, dtype=np.float64)
        squares = above**2

        def two(axis: int, others: int) -> FloatArray:
            if others < 1:  # without a shift two comparisons that have a launch in common have a covariance of 1/12
                return np.asarray(single**2 + single * (1 - single) / 3, dtype=np.float64)
            triples = (above.sum(axis=axis) ** 2 - squares.sum(axis=axis)).sum(axis=1) / (used * others)
            return np.asarray(np.clip(triples, single**2, single), dtype=np.float64)

        fewer = 2 if self.paired else 1
        return single, two(2, m - fewer), two(1, n - fewer)

    def _counts(self, n: IntArray, m: IntArray, level: float) -> IntArray:
        if self.paired:
            return np.array([signed_rank_count(int(count), level / 2) for count in n])
        return np.array([rank_sum_count(int(n_a), int(n_b), level / 2) for n_a, n_b in zip(n, m, strict=True)])


def likely_scales(degrees: int) -> FloatArray:
    """Nine equally likely values of a true standard deviation, relative to the seen one, by degrees of freedom."""
    return np.asarray(np.sqrt(degrees / scipy.special.chdtri(degrees, _QUANTILES)), dtype=np.float64)


def scatter_of(a: FloatArray, b: FloatArray, *, paired: bool) -> Scatter | None:
    """The scatter of launch medians, shape (launches,), positive; None for too few of them, or without variation."""
    if min(a.size, b.size) < 2:
        return None
    if paired:
        ratios = np.log(_kept(a / b))
        sums = ratios[:, np.newaxis] + ratios
        used = sums[~np.eye(ratios.size, dtype=bool)]
        differences, lost = sums - np.median(used), 2 / a.size
    else:
        differences = np.log(_kept(a))[:, np.newaxis] - np.log(_kept(b))
        used = differences
        differences, lost = differences - np.median(differences), (1 / a.size + 1 / b.size) / 2
    if np.ptp(used) == 0:
        return None
    # Around their own median differences are shorter than around the true one.
    degrees = a.size - 1 if paired else a.size + b.size - 2
    return Scatter(differences / sqrt(1 - lost), paired, degrees)


def _kept(sample: FloatArray) -> FloatArray:
    """The sample, or quantiles of a large one (Hazen's, of logarithms)."""
    if sample.size <= _KEPT:
        return sample
    middles = (np.arange(_KEPT) + 0.5) / _KEPT
    return np.asarray(np.exp(np.quantile(np.log(sample), middles, method="hazen")), dtype=np.float64)


_Moments = tuple[FloatArray, FloatArray, FloatArray]


def _rank_sum_moments(
    n: FloatArray, m: FloatArray, above: FloatArray, both_b: FloatArray, both_a: FloatArray
) -> _Moments:
    """Mean and variance of U, and its largest value."""
    pairs = n * m
    spread = above * (1 - above) + (m - 1) * (both_b - above**2) + (n - 1) * (both_a - above**2)
    return pairs * above, pairs * spread, pairs


def _signed_rank_moments(
    n: FloatArray, _: FloatArray, above: FloatArray, both_b: FloatArray, both_a: FloatArray
) -> _Moments:
    """Mean and variance of T, the number of positive Walsh averages, and its largest value. A single log ratio is
    taken to be positive as often as the mean of two: they are n of n (n + 1) / 2.
    """
    pairs = n * (n - 1) / 2
    common = (both_b + both_a) / 2 - above**2
    variance = (3 * pairs + n) * above * (1 - above) + n * (n - 1) * (n - 2) * common
    return (pairs + n) * above, variance, pairs + n
