"""Of how many blocks buffers consist: numbers by hand. That the core counts alike is shown in tests/native."""

import pytest

from ictus.model.case import expand
from ictus.model.plan import Plan
from ictus.model.registries import Registries
from ictus.model.volume import n_blocks, window_messages

REGISTRIES = Registries.load()


@pytest.mark.parametrize(
    ("operation", "n", "blocks"),
    [
        ("alltoall", 7, 7),
        ("exchange", 7, 2),
        ("bandwidth(5,pairs=2)", 7, 5),
        ("bibandwidth", 7, 64),
        ("bibandwidth(3)", 7, 3),
        ("neighbor_alltoall", 7, 4),
        ("ineighbor_allgatherv(cartesian(3,periodic=on))", 7, 6),
        ("neighbor_alltoallw_init(grid(7,1,1,periodic=on))", 7, 6),
        ("neighbor_alltoall(graph(degree=5))", 7, 5),
        ("neighbor_alltoall(graph(degree=5))", 2, 2),
        ("sparse_alltoall", 7, 8),
        ("sparse_allgather(direct,balanced(3))", 7, 26),
        ("sparse_alltoall(neighbourhood=vonneumann(2))", 7, 12),
        ("sparse_alltoall(direct,lengths(7,1,1),vonneumann(2))", 7, 24),
        ("sparse_alltoall(neighbourhood=list(at(1,0),at(1,1),at(0,9)))", 7, 3),
    ],
)
def test_blocks_are_those_of_the_parameters(operation: str, n: int, blocks: int) -> None:
    """A block a rank where nothing else is said; neighbours, windows and both sides where it is."""
    assert n_blocks(REGISTRIES.check("operation", operation), n) == blocks


@pytest.mark.parametrize(
    ("operation", "n", "messages"),
    [
        ("bandwidth(5)", 7, 3 * 5),  # ranks 0, 1, 2 send to 3, 4, 5; rank 6 is idle
        ("bandwidth(5,pairs=2)", 7, 2 * 5),
        ("bandwidth", 2, 64),
        ("bandwidth(5)", 1, 5),  # to itself
        ("bibandwidth(3)", 7, 6 * 3),
        ("bibandwidth(3)", 1, 3),
        ("pingpong", 2, 0),
        ("repeated(bandwidth,2)", 2, 0),
    ],
)
def test_messages_of_a_window_are_those_of_all_pairs(operation: str, n: int, messages: int) -> None:
    """What a message rate is made of; an operation without a window has none."""
    assert window_messages(REGISTRIES.check("operation", operation), n) == messages


def test_sizes_are_shared_out_to_the_blocks() -> None:
    """100 B to 8 neighbours are 8 blocks of 13 B, and with --size-is block 8 blocks of 100 B, at any n."""
    plan = Plan(op=("sparse_alltoall",), sizes=(100,), datatype="byte", processes=(3,), nrep=5)
    total, block = (
        expand(plan.model_copy(update={"size_is": kind}), REGISTRIES).cases[0] for kind in ("total", "block")
    )
    assert (total.size_bytes, total.block_bytes, total.moved_bytes) == (100, 13, 104)
    assert (block.size_bytes, block.block_bytes, block.moved_bytes) == (800, 100, 800)
