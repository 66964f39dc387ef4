"""Where the ranks of a launch were, and whether that is where they were asked to be (model/placement.py)."""

from collections.abc import Mapping, Sequence
from typing import Any

from ictus.model.job_size import JobSize
from ictus.model.placement import Cpus, Node, PlacementRequest, RankPlace
from ictus.model.quantity import parse_cpu_list
from ictus.model.written_rows import rows_of
from ictus.store.launch_record import LaunchRecord


def nodes_of(record: LaunchRecord) -> list[Node]:
    """The node of each rank. Two hosts of one name are two nodes."""
    ranks = record.ranks
    names = (name.decode(errors="replace") for name in ranks["node"].tolist())
    return list(zip(ranks["host"].tolist(), names, strict=True))


def places_of(record: LaunchRecord) -> list[RankPlace]:
    """The place of each rank of a launch."""
    topology = [topology_of(host.kind) for host in record.hosts]
    allowed = (text.decode(errors="replace") for text in record.ranks["cpus_allowed"].tolist())
    return [
        RankPlace(host, record.hosts[host].name, node, cpus_in(cpus), *topology[host])
        for (host, node), cpus in zip(nodes_of(record), allowed, strict=True)
    ]


def places_in(answer: Mapping[str, Any]) -> list[RankPlace]:
    """The place of each rank of a study's launch; none where it does not say."""
    hosts, ranks = (rows_of(answer.get(key)) or () for key in ("hosts", "ranks"))
    number = {
        index: number_of for number_of, index in enumerate(dict.fromkeys(answer.get("places", {}).get("host", ())))
    }
    if len(number) != len(hosts) or len(ranks) != answer.get("n_ranks"):
        return []
    host_numbers = [number[index] for index in answer["places"]["host"]]
    return [
        RankPlace(
            host, rank["host"], rank.get("node", ""), cpus_in(rank.get("cpus_allowed", "")), *topology_of(hosts[host])
        )
        for host, rank in zip(host_numbers, ranks, strict=True)
    ]


def topology_of(kind: Mapping[str, Any]) -> tuple[tuple[Cpus, ...], tuple[Cpus, ...]]:
    """The sockets of a host, and its cores that have several CPUs."""
    sockets, cores = ([parse_cpu_list(text) for text in kind.get(key) or ()] for key in ("sockets", "siblings"))
    return tuple(sockets), tuple(cores)


def cpus_in(text: str) -> Cpus:
    """`0-3,8`; none for what is unknown."""
    return parse_cpu_list(text) if text[:1].isdigit() else frozenset()


def placement_request(
    launcher: Mapping[str, Any] | None, size: JobSize, map_by: str, pins: Sequence[str] = ()
) -> PlacementRequest:
    """What was asked for: by the plan, and by what the launch recorded of its launcher. `pins` are the values of
    `--pin` that are compared.
    """
    requested = (launcher or {}).get("asked") or {}
    allocation = (launcher or {}).get("allocation") or {}
    hosts = tuple(requested.get("hosts") or ())
    nodes = {*allocation.get("nodes", ())}
    others = {requested.get("runner"), *(nodes if nodes >= {*hosts} else ())} - {None, "", *hosts}
    return PlacementRequest(
        size,
        map_by,
        hosts,
        frozenset(map(str, others)) if hosts else frozenset(),
        bound=bool(requested.get("bound")),
        compares_binding=len(pins) > 1,
    )
