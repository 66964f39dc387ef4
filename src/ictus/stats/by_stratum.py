"""Cases whose ratio depends on the stratum (mode of the machine): each stratum becomes a pair of its own, with a
verdict of its own in the same family.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import scipy

from ictus.stats.adjust import Adjustment
from ictus.stats.arrays import FloatArray
from ictus.stats.evidence import SamplePair


def differing_strata(
    pairs: Sequence[SamplePair], adjustment: Adjustment, level: float, margin: float
) -> dict[int, dict[int, SamplePair]]:
    """By case the strata, by their numbers, of the cases whose ratio depends on the stratum: significantly, after
    adjustment for all cases, and by more than the margin (0.05 for 5 %). Values in an unknown state are left out.
    """
    several = {index: parts for index, pair in enumerate(pairs) if len(parts := _known(pair)) > 1}
    p_values = adjustment.apply(np.array([modes_differ(parts) for parts in several.values()]))
    strata_by_case = {}
    for (index, parts), p_value in zip(several.items(), p_values, strict=True):
        shifts = [float(np.median(np.log(x)) - np.median(np.log(y))) for x, y in parts.values()]
        if p_value <= level and max(shifts) - min(shifts) > np.log1p(margin):
            strata_by_case[index] = strata_of(pairs[index])
    return strata_by_case


def strata_of(pair: SamplePair) -> dict[int, SamplePair]:
    """Each stratum of a case as a pair of its own, by its number; none where the case cannot be compared."""
    return {stratum: SamplePair(x, y, sizes=((x.size, y.size),)) for stratum, (x, y) in _known(pair).items()}


def _known(pair: SamplePair) -> dict[int, tuple[FloatArray, FloatArray]]:
    """Both sides of each stratum; nothing where the case cannot be compared."""
    return {} if pair.reason else {stratum: times for stratum, times in pair.parts().items() if stratum >= 0}


def modes_differ(parts: Mapping[int, tuple[FloatArray, FloatArray]]) -> float:
    """The p-value for strata whose ratios A/B are one: Welch's analysis of variance (B. L. Welch 1951, On the
    comparison of several mean values) of the mean log ratios, each with its own scatter. `parts` are the times
    of A and B by stratum. NaN where a stratum has fewer than two values of a side, or nothing varies.
    """
    if len(parts) < 2 or min(side.size for pair in parts.values() for side in pair) < 2:
        return float("nan")
    logs = [(np.log(x), np.log(y)) for x, y in parts.values()]
    mean_variances = np.array([[np.var(x, ddof=1) / len(x), np.var(y, ddof=1) / len(y)] for x, y in logs])
    sizes = np.array([[len(x), len(y)] for x, y in logs])
    variance = mean_variances.sum(axis=1)
    if not (variance > 0).all():
        return float("nan")
    degrees = variance**2 / (mean_variances**2 / (sizes - 1)).sum(axis=1)
    shifts = np.array([x.mean() - y.mean() for x, y in logs])
    weights = 1 / variance
    k, share = len(logs), weights / weights.sum()
    doubt = float(((1 - share) ** 2 / degrees).sum())
    between = float((weights * (shifts - (share * shifts).sum()) ** 2).sum()) / (k - 1)
    statistic = between / (1 + 2 * (k - 2) / (k**2 - 1) * doubt)
    return float(scipy.special.fdtrc(k - 1, (k**2 - 1) / (3 * doubt), statistic))
