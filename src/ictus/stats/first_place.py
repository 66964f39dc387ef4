"""Whether the first of several launches in a row is unlike those after it, over several series and many cases.

In each series the launches are ranked, case by case. If a first launch is a launch like the others, every place of a
series has its ranks with the same chance, and so has every combination of places, one of each series. The p-value of a
case is the share of combinations of which any case deviates as far as this one does where the first places are chosen
(Westfall and Young 1993, largest statistic of all cases): it is adjusted for all cases, which are of the same launches.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import scipy

from ictus.stats.arrays import FloatArray

LEVEL = 0.01
"""The chance that anything is said of launches that do not differ."""
_COMBINATIONS = 20_000
"""Above this number they are drawn, with a fixed seed."""
_CHUNK = 500_000
"""Numbers that are in memory at a time."""


@dataclass(frozen=True)
class FirstPlace:
    """A case of which the first launches are unlike the others."""

    case: int
    """The column."""
    ratio: float
    """Median over series of the first launch over the median of those after it."""
    p_value: float


def can_decide(lengths: Sequence[int]) -> bool:
    """Whether series of these lengths have enough combinations for a p-value of the level."""
    return prod(length for length in lengths if length > 1) * LEVEL >= 1


def first_places(series: Sequence[FloatArray]) -> list[FirstPlace]:
    """The cases whose first launches differ at the level. A series has a row for each launch in its order, a column for
    each case; a column with NaN in a series says nothing there.
    """
    several = [medians_s for medians_s in series if medians_s.shape[0] > 1]
    if not can_decide([medians_s.shape[0] for medians_s in several]):
        return []
    ranks = [_centred_ranks(medians_s) for medians_s in several]
    variance = sum((rank_columns.var(axis=0) for rank_columns in ranks), np.zeros(several[0].shape[1]))
    varying = np.flatnonzero(variance > 0)
    if varying.size == 0:
        return []
    scaled = [rank[:, varying] / np.sqrt(variance[varying]) for rank in ranks]
    observed = np.abs(sum(rank_columns[0] for rank_columns in scaled))
    reached, n_combinations = np.zeros(varying.size), 0
    for places in _combinations([rank_columns.shape[0] for rank_columns in scaled], varying.size):
        sums = sum(rank_columns[places[:, number]] for number, rank_columns in enumerate(scaled))
        largest = np.abs(sums).max(axis=1)
        reached += (largest[:, None] >= observed[None, :] - 1e-9).sum(axis=0)
        n_combinations += places.shape[0]
    p_values = reached / n_combinations
    return [
        FirstPlace(int(case), _ratio(several, int(case)), float(p))
        for case, p in zip(varying, p_values, strict=True)
        if p <= LEVEL
    ]


def _centred_ranks(values: FloatArray) -> FloatArray:
    """Ranks in each column, of mean 0 and in shares of the length; 0 in a column with NaN."""
    complete = np.isfinite(values).all(axis=0)
    ranks = np.zeros(values.shape)
    if complete.any():
        column_ranks = scipy.stats.rankdata(values[:, complete], axis=0)
        ranks[:, complete] = (column_ranks - column_ranks.mean(axis=0)) / values.shape[0]
    return ranks


def _combinations(lengths: Sequence[int], n_cases: int) -> Iterator[np.ndarray[tuple[int, int], np.dtype[np.int64]]]:
    """Places, a column for each series: every combination, or many that are drawn, first places among them."""
    size = max(1, _CHUNK // n_cases)
    if prod(lengths) <= _COMBINATIONS:
        every = itertools.product(*map(range, lengths))
        while chunk := list(itertools.islice(every, size)):
            yield np.array(chunk)
        return
    yield np.zeros((1, len(lengths)), np.int64)  # the observed one counts, so that no p-value is 0
    random, left = np.random.default_rng(0), _COMBINATIONS
    while left:
        n_drawn = min(size, left)
        yield np.stack([random.integers(length, size=n_drawn) for length in lengths], axis=1)
        left -= n_drawn


def _ratio(series: Sequence[FloatArray], case: int) -> float:
    columns = [medians_s[:, case] for medians_s in series if np.isfinite(medians_s[:, case]).all()]
    return float(np.median([column[0] / np.median(column[1:]) for column in columns]))
