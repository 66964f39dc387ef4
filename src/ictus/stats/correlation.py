"""Are neighbouring repetitions alike? Autocorrelation of a series in the order measured, and what it is worth.

The coefficient at lag h is C_h / C_0 with the autocovariance C_h = sum (x_i - mean)(x_{i+h} - mean) / n, divided by n
at every lag: the usual estimate (R's `acf`), whose Fourier transform is never negative. Of independent values 95 % of
the coefficients lie within +-1.96 / sqrt(n), the band (papers/mpi-benchmarking-revisited, section 5.3). Whether the
first 20 of them together are more than chance is the question of Ljung and Box (Biometrika 65, 1978): n (n + 2) sum
r_h^2 / (n - h) has a chi-squared distribution where nothing correlates.

The effective sample size is n / (1 + 2 sum r_h): as many independent values would give a mean of the same error. The
sum over all lags is nothing but noise at its end, so it stops where pairs of neighbouring lags no longer add anything
positive, and the pairs may only fall: Geyer's initial monotone sequence (C. J. Geyer, Practical Markov chain Monte
Carlo, Statistical Science 7, 1992). The size is at most n: alternating values count no more than independent ones.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np
import scipy
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray, finite_sample

BAND_LEVEL, LEVEL = 0.05, 0.01
TESTED_LAGS = 20
SMALLEST = 10
"""Fewer values give no statement: the band of a shorter series would reach beyond +-0.6."""


@dataclass(frozen=True)
class Autocorrelation:
    """The autocorrelation of one series of n values."""

    coefficients: FloatArray
    """At lags 1, 2, ..., shape (lags,); NaN where the series is constant or has fewer than 10 values."""
    band: float
    """Half-width within which independent values stay at 95 % of the lags."""
    effective: float
    """Effective sample size, 1 to n."""
    n: int
    p_value: float
    """p-value of no correlation at any of the first 20 lags (Ljung and Box); NaN where the coefficients are NaN."""

    @property
    def significant(self) -> bool:
        """Whether the series is correlated, at 1 %."""
        return self.p_value <= LEVEL

    @property
    def spacing(self) -> int:
        """Samples this far apart are about independent: n / effective, rounded up; 0 where it is unknown."""
        return int(np.ceil(self.n / self.effective - 1e-9)) if np.isfinite(self.effective) else 0


def autocorrelation(values: ArrayLike, lags: int = 100) -> Autocorrelation:
    """Autocorrelation of a series in the order measured, at lags 1 to `lags` (fewer where the series is short: at most
    a quarter of it). Cost: two Fourier transforms.

    `ValueError` for an empty series, NaN or infinity, and lags below 1.
    """
    series = finite_sample(values)
    if lags < 1:
        raise ValueError(f"lags {lags} is less than 1")
    n_lags = min(lags, max(series.size // 4, 1))
    band = float(scipy.special.ndtri(1 - BAND_LEVEL / 2)) / sqrt(series.size)
    if series.size < SMALLEST or np.ptp(series) == 0:
        return Autocorrelation(np.full(n_lags, np.nan), band, float("nan"), series.size, float("nan"))
    all_lags = _coefficients(series)
    p_value = _ljung_box(all_lags)
    return Autocorrelation(all_lags[1 : n_lags + 1], band, _effective(all_lags), series.size, p_value)


def _coefficients(series: FloatArray) -> FloatArray:
    """At lags 0 to n - 1: the inverse transform of the squared spectrum, padded so that the ends do not meet."""
    # In units of its own range, so that squares of times of nanoseconds lose nothing.
    centred = (series - series.mean()) / np.ptp(series)
    length = 1 << (2 * series.size - 1).bit_length()
    spectrum = np.fft.rfft(centred, length)
    covariance = np.fft.irfft(np.abs(spectrum) ** 2, length)[: series.size]
    return np.asarray(covariance / covariance[0], dtype=np.float64)


def _effective(coefficients: FloatArray) -> float:
    """The effective size from coefficients from lag 0 on: n / (1 + 2 sum of r_h) = n / (2 sum of pairs - 1), with the
    pairs r_0 + r_1, r_2 + r_3 and so on up to the first that is not positive, none larger than the one before.
    """
    n = coefficients.size
    pairs = coefficients[: n // 2 * 2].reshape(-1, 2).sum(axis=1)
    end = np.flatnonzero(pairs <= 0)
    used = np.minimum.accumulate(pairs[: end[0] if end.size else pairs.size])
    return float(np.clip(n / max(2 * used.sum() - 1, 1e-12), 1.0, n))


def _ljung_box(coefficients: FloatArray) -> float:
    """p-value of the first 20 lags, or a quarter of the series where it is short."""
    n = coefficients.size
    lags = np.arange(1, min(TESTED_LAGS, max(n // 4, 1)) + 1)
    statistic = n * (n + 2) * float((coefficients[lags] ** 2 / (n - lags)).sum())
    return float(scipy.special.chdtrc(lags.size, statistic))
