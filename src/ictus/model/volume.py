"""The meaning of a size: how many bytes, in which blocks, an operation moves.

`size_bytes` is the total volume n of one process's largest buffer (file-format.md): one message, or blocks of n/p.
There is one block per rank unless the operation's parameters say otherwise (neighbours, messages of a window).
The core computes the same (`extent_of`, `OperationMember::n_blocks`); tests compare the two.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from math import comb

from ictus.model.errors import UsageError
from ictus.model.nested import nested
from ictus.model.quantity import format_size
from ictus.model.registries import Datatype, Member, Registries
from ictus.model.spec import Number, Spec


@dataclass(frozen=True)
class Volume:
    """The meaning of a size for one operation at one number of processes, all in bytes."""

    size_bytes: int
    block_bytes: int
    moved_bytes: int


def blocks_of(operation: Spec, n: int, registries: Registries) -> int:
    """Blocks of `operation`, given in full form, where `n` processes call together.

    A composed operation has the largest number of blocks of its inner ones.
    """
    parts = [part for part in nested(registries, operation) if registries.operation(part).volume == "blocks"]
    return max((blocks_of(part, n, registries) for part in parts), default=n_blocks(operation, n))


def volume_at(
    size_bytes: int, operation: Spec, n: int, datatype: Datatype, registries: Registries, *, unit: int = 1
) -> Volume:
    """Volume of `operation`, given in full form, where `n` processes call together; UsageError as `volume_of`.

    Operations in a row all have the same size.
    """
    member = registries.operation(operation)
    volume = volume_of(size_bytes, member, blocks_of(operation, n, registries), datatype, unit)
    inside = nested(registries, operation)
    moved = [volume_at(size_bytes, part, n, datatype, registries, unit=unit).moved_bytes for part in inside]
    return replace(volume, moved_bytes=max(moved)) if moved else volume


def volume_of(size_bytes: int, operation: Member, blocks: int, datatype: Datatype, unit: int = 1) -> Volume:
    """Block and moved bytes of a size: the block is the least number of whole elements with which all blocks together
    reach the size.

    Elements come in the units of the layout. Raises UsageError for a size that is not a multiple of the datatype or of
    a unit, with the nearest ones.
    """
    if operation.volume == "none":
        return Volume(0, 0, 0)
    element = datatype.size_bytes * unit
    below = size_bytes // element * element
    if below != size_bytes:
        units = f"a unit of {unit} '{datatype.name}'" if unit > 1 else f"datatype '{datatype.name}'"
        way_out = "" if unit > 1 else ", or use datatype byte"
        raise UsageError(
            f"size {size_bytes} B is not a multiple of {units} ({element} B); nearest are {below} and "
            f"{below + element}{way_out}"
        )
    if blocks == 0:  # a neighbourhood without neighbours
        return Volume(size_bytes, 0, 0)
    block = -(-size_bytes // (blocks * element)) * element
    if operation.volume == "message":
        return Volume(size_bytes, size_bytes, blocks * block if operation.padded else size_bytes)
    return Volume(size_bytes, block, blocks * block)


def distinct(volumes: Iterable[Volume], operation: Member, blocks: int) -> tuple[list[Volume], list[str]]:
    """Volumes without duplicates: of those that are the same call of MPI the largest size stays, with a remark."""
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
        blocks_text = f"{blocks} blocks of {moved // max(blocks, 1)} B"
        if len(group) > 1:
            remarks.append(
                f"{sizes_text} all move {blocks_text}: measured once, as {format_size(group[-1].size_bytes)}"
            )
        elif group[0].size_bytes != moved:
            remarks.append(f"{sizes_text} is rounded up to {blocks_text}")
    return [group[-1] for group in groups.values()], remarks


def n_blocks(operation: Spec, n: int) -> int:
    """Blocks of `operation`, in full form, at `n` processes."""
    topology, neighbourhood = operation.argument("topology"), operation.argument("neighbourhood")
    if isinstance(topology, Spec):
        return _degree(topology, n)
    if isinstance(neighbourhood, Spec):
        torus = operation.argument("torus")
        return _neighbours(neighbourhood, _dimensions(torus) if isinstance(torus, Spec) else 1)
    if operation.name in _WINDOWS:
        return _count(operation, "window")
    return 2 if operation.name == "exchange" else n


def window_messages(operation: Spec, n: int) -> int:
    """Messages of one call of a window of messages, in full form, of all pairs and in both directions; 0 of any other
    operation. A rank alone sends to itself.
    """
    if operation.name not in _WINDOWS:
        return 0
    half = n // 2
    senders = half if operation.name == "bandwidth" else 2 * half
    if operation.name == "bandwidth" and isinstance(operation.argument("pairs"), Number):
        senders = min(half, _count(operation, "pairs"))
    return _count(operation, "window") * max(senders, 1)


def block_words(operation: Member) -> str:
    """How many blocks those are, in words: `p blocks`, `a block for each neighbour`."""
    if operation.parameter("topology") or operation.parameter("neighbourhood"):
        return "a block for each neighbour"
    if operation.name in _WINDOWS:
        return "window blocks"
    return "2 blocks" if operation.name == "exchange" else "p blocks"


_WINDOWS = ("bandwidth", "bibandwidth")
"""Operations of as many messages as their parameter `window` says."""


def _degree(topology: Spec, n: int) -> int:
    """The most neighbours of a rank, on the side where it has more."""
    if topology.name == "graph":
        return min(n, _count(topology, "degree"))
    return 2 * _dimensions(topology)


def _dimensions(grid: Spec) -> int:
    """The dimensions of a grid or torus as given, or the number of its lengths."""
    if grid.argument("dimensions") is not None:
        return _count(grid, "dimensions")
    return sum(argument.key is None for argument in grid.arguments)


def _neighbours(neighbourhood: Spec, dimensions: int) -> int:
    """Relative coordinates of a neighbourhood; of `vonneumann` those whose magnitudes add up to the radius at most."""
    if neighbourhood.name == "list":
        return len(neighbourhood.arguments)
    radius = _count(neighbourhood, "radius")
    if neighbourhood.name == "moore":
        return math.prod([2 * radius + 1] * dimensions) - 1
    return sum(comb(dimensions, k) * comb(radius, k) * (1 << k) for k in range(dimensions + 1)) - 1


def _count(spec: Spec, key: str) -> int:
    value = spec.argument(key)
    if not isinstance(value, Number):
        raise TypeError(f"'{spec}' is not in full form: it has no number '{key}'")
    return int(value.text)
