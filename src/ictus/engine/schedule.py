"""The schedule: the order of launches, and of the cases in each, all from one seed.

Randomised blocks: each block holds every (library, variant, size of launches, clock, clocksync) once, in shuffled
order, so that an interrupted campaign stays balanced. A block depends only on the seed and its number, so that fewer
launches are a prefix of more.
"""

import itertools
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ictus.model.case import Case, shared_in_launch
from ictus.model.design import Design, Slot
from ictus.model.random import SplitMix64, shuffled, shuffled_by


def make_schedule(
    libraries: Sequence[tuple[str, str]],
    cases: Iterable[Case],
    launches: int,
    seed: int,
    *,
    in_order: bool = False,
    begin: int = 0,
) -> tuple[Slot, ...]:
    """`launches` slots for each library and set of cases that can share a launch, in blocks; equal arguments give equal
    schedules for ever. A library is its label with the name of one of its variants. `in_order`: cases are not shuffled
    inside a launch. With `begin` only blocks from that number on are made.
    """
    together: dict[tuple[object, ...], list[Case]] = {}
    for case in cases:
        together.setdefault(shared_in_launch(case), []).append(case)
    sets = tuple((shared_in_launch(alike[0])[0], tuple(case.case_id for case in alike)) for alike in together.values())
    campaign = SplitMix64(seed)
    campaign.skip(begin)
    slots: list[Slot] = []
    before = begin * len(libraries) * len(sets)
    for block in range(begin, launches):
        generator = SplitMix64(campaign.next_u64())
        for (label, variant), (size, case_ids) in shuffled_by(tuple(itertools.product(libraries, sets)), generator):
            launch_seed = generator.next_u64() >> 11  # 53 bits: whole in every reader of JSON
            order = case_ids if in_order else shuffled(case_ids, launch_seed)
            number = before + len(slots)
            slot = Slot(number, block, label, size.n, launch_seed, order, variant, nodes=size.nodes, ppn=size.ppn)
            slots.append(slot)
    return tuple(slots)


def schedule_of(design: Design, begin: int = 0) -> tuple[Slot, ...]:
    """The schedule of a design, from block `begin` on."""
    launched = [(library.label, variant.name) for library in design.libraries for variant in design.of(library.label)]
    plan = design.plan
    slots = make_schedule(launched, design.cases, plan.launches, design.seed, in_order=design.in_order, begin=begin)
    return tuple(replace(slot, heap=design.heap(slot.mpi, slot.algorithm)) for slot in slots)


def block_of(
    design: Design,
    number: int,
    first_slot: int,
    nreps: Mapping[int, int | None],
    kept: Collection[tuple[int, tuple[str, str]]] | None = None,
) -> tuple[Slot, ...]:
    """Block `number` of a campaign whose launches are planned as data come in: that of the fixed schedule with the same
    number and seed, less the cases that are done, whatever was found before.

    `nreps` has the cases that it measures, each with its repetitions, None for what the case says; `kept` the libraries
    and variants that measure each, None for all. What has no case left has no launch.
    """
    longer = replace(design, plan=design.plan.model_copy(update={"launches": number + 1}))
    slots: list[Slot] = []
    for slot in schedule_of(longer, number):
        side = (slot.mpi, slot.algorithm)
        cases = tuple(case for case in slot.cases if case in nreps and (kept is None or (case, side) in kept))
        if not cases:
            continue
        planned = tuple(nreps[case_id] for case_id in cases)
        slots.append(replace(slot, slot=first_slot + len(slots), cases=cases, nrep=planned if any(planned) else ()))
    return tuple(slots)
