"""Claims about our own clock synchronisation in simulated worlds, where the truth is known and every world is drawn
anew: its bounds hold, and its tree has the right arity.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from statistics import median
from typing import Any

from ictus.model.quantity import format_duration
from ictus.render.table import Block, Column, Table, Times
from ictus.stats.claim_rules import Ruling, rarity_rule, sign_rule, together_alike
from ictus.studies.claim import Claim, ClaimResult, quick_or
from ictus.studies.clock_accuracy.contenders import OURS
from ictus.studies.sync_worlds.material import WorldRun, Worlds

HELD_OUT = "in simulated worlds whose seeds were not looked at while the algorithms were written"
BROKEN_AT_MOST = 0.01
"""Synchronisations of which any rank's bound is broken at any time."""
NEAR = 1.1
"""The default's product of bound and time, over the least of all arities."""
ARITIES = (1, 2, 3, 4, 8, 16, 32)
"""Those tried; of few hosts the largest is a star."""
LONGEST_LINE = 16
"""Hosts of which an arity of 1 is tried."""
SWEEPS, KEPT = 200, 8.0
"""Of the default; exchanges of an edge in a sweep that its rule keeps."""
NETWORKS = {
    "flat": "drift=20ppm,latency=1us,jitter=300ns",
    "fat tree": "drift=20ppm,latency=1us,jitter=300ns,radix=16,hop=500ns",
    "two levels": "drift=20ppm,latency=1.5us,jitter=400ns,ranks_per_host=16,host_latency=200ns,host_jitter=50ns",
    "soft delays": "drift=20ppm,latency=1us,jitter=300ns,shape=4",
}
_SLOWER = "drift=20ppm,latency=1us,jitter=300ns,asymmetry=500ns"
WORST = {
    "wandering": "drift=20ppm,wander=0.001ppm,latency=1us,jitter=300ns",
    "longer one way": _SLOWER,
    "longer one way, wandering": f"{_SLOWER},wander=0.001ppm",
    "soft delays": NETWORKS["soft delays"],
}
DISTANCES = {"1 us": "latency=1us,jitter=300ns", "20 us": "latency=20us,jitter=3us"}


@dataclass(frozen=True)
class BoundRow:
    """The bounds of one algorithm in one kind of world."""

    place: str
    broken: int
    """Synchronisations with any broken bound, or with a rank of which nothing is proven."""
    trials: int
    bound_s: float
    """The largest over ranks directly after, in the median of the worlds; infinite where nothing is proven."""
    error_s: float
    """The largest over ranks, likewise."""


def _bound(run: WorldRun) -> float:
    """The largest over ranks directly after; infinite where nothing is proven of one of them."""
    stated = run.waits[0].bound_s
    return inf if stated is None else stated


def _is_kept(run: WorldRun) -> bool:
    """Whether every rank has a bound at every time, and keeps it."""
    return not run.violated and all(wait.bound_s is not None for wait in run.waits)


def bound_rows(data: Worlds) -> tuple[BoundRow, ...]:
    """One for each kind of world."""
    return tuple(
        BoundRow(
            world_kind.title,
            sum(not _is_kept(run) for run in each),
            len(each),
            median(map(_bound, each)),
            median(world_run.waits[0].max_s for world_run in each),
        )
        for world_kind, runs in data.runs.items()
        for each in runs.values()
    )


def judge_bounds(rows: Sequence[BoundRow]) -> Ruling:
    """Whether synchronisations with a broken bound are rarer than one in a hundred."""
    return rarity_rule(sum(row.broken for row in rows), sum(bound_row.trials for bound_row in rows), BROKEN_AT_MOST)


def _bounds(data: Worlds) -> ClaimResult:
    rows = bound_rows(data)
    bound, error = (
        f"{format_duration(min(values))} to {format_duration(max(values))}"
        for values in ([row.bound_s for row in rows], [bound_row.error_s for bound_row in rows])
    )
    sentence = (
        f"a bound of any rank, up to 20 s later, was broken in {sum(row.broken for row in rows)} of "
        f"{sum(row.trials for row in rows):,} synchronisations; directly after, the largest bound is {bound}, the "
        f"largest error {error}"
    )
    return ClaimResult(judge_bounds(rows), sentence, (bound_table(rows),), rows)


def bound_table(rows: Sequence[BoundRow]) -> Table[BoundRow]:
    """Coverage, and width."""
    column = Column[BoundRow]
    columns = (
        column("place", "world", lambda bound_row: bound_row.place, "left"),
        column("broken", "broken", lambda row: f"{row.broken} of {row.trials:,}"),
        column("bound_s", "bound", lambda row: Times(row.bound_s), "point"),
        column("error_s", "error", lambda row: Times(row.error_s), "point"),
    )
    note = "Bound and error: the largest over ranks directly after synchronising, the median of the worlds."
    return Table(columns, [Block("Proven bounds", "broken in any rank at 0, 1, 5 or 20 s", rows)], note=note)


@dataclass(frozen=True)
class ArityRow:
    """One arity in one kind of world."""

    place: str
    n: int
    asked: str
    arity: int
    exchanges: float
    """Of an edge in a sweep."""
    bound_s: Sequence[float]
    elapsed_s: Sequence[float]

    @property
    def product(self) -> tuple[float, ...]:
        """What the default makes small, square seconds, world by world."""
        return tuple(bound * taken for bound, taken in zip(self.bound_s, self.elapsed_s, strict=True))

    def as_row(self) -> dict[str, Any]:
        """For scripts."""
        own_columns = {key: getattr(self, key) for key in ("place", "n", "asked", "arity", "exchanges")}
        return {**own_columns, "bound_s": median(self.bound_s), "elapsed_s": median(self.elapsed_s)}


AUTO = "auto"


def arity_algorithms(_: Mapping[str, Any], n: int) -> Sequence[str]:
    """The default, and every arity that makes another tree."""
    tried = sorted({min(arity, n - 1) for arity in ARITIES if arity > 1 or n <= LONGEST_LINE})
    return (OURS, *(f"{OURS}(arity={arity})" for arity in tried))


def _bound_algorithms(_: Mapping[str, Any], __: int) -> Sequence[str]:
    return (f"{OURS}(fitpoints=30,exchanges=10,arity=2,span=0)",)


def arity_rows(data: Worlds) -> list[ArityRow]:
    """One for each arity in each kind of world."""
    return [
        ArityRow(
            world_kind.title,
            world_kind.n,
            name.partition("arity=")[2].rstrip(")") or AUTO,
            each[0].arity,
            median(world_run.messages for world_run in each) / (2 * (world_kind.n - 1) * SWEEPS),
            list(map(_bound, each)),
            [run.elapsed_s for run in each],
        )
        for world_kind, runs in data.runs.items()
        for name, each in runs.items()
    ]


def nearest(rows: Sequence[ArityRow]) -> ArityRow:
    """The fixed arity with the least product in every other world, of those that keep as many exchanges as the
    default's rule does; of all where none does. With fewer the bound is narrower, and the error several times larger.
    """
    fixed = [row for row in rows if row.asked != AUTO]
    keeping = [arity_row for arity_row in fixed if arity_row.exchanges >= KEPT] or fixed
    return min(keeping, key=lambda row: median(row.product[::2]))


def judge_arities(rows: Sequence[ArityRow]) -> tuple[Ruling, dict[str, float]]:
    """Whether the default is near the best in every kind of world; how near, by its name."""
    rulings, excess = [], {}
    for title in dict.fromkeys(row.place for row in rows):
        of_world = [arity_row for arity_row in rows if arity_row.place == title]
        auto = next(arity_row for arity_row in of_world if arity_row.asked == AUTO)
        ratios = [a / b for a, b in zip(auto.product[1::2], nearest(of_world).product[1::2], strict=True)]
        rulings.append(sign_rule(sum(ratio < NEAR for ratio in ratios), sum(ratio > NEAR for ratio in ratios)))
        excess[title] = median(ratios)
    return together_alike(rulings), excess


def _arity(data: Worlds) -> ClaimResult:
    rows = arity_rows(data)
    ruling, excess = judge_arities(rows)
    each = ", ".join(f"{ratio:.3g} ({title})" for title, ratio in excess.items())
    sentence = f"the default's product of bound and time is, of the best fixed arity's, {each} times"
    return ClaimResult(ruling, sentence, (arity_table(rows),), [row.as_row() for row in rows])


def arity_table(rows: Sequence[ArityRow]) -> Table[ArityRow]:
    """A row for each arity."""
    column = Column[ArityRow]
    columns = (
        column("place", "world", lambda arity_row: arity_row.place, "left"),
        column("asked", "arity", lambda row: f"auto: {row.arity}" if row.asked == AUTO else row.asked, "left"),
        column("exchanges", "exchanges", lambda row: f"{row.exchanges:.3g}", "point"),
        column("bound_s", "bound", lambda row: Times(median(row.bound_s)), "point"),
        column("elapsed_s", "time", lambda row: format_duration(median(row.elapsed_s))),
        column("", "bound x time", lambda row: f"{1e9 * median(row.product):.3g}", "point", unit="ns s"),
    )
    note = "Exchanges: of an edge in a sweep. Bound: the largest over ranks directly after synchronising."
    return Table(columns, [Block("Arities of the tree", "medians of the worlds", rows)], note=note)


CLAIMS = (
    Claim(
        "sync-bounds",
        "The proven bounds of `ictus` hold: a synchronisation of which any bound is broken is rarer than one in a "
        "hundred.",
        "Ictus, decision 12 (strips and bounds)",
        f"exact binomial test over worlds (5 %) {HELD_OUT}, on links that are longer one way, with clocks that wander",
        quick_or({"n": "16", "seeds": 100}, {"n": "64", "seeds": 250}, networks=WORST, algorithms=_bound_algorithms),
        _bounds,
    ),
    Claim(
        "sync-arity",
        "The arity that `ictus` chooses makes the product of bound and time less than a tenth larger than the best "
        "fixed one does.",
        "Ictus, decision 34 (arity)",
        f"sign test over worlds (5 %) {HELD_OUT}; the best arity is chosen by other worlds; in every kind of world",
        quick_or(
            {"n": "16,64", "seeds": 12},
            {"n": "16,256,1024", "seeds": 12},
            networks=DISTANCES,
            algorithms=arity_algorithms,
        ),
        _arity,
    ),
)
