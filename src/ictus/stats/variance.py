"""Components of variance of launch medians, and the share of variance that each factor explains.

On the log scale the median of a launch with n repetitions scatters about the true value with variance

    between + within / n

`within` comes from inside launches: the series is cut into consecutive batches, and the variance of batch medians times
the batch length is the contribution of one repetition. Batches keep the autocorrelation of neighbours, which a variance
of single repetitions would lose. `between` is the rest of the variance over launches; negative estimates are 0. For
means of equal batches these are the estimates of a one-way analysis of variance. Source: T. Kalibera, R. Jones,
Rigorous benchmarking in reasonable time, ISMM 2013, section 6.

The shares are of the variance of log launch medians. Operation, size and processes form blocks; all deviations are
taken from the mean of a block, else the message size would explain everything. Inside the blocks it is an analysis of
variance with sums of squares:

- a factor's **alike** share: its effect averaged over all blocks;
- its **by case** share: how its effect differs between blocks (a library that is faster for small messages and slower
  for large ones has no share alike and a large one by case);
- **together**: combinations of several factors;
- **launches**, the residual: equal cells differ from launch to launch.

Where every block holds every combination of values equally often (crossed and balanced), the shares are orthogonal and
sum to 1. Else a factor's alike share is what it explains beyond all other factors (type II), `by case` cannot be
separated from combinations and is part of `together`, and what factors share belongs to none. Shares describe; tests
decide. A factor without effect still has a small share: of the variance between launches about its number of values
less 1, over the number of launches.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ictus.stats.arrays import FloatArray, IntArray, as_sample, require_times

MOST_BATCHES = 10
SHORTEST_BATCH = 5
"""A median of fewer is hardly one."""


@dataclass(frozen=True)
class Within:
    """One launch's contribution to the scatter inside launches, on the log scale."""

    variance: float
    """Contribution of one repetition to the variance of a launch median, times n."""
    degrees: int
    """Degrees of freedom; 0: so few repetitions say nothing."""


@dataclass(frozen=True)
class Components:
    """Variance of log launch medians in its two parts."""

    between: float
    within: float
    """Variance for a launch with one repetition; a launch with n has within / n."""
    launches: int

    def variance(self, nrep: float) -> float:
        """Variance of the log median of a launch with this number of repetitions."""
        return self.between + self.within / nrep


def within_launch(times: ArrayLike) -> Within:
    """The scatter inside one launch of its valid samples, shape (n,), in the order measured.

    `ValueError` for an empty sample, NaN, and times that are not positive and finite.
    """
    series = as_sample(times, "times")
    require_times(series, "times")
    length = max(SHORTEST_BATCH, series.size // MOST_BATCHES)
    batches = series.size // length
    if batches < 2:
        return Within(0.0, 0)
    medians = np.median(np.log(series[: batches * length]).reshape(batches, length), axis=1)
    return Within(length * float(np.var(medians, ddof=1)), batches - 1)


def components(medians: ArrayLike, nreps: ArrayLike, within: Sequence[Within]) -> Components | None:
    """The parts for launches with these `medians` (times), counts of repetitions `nreps`, both of shape (launches,),
    and scatter inside; None for fewer than two launches.

    `ValueError` for empty or unequal series, NaN, and times that are not positive and finite.
    """
    values, counts = as_sample(medians, "medians"), as_sample(nreps, "nreps")
    require_times(values, "medians")
    if not values.size == counts.size == len(within):
        raise ValueError(f"{values.size} medians, {counts.size} counts and {len(within)} launches do not fit")
    if values.size < 2:
        return None
    degrees = sum(launch.degrees for launch in within)
    inside = sum(launch.degrees * launch.variance for launch in within) / degrees if degrees else 0.0
    between = float(np.var(np.log(values), ddof=1)) - inside * float(np.mean(1 / counts))
    return Components(max(between, 0.0), inside, values.size)


@dataclass(frozen=True)
class FactorShare:
    """One factor's share of the variance inside blocks."""

    factor: str
    n_values: int
    alike: float
    by_case: float | None
    """None where the design is not crossed and balanced, or has one block."""


@dataclass(frozen=True)
class VarianceSource:
    """One source of variance and its shares; None where unknown."""

    factor: str
    """`(together)` for the combinations of factors, `(launches)` for what varies from launch to launch."""
    n_values: int | None
    alike: float | None
    by_case: float | None
    balanced: bool


@dataclass(frozen=True)
class VarianceShares:
    """Shares of one total; all NaN without variance."""

    factors: tuple[FactorShare, ...]
    """In the order given."""
    together: float
    launches_shared: float
    """The part of the residual that all cases of a launch have in common."""
    launches_own: float
    """The part of the residual of each case alone."""
    balanced: bool
    """Whether every block holds every combination of values equally often, so that the shares sum to 1."""
    n_blocks: int
    n_values: int
    """Launch medians that were used."""

    @property
    def sources(self) -> tuple[VarianceSource, ...]:
        """Each factor, then the combinations and the launches."""
        return (
            *(
                VarianceSource(factor.factor, factor.n_values, factor.alike, factor.by_case, self.balanced)
                for factor in self.factors
            ),
            VarianceSource("(together)", None, None, self.together, self.balanced),
            VarianceSource("(launches)", None, self.launches_shared, self.launches_own, self.balanced),
        )


def variance_shares(
    times: ArrayLike,
    blocks: Sequence[Hashable],
    launches: Sequence[Hashable],
    factors: Mapping[str, Sequence[Hashable]],
) -> VarianceShares:
    """Shares for `times` of shape (values,), any unit: of value i the block, the launch and the value of each factor.

    `ValueError` for no value, times that are not positive and finite, and columns that do not fit.
    """
    sample = as_sample(times, "times")
    require_times(sample, "times")
    for name, column in {"blocks": blocks, "launches": launches, **factors}.items():
        if len(column) != sample.size:
            raise ValueError(f"{sample.size} times, but {name} has {len(column)} values")
    block, launch = _codes(blocks), _codes(launches)
    levels = {name: _codes(column) for name, column in factors.items()}
    cell = _codes(list(zip(block.tolist(), *(column.tolist() for column in levels.values()), strict=True)))
    logs = np.log(sample)
    centred = logs - _means(logs, block)
    inside = _means(centred, cell)
    residual = centred - inside
    shared = _means(residual, launch)
    total = float(centred @ centred)
    # Rounding leaves some 1e-16 of the logarithms themselves where all values of each block are equal.
    scale = total if total > 1e-28 * max(float(logs @ logs), 1.0) else float("nan")
    balanced = _balanced(block, cell, levels)
    both = balanced and int(block.max()) > 0
    sums, explained = _balanced_effects(centred, block, levels) if balanced else _effects(centred, block, levels)
    together = float(inside @ inside) - explained
    together = together if together > 1e-12 * total else 0.0  # a difference of sums, that of one factor is 0
    return VarianceShares(
        factors=tuple(
            FactorShare(name, int(column.max()) + 1, sums[name][0] / scale, sums[name][1] / scale if both else None)
            for name, column in levels.items()
        ),
        together=together / scale,
        launches_shared=float(shared @ shared) / scale,
        launches_own=float((residual - shared) @ (residual - shared)) / scale,
        balanced=balanced,
        n_blocks=int(block.max()) + 1,
        n_values=sample.size,
    )


def _codes(column: Sequence[Hashable]) -> IntArray:
    """Values as numbers from 0, in order of appearance."""
    number: dict[Hashable, int] = {}
    return np.array([number.setdefault(value, len(number)) for value in column], dtype=np.int64)


def _means(values: FloatArray, group: IntArray) -> FloatArray:
    """For each value the mean of its group."""
    return np.asarray((np.bincount(group, values) / np.bincount(group))[group], dtype=np.float64)


def _balanced(block: IntArray, cell: IntArray, levels: dict[str, IntArray]) -> bool:
    counts = np.bincount(cell)
    combinations = int(np.prod([column.max() + 1 for column in levels.values()], initial=block.max() + 1))
    return counts.size == combinations and bool((counts == counts[0]).all())


def _balanced_effects(
    centred: FloatArray, block: IntArray, levels: dict[str, IntArray]
) -> tuple[dict[str, tuple[float, float]], float]:
    """(alike, by case) sums of squares of each factor, and the sum of all."""
    sums = {}
    for name, level in levels.items():
        alike = _means(centred, level)
        by_case = _means(centred, block * (level.max() + 1) + level) - alike
        sums[name] = (float(alike @ alike), float(by_case @ by_case))
    return sums, sum(alike + of_cases for alike, of_cases in sums.values())


def _effects(
    centred: FloatArray, block: IntArray, levels: dict[str, IntArray]
) -> tuple[dict[str, tuple[float, float]], float]:
    """The sums of squares of each factor beyond all others, and of all together, by least squares inside blocks."""
    columns = {name: _indicators(level, block) for name, level in levels.items()}
    total = _explained(centred, list(columns.values()))
    sums = {}
    for name in levels:
        others = [column for key, column in columns.items() if key != name]
        sums[name] = (max(total - _explained(centred, others), 0.0), 0.0)
    return sums, total


def _indicators(level: IntArray, block: IntArray) -> FloatArray:
    """A column for each value of a factor but the first, around its block's mean; shape (values, levels - 1)."""
    columns = [(level == value).astype(np.float64) for value in range(1, int(level.max()) + 1)]
    return np.column_stack([np.empty((level.size, 0)), *(column - _means(column, block) for column in columns)])


def _explained(centred: FloatArray, parts: Sequence[FloatArray]) -> float:
    design = np.column_stack([np.empty((centred.size, 0)), *parts])
    if not design.shape[1]:
        return 0.0
    fitted = design @ np.linalg.lstsq(design, centred, rcond=None)[0]
    return float(fitted @ fitted)
