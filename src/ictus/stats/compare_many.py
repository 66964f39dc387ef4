"""More than two at once: A against B against C in every case. First whether any differ at all, then which, then places.

For each case Kruskal-Wallis asks whether the launches of all sides could come from one distribution; its p-values are
adjusted over the cases. Pairs are compared as two sides are (`compare.py`), all pairs of all cases as one family of the
adjustment. A pair counts as different where both the case and the pair were shown to differ. Asking both can only
lower the number of false alarms below what the adjustment of the pairs promises by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ictus.stats.adjust import find_adjustment
from ictus.stats.arrays import FloatArray, Sample
from ictus.stats.compare import Comparison, compare_cases
from ictus.stats.kruskal_wallis import kruskal_wallis
from ictus.stats.ranking import places
from ictus.stats.verdict import DIFFERENT


@dataclass(frozen=True)
class ManyComparison:
    """One case on all sides. None where there is nothing to say."""

    medians: tuple[float | None, ...]
    """Of the launch medians of each side, in the unit of the samples."""
    p_value: float | None
    """Kruskal-Wallis over all sides that have data."""
    p_adjusted: float | None
    """Adjusted for all cases."""
    pairs: dict[tuple[int, int], Comparison]
    """By the numbers of the sides, the smaller first."""
    proven: frozenset[tuple[int, int]]
    """The pairs shown to differ: by their own adjusted p and by the case's."""
    places: tuple[int | None, ...]
    """Place of each side, 1 for the fastest; sides of one place are tied. None for a side without data."""


def compare_many(
    sides: Sequence[Sequence[Sample]], *, level: float = 0.05, adjust: str = "holm", equivalence: float = 0.05
) -> list[ManyComparison]:
    """One row per case: `sides[k][i]` are the launch medians of case i on side k, shape (launches,), None or NaN for a
    launch without one. Launches of different sides are independent.

    `ValueError` for fewer than two sides or sides with different numbers of cases; `UsageError` as in `compare_cases`.
    """
    if len(sides) < 2:
        raise ValueError(f"{len(sides)} sides: there is nothing to compare")
    if len({len(side) for side in sides}) > 1:
        raise ValueError(f"sides have different numbers of cases: {', '.join(str(len(side)) for side in sides)}")
    n_cases, numbers = len(sides[0]), list(combinations(range(len(sides)), 2))
    compared = compare_cases(
        [sides[i][case] for case in range(n_cases) for i, _ in numbers],
        [sides[j][case] for case in range(n_cases) for _, j in numbers],
        paired=False,
        level=level,
        adjust=adjust,
        equivalence=equivalence,
    )
    known = [[_known(side[case]) for side in sides] for case in range(n_cases)]
    p_values = np.array([_omnibus(samples) for samples in known])
    p_adjusted = find_adjustment(adjust).apply(p_values) if n_cases else p_values
    rows = []
    for case, samples in enumerate(known):
        found = compared[case * len(numbers) : (case + 1) * len(numbers)]
        pairs = dict(zip(numbers, found, strict=True))
        rows.append(_row(samples, pairs, float(p_values[case]), float(p_adjusted[case]), level))
    return rows


def _row(
    samples: Sequence[FloatArray],
    pairs: dict[tuple[int, int], Comparison],
    p_value: float,
    p_adjusted: float,
    level: float,
) -> ManyComparison:
    differ = {pair for pair, one in pairs.items() if one.verdict.kind in DIFFERENT and p_adjusted <= level}
    present = [index for index, sample in enumerate(samples) if sample.size]
    medians = [float(np.median(samples[index])) for index in present]
    proven = [[(min(i, j), max(i, j)) in differ for j in present] for i in present]
    place = dict(zip(present, places(medians, np.reshape(proven, (len(present), len(present)))), strict=True))
    median = dict(zip(present, medians, strict=True))
    return ManyComparison(
        tuple(median.get(index) for index in range(len(samples))),
        None if np.isnan(p_value) else p_value,
        None if np.isnan(p_adjusted) else p_adjusted,
        pairs,
        frozenset(differ),
        tuple(place.get(index) for index in range(len(samples))),
    )


def _known(sample: Sample) -> FloatArray:
    """The launches that have a value."""
    values = np.array([np.nan if value is None else value for value in np.asarray(sample, dtype=object).ravel()], float)
    return np.asarray(values[~np.isnan(values)], dtype=np.float64)


def _omnibus(samples: Sequence[FloatArray]) -> float:
    """The p-value of all sides with data; NaN where there are fewer than two."""
    present = [sample for sample in samples if sample.size]
    return kruskal_wallis(present).p_value if len(present) > 1 else float("nan")
