"""Whether ranks are where they were asked to be: on which nodes, in which order, on which hosts, sockets and cores.

What is not known (a host without topology, an address that is no name) is not judged.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ictus.model.job_size import JobSize

Cpus = frozenset[int]
Node = tuple[int, str]
"""The index of the host, and the name of the node."""
_SHOWN = 8
"""So many groups of ranks are named."""


@dataclass(frozen=True)
class RankPlace:
    """Where a rank was."""

    host: int
    """The index of its host; two hosts may have one name."""
    host_name: str
    node: str
    """As the batch system calls it; one host may be several nodes. Empty: the host is the node."""
    cpus: Cpus = frozenset()
    """Those that it may use; empty where that is unknown."""
    sockets: tuple[Cpus, ...] = ()
    """The CPUs of each socket of its host; empty where that is unknown."""
    cores: tuple[Cpus, ...] = ()
    """The CPUs of each core of its host that has several."""

    @property
    def node_name(self) -> str:
        """For a message."""
        return self.node or self.host_name

    @property
    def core(self) -> Cpus:
        """The CPUs of the core that its first CPU belongs to."""
        first = min(self.cpus)
        return next((core for core in self.cores if first in core), frozenset({first}))

    @property
    def socket(self) -> str:
        """The socket that all of its CPUs are on; several with `+`."""
        return "socket " + "+".join(str(number) for number, socket in enumerate(self.sockets) if socket & self.cpus)


@dataclass(frozen=True)
class PlacementRequest:
    """Where ranks were asked to be."""

    size: JobSize
    map_by: str
    hosts: tuple[str, ...] = ()
    """Those of `--hosts`, in the order of its file."""
    others: frozenset[str] = frozenset()
    """Names of hosts that are none of them, such as that of the runner."""
    bound: bool = False
    """Whether the launcher was told to bind each rank to a core."""
    compares_binding: bool = False
    """Whether bound launches are compared with others, so that a rank that may move falsifies them."""


def misplaced(request: PlacementRequest, ranks: Sequence[RankPlace]) -> str | None:
    """What was asked for and what was seen, where they differ; None where all is as asked, or nothing is known."""
    judges = (_on_nodes, _in_order, _on_hosts, _on_sockets, _on_cores)
    return next((complaint for judge in judges if ranks and (complaint := judge(request, ranks)) is not None), None)


def _on_nodes(request: PlacementRequest, ranks: Sequence[RankPlace]) -> str | None:
    size, counts = request.size, Counter(_node(rank_place) for rank_place in ranks)
    if not size.placed or (len(counts) == size.nodes and set(counts.values()) == {size.ppn}):
        return None
    names = {_node(rank): rank.node_name for rank in ranks}
    counted = ", ".join(f"{names[node]} has {n}" for node, n in counts.items())
    return (
        f"ranks are not where they were asked to be: asked for {size.nodes} nodes with {size.ppn} ranks on each, got "
        f"{len(counts)}: {counted}"
    )


def _in_order(request: PlacementRequest, ranks: Sequence[RankPlace]) -> str | None:
    """Nodes have no order of their own: the first that a rank is on is the first node."""
    expected = [request.size.node_of(rank, request.map_by) for rank in range(request.size.n)]
    number: dict[Node, int] = {}
    node_numbers = [number.setdefault(_node(rank_place), len(number)) for rank_place in ranks]
    if not request.size.placed or node_numbers == expected:
        return None
    expected_groups = _groups([f"node {node}" for node in expected])
    return (
        f"ranks are not in the order that was asked for (--map-by {request.map_by}): asked for {expected_groups}; seen "
        f"{_groups([rank_place.node_name for rank_place in ranks])}"
    )


def _on_hosts(request: PlacementRequest, ranks: Sequence[RankPlace]) -> str | None:
    """A host may be called otherwise in the file than it calls itself. It is wrong where it calls itself as another
    host is known, and not as the one that was asked for.
    """
    if not request.hosts:
        return None

    def wrong(rank: int, host_name: str) -> bool:
        if not request.size.placed:
            return _is_one_of(host_name, request.others) and not _is_one_of(host_name, request.hosts)
        right = request.hosts[request.size.node_of(rank, request.map_by)]
        others = {*request.others, *request.hosts} - {right}
        return _is_one_of(host_name, others) and not _is_one_of(host_name, (right,))

    if not any(wrong(rank, rank_place.host_name) for rank, rank_place in enumerate(ranks)):
        return None
    size = request.size
    expected = _groups([request.hosts[size.node_of(rank, request.map_by)] for rank in range(size.n)])
    return (
        f"ranks are not on the hosts of --hosts: asked for {expected if size.placed else ', '.join(request.hosts)}; "
        f"seen {_groups([rank_place.host_name for rank_place in ranks])}"
    )


def _on_sockets(request: PlacementRequest, ranks: Sequence[RankPlace]) -> str | None:
    """Of each node: its ranks take the sockets in turn, whichever is the first."""
    if request.map_by != "socket" or not request.bound:
        return None
    for local_ranks in _by(ranks, _node):
        n_sockets = min(len(ranks[local_ranks[0]].sockets), len(local_ranks))
        if n_sockets < 2 or not all(ranks[rank].cpus for rank in local_ranks):
            continue
        rank_sockets = [ranks[rank].socket for rank in local_ranks]
        turn = rank_sockets[:n_sockets]
        expected = (turn * len(local_ranks))[: len(local_ranks)]
        if len(set(turn)) < n_sockets or any("+" in socket for socket in turn) or rank_sockets != expected:
            return (
                f"ranks are not in the order that was asked for (--map-by socket): asked for the {n_sockets} sockets "
                f"of {ranks[local_ranks[0]].node_name} in turn; seen {_groups(rank_sockets, local_ranks)}"
            )
    return None


def _on_cores(request: PlacementRequest, ranks: Sequence[RankPlace]) -> str | None:
    """Ranks that the launcher bound to a core take no turns on it, and where that is compared none may move."""
    if not request.bound or not all(rank_place.cpus for rank_place in ranks):
        return None
    for local_ranks in _by(ranks, lambda rank_place: (rank_place.host, rank_place.cpus)):
        first = ranks[local_ranks[0]]
        if first.cpus <= first.core and len(local_ranks) > len(first.cpus):
            return (
                f"ranks are not on cores of their own (--pin cores): asked for a core for each rank; seen "
                f"{_numbers(local_ranks)} of {first.host_name} all on CPU {_numbers(sorted(first.cpus))}"
            )
    loose = next((rank for rank, rank_place in enumerate(ranks) if not rank_place.cpus <= rank_place.core), None)
    if loose is None or not request.compares_binding:
        return None
    return (
        f"ranks are not on cores of their own (--pin cores): asked for a core for each rank; seen rank {loose} of "
        f"{ranks[loose].host_name} on CPUs {_numbers(sorted(ranks[loose].cpus))}"
    )


def _node(rank_place: RankPlace) -> Node:
    return rank_place.host, rank_place.node


def _by(ranks: Sequence[RankPlace], key: Callable[[RankPlace], object]) -> Iterator[list[int]]:
    """The ranks of each value of `key`."""
    groups: dict[object, list[int]] = {}
    for rank, rank_place in enumerate(ranks):
        groups.setdefault(key(rank_place), []).append(rank)
    return iter(groups.values())


def _is_one_of(name: str, names: Sequence[str] | frozenset[str] | set[str]) -> bool:
    """Whether a host's own name is one of these: with or without a domain, or with a word for its network behind."""
    short_name = _short(name)
    return any(
        short_name == _short(candidate) or candidate.startswith((f"{short_name}-", f"{short_name}_"))
        for candidate in names
    )


def _short(name: str) -> str:
    return name.partition(".")[0].lower()


def _groups(labels: Sequence[str], ranks: Sequence[int] | None = None) -> str:
    """`0-1 on n1, 2-3 on n2`: consecutive ranks with one label together."""
    numbers = range(len(labels)) if ranks is None else ranks
    runs: list[tuple[str, list[int]]] = []
    for number, label in zip(numbers, labels, strict=True):
        if not runs or runs[-1][0] != label:
            runs.append((label, []))
        runs[-1][1].append(number)
    named = [f"{_numbers(run_ranks)} on {label}" for label, run_ranks in runs[:_SHOWN]]
    return ", ".join([*named, *(["..."] if len(runs) > _SHOWN else [])])


def _numbers(ranks: Sequence[int]) -> str:
    """`0-3`, or `0,2` where they do not follow each other."""
    consecutive = list(ranks) == list(range(ranks[0], ranks[-1] + 1))
    return f"{ranks[0]}-{ranks[-1]}" if consecutive and len(ranks) > 1 else ",".join(map(str, ranks))
