"""The schedule: which launch when, and its cases in which order, all from one seed.

Randomised blocks: each block holds every (library, number of processes) once, in shuffled order, so that an
interrupted campaign stays balanced. A block depends on the seed and its own number only, so that fewer launches are a
prefix of more.
"""

import itertools
from collections.abc import Iterable, Sequence

from ictus.model.case import Case
from ictus.model.design import Design
from ictus.model.random import SplitMix64, shuffled, shuffled_by
from ictus.model.slot import Slot


def make_schedule(
    labels: Sequence[str], processes: Sequence[int], cases: Iterable[Case], launches: int, seed: int
) -> tuple[Slot, ...]:
    """`launches` slots for each (label, n), in blocks; equal arguments give equal schedules for ever."""
    measured = tuple(cases)
    case_ids = {n: [case.case_id for case in measured if case.n == n] for n in processes}
    campaign = SplitMix64(seed)
    slots: list[Slot] = []
    for block in range(launches):
        generator = SplitMix64(campaign.next_u64())
        for label, n in shuffled_by(tuple(itertools.product(labels, processes)), generator):
            launch_seed = generator.next_u64() >> 11  # 53 bits: whole in every reader of JSON
            slots.append(Slot(len(slots), block, label, n, launch_seed, shuffled(case_ids[n], launch_seed)))
    return tuple(slots)


def schedule_of(design: Design) -> tuple[Slot, ...]:
    """The schedule of a design."""
    labels = [library.label for library in design.libraries]
    return make_schedule(labels, design.plan.processes, design.cases, design.plan.launches, design.seed)
