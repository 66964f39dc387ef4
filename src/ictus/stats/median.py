"""The exact median of a large sample in few passes: look only at what lies near it.

A small part of the sample, every 16th value, says between which two values the median almost surely lies. How many are
below the lower one is counted, and only those between the two are sorted. Where the median is not among them after all
(values that follow a pattern as long as the part's steps), everything is sorted. Cost: three sweeps without a branch,
where a selection by partitions branches at each value. R. W. Floyd, R. L. Rivest, Expected time bounds for
selection, Comm. ACM 18, 1975, choose their bounds in the same way.
"""

from math import sqrt

import numpy as np

from ictus.stats.arrays import FloatArray

_SMALL = 4096
"""So few are sorted at once."""
_STEP = 16
_MARGIN = 4.0
"""Standard deviations of the rank that the median has among every 16th value, sqrt(n) / 2."""


def median_of(values: FloatArray) -> float:
    """Median of a non-empty sample without NaN, shape (n,), as `numpy.median` has it but for its checks."""
    lower, upper = (values.size - 1) // 2, values.size // 2
    low, high = _order_statistics(values, lower, upper)
    return low + (high - low) / 2 if low < high else low


def _order_statistics(values: FloatArray, lower: int, upper: int) -> tuple[float, float]:
    """The values of rank `lower` and `upper`, which are neighbours or the same."""
    if values.size > _SMALL:
        part = np.sort(values[::_STEP])
        reach = int(_MARGIN * sqrt(part.size) / 2) + 1
        floor, ceiling = part[part.size // 2 - reach], part[part.size // 2 + reach]
        below = int(np.count_nonzero(values < floor))
        near = values[(values >= floor) & (values <= ceiling)]
        if below <= lower and upper < below + near.size:
            near.sort()
            return float(near[lower - below]), float(near[upper - below])
    ordered = np.sort(values)
    return float(ordered[lower]), float(ordered[upper])
