"""The next block of a campaign whose launches are planned as data come in: every library once, with the cases that are
still measured.

A block is that of the fixed schedule with the same number and seed, less the cases that are done: order of launches,
their seeds and the order of cases depend on seed and number alone, whatever was found before.
"""

from collections.abc import Mapping
from dataclasses import replace

from ictus.campaign.schedule import schedule_of
from ictus.model.design import Design
from ictus.model.slot import Slot


def block_of(design: Design, number: int, first_slot: int, nreps: Mapping[int, int | None]) -> tuple[Slot, ...]:
    """Block `number`; `nreps` has the cases that it measures, each with its repetitions, None for what the case says.
    A number of processes without such a case has no launch.
    """
    longer = replace(design, plan=design.plan.model_copy(update={"launches": number + 1}))
    slots: list[Slot] = []
    for slot in schedule_of(longer):
        cases = tuple(case_id for case_id in slot.cases if case_id in nreps)
        if slot.block != number or not cases:
            continue
        planned = tuple(nreps[case_id] for case_id in cases)
        slots.append(replace(slot, slot=first_slot + len(slots), cases=cases, nrep=planned if any(planned) else ()))
    return tuple(slots)
