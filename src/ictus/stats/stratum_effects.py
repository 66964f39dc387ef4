"""What strata (modes of the machine) add to times, taken out, where times are described or raced and not tested by
ranks: an additive model of the logarithms, group + stratum, by least squares.
"""

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray, IntArray, as_sample, require_times


def without_strata(times: ArrayLike, strata: Sequence[int], groups: Sequence[Hashable] | None = None) -> FloatArray:
    """`times`, shape (values,), positive and finite, each divided by the effect of its stratum; their geometric mean
    stays. `groups` says what each value is of: what groups differ by is no effect of strata. None: all are of one.

    Unchanged where groups and strata cannot be told apart (each group in strata of its own), and for one stratum.
    `ValueError` for no value, other times, and columns that do not fit.
    """
    sample = as_sample(times, "times")
    require_times(sample, "times")
    of = [0] * sample.size if groups is None else list(groups)
    if not sample.size == len(strata) == len(of):
        raise ValueError(f"{sample.size} times, {len(strata)} strata and {len(of)} groups do not fit")
    group, stratum = _indicators(of), _indicators(list(strata))[:, 1:]
    design = np.column_stack((group, stratum))
    if not stratum.shape[1] or np.linalg.matrix_rank(design) < design.shape[1]:
        return sample
    effects = stratum @ np.linalg.lstsq(design, np.log(sample), rcond=None)[0][group.shape[1] :]
    return np.asarray(sample / np.exp(effects - effects.mean()), dtype=np.float64)


def _indicators(column: Sequence[Hashable]) -> FloatArray:
    """A column for each value, in the order in which they appear; shape (values, different ones)."""
    number: dict[Hashable, int] = {}
    codes: IntArray = np.array([number.setdefault(value, len(number)) for value in column], dtype=np.int64)
    return np.eye(len(number))[codes]
