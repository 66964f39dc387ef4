"""The one shape of a hypothesis test: two samples in, a p-value out, for many cases of equal size at once.

`registry.py` lists the members, one file each. All p-values come from scipy. In every member `less` means that `a`
tends to be **smaller** (faster), `greater` that it tends to be larger.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import ArrayLike

from ictus.stats.arrays import BoolArray, FloatArray, as_sample

Alternative = Literal["two-sided", "less", "greater"]
ALTERNATIVES: tuple[Alternative, ...] = ("two-sided", "less", "greater")


@dataclass(frozen=True)
class TestResult:
    """One test of one case."""

    __test__: ClassVar[bool] = False  # The name is the field's; pytest must not take it for a test of its own.

    statistic: float
    p_value: float
    method: str
    """`exact`, or `asymptotic`: the normal (or limiting) distribution stands in for the exact one."""


@dataclass(frozen=True)
class TestRows:
    """One test of many cases of equal size; arrays of shape (cases,). A p-value is NaN where the test is undefined."""

    __test__: ClassVar[bool] = False

    statistic: FloatArray
    p_value: FloatArray
    exact: BoolArray


@dataclass(frozen=True)
class Shifts:
    """Log ratios A/B of many cases of equal size with their limits, shape (cases,); limits are infinite where there are
    none.
    """

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    reached: float
    """Confidence of the widest interval that these sizes allow."""


def _no_remarks(_a: FloatArray, _b: FloatArray) -> tuple[tuple[int, str], ...]:
    return ()


@dataclass(frozen=True)
class HypothesisTest:
    """A member of the family. `a` has shape (cases, n), `b` (cases, m), both without NaN, n and m at least 1."""

    name: str
    summary: str
    paired: bool
    """Whether `a[i]` and `b[i]` must come from the same launch."""
    rows: Callable[[FloatArray, FloatArray, Alternative], TestRows]
    smallest_p: Callable[[int, int], float]
    """(n, m) to the smallest one-sided p-value that any data of these sizes can give."""
    critical_effect: Callable[[int, int, float], float]
    """(n, m, level) to the shift, in standard deviations of normal data, at which the two-sided test just rejects;
    inf if it cannot.
    """
    own_shifts: Callable[[FloatArray, FloatArray, float], Shifts] | None = None
    """(a, b, level) to the ratio that the test itself is about, its interval holding what the test does not reject;
    None: Hodges and Lehmann's, which inverts the Wilcoxon test of the same kind.
    """
    any_difference: bool = False
    """Whether it rejects whatever differs, a spread as well as a shift: then only the interval says who is faster."""
    remarks: Callable[[FloatArray, FloatArray], tuple[tuple[int, str], ...]] = _no_remarks
    """(side 0 or 1, text) wherever the samples `a` and `b` of one case break an assumption of this test."""

    def apply(self, a: ArrayLike, b: ArrayLike, alternative: Alternative = "two-sided") -> TestResult:
        """The test of one case; `ValueError` for empty samples, NaN, unequal sizes of pairs, or an unknown
        alternative.
        """
        if alternative not in ALTERNATIVES:
            raise ValueError(f"alternative {alternative!r} is unknown; known: {', '.join(ALTERNATIVES)}")
        first, second = as_sample(a, "a"), as_sample(b, "b")
        if self.paired and first.size != second.size:
            raise ValueError(f"{self.name} needs pairs, but a has {first.size} values and b has {second.size}")
        rows = self.rows(first[np.newaxis], second[np.newaxis], alternative)
        return TestResult(float(rows.statistic[0]), float(rows.p_value[0]), "exact" if rows.exact[0] else "asymptotic")
