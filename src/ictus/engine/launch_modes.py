"""The modes of the machine in the launches so far, and the strata of what is compared within them."""

from collections.abc import Sequence

import numpy as np

from ictus.engine.launch_times import LaunchTimes
from ictus.engine.target import CaseGroup, GoalInterval, Side, SideLaunches, launches_by_side
from ictus.stats.modes import Strata, independent
from ictus.store.modes import modes_of


def modes_by_slot(launches: Sequence[LaunchTimes]) -> dict[int, int]:
    """The mode of each launch by its slot, as the probes of all of them show; -1 where it is unknown."""
    probes = np.array([launch.mode_values for launch in launches], dtype=np.float64).reshape(-1, 2)
    modes = modes_of(probes, [launch.nodes for launch in launches])
    return {launch.slot.slot: int(mode) for launch, mode in zip(launches, modes, strict=True)}


def strata_of_ratios(
    groups: Sequence[CaseGroup], sides: Sequence[Side], launches: Sequence[LaunchTimes]
) -> dict[GoalInterval, Strata]:
    """Of each ratio the stratum of every launch with a valid sample, of both sides; nothing where it is not compared
    within modes: there is one, or modes depend on a side of anything that `ictus compare` judges together with it.
    """
    mode_of = modes_by_slot(launches)
    if len({mode for mode in mode_of.values() if mode >= 0}) < 2:
        return {}
    every, valid = (launches_by_side(groups, sides, launches, valid=valid) for valid in (False, True))
    together: dict[str, list[GoalInterval]] = {}
    for target in (target for group in groups for target in group.targets if target.of_ratio):
        together.setdefault(target.compares, []).append(target)

    def strata(target: GoalInterval, series: SideLaunches) -> Strata:
        a, b = ([mode_of[launch.slot] for launch in half] for half in target.samples(series))
        return a, b

    used = [
        intervals for intervals in together.values() if independent([strata(target, every) for target in intervals])
    ]
    return {target: strata(target, valid) for targets in used for target in targets}
