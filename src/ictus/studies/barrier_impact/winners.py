"""Does the winner between two libraries change with the process synchronisation alone?

Each block of a campaign launches every library once, and each launch measures every process synchronisation: the two
libraries are compared block by block under each of them. All these comparisons are one family. A change is reported
only where one library is proven faster under one process synchronisation and the other library under another; opposite
signs of two estimates prove nothing.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ictus.stats.compare import CaseComparison, compare_cases
from ictus.stats.verdict import CaseRules, VerdictKind
from ictus.studies.barrier_impact.analysis import Impact, ImpactTarget

CHANGES, HOLDS, UNDECIDED = "changes", "holds", "undecided"


@dataclass(frozen=True)
class Duel:
    """Two libraries under one process synchronisation."""

    a: Impact
    b: Impact
    result: CaseComparison

    @property
    def launches_s(self) -> tuple[list[float | None], list[float | None]]:
        """Launch medians of both, block by block."""
        return _by_block(self.a, self.b)

    @property
    def winner(self) -> str | None:
        """The library that is proven faster, if one is."""
        return {VerdictKind.FASTER: self.a.target.mpi, VerdictKind.SLOWER: self.b.target.mpi}.get(
            self.result.verdict.kind
        )


@dataclass(frozen=True)
class Contest:
    """Two libraries in one operation and size, under every process synchronisation."""

    a: ImpactTarget
    b: ImpactTarget
    duels: tuple[Duel, ...]

    @property
    def winners(self) -> tuple[str, ...]:
        """The libraries that are proven faster under some process synchronisation."""
        return tuple(dict.fromkeys(duel.winner for duel in self.duels if duel.winner is not None))

    @property
    def outcome(self) -> str:
        """`changes`; `holds` where the same library is proven faster under all; else `undecided`."""
        if len(self.winners) > 1:
            return CHANGES
        return HOLDS if self.winners and all(duel.winner for duel in self.duels) else UNDECIDED

    def won_by(self, mpi: str) -> tuple[Duel, ...]:
        """The duels in which that library is proven faster."""
        return tuple(duel for duel in self.duels if duel.winner == mpi)


def contests(
    rows: Sequence[Impact], *, level: float, adjust: str, equivalence: float, forecast: bool = True
) -> tuple[Contest, ...]:
    """Every pair of libraries in every target that both have; one family of tests. Libraries in the order of `rows`.
    Without `forecast` nobody asks how many launches an undecided one needs, which takes most of the time.
    """
    pairs = list(_pairs(rows))
    medians = [_by_block(a, b) for a, b in pairs]
    results = compare_cases(
        [here for here, _ in medians],
        [times_b for _, times_b in medians],
        CaseRules(paired=True, adjust=adjust, level=level, equivalence=equivalence),
        forecast=forecast,
    )
    duels_by_targets: dict[tuple[ImpactTarget, ImpactTarget], list[Duel]] = {}
    for (a, b), result in zip(pairs, results, strict=True):
        duels_by_targets.setdefault((a.target, b.target), []).append(Duel(a, b, result))
    return tuple(Contest(a, b, tuple(duels)) for (a, b), duels in duels_by_targets.items())


def _pairs(rows: Sequence[Impact]) -> list[tuple[Impact, Impact]]:
    """The same operation, size and process synchronisation in two libraries, with the same algorithm forced."""
    alike: dict[tuple[object, ...], list[Impact]] = {}
    for row in rows:
        target = row.target
        key = (target.algorithm, target.operation, target.n, target.size_bytes, target.factors, row.procsync)
        alike.setdefault(key, []).append(row)
    return [pair for group in alike.values() for pair in itertools.combinations(group, 2)]


def _by_block(a: Impact, b: Impact) -> tuple[list[float | None], list[float | None]]:
    """Launch medians of both, block by block; None where a block has no launch of one of them."""
    here, times_b = _accepted(a), _accepted(b)
    blocks = sorted(here.keys() | times_b.keys())
    return [here.get(block) for block in blocks], [times_b.get(block) for block in blocks]


def _accepted(row: Impact) -> Mapping[int, float | None]:
    return dict(row.medians_s)
