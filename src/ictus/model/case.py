"""Cases: the set of all factors but the library, and how a plan expands into them.

`size_bytes` is the total volume n of one process's largest buffer (docs/file-format.md): one message, or p blocks of
n/p. What is no p whole blocks of whole elements is rounded up; sizes that then move the same bytes are one case.
"""

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from ictus.model.blocks import n_blocks
from ictus.model.errors import UsageError
from ictus.model.method import Method
from ictus.model.plan import Plan
from ictus.model.predicted import repetition_of
from ictus.model.quantity import format_size
from ictus.model.registries import Datatype, Member, Registries
from ictus.model.spec import parse_spec

EQUAL_COUNTS = "equal"
"""The member of family `counts` that stands where an operation is told no sizes of blocks, and the default."""


@dataclass(frozen=True)
class Case:
    """One case of a campaign, as in campaign.json. Specs are in full form."""

    case_id: int
    operation: str
    size_bytes: int
    """Total volume asked for."""
    block_bytes: int
    """The block really used; the whole message where the volume is one message."""
    moved_bytes: int
    """The volume really used."""
    n: int
    datatype: str
    operator: str
    root: int
    procsync: str
    scheme: str
    repetition: str
    cache: str
    clock: str
    clocksync: str
    warmup: int
    counts: str = EQUAL_COUNTS
    """How the volume is shared out to the blocks of an operation that is told each one's size; `equal` for others."""

    @staticmethod
    def from_json(values: Mapping[str, Any]) -> "Case":
        """A case of campaign.json; raises KeyError or TypeError for a key that is missing or of the wrong type.

        Campaigns from before there were counts are of equal ones.
        """
        values = {"counts": EQUAL_COUNTS, **values}
        for field in fields(Case):
            if not isinstance(values[field.name], field.type if isinstance(field.type, type) else object):
                raise TypeError(f"case {values.get('case_id')}: {field.name} is {values[field.name]!r}")
        return Case(**{field.name: values[field.name] for field in fields(Case)})


FACTORS = tuple(field.name for field in fields(Case) if field.name != "case_id")
"""The factors of a case, in the order of campaign.json: two cases are comparable when all but the named one agree."""


def case_table(cases: Iterable[Case]) -> dict[int, Case]:
    """The cases by id."""
    return {case.case_id: case for case in cases}


@dataclass(frozen=True)
class Expansion:
    """The cases of a plan, numbered from 0, and notes on what was merged or rounded."""

    cases: tuple[Case, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Volume:
    """What a size means for one operation at one number of processes, all in bytes."""

    size_bytes: int
    block_bytes: int
    moved_bytes: int


def expand(plan: Plan, registries: Registries) -> Expansion:
    """All cases of a plan, for every number of processes; UsageError for names and sizes that cannot be."""
    plan = plan.checked(registries)
    datatype = registries.datatype(plan.datatype)
    notes: list[str] = []
    cases: list[Case] = []
    for n, operation in itertools.product(plan.processes, plan.operations):
        spec = parse_spec(operation)
        member, blocks = registries.operation(spec.name), n_blocks(spec, n)
        asked = [
            size * blocks if plan.size_is == "block" and member.volume == "blocks" else size for size in plan.sizes
        ]
        volumes, remarks = _volumes(asked, member, blocks, datatype)
        notes += [f"{operation} at n={n}: {remark}" for remark in remarks]
        distributions = plan.counts if member.varied else (EQUAL_COUNTS,)
        for volume, counts, method, cache in itertools.product(volumes, distributions, plan.ways, plan.cache):
            if isinstance(plan.nrep, str):
                key = (operation, volume.size_bytes, n, method.procsync, method.scheme)
                repetition = repetition_of(plan.predicted, key, plan.nrep, registries)
                method = method.model_copy(update={"repetition": repetition})  # noqa: PLW2901
            case = _case(plan, operation, volume, n, method, cache=cache, case_id=len(cases))
            cases.append(replace(case, counts=counts))
    return Expansion(tuple(cases), tuple(notes))


def _case(plan: Plan, operation: str, volume: Volume, n: int, method: Method, *, cache: str, case_id: int) -> Case:
    return Case(
        case_id=case_id,
        operation=operation,
        size_bytes=volume.size_bytes,
        block_bytes=volume.block_bytes,
        moved_bytes=volume.moved_bytes,
        n=n,
        datatype=plan.datatype,
        operator=plan.operator or "sum",
        root=plan.root,
        procsync=method.procsync,
        scheme=method.scheme,
        repetition=method.repetition,
        cache=cache,
        clock=plan.clock,
        clocksync=plan.clocksync,
        warmup=plan.warmup,
    )


def volume_of(size_bytes: int, operation: Member, blocks: int, datatype: Datatype) -> Volume:
    """Block and moved bytes of a size: the block is the least number of whole elements with so many blocks >= the size.

    Raises UsageError for a size that is no multiple of the datatype, naming the nearest ones.
    """
    if operation.volume == "none":
        return Volume(0, 0, 0)
    element = datatype.size_bytes
    below = size_bytes // element * element
    if below != size_bytes:
        raise UsageError(
            f"size {size_bytes} B is no multiple of datatype '{datatype.name}' ({element} B); nearest are "
            f"{below} and {below + element}, or use datatype byte"
        )
    if blocks == 0:  # a neighbourhood without neighbours
        return Volume(size_bytes, 0, 0)
    block = -(-size_bytes // (blocks * element)) * element
    if operation.volume == "message":
        return Volume(size_bytes, size_bytes, blocks * block if operation.padded else size_bytes)
    return Volume(size_bytes, block, blocks * block)


def _volumes(
    sizes: Iterable[int], operation: Member, blocks: int, datatype: Datatype
) -> tuple[list[Volume], list[str]]:
    """Volumes that differ in what is asked of MPI; of those that do not, the largest size stays."""
    groups: dict[int, list[Volume]] = {}
    for size in sorted(set(sizes)):
        volume = volume_of(size, operation, blocks, datatype)
        groups.setdefault(volume.block_bytes, []).append(volume)
    if operation.volume == "none":
        merged = ["moves no data, so that it is one case for all sizes"] if len(groups[0]) > 1 else []
        return [groups[0][0]], merged
    remarks = []
    for group in groups.values():
        sizes_text = ", ".join(format_size(volume.size_bytes) for volume in group)
        moved = group[0].moved_bytes
        whole = f"{blocks} blocks of {moved // max(blocks, 1)} B"
        if len(group) > 1:
            remarks.append(f"{sizes_text} all move {whole}: measured once, as {format_size(group[-1].size_bytes)}")
        elif group[0].size_bytes != moved:
            remarks.append(f"{sizes_text} is rounded up to {whole}")
    return [group[-1] for group in groups.values()], remarks
