"""The modes of the machine in the launches of campaigns, as their probes found them, for comparison within modes.

Launches of allocations on other nodes ran on another machine, and so in modes of their own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

import numpy as np

from ictus.comparison.matching import MatchedCase, Side
from ictus.model.quantity import format_duration, percent
from ictus.stats.arrays import FloatArray
from ictus.stats.modes import DEPENDENT, depends_on_side
from ictus.store.campaign import Campaign
from ictus.store.modes import modes_of, places_of, probes_of

_NAMED = 4
"""Nodes of an allocation that a table names."""


@dataclass(frozen=True)
class Mode:
    """One mode: how many launches were in it, and the middle of what their probes measured."""

    number: int
    """From 1, the cores nearest first."""
    n_launches: int
    line_round_trip_s: float | None
    """Of a cache line between neighbouring ranks; None where ranks have no neighbour."""
    multiplications_hz: float
    """Of the slowest core; NaN where it was not probed."""
    nodes: tuple[str, ...] = ()
    """The nodes of the allocation, where launches are of several; empty where they are of one, or of none."""

    @property
    def text(self) -> str:
        """`cores 27 ns apart`, or `1.2 G multiplications/s` where no rank has a neighbour; `on n1, n2` where launches
        are of several allocations.
        """
        where = f"on {', '.join(self.nodes[:_NAMED])}{' ...' if len(self.nodes) > _NAMED else ''}" if self.nodes else ""
        if isnan(self.multiplications_hz):
            return where
        if self.line_round_trip_s is None:
            return f"{self.multiplications_hz / 1e9:.3g} G multiplications/s {where}".rstrip()
        return f"cores {format_duration(self.line_round_trip_s)} apart {where}".rstrip()


@dataclass(frozen=True)
class MachineModes:
    """The modes of one or two campaigns that are compared."""

    modes: tuple[Mode, ...]
    """In ascending order; empty where no launch has probes."""
    of_launches: tuple[tuple[int, ...], ...]
    """For each campaign the mode of each launch, from 0; -1 without probes, and where the mode changed meanwhile."""

    @property
    def several(self) -> bool:
        """Whether there is anything to tell apart."""
        return len(self.modes) > 1


def machine_modes(*campaigns: Campaign) -> MachineModes:
    """The modes that the probes of all launches show together, the first campaign's first."""
    probes, places = probes_of(*campaigns), places_of(*campaigns)
    mode_numbers = modes_of(probes, places)
    several = len(set(places)) > 1
    modes = tuple(
        _mode(number, probes[mode_numbers == number], places[int(np.argmax(mode_numbers == number))] if several else ())
        for number in range(int(mode_numbers.max(initial=-1)) + 1)
    )
    ends = np.cumsum([len(campaign.launches) for campaign in campaigns])[:-1]
    return MachineModes(modes, tuple(tuple(map(int, part)) for part in np.split(mode_numbers, ends)))


def _mode(number: int, probes: FloatArray, nodes: tuple[str, ...] = ()) -> Mode:
    lines, speed = probes.T
    apart = None if np.isnan(lines).all() else float(np.median(lines))
    return Mode(number + 1, len(probes), apart, float(np.median(speed)), nodes)


@dataclass(frozen=True)
class Strata:
    """How a comparison used the modes."""

    modes: MachineModes
    of_cases: list[tuple[list[int], list[int]]] | None
    """Of each case, the stratum of each launch of both sides; None: compared without strata."""
    remark: str | None = None
    """Why not, where there are several modes."""


def strata_of(
    pairs: Sequence[tuple[Side, Side, MatchedCase]], modes: MachineModes, *, first: Campaign, level: float = DEPENDENT
) -> Strata:
    """The strata of each matched case. No strata where there is one mode, or where modes depend on the side, by a test
    at `level`: they may be the library's own doing then, as where it places its processes.
    """
    if not modes.several:
        return Strata(modes, None)

    def labels(side: Side, launches: Sequence[int]) -> list[int]:
        of_launches = modes.of_launches[0 if side.campaign is first else -1]
        return [of_launches[launch - 1] for launch in launches]

    of_cases = [(labels(a, case.launches_a), labels(b, case.launches_b)) for a, b, case in pairs]
    for (a, b, _), labels_of_case in zip(pairs, of_cases, strict=True):
        if depends_on_side(np.array(labels_of_case[0]), np.array(labels_of_case[1]), level):
            remark = (
                f"the modes of the machine differ between {a.name} and {b.name} by more than chance (level "
                f"{percent(level)}): they may be caused by what is compared, so launches are compared regardless of "
                "their mode"
            )
            return Strata(modes, None, remark)
    return Strata(modes, of_cases)
