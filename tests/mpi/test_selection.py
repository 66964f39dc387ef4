"""What MPICH's trees choose: conditions in their order, and nothing where one is not known."""

from dataclasses import replace
from pathlib import Path

import pytest

from ictus.model.algorithm import CallSignature, LaunchEvidence
from ictus.mpi.discover import find
from ictus.mpi.flavours import flavour
from ictus.mpi.flavours.mpich_choices import (
    ABOVE,
    COMPOSITION,
    SHARED_MEMORY,
    chosen,
    composition,
    in_shared_memory,
    name_of,
    trees_of,
)

BCAST = CallSignature("bcast", n=8, total_bytes=12288, block_bytes=12288, count=12288)
TREE = {
    "collective=bcast": {
        "comm_type=intra": {
            "comm_size<8": {"algorithm=MPIR_Bcast_intra_binomial": {}},
            "comm_size=pow2": {
                "comm_hierarchy=parent": {
                    "avg_msg_size<=12288": {"algorithm=MPIR_Bcast_intra_smp": {}},
                    "avg_msg_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}},
                }
            },
            "comm_size=any": {"moon=full": {"algorithm=MPIR_Bcast_intra_tree": {}}},
        }
    },
    "collective=reduce": {
        "count<pow2": {"algorithm=MPIR_Reduce_intra_binomial": {}},
        "is_op_built_in=yes": {"algorithm=MPIR_Reduce_intra_reduce_scatter_gather": {}},
    },
    "collective=alltoall": {
        "avg_msg_size<8": {"algorithm=MPIR_Alltoall_intra_brucks": {}},
        "comm_size=any": {"algorithm=MPIR_Alltoall_allcomm_nb": {}},
    },
    "collective=gather": {
        "moon=full": {"algorithm=MPIR_Gather_intra_binomial": {}},
        "comm_size=any": {"algorithm=MPIR_Gather_allcomm_nb": {}},
    },
    "collective=alltoallv": {
        "is_sendbuf_inplace=yes": {"algorithm=MPIR_Alltoallv_intra_pairwise_sendrecv_replace": {}},
        "is_sendbuf_inplace=no": {"algorithm=MPIR_Alltoallv_inter_pairwise_exchange": {}},
    },
    "collective=scan": {"avg_msg_size<8": {"algorithm=MPIR_Scan_intra_smp": {}}},
}


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"n": 7}, "binomial"),
        ({}, "smp"),
        ({"total_bytes": 12289}, "scatter_ring_allgather"),
        ({"one_host": False}, None),
        ({"n": 9}, None),
        ({"operation": "reduce", "count": 7}, "binomial"),
        ({"operation": "reduce", "count": 8}, "reduce_scatter_gather"),
        ({"operation": "reduce", "built_in": False}, None),
        ({"operation": "reduce", "n": 9, "count": 8}, "reduce_scatter_gather"),
        ({"n": 1, "operation": "bcast", "total_bytes": 1}, "binomial"),
        ({"operation": "alltoall", "total_bytes": 8, "block_bytes": 1}, "brucks"),
        ({"operation": "alltoall", "total_bytes": 64, "block_bytes": 8}, "nb"),
        ({"operation": "alltoallv"}, "pairwise_exchange"),
        ({"operation": "alltoallv", "in_place": True}, "pairwise_sendrecv_replace"),
        ({"operation": "scan"}, None),
        ({"operation": "scan", "total_bytes": 4}, None),
        ({"operation": "gather"}, None),
        ({"operation": "scatter"}, None),
    ],
)
def test_the_first_condition_that_holds_is_gone_down(changes: dict[str, object], name: str | None) -> None:
    """At its very limit, and beyond; a hierarchy of several hosts, a condition or a size that is not known ends it."""
    found = chosen(TREE, replace(BCAST, **changes))  # type: ignore[arg-type]
    assert (found if found is None else name_of(found)) == name


def test_compositions_have_letters() -> None:
    """Of the tree, or forced by number; what is left to the network is not done in shared memory."""
    tree = {"collective=bcast": {"composition=MPIDI_Bcast_intra_composition_beta": {}}}
    assert [composition(tree, BCAST, text) for text in ("0", "3")] == ["beta", "gamma"]
    assert composition(None, BCAST, "0") is None
    assert in_shared_memory(BCAST, "alpha")
    assert not in_shared_memory(BCAST, "gamma")
    assert not in_shared_memory(replace(BCAST, one_host=False), "alpha")
    assert not in_shared_memory(replace(BCAST, operation="gather"), "alpha")


def test_the_library_s_own_trees_are_gone_down() -> None:
    """MPICH 5 among two processes of one host, as libraries were seen to do whose tree lacked what they would need:
    bcast and reduce never ask the layer above, in shared memory; gather does.
    """
    wrapper = Path(find("mpich", "mpich").wrapper)
    assert set(trees_of(wrapper)) == {ABOVE, COMPOSITION, SHARED_MEMORY}
    launched = LaunchEvidence({"MPIR_CVAR_DEVICE_COLLECTIVES": "0"}, wrapper=wrapper)
    two = {name: replace(BCAST, operation=name, n=2) for name in ("bcast", "reduce", "gather", "allgather")}
    told = {name: flavour("mpich").selected_algorithm(call, launched) for name, call in two.items()}
    assert {name: one.algorithm for name, one in told.items()} == {
        "bcast": "release_gather",
        "reduce": "release_gather",
        "gather": "binomial",
        "allgather": "recursive_doubling",
    }
    assert "composition" in told["bcast"].where
    above = replace(launched, cvars={"MPIR_CVAR_DEVICE_COLLECTIVES": "1"})
    large = replace(BCAST, n=16, total_bytes=2**20)
    assert flavour("mpich").selected_algorithm(large, above).algorithm == "scatter_ring_allgather"
    assert flavour("mpich").selected_algorithm(two["bcast"], replace(above, wrapper=None)).algorithm is None
