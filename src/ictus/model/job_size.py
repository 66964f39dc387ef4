"""The size of a launch: how many processes, and how they are shared out to nodes.

--nodes 1,2,4 --ppn 1,8     every number of nodes with every number of processes on each: n is their product
-n 8 --nodes 1,2,4          8 processes on so many nodes
-n 8,16 --ppn 4             on as many nodes as it takes
-n 2,4                      wherever the launcher puts them
"""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from ictus.model.errors import OptionError
from ictus.model.unknown import unknown

MapBy = Literal["core", "socket", "node"]
"""What consecutive ranks take in turn: cores of one node, its sockets, or nodes."""
MAPPINGS: tuple[str, ...] = get_args(MapBy)
TWO = (2,)
"""The processes of a launch where none are given."""
ANYWHERE = 0
"""The number of nodes, and of processes on each, where the launcher decides."""
LINKED = ("n", "nodes", "ppn")
"""Factors of which each follows from the other two."""


@dataclass(frozen=True)
class JobSize:
    """The size of one launch."""

    n: int
    """Processes."""
    nodes: int = ANYWHERE
    ppn: int = ANYWHERE
    """Processes on each node."""

    @property
    def placed(self) -> bool:
        """Whether the number of nodes was asked for."""
        return self.nodes != ANYWHERE

    def node_of(self, rank: int, map_by: str) -> int:
        """The number of the node that a rank is asked to be on, from 0; 0 for all where that is left open."""
        if not self.placed:
            return 0
        return rank % self.nodes if map_by == "node" else rank // self.ppn

    def __str__(self) -> str:
        return f"{self.n} processes" + (f" on {self.nodes} nodes, {self.ppn} on each" if self.placed else "")


def agreed_processes(
    processes: tuple[int, ...], nodes: Sequence[int], ppn: Sequence[int], *, default: tuple[int, ...]
) -> tuple[int, ...]:
    """The numbers of processes of a plan: the products where both nodes and ppn are given. ValueError where others are
    given too, or cannot be shared out equally; `default` is what stands where none is given.
    """
    if nodes and ppn:
        products = tuple(sorted({n_nodes * each for n_nodes, each in itertools.product(nodes, ppn)}))
        if processes not in (default, products):
            raise ValueError(
                f"nodes = {_listed(nodes)} and ppn = {_listed(ppn)} are given too, which make {_listed(products)} "
                f"processes: give two of n, nodes and ppn"
            )
        return products
    for n, (name, parts) in itertools.product(processes, (("nodes", nodes), ("ppn", ppn))):
        uneven = next((part for part in parts if n % part), None)
        if uneven is not None:
            raise ValueError(
                f"{n} processes cannot be shared out equally with {name} = {uneven}: n must be a multiple of it"
            )
    return processes


def job_sizes(processes: Sequence[int], nodes: Sequence[int], ppn: Sequence[int]) -> tuple[JobSize, ...]:
    """The sizes of a plan's launches, each once, the fewest processes first, of those the fewest nodes."""
    if nodes and ppn:
        sizes = [JobSize(n_nodes * each, n_nodes, each) for n_nodes, each in itertools.product(nodes, ppn)]
    elif nodes:
        sizes = [JobSize(n, n_nodes, n // n_nodes) for n, n_nodes in itertools.product(processes, nodes)]
    elif ppn:
        sizes = [JobSize(n, n // each, each) for n, each in itertools.product(processes, ppn)]
    else:
        sizes = [JobSize(n) for n in processes]
    return tuple(sorted(dict.fromkeys(sizes), key=lambda size: (size.n, size.nodes)))


def one_placement(processes: tuple[int, ...], nodes: int, ppn: int) -> tuple[JobSize, ...]:
    """The sizes of launches that all have `nodes` and `ppn`, 0 where that is left open. Raises OptionError for what
    cannot be shared out equally.
    """
    of_nodes, on_each = ((count,) if count else () for count in (nodes, ppn))
    try:
        agreed = agreed_processes(processes, of_nodes, on_each, default=TWO)
    except ValueError as error:
        raise OptionError(("n", _listed(processes), str(error))) from error
    return job_sizes(agreed, of_nodes, on_each)


def check_order(map_by: str) -> None:
    """UsageError for an order of ranks that there is not."""
    if map_by not in MAPPINGS:
        raise unknown(f"--map-by '{map_by}'", map_by, MAPPINGS)


def follows(nodes: Sequence[int], ppn: Sequence[int]) -> str:
    """The factor among `LINKED` that follows from the two that a plan gives; empty where no node is asked for."""
    if nodes and ppn:
        return "n"
    return "ppn" if nodes else "nodes" if ppn else ""


def _listed(counts: Sequence[int]) -> str:
    return ",".join(map(str, counts))
