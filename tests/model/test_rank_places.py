"""The judge of places, by placements as launches record them: each way to be elsewhere is found, and said with both."""

import pytest

from ictus.model.job_size import JobSize
from ictus.model.placement import PlacementRequest, RankPlace, misplaced

SIZE = JobSize(4, 2, 2)
SOCKETS = (frozenset({0, 1}), frozenset({2, 3}))
HOSTS = ("n1.site.org", "n2")


def ranks(hosts: str, cpus: str = "", *, cores: tuple[frozenset[int], ...] = ()) -> list[RankPlace]:
    """`n1 n1 n2 n2` with the CPUs `0 1 0 1`; `0+1` are two."""
    names = hosts.split()
    index = {name: number for number, name in enumerate(dict.fromkeys(names))}
    allowed = [frozenset(map(int, text.split("+"))) for text in cpus.split()] or [frozenset[int]()] * len(names)
    return [RankPlace(index[name], name, "", own, SOCKETS, cores) for name, own in zip(names, allowed, strict=True)]


AS_ASKED = [
    (PlacementRequest(SIZE, "core"), "n1 n1 n2 n2", ""),
    (PlacementRequest(SIZE, "node"), "n1 n2 n1 n2", ""),
    (PlacementRequest(JobSize(4), "core"), "n1 n1 n1 n1", ""),
    # by the short name, and by the name of another network of the host
    (PlacementRequest(SIZE, "core", HOSTS, frozenset({"login"})), "n1 n1 n2.site.org n2.site.org", ""),
    (PlacementRequest(SIZE, "core", ("n1-ib0", "n2-ib0"), frozenset({"n1", "login"})), "n1 n1 n2 n2", ""),
    # an address is no name; what a host calls itself is then not known to be wrong
    (PlacementRequest(SIZE, "core", ("10.0.0.1", "10.0.0.2"), frozenset({"login"})), "h0 h0 h1 h1", ""),
    (PlacementRequest(JobSize(4), "core", HOSTS, frozenset({"login"})), "n2 n2 n2 n1", ""),
    (PlacementRequest(SIZE, "socket", bound=True), "n1 n1 n2 n2", "0 2 3 1"),
    (PlacementRequest(JobSize(4), "socket", bound=True), "n1 n1 n1 n1", "0 2 1 3"),
    (PlacementRequest(JobSize(4), "socket"), "n1 n1 n1 n1", "0+1+2+3 0 1 2"),  # nothing was to be bound
    (PlacementRequest(JobSize(4), "socket", bound=True), "n1 n1 n1 n1", ""),  # nobody knows
    (PlacementRequest(SIZE, "core", bound=True, compares_binding=True), "n1 n1 n2 n2", "0 1 0 1"),
    (PlacementRequest(SIZE, "core", bound=True), "n1 n1 n2 n2", "0+1 0+1 0+1 0+1"),  # a warning says it
]


@pytest.mark.parametrize(("asked", "hosts", "cpus"), AS_ASKED)
def test_what_is_as_asked_is_accepted(asked: PlacementRequest, hosts: str, cpus: str) -> None:
    """And so is what nobody can know."""
    assert misplaced(asked, ranks(hosts, cpus)) is None


ELSEWHERE = [
    (PlacementRequest(SIZE, "core"), "n1 n1 n1 n1", "", "asked for 2 nodes with 2 ranks on each, got 1: n1 has 4"),
    (
        PlacementRequest(SIZE, "core"),
        "n1 n2 n1 n2",
        "",
        "(--map-by core): asked for 0-1 on node 0, 2-3 on node 1; seen 0 on n1, 1 on n2, 2 on n1, 3 on n2",
    ),
    (
        PlacementRequest(SIZE, "core", HOSTS, frozenset({"login"})),
        "n1 n1 login login",
        "",
        "the hosts of --hosts: asked for 0-1 on n1.site.org, 2-3 on n2; seen 0-1 on n1, 2-3 on login",
    ),
    (
        PlacementRequest(SIZE, "core", HOSTS),
        "n2 n2 n1 n1",
        "",
        "asked for 0-1 on n1.site.org, 2-3 on n2; seen 0-1 on n2, 2-3 on n1",
    ),
    (
        PlacementRequest(JobSize(4), "core", HOSTS, frozenset({"login"})),
        "login login login login",
        "",
        "asked for n1.site.org, n2; seen 0-3 on login",
    ),
    (
        PlacementRequest(SIZE, "socket", bound=True),
        "n1 n1 n2 n2",
        "0 2 0 1",
        "(--map-by socket): asked for the 2 sockets of n2 in turn; seen 2-3 on socket 0",
    ),
    (
        PlacementRequest(JobSize(4), "socket", bound=True),
        "n1 n1 n1 n1",
        "0 1 2 3",
        "asked for the 2 sockets of n1 in turn; seen 0-1 on socket 0, 2-3 on socket 1",
    ),
    (
        PlacementRequest(JobSize(4), "socket", bound=True),
        "n1 n1 n1 n1",
        "0 1+2 1 3",
        "seen 0 on socket 0, 1 on socket 0+1, 2 on socket 0, 3 on socket 1",
    ),
    (
        PlacementRequest(SIZE, "core", bound=True),
        "n1 n1 n2 n2",
        "0 1 0 0",
        "(--pin cores): asked for a core for each rank; seen 2-3 of n2 all on CPU 0",
    ),
    (
        PlacementRequest(SIZE, "core", bound=True, compares_binding=True),
        "n1 n1 n2 n2",
        "0 1 0 1+2",
        "asked for a core for each rank; seen rank 3 of n2 on CPUs 1-2",
    ),
]


@pytest.mark.parametrize(("asked", "hosts", "cpus", "said"), ELSEWHERE)
def test_ranks_that_are_elsewhere_are_said_with_what_was_asked(
    asked: PlacementRequest, hosts: str, cpus: str, said: str
) -> None:
    """Each is one of the placements above, corrupted."""
    found = misplaced(asked, ranks(hosts, cpus))
    assert found is not None
    assert found.endswith(said)


def test_hyperthreads_of_a_core_hold_one_rank_each() -> None:
    """Two ranks on the two CPUs of a core are a warning of the host; three take turns."""
    both = (frozenset({0, 1}),)
    asked = PlacementRequest(JobSize(2), "core", bound=True, compares_binding=True)
    assert misplaced(asked, ranks("n1 n1", "0+1 0+1", cores=both)) is None
    asked = PlacementRequest(JobSize(3), "core", bound=True)
    found = misplaced(asked, ranks("n1 n1 n1", "0+1 0+1 0+1", cores=both))
    assert found is not None
    assert found.endswith("seen 0-2 of n1 all on CPU 0-1")


def test_long_lists_are_cut() -> None:
    """A thousand ranks one node after the other, where nodes were to be filled."""
    asked = PlacementRequest(JobSize(1000, 2, 500), "core")
    found = misplaced(asked, ranks("n1 n2 " * 500))
    assert found is not None
    assert found.endswith("seen 0 on n1, 1 on n2, 2 on n1, 3 on n2, 4 on n1, 5 on n2, 6 on n1, 7 on n2, ...")
    assert len(found) < 250
