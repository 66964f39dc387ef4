"""Counts beyond an int: refused before a launch by a library that has no calls for them."""

import pytest

from ictus.model.availability import Availability
from ictus.model.case import expand
from ictus.model.errors import UsageError
from ictus.model.feasibility import beyond_int, check_large
from ictus.model.plan import Plan
from ictus.model.registries import Registries

REGISTRIES = Registries.load()


def beyond(operations: str, sizes: str, datatype: str = "byte", **more: str) -> list[tuple[str, int]]:
    """The cases of a plan for 4 processes that need large counts."""
    plan = Plan.from_values({"op": operations, "sizes": sizes, "n": 4, "datatype": datatype, **more})
    return [(str(case.operation), case.size_bytes) for case in beyond_int(expand(plan, REGISTRIES).cases, REGISTRIES)]


def test_a_message_or_a_block_or_all_blocks_whose_places_are_told_may_be_beyond_an_int() -> None:
    """As native/src/workload/operation/partition.hpp has it: 2^31 - 1 elements are not, one more is."""
    assert beyond("bcast,barrier", "2147483647,2147483648") == [("bcast", 2**31)]
    assert beyond("gather", "8589934588,8589934592") == [("gather", 2**33)]
    assert beyond("gatherv", "2147483644,2147483648") == [("gatherv", 2**31)]
    assert beyond("gather_as_allgather,pingpong,repeated(bcast,3)", "17179869184") == []


def test_elements_are_counted_and_not_bytes() -> None:
    """300 million doubles are a legal message, 2^31 are not; places of MPI_Alltoallw are bytes. A unit of a layout of
    four doubles counts once.
    """
    assert beyond("bcast,allgatherv", "2400000000", "double") == []
    assert beyond("bcast", "17179869176,17179869184", "double") == [("bcast", 2**34)]
    assert beyond("alltoallv,alltoallw", "2147483648", "double") == [("alltoallw", 2**31)]
    assert beyond("bcast", "17179869184", "double", layout="contiguous(elements=4)") == []


def test_the_library_that_cannot_count_so_far_is_named() -> None:
    """With the call that it lacks and what it can count to; one that has the call takes all."""
    cases = beyond_int(expand(Plan.from_values({"op": "ibcast", "sizes": "32Gi"}), REGISTRIES).cases, REGISTRIES)
    libraries = {label: [Availability("ibcast", True, label == "new", "")] for label in ("new", "old")}
    with pytest.raises(UsageError, match=r"operation 'ibcast' of 34359738368 B: library 'old' has no MPI_Ibcast_c of"):
        check_large(cases, libraries, REGISTRIES)
    check_large(cases, {"new": libraries["new"]}, REGISTRIES)
