"""Modes of the machine: groups of launches between which what probes measured has a gap.

Latencies decide nothing here: a comparison within such groups is as valid as one within groups that a coin made. The
rule: the values of a probe are sorted; where one exceeds the one before by `GAP` or more, and at least `FEWEST`
launches lie on either side, runs a boundary. Boundaries are sought among the first `FIRST` launches, then among twice
as many, and so on. One that was found stays: a later launch may split a mode, and never merges two.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from ictus.stats.arrays import FloatArray, IntArray

GAP = 0.2
FEWEST = 2
FIRST = 20
MOST = 4
DEPENDENT = 0.01
"""The level of the test whether modes depend on the side; all looks of a growing campaign share it."""
_MOST_TABLES = 500_000


@dataclass(frozen=True)
class Modes:
    """The mode of each launch, shape (launches,): 0, 1, ... in the order of the first probe's values; -1 where a probe
    is unknown.
    """

    of_launch: IntArray
    boundaries: tuple[tuple[float, ...], ...]
    """For each probe, ascending, in its unit."""

    @property
    def n_modes(self) -> int:
        """How many there are; launches without probes count as none."""
        return int(self.of_launch.max(initial=-1)) + 1


def find_modes(probes: FloatArray) -> Modes:
    """The modes of launches in the order in which they ran. `probes` has shape (launches, probes), positive values, NaN
    for unknown.
    """
    complete = np.isfinite(probes).all(axis=1) & (probes > 0).all(axis=1)
    values = np.log(probes[complete])
    boundaries: list[list[float]] = [[] for _ in range(probes.shape[1])]
    n = min(FIRST, len(values))
    while True:
        for _, probe, boundary in sorted(_gaps(values[:n]), reverse=True):
            column = sorted([*boundaries[probe], boundary])
            trial = [*boundaries[:probe], column, *boundaries[probe + 1 :]]
            splits = np.unique(_cells(values[:n], trial), axis=0).shape[0]
            if _between(boundary, boundaries[probe], values[:n, probe]) and splits <= MOST:
                boundaries = trial
        if n == len(values):
            break
        n = min(2 * n, len(values))
    cells = _cells(values, boundaries)
    # A later launch may open a further combination of two probes; it counts as the mode before it.
    _, numbers = np.unique(cells, axis=0, return_inverse=True)
    of_launch = np.full(len(probes), -1)
    of_launch[complete] = np.minimum(numbers.ravel(), MOST - 1)
    return Modes(
        of_launch, tuple(tuple(float(np.exp(log_boundary)) for log_boundary in column) for column in boundaries)
    )


Strata = tuple[Sequence[int], Sequence[int]]
"""Of one case: the stratum of each value of A and of B."""


def independent(strata: Sequence[Strata], level: float = DEPENDENT) -> bool:
    """Whether the strata of all cases may be compared within: there are several, and none depends on the side, by a
    test at `level`.
    """
    several = len({stratum for pair in strata for side in pair for stratum in side if stratum >= 0}) > 1
    return several and not any(depends_on_side(np.array(a), np.array(b), level) for a, b in strata)


def _gaps(values: FloatArray) -> list[tuple[float, int, float]]:
    """Width, probe and middle of each gap, of log values."""
    gaps: list[tuple[float, int, float]] = []
    for probe in range(values.shape[1]):
        ordered = np.sort(values[:, probe])
        inner = slice(FEWEST - 1, len(ordered) - FEWEST)
        widths = np.diff(ordered)
        gaps += [
            (float(widths[index]), probe, float((ordered[index] + ordered[index + 1]) / 2))
            for index in range(len(widths))[inner]
            if widths[index] >= np.log1p(GAP)
        ]
    return gaps


def _between(boundary: float, boundaries: Sequence[float], values: FloatArray) -> bool:
    """Whether a boundary separates launches that no known boundary separates; two in one gap are one."""
    below = max((separated for separated in boundaries if separated <= boundary), default=-np.inf)
    above = min((separated for separated in boundaries if separated > boundary), default=np.inf)
    left = int(((values > below) & (values < boundary)).sum())
    return left >= FEWEST and int(((values > boundary) & (values < above)).sum()) >= FEWEST


def _cells(values: FloatArray, boundaries: Sequence[Sequence[float]]) -> IntArray:
    """Between which boundaries each launch lies, for each probe."""
    columns = [np.searchsorted(np.asarray(column), values[:, i]) for i, column in enumerate(boundaries)]
    return np.stack(columns, axis=1)


def depends_on_side(modes_a: IntArray, modes_b: IntArray, level: float = DEPENDENT) -> bool:
    """Whether launches of one side are in other modes than those of the other, by Fisher's exact test: then the modes
    may be the library's doing, and no strata may take them out.
    """
    kinds = np.union1d(modes_a, modes_b)
    table = np.array([[int((side == kind).sum()) for kind in kinds] for side in (modes_a, modes_b)])
    if table.shape[1] < 2 or not table.sum(axis=1).all():
        return False
    if table.shape[1] == 2:
        return bool(scipy.stats.fisher_exact(table).pvalue <= level)
    return _exact_p(table) <= level


def _exact_p(table: IntArray) -> float:
    """Fisher's test of two rows and any number of columns: the chance of all tables with these margins that are no
    likelier than this one. Of very many tables, Pearson's chi-squared instead.
    """
    columns, drawn = table.sum(axis=0), int(table[0].sum())
    if np.prod(columns[:-1] + 1.0) > _MOST_TABLES:
        return float(scipy.stats.chi2_contingency(table).pvalue)
    margins = scipy.stats.multivariate_hypergeom(columns, drawn)
    grids = np.meshgrid(*(np.arange(count + 1) for count in columns[:-1]), indexing="ij")
    rows = np.stack([grid.ravel() for grid in grids], axis=1)
    last = drawn - rows.sum(axis=1)
    possible = (last >= 0) & (last <= columns[-1])
    chances = np.asarray(margins.pmf(np.column_stack((rows, last))[possible]))
    own_chance = float(np.asarray(margins.pmf(table[0])))
    return float(chances[chances <= own_chance * (1 + 1e-9)].sum())
