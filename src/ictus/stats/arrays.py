"""Array types of the statistics, and the check that every sample passes before a test."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]
Sample = ArrayLike | Sequence[float | None]
"""Numbers in any shape NumPy takes; None and NaN stand for a launch without a valid sample."""


def as_sample(values: ArrayLike, name: str) -> FloatArray:
    """`values` as a one-dimensional array of numbers; `ValueError` names `name` where it is empty or holds NaN.

    NaN means a launch without a valid sample. It is never dropped silently: `compare_cases` drops it with a remark.
    """
    sample = np.asarray(values, dtype=np.float64)
    if sample.ndim != 1:
        raise ValueError(f"{name} has {sample.ndim} dimensions; a sample has one")
    if sample.size == 0:
        raise ValueError(f"{name} is empty; a test needs at least one value on each side")
    n_missing = int(np.isnan(sample).sum())
    if n_missing:
        raise ValueError(
            f"{name} holds {n_missing} NaN of {sample.size} values; drop the launches without a valid sample first"
        )
    return sample


def finite_sample(values: ArrayLike) -> FloatArray:
    """A non-empty series without NaN and infinity, in the order given; `ValueError` otherwise."""
    series = as_sample(values, "the series")
    if not np.isfinite(series).all():
        raise ValueError("the series holds an infinite value; drop it first")
    return series


def require_times(values: FloatArray, name: str) -> None:
    """`ValueError` names `name` unless all values are positive and finite, so that their ratios are defined."""
    if not (np.isfinite(values) & (values > 0)).all():
        raise ValueError(f"{name} holds a time that is not positive and finite; its ratio is undefined")
