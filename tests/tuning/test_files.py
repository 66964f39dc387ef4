"""The files that libraries read, whole; and each choice looked up again by a reader of our own, as the library does."""

import json
from typing import Any

import pytest

from ictus.model.algorithm import COLLECTIVES, Algorithm
from ictus.mpi.flavours import flavour
from ictus.mpi.flavours.mpich import TUNING
from ictus.mpi.flavours.openmpi_rules import RULES
from ictus.mpi.tuning_files import AlgorithmRange, joined
from ictus.tuning.drafts import write

BINOMIAL, RING = Algorithm("binomial", 6), Algorithm("ring", 4)


def choice(
    operation: str, n: int, size: int, algorithm: Algorithm = BINOMIAL, last: int | None = None
) -> AlgorithmRange:
    """For one size, or up to `last`; blocks are an n-th."""
    to = size if last is None else last
    return AlgorithmRange(operation, n, size, to, size // n, to // n, algorithm)


def test_the_rules_of_openmpi_are_these() -> None:
    """Whole: two operations, two numbers of processes, the library's own choice around each range."""
    found = write(
        "openmpi",
        [
            choice("gather", 4, 1024, Algorithm("linear_sync", 3)),
            choice("bcast", 8, 64, last=128),
            choice("bcast", 4, 64),
        ],
        {"OMPI_MCA_btl_sm_eager_limit": "65536"},
    )
    assert found.files[RULES] == (
        "2 # collectives\n"
        "7 # bcast\n"
        "4 # numbers of processes\n"
        "4 # processes\n3 # sizes\n0 0 0 0 # its own choice\n64 6 0 0 # binomial\n65 0 0 0 # its own choice\n"
        "5 # processes\n1 # sizes\n0 0 0 0 # its own choice\n"
        "8 # processes\n3 # sizes\n0 0 0 0 # its own choice\n64 6 0 0 # binomial\n129 0 0 0 # its own choice\n"
        "9 # processes\n1 # sizes\n0 0 0 0 # its own choice\n"
        "9 # gather\n"
        "2 # numbers of processes\n"
        "4 # processes\n1 # sizes\n0 3 0 0 # linear_sync\n"
        "5 # processes\n1 # sizes\n0 0 0 0 # its own choice\n"
    )
    assert (found.unsized, found.left_out) == (("gather",), ()), "roots know other arguments than the others"
    assert found.files["remedy.env"] == (
        "OMPI_MCA_btl_sm_eager_limit=65536\n"
        "OMPI_MCA_coll_tuned_dynamic_rules_filename={folder}/openmpi.rules\n"
        "OMPI_MCA_coll_tuned_priority=90\n"
        "OMPI_MCA_coll_tuned_use_dynamic_rules=true\n"
    )
    setting = found.setting("/there")
    assert setting.environment["OMPI_MCA_coll_tuned_dynamic_rules_filename"] == "/there/openmpi.rules"
    assert setting.expected["coll_tuned_dynamic_rules_filename"] == "/there/openmpi.rules"


def looked_up(text: str, collective: int, n: int, size: int) -> int:
    """The algorithm that Open MPI's reader finds: the last entry that is not beyond what is asked, at each level."""
    numbers = iter([int(word) for line in text.splitlines() for word in line.partition("#")[0].split()])
    found = 0
    for _ in range(next(numbers)):
        own = next(numbers) == collective
        for _ in range(next(numbers)):
            processes, last = next(numbers), 0
            for _ in range(next(numbers)):
                begin, algorithm, _, _ = (next(numbers) for _ in range(4))
                last = algorithm if begin <= size else last
            found = last if own and processes <= n else found
    assert next(numbers, None) is None
    return found


def test_a_rule_holds_for_its_sizes_and_processes_alone() -> None:
    """Looked up at, below and above."""
    text = (
        flavour("openmpi")
        .tuning_files([choice("bcast", 4, 64, last=128), choice("bcast", 4, 1024, RING), choice("bcast", 6, 64)])
        .files[RULES]
    )
    asked = {(n, size): looked_up(text, 7, n, size) for n in (3, 4, 5, 6, 7) for size in (63, 64, 128, 129, 1024, 1025)}
    expected = {(4, 64): 6, (4, 128): 6, (4, 1024): 4, (6, 64): 6}
    assert asked == {key: expected.get(key, 0) for key in asked}
    assert looked_up(text, 9, 4, 64) == 0


def test_openmpi_takes_one_rule_for_what_it_knows_no_size_of() -> None:
    """Of a barrier or a scan; the second algorithm for the same number of processes is left out, and said."""
    more = [choice("scan", 4, 64), choice("scan", 4, 1024, RING), choice("scan", 6, 1024, RING)]
    found = flavour("openmpi").tuning_files(more)
    asked = {(n, size): looked_up(found.files[RULES], 14, n, size) for n in (3, 4, 5, 6, 7) for size in (0, 4, 9999)}
    assert asked == {(n, size): {4: 6, 6: 4}.get(n, 0) for n, size in asked}
    assert (found.unsized, found.left_out) == (("scan",), (more[1],))


ASKED = {
    "avg_msg_size": {"allreduce", "alltoall", "bcast", "reduce"},
    "total_msg_size": {"allgather", "allgatherv", "reduce_scatter", "reduce_scatter_block"},
    "count": {"allreduce", "reduce"},
    "is_commutative": {"allreduce", "reduce", "reduce_scatter", "reduce_scatter_block"},
    "is_op_built_in": {"allreduce", "reduce"},
    "is_block_regular": {"reduce_scatter"},
    "is_sendbuf_inplace": {"alltoall", "alltoallv", "alltoallw"},
    "is_node_consecutive": set(COLLECTIVES),
    "comm_hierarchy": set(COLLECTIVES),
    "comm_size": set(COLLECTIVES),
    "comm_type": set(COLLECTIVES),
}
"""What MPICH's search knows the answer to (csel.c), of those operations of whose calls all processes know the same; any
other question ends the program.
"""

TREE: dict[str, Any] = {
    f"collective={operation}": {
        "comm_type=intra": {"algorithm=own": {}},
        "comm_type=inter": {"algorithm=between": {}},
    }
    for operation in COLLECTIVES
} | {"collective=exscan": {"algorithm=own": {}}}


def walked(operation: str, node: Any, facts: dict[str, int | str]) -> str:
    """The leaf that MPICH's search finds: at each level the first condition that holds, and never back."""
    for key, below in node.items():
        if key.startswith("algorithm="):
            return str(key.partition("=")[2])
        name, sign, value = next(key.partition(sign) for sign in ("<=", "<", "=") if sign in key)
        assert operation in ASKED[name], f"{name} of {operation}: MPICH would end here"
        fact = facts.get(name)
        bound = facts["pow2"] if value == "pow2" else value
        if value == "any" or (fact == value if sign == "=" else _is_below(fact, sign, bound)):
            return walked(operation, below, facts)
    raise AssertionError("nothing holds: MPICH would end here")


def _is_below(fact: int | str | None, sign: str, bound: int | str) -> bool:
    assert isinstance(fact, int)
    return fact <= int(bound) if sign == "<=" else fact < int(bound)


USUAL: dict[str, int | str] = {
    "comm_type": "intra", "comm_size": 4, "comm_hierarchy": "parent", "is_node_consecutive": "yes", "count": 4096,
    "pow2": 4, "is_commutative": "yes", "is_op_built_in": "yes", "is_block_regular": "yes", "is_sendbuf_inplace": "no",
}  # fmt: skip


@pytest.mark.parametrize("operation", COLLECTIVES)
def test_the_tree_of_mpich_chooses_what_was_put_in_and_else_what_it_did(operation: str) -> None:
    """Every other number of processes, size, operation and kind of communicator is as it was; MPICH is asked for no
    size that it does not know. Sizes are of a block, of all, or nothing that matters.
    """
    name = {"gatherv": "linear", "scatterv": "linear"}.get(operation, "nb")
    in_tree = f"MPIR_{operation.capitalize()}_allcomm_{name}"
    choices = [choice(operation, 4, 64, Algorithm(name), last=256), choice(operation, 6, 600, Algorithm(name))]
    found = flavour("mpich").tuning_files(choices, TREE)
    tree = json.loads(found.files[TUNING])
    branch = tree[f"collective={operation}"]
    has_sizes = any(operation in ASKED[size] for size in ("avg_msg_size", "total_msg_size"))
    for n in (2, 4, 5, 6, 7):
        for total in (0, 60, 64, 256, 260, 594, 600, 606):
            facts = {**USUAL, "comm_size": n, "total_msg_size": total, "avg_msg_size": total // n}
            asked_for = (n == 4 and 64 <= total <= 256) or (n, total) == (6, 600)
            expected = in_tree if asked_for or (n in (4, 6) and not has_sizes) else "own"
            assert walked(operation, branch, facts) == expected, facts
    between = {**USUAL, "comm_type": "inter", "total_msg_size": 64, "avg_msg_size": 16}
    if operation != "exscan":
        assert walked(operation, branch, between) == "between"
    assert {key: value for key, value in tree.items() if value != TREE[key]}.keys() == {f"collective={operation}"}
    assert found.unsized == (() if has_sizes else (operation,))
    upper = operation.upper()
    assert found.environment[f"MPIR_CVAR_{upper}_DEVICE_COLLECTIVE"] == "0"
    assert found.environment[f"MPIR_CVAR_{upper}_INTRA_ALGORITHM"] == "auto", "which a forced algorithm would precede"
    shown = {f"MPIR_CVAR_{upper}_DEVICE_COLLECTIVE": "0", f"MPIR_CVAR_{upper}_INTRA_ALGORITHM": "0"}
    assert found.read_proofs == shown, "MPI_T shows no texts of MPICH"


@pytest.mark.parametrize(
    ("operation", "name", "not_so"),
    [
        ("allreduce", "smp", {"is_commutative": "no"}),
        ("allreduce", "smp", {"comm_hierarchy": "flat"}),
        ("allreduce", "ring", {"is_commutative": "no"}),
        ("allreduce", "reduce_scatter_allgather", {"is_op_built_in": "no"}),
        ("reduce", "reduce_scatter_gather", {"count": 3}),
        ("reduce_scatter", "noncommutative", {"is_block_regular": "no"}),
        ("reduce_scatter_block", "pairwise", {"is_commutative": "no"}),
        ("alltoall", "pairwise", {"is_sendbuf_inplace": "yes"}),
        ("alltoallw", "scattered", {"is_sendbuf_inplace": "yes"}),
        ("scan", "smp", {"is_node_consecutive": "no"}),
    ],
)
def test_a_tree_takes_algorithms_where_they_may_be_taken(operation: str, name: str, not_so: dict[str, Any]) -> None:
    """MPICH asks nothing of what a tree names: a reduction in another order would be wrong, and nobody would say so."""
    branch = json.loads(flavour("mpich").tuning_files([choice(operation, 4, 64, Algorithm(name))], TREE).files[TUNING])
    facts = {**USUAL, "total_msg_size": 64, "avg_msg_size": 16}
    own = branch[f"collective={operation}"]
    assert walked(operation, own, facts) == f"MPIR_{operation.capitalize()}_intra_{name}"
    assert walked(operation, own, {**facts, **not_so}) == "own"


def test_algorithms_with_parameters_are_told_by_variables() -> None:
    """A tree would have to give the numbers, which are undefined otherwise; the other operation is in the file. Of two
    algorithms for all sizes the second is left out, and said.
    """
    tree, also = choice("bcast", 4, 64, Algorithm("tree", 7)), choice("bcast", 4, 128, Algorithm("binomial", 1))
    found = flavour("mpich").tuning_files([tree, also, choice("reduce", 4, 64, Algorithm("nb", 2))], TREE)
    assert found.environment["MPIR_CVAR_BCAST_INTRA_ALGORITHM"] == "tree"
    assert found.environment["MPIR_CVAR_REDUCE_INTRA_ALGORITHM"] == "auto"
    written = json.loads(found.files[TUNING])
    assert [key for key in written if written[key] != TREE[key]] == ["collective=reduce"]
    assert (found.unsized, found.left_out) == (("bcast",), (also,))
    scans = [choice("scan", 4, size, Algorithm(name)) for size, name in ((64, "nb"), (128, "recursive_doubling"))]
    assert flavour("mpich").tuning_files(scans, TREE).left_out == (scans[1],)
    assert write("simgrid", scans, {}).left_out == (scans[1],)


def test_without_its_tree_mpich_is_told_by_variables() -> None:
    """For all sizes, which is said."""
    found = write("mpich", [choice("gather", 4, 64)], {})
    assert found.files["remedy.env"] == (
        "MPIR_CVAR_DEVICE_COLLECTIVES=percoll\n"
        "MPIR_CVAR_GATHER_DEVICE_COLLECTIVE=0\n"
        "MPIR_CVAR_GATHER_INTRA_ALGORITHM=binomial\n"
    )
    assert found.unsized == ("gather",)


def test_intel_and_smpi() -> None:
    """Every size in a range, as Intel's release reads them: of blocks, of reduce_scatter's total; of several numbers of
    processes one algorithm each, for all sizes. Words for all sizes.
    """
    three, two = Algorithm("3", 3), Algorithm("2", 2)
    for operation, steps in (
        ("gather", "0:0-15;3:16-16;0:17-31;2:32-64;0:65-2147483647"),
        ("reduce_scatter", "0:0-63;3:64-64;0:65-127;2:128-256;0:257-2147483647"),
    ):
        own = [choice(operation, 4, 64, three), choice(operation, 4, 128, two, last=256)]
        found = write("intelmpi", own, {})
        assert found.files["remedy.env"] == f"I_MPI_ADJUST_{operation.upper()}={steps}\n"
        assert (found.unsized, found.left_out) == ((), ())
    by_n = [choice("bcast", 4, 64, three), choice("bcast", 4, 128, two), choice("bcast", 8, 64, two)]
    found = write("intelmpi", by_n, {})
    every = "2147483647"
    assert found.environment == {
        "I_MPI_ADJUST_BCAST": f"0:0-{every}@0-3;3:0-{every}@4-4;0:0-{every}@5-7;2:0-{every}@8-8;0:0-{every}@9-{every}"
    }
    assert (found.unsized, found.left_out) == (("bcast",), (by_n[1],))
    simulated = write("simgrid", [choice("gather", 4, 64)], {})
    assert simulated.options == ("--cfg=smpi/gather:binomial",)
    assert write("openmpi", [], {}).files == {}


@pytest.mark.parametrize(
    ("measured", "ranges"), [((64, 128, 256), [(64, 256)]), ((64, 100, 128, 256), [(64, 64), (128, 256)])]
)
def test_only_neighbours_are_joined(measured: tuple[int, ...], ranges: list[tuple[int, int]]) -> None:
    """Between two confirmed sizes with another one between nothing is known; and never across algorithms."""
    own = [choice("bcast", 4, size) for size in (256, 64, 128)]
    found = joined(own, {("bcast", 4): measured})
    assert [(one.from_bytes, one.to_bytes) for one in found] == ranges
    mixed = joined([choice("bcast", 4, 64), choice("bcast", 4, 128, RING)], {("bcast", 4): measured})
    assert len(mixed) == 2
