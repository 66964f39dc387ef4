"""The next block of a campaign whose launches are planned as data come in: every library once that still needs it,
with the cases that it does.

A block is that of the fixed schedule with the same number and seed, less the cases that are done: order of launches,
their seeds and the order of cases depend on seed and number alone, whatever was found before.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace

from ictus.engine.schedule import schedule_of
from ictus.model.design import Design
from ictus.model.slot import Slot


def block_of(
    design: Design,
    number: int,
    first_slot: int,
    nreps: Mapping[int, int | None],
    kept: Collection[tuple[int, tuple[str, str]]] | None = None,
) -> tuple[Slot, ...]:
    """Block `number`; `nreps` has the cases that it measures, each with its repetitions, None for what the case says;
    `kept` the libraries and variants that measure each, None for all. What has no case left has no launch.
    """
    longer = replace(design, plan=design.plan.model_copy(update={"launches": number + 1}))
    slots: list[Slot] = []
    for slot in schedule_of(longer):
        side = (slot.mpi, slot.algorithm)
        cases = tuple(one for one in slot.cases if one in nreps and (kept is None or (one, side) in kept))
        if slot.block != number or not cases:
            continue
        planned = tuple(nreps[case_id] for case_id in cases)
        slots.append(replace(slot, slot=first_slot + len(slots), cases=cases, nrep=planned if any(planned) else ()))
    return tuple(slots)
