"""The modes of the machine in the launches of campaigns, as their probes found them."""

from collections.abc import Sequence
from math import nan

import numpy as np

from ictus.stats.arrays import FloatArray, IntArray
from ictus.stats.modes import find_modes
from ictus.store.campaign import Campaign
from ictus.store.launch import Launch


def probes_of(*campaigns: Campaign) -> FloatArray:
    """Of each launch, the first campaign's first: the worst round trip of a cache line between neighbouring ranks
    (s) and the speed of the slowest core (multiplications/s); shape (launches, 2). NaN for unknown, and for a launch
    whose mode changed meanwhile.
    """
    rows = [_scalars(launch) for campaign in campaigns for launch in campaign.launches]
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


def places_of(*campaigns: Campaign) -> list[tuple[str, ...]]:
    """The nodes that each launch ran on, in the same order; empty outside of an allocation."""
    return [launch.record.head.allocation_nodes for campaign in campaigns for launch in campaign.launches]


def modes_of(probes: FloatArray, places: Sequence[tuple[str, ...]] = ()) -> IntArray:
    """The mode of each of these launches, from 0, the nearest cores first; -1 where it is unknown.

    With `places`, the nodes of each launch: launches on other nodes are of another mode, those of one set of nodes
    behind those of the set before, in the order of their first launches. Without any probe a set of nodes is one mode.
    """
    # Ranks without a neighbour differ in nothing but the speed of their cores.
    mode_numbers = find_modes(probes[:, 1:] if np.isnan(probes[:, 0]).all() else probes).of_launch
    order = list(dict.fromkeys(places))
    if len(order) < 2:
        return mode_numbers
    within = np.zeros_like(mode_numbers) if (mode_numbers < 0).all() else mode_numbers
    kinds = [(order.index(launch_place), int(mode)) for launch_place, mode in zip(places, within, strict=True)]
    numbers = {kind: number for number, kind in enumerate(sorted({kind for kind in kinds if kind[1] >= 0}))}
    return np.array([numbers.get(kind, -1) for kind in kinds])


def _scalars(launch: Launch) -> tuple[float, float]:
    machine = launch.record.head.machine
    return (nan, nan) if machine is None else machine.mode_values
