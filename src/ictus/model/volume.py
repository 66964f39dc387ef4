"""What a size means: how many bytes of which blocks an operation moves.

`size_bytes` is the total volume n of one process's largest buffer (docs/file-format.md): one message, or p blocks of
n/p. What is no p whole blocks of whole units is rounded up; sizes that then move the same bytes are one case. The core
counts for itself (`extent_of`); a test compares the two.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from ictus.model.blocks import n_blocks
from ictus.model.errors import UsageError
from ictus.model.nested import nested
from ictus.model.quantity import format_size
from ictus.model.registries import Datatype, Member, Registries
from ictus.model.spec import Spec


@dataclass(frozen=True)
class Volume:
    """What a size means for one operation at one number of processes, all in bytes."""

    size_bytes: int
    block_bytes: int
    moved_bytes: int


def blocks_of(operation: Spec, n: int, registries: Registries) -> int:
    """Blocks of `operation`, in full form, where `n` processes call together.

    One that consists of others has as many as those in it, and where they differ the most of any.
    """
    parts = [part for part in nested(registries, operation) if registries.operation(str(part)).volume == "blocks"]
    return max((blocks_of(part, n, registries) for part in parts), default=n_blocks(operation, n))


def volume_at(
    size_bytes: int, operation: Spec, n: int, datatype: Datatype, registries: Registries, *, unit: int = 1
) -> Volume:
    """Volume of `operation`, in full form, where `n` processes call together; UsageError as `volume_of`.

    Operations that are called one after another are all asked for the same size.
    """
    member = registries.operation(str(operation))
    volume = volume_of(size_bytes, member, blocks_of(operation, n, registries), datatype, unit)
    inside = nested(registries, operation)
    moved = [volume_at(size_bytes, part, n, datatype, registries, unit=unit).moved_bytes for part in inside]
    return replace(volume, moved_bytes=max(moved)) if moved else volume


def volume_of(size_bytes: int, operation: Member, blocks: int, datatype: Datatype, unit: int = 1) -> Volume:
    """Block and moved bytes of a size: the block is the least number of whole elements with so many blocks >= the size.

    Elements come in units of so many, as the layout says. Raises UsageError for a size that is no multiple of the
    datatype, or of a unit, naming the nearest ones.
    """
    if operation.volume == "none":
        return Volume(0, 0, 0)
    element = datatype.size_bytes * unit
    below = size_bytes // element * element
    if below != size_bytes:
        units = f"a unit of {unit} '{datatype.name}'" if unit > 1 else f"datatype '{datatype.name}'"
        other = "" if unit > 1 else ", or use datatype byte"
        raise UsageError(
            f"size {size_bytes} B is no multiple of {units} ({element} B); nearest are {below} and "
            f"{below + element}{other}"
        )
    if blocks == 0:  # a neighbourhood without neighbours
        return Volume(size_bytes, 0, 0)
    block = -(-size_bytes // (blocks * element)) * element
    if operation.volume == "message":
        return Volume(size_bytes, size_bytes, blocks * block if operation.padded else size_bytes)
    return Volume(size_bytes, block, blocks * block)


def distinct(volumes: Iterable[Volume], operation: Member, blocks: int) -> tuple[list[Volume], list[str]]:
    """Volumes that differ in what is asked of MPI; of those that do not, the largest size stays; and remarks on it."""
    groups: dict[int, list[Volume]] = {}
    for volume in volumes:
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
