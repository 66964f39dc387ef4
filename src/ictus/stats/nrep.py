"""How many repetitions a case needs: the prediction of "Self-consistent performance guidelines", section 4.2.

After `least` samples, and after every `step` more, each chosen metric is looked at; the first total at which all are at
or under their thresholds is the number. The metrics of the first n samples x_1 ... x_n:

    rse         standard error of the mean over the mean, of the samples inside Tukey's fences
    cov_mean    standard deviation over mean of the last w prefix means: those of n, n-1, ..., n-w+1 samples
    cov_median  the same of the prefix medians

Standard deviations divide by n - 1. Neighbouring windows share all but one of their samples, so that prefix means are
alike whatever the samples do: where samples resemble their neighbours, cov_mean and cov_median stop early. The core has
the same definitions (native/src/workload/precision).
"""

import math
from bisect import insort
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ictus.model.spec import Number, Spec
from ictus.stats.arrays import FloatArray, finite_sample
from ictus.stats.summary import fences_sorted

METRICS: Mapping[str, float] = {"rse": 0.025, "cov_mean": 0.01, "cov_median": 0.01}
"""The metrics with their usual thresholds."""
CHOSEN = ("rse", "cov_mean")
"""The metrics of the paper's example, the default, in the core too."""
WINDOWS: Mapping[str, str] = {"cov_mean": "mean_window", "cov_median": "median_window"}
"""Which parameter of `repetition nrep` says how many prefixes a metric looks at."""
WINDOW = 20


@dataclass(frozen=True)
class NrepRule:
    """When there are enough samples. Thresholds by metric, one or more of METRICS."""

    thresholds: Mapping[str, float] = field(default_factory=lambda: {name: METRICS[name] for name in CHOSEN})
    least: int = 20
    most: int = 1000
    step: int = 10
    windows: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(WINDOWS, WINDOW))

    @staticmethod
    def of(spec: Spec) -> "NrepRule":
        """The rule of a repetition `nrep(...)` in full form; `ValueError` for another one."""
        if spec.name != "nrep":
            raise ValueError(f"repetition '{spec.name}' predicts no number")
        numbers = {
            argument.key: float(argument.value.text)
            for argument in spec.arguments
            if isinstance(argument.value, Number)
        }
        return NrepRule(
            {name: numbers[name] for name in METRICS if name in numbers},
            int(numbers["min"]),
            int(numbers["max"]),
            int(numbers["step"]),
            {name: int(numbers[key]) for name, key in WINDOWS.items()},
        )

    def totals(self, n: int) -> NDArray[np.int64]:
        """The totals at which metrics are computed with n samples, ascending: least, least + step, ..., and most."""
        regular = np.arange(self.least, self.most, self.step, dtype=np.int64)
        every = np.append(regular, self.most)
        return np.asarray(every[every <= n], dtype=np.int64)


@dataclass(frozen=True)
class NrepPrediction:
    """The prediction from the samples of one launch."""

    nrep: int
    """The first sufficient total; if there is none, the number of samples, at most `most`."""
    converged: bool
    totals: NDArray[np.int64]
    """The totals at which metrics are computed, shape (looks,), beyond `nrep` as far as there are samples."""
    running: Mapping[str, FloatArray]
    """Each chosen metric at `totals`, shape (looks,); NaN where it is undefined."""


def predict(values: ArrayLike, rule: NrepRule) -> NrepPrediction:
    """The number of repetitions by `rule` of a sequence in the order measured, shape (n,). Cost: n log n for each look
    of rse, else n; n^2 / 2 moves for medians.

    `ValueError` for an empty sequence, NaN or infinity.
    """
    series = finite_sample(values)
    totals = rule.totals(series.size)
    running = {name: _metric(name, series, totals, rule) for name in rule.thresholds}
    enough = np.ones(totals.size, dtype=bool)
    for name, threshold in rule.thresholds.items():
        enough &= running[name] <= threshold  # NaN is never enough
    if enough.any():
        return NrepPrediction(int(totals[np.argmax(enough)]), True, totals, running)
    return NrepPrediction(min(series.size, rule.most), False, totals, running)


def _metric(name: str, series: FloatArray, totals: NDArray[np.int64], rule: NrepRule) -> FloatArray:
    if name == "rse":
        return np.array([_rse(np.sort(series[:n])) for n in totals], dtype=np.float64)
    prefixes = _prefix_means(series) if name == "cov_mean" else _prefix_medians(series)
    return _last_variations(prefixes, totals, rule.windows[name])


def _rse(ordered: FloatArray) -> float:
    """The relative standard error of an ascending sample; NaN below two values inside the fences, and for a mean that
    is not positive.
    """
    limits = fences_sorted(ordered)
    inside = ordered[ordered.searchsorted(limits.low) : ordered.searchsorted(limits.high, "right")]
    mean = np.add.reduce(inside) / inside.size if inside.size > 1 else 0.0
    if mean <= 0:
        return float("nan")
    away = inside - mean  # by hand: a page looks thousands of times, and `std` works the mean out again
    return math.sqrt(np.add.reduce(away * away) / (inside.size - 1)) / math.sqrt(inside.size) / float(mean)


def _prefix_means(series: FloatArray) -> FloatArray:
    return np.asarray(np.cumsum(series) / np.arange(1, series.size + 1), dtype=np.float64)


def _prefix_medians(series: FloatArray) -> FloatArray:
    """Median of the first 1, 2, ..., n values, shape (n,)."""
    ordered: list[float] = []
    medians = np.empty(series.size)
    for index, value in enumerate(series.tolist()):
        insort(ordered, value)
        low, high = ordered[index // 2], ordered[(index + 1) // 2]
        medians[index] = low + 0.5 * (high - low)
    return medians


def _last_variations(prefixes: FloatArray, totals: NDArray[np.int64], window: int) -> FloatArray:
    """Coefficient of variation of the `window` prefixes that end at each total; NaN where there are fewer."""
    variations = np.full(totals.size, np.nan)
    full = totals >= window
    if not full.any():
        return variations
    windows = np.lib.stride_tricks.sliding_window_view(prefixes, window)[totals[full] - window]
    means = windows.mean(axis=1)
    deviations = windows.std(axis=1, ddof=1)
    variations[full] = np.divide(deviations, means, out=np.full(means.size, np.nan), where=means > 0)
    return variations
