"""Of how many blocks the largest buffer of an operation consists, where its volume is blocks.

One for each rank, unless the operation's parameters say otherwise: who is whose neighbour, how many messages a window
has. The core counts for itself (`OperationMember::n_blocks`); a test compares the two.
"""

import math
from math import comb

from ictus.model.registries import Member
from ictus.model.spec import Number, Spec


def n_blocks(operation: Spec, n: int) -> int:
    """Blocks of `operation`, in full form, at `n` processes."""
    topology, neighbourhood = operation.argument("topology"), operation.argument("neighbourhood")
    if isinstance(topology, Spec):
        return _degree(topology, n)
    if isinstance(neighbourhood, Spec):
        torus = operation.argument("torus")
        return _neighbours(neighbourhood, _dimensions(torus) if isinstance(torus, Spec) else 1)
    if operation.name == "bibandwidth":
        return _count(operation, "window")
    return 2 if operation.name == "exchange" else n


def block_words(operation: Member) -> str:
    """How many blocks those are, in words: `p blocks`, `a block for each neighbour`."""
    if operation.parameter("topology") or operation.parameter("neighbourhood"):
        return "a block for each neighbour"
    return {"bibandwidth": "window blocks", "exchange": "2 blocks"}.get(operation.name, "p blocks")


def _degree(topology: Spec, n: int) -> int:
    """The most neighbours of a rank, on the side where it has more."""
    if topology.name == "graph":
        return min(n, _count(topology, "degree"))
    return 2 * _dimensions(topology)


def _dimensions(grid: Spec) -> int:
    """Those that a grid or torus is asked for, or as many as it has lengths."""
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
