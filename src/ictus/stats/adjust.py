"""Adjusts p-values for the number of cases that are judged together, so that the error rate holds per campaign.

`holm` bounds the chance of any false alarm in the family by the level, under any dependence (S. Holm 1979); `bh`
bounds the expected share of false alarms among the alarms (Benjamini and Hochberg 1995); `none` reproduces the papers'
tables. NaN marks a case without a test: it stays NaN and does not count in the family.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ictus.model.errors import OptionError
from ictus.stats.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Adjustment:
    """A member of the family."""

    name: str
    summary: str
    apply: Callable[[ArrayLike], FloatArray]
    """Adjusted p-values of the same shape; the family is the last axis."""
    divisor: Callable[[int, int], float]
    """(tests, rejected) to what the level is divided by for the next test to be rejected."""


def holm(p_values: ArrayLike) -> FloatArray:
    """Holm's step-down adjustment along the last axis."""
    ordered, order, n_tests = _ascending(p_values)
    factor = np.maximum(n_tests - np.arange(ordered.shape[-1]), 1)
    return _restore(np.minimum(np.maximum.accumulate(ordered * factor, axis=-1), 1.0), order)


def benjamini_hochberg(p_values: ArrayLike) -> FloatArray:
    """Benjamini and Hochberg's step-up adjustment along the last axis."""
    ordered, order, n_tests = _ascending(p_values)
    scaled = ordered * n_tests / np.arange(1, ordered.shape[-1] + 1)
    # NaN sorts last; as infinity it leaves the running minimum from the right alone.
    from_right = np.minimum.accumulate(np.where(np.isnan(scaled), np.inf, scaled)[..., ::-1], axis=-1)[..., ::-1]
    return _restore(np.where(np.isnan(scaled), np.nan, np.minimum(from_right, 1.0)), order)


def unadjusted(p_values: ArrayLike) -> FloatArray:
    """The p-values as they are."""
    return np.array(p_values, dtype=np.float64)


def _ascending(p_values: ArrayLike) -> tuple[FloatArray, IntArray, IntArray]:
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, axis=-1)
    return np.take_along_axis(values, order, axis=-1), order, np.sum(~np.isnan(values), axis=-1, keepdims=True)


def _restore(ordered: FloatArray, order: IntArray) -> FloatArray:
    restored = np.empty_like(ordered)
    np.put_along_axis(restored, order, ordered, axis=-1)
    return restored


HOLM = Adjustment(
    name="holm",
    summary="the chance of any false alarm in the campaign is at most the level",
    apply=holm,
    divisor=lambda tests, rejected: max(tests - rejected, 1),
)
BENJAMINI_HOCHBERG = Adjustment(
    name="bh",
    summary="the expected share of false ones among the alarms is at most the level",
    apply=benjamini_hochberg,
    divisor=lambda tests, rejected: max(tests / (rejected + 1), 1.0),
)
NONE = Adjustment(
    name="none",
    summary="each case for itself, as in the papers' tables",
    apply=unadjusted,
    divisor=lambda _tests, _rejected: 1.0,
)
ADJUSTMENTS: dict[str, Adjustment] = {member.name: member for member in (HOLM, BENJAMINI_HOCHBERG, NONE)}


def find_adjustment(name: str) -> Adjustment:
    """The adjustment of that name; `UsageError` lists the known ones."""
    if name not in ADJUSTMENTS:
        raise OptionError(("adjust", name, f"unknown adjustment; known: {', '.join(ADJUSTMENTS)}"))
    return ADJUSTMENTS[name]
