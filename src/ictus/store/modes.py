"""The modes of the machine in the launches of campaigns, as their probes found them."""

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


def modes_of(probes: FloatArray) -> IntArray:
    """The mode of each of these launches, from 0, the nearest cores first; -1 where it is unknown."""
    # Ranks without a neighbour differ in nothing but the speed of their cores.
    return find_modes(probes[:, 1:] if np.isnan(probes[:, 0]).all() else probes).of_launch


def _scalars(launch: Launch) -> tuple[float, float]:
    machine = launch.record.head.machine
    return (nan, nan) if machine is None else machine.mode_values
