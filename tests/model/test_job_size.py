"""How numbers of nodes, of processes on each and of processes make the sizes of launches."""

import re
from typing import Any

import pytest

from ictus.model.case import expand
from ictus.model.design import Slot
from ictus.model.errors import UsageError
from ictus.model.job_size import JobSize, follows
from ictus.model.plan import Plan
from ictus.model.registries import Registries


@pytest.mark.parametrize(
    ("values", "sizes"),
    [
        ({"nodes": "1,2", "ppn": "1,8"}, [(1, 1, 1), (2, 2, 1), (8, 1, 8), (16, 2, 8)]),
        ({"nodes": "2,1", "ppn": "4,2"}, [(2, 1, 2), (4, 1, 4), (4, 2, 2), (8, 2, 4)]),
        ({"n": 8, "nodes": "1,4"}, [(8, 1, 8), (8, 4, 2)]),
        ({"n": "8,16", "ppn": 4}, [(8, 2, 4), (16, 4, 4)]),
        ({"n": "4,2"}, [(2, 0, 0), (4, 0, 0)]),
        ({}, [(2, 0, 0)]),
    ],
)
def test_two_of_three_make_the_sizes(values: dict[str, Any], sizes: list[tuple[int, int, int]]) -> None:
    """In ascending order, each once; a plan written and read again makes the same."""
    plan = Plan.from_values(values)
    assert [(size.n, size.nodes, size.ppn) for size in plan.job_sizes] == sizes
    assert Plan.from_values(plan.values()) == plan
    assert plan.processes == tuple(sorted({n for n, _, _ in sizes}))


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"n": 3, "nodes": 2, "ppn": 2}, r"^-n '3': nodes = 2 and ppn = 2 are given too, which make 4 processes"),
        ({"nodes": 3}, r"^-n '2': 2 processes cannot be shared out equally with nodes = 3"),
        ({"n": "8,12", "ppn": 8}, r"^-n '8,12': 12 processes cannot be shared out equally with ppn = 8"),
        ({"nodes": 0}, r"^--nodes '0': must be greater than or equal to 1"),
        ({"map-by": "cores"}, r"^--map-by 'cores': must be 'core', 'socket' or 'node'"),
    ],
)
def test_what_cannot_be_shared_out_is_refused(values: dict[str, Any], said: str) -> None:
    """With the option as it is typed, and what is allowed."""
    with pytest.raises(UsageError) as refused:
        Plan.from_values(values)
    assert re.match(said, refused.value.command_line_text)


def test_cases_have_the_nodes_of_their_launches() -> None:
    """As many processes on one node and on two are two cases, in launches of their own."""
    plan = Plan.from_values({"op": "bcast", "sizes": "8", "nodes": "1,2", "ppn": "2,4"})
    cases = expand(plan, Registries.load()).cases
    assert [(case.n, case.nodes, case.ppn) for case in cases] == [(2, 1, 2), (4, 1, 4), (4, 2, 2), (8, 2, 4)]


def test_ranks_take_nodes_in_the_order_that_was_asked_for() -> None:
    """Filling a node first, or one node after the other."""
    size = JobSize(6, 3, 2)
    assert [size.node_of(rank, "core") for rank in range(6)] == [0, 0, 1, 1, 2, 2]
    assert [size.node_of(rank, "node") for rank in range(6)] == [0, 1, 2, 0, 1, 2]


def test_what_follows_is_the_one_that_is_not_given() -> None:
    """Nothing where no node is asked for."""
    assert [follows((1,), (2,)), follows((1,), ()), follows((), (2,)), follows((), ())] == ["n", "ppn", "nodes", ""]


def test_a_slot_without_nodes_has_none_in_the_file() -> None:
    """Files of earlier versions have no such keys."""
    values = {"slot": 0, "block": 0, "mpi": "a", "n": 2, "seed": 1, "cases": [0]}
    assert (Slot.from_json(values).nodes, Slot.from_json({**values, "nodes": 2, "ppn": 1}).nodes) == (0, 2)
