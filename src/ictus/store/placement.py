"""Whether the ranks of a launch are on as many nodes, and in such an order, as was asked for.

A node is what the batch system calls one, where ranks say it; so one host may be several nodes.
"""

from collections import Counter
from collections.abc import Sequence

from ictus.model.job_size import JobSize
from ictus.store.launch_record import LaunchRecord

Node = tuple[int, str]
"""The index of the host, and the name of the node."""


def nodes_of(record: LaunchRecord) -> list[Node]:
    """The node of each rank. Two hosts of one name are two nodes."""
    ranks = record.ranks
    names = (name.decode(errors="replace") for name in ranks["node"].tolist())
    return list(zip(ranks["host"].tolist(), names, strict=True))


def misplaced(record: LaunchRecord, size: JobSize, map_by: str) -> str | None:
    """What differs between the places of ranks and the request; None where all is as asked, or nothing was asked."""
    if not size.placed:
        return None
    nodes = nodes_of(record)
    counts = Counter(nodes)
    named = {node: name or record.hosts[host].name for node in counts for host, name in [node]}
    there = ", ".join(f"{named[node]} has {n}" for node, n in counts.items())
    if len(counts) != size.nodes or set(counts.values()) != {size.ppn}:
        return (
            f"ranks are not where they were asked to be: asked for {size.nodes} nodes with {size.ppn} ranks on each, "
            f"got {len(counts)}: {there}"
        )
    expected = [size.node_of(rank, map_by) for rank in range(size.n)]
    rank = _first_difference(expected, nodes)
    if rank is None:
        return None
    return (
        f"ranks are not in the order that was asked for (--map-by {map_by}): rank {rank} is on {named[nodes[rank]]}, "
        f"beside other ranks than it should be"
    )


def _first_difference(expected: Sequence[int], nodes: Sequence[Node]) -> int | None:
    """The first rank that shares its node with others than expected; None without one. Nodes have no order of their
    own.
    """
    number: dict[Node, int] = {}
    for rank, (wanted, node) in enumerate(zip(expected, nodes, strict=True)):
        if number.setdefault(node, wanted) != wanted or len(set(number.values())) != len(number):
            return rank
    return None
