"""Puts choices into MPICH's tree of conditions, each only where the library may take it.

The library follows the first true condition and never goes back; a condition that it does not know for an operation
ends the program. It does not check the algorithm that a tree names, so the reasons to refuse one (operators that do not
commute, buffers in place) must be conditions of the tree.

The file can choose by two sizes, each for some operations. For gather and scatter the size counts elements; in place
the root reads it from an argument without meaning; for alltoallv and alltoallw it differs between processes, which must
choose alike. These operations, and those without a size, are chosen by the number of processes only.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from ictus.mpi.flavours.mpich_choices import ASKED, MESSAGE
from ictus.mpi.tuning_files import AlgorithmRange

Tree = Mapping[str, Any]
"""Conditions, with what follows where they hold; at the ends algorithms."""

_ANY_KIND = ("gatherv", "scatterv")
"""Their algorithms, and all algorithms of nonblocking calls, are for both kinds of communicators."""

_PARAMETERS = frozenset({
    "bcast=tree", "bcast=pipelined_tree", "allreduce=tree", "allreduce=recexch", "allreduce=recursive_multiplying",
    "allreduce=k_reduce_scatter_allgather", "allreduce=ccl", "allgather=k_brucks", "allgather=recexch_doubling",
    "allgather=recexch_halving", "alltoall=k_brucks", "barrier=k_dissemination", "barrier=recexch",
})  # fmt: skip
"""Algorithms that a tree must give numbers, which are undefined otherwise; the library's own are in its variables."""

_COMMUTATIVE = ("is_commutative=yes",)
_LARGE_BUILT_IN = ("is_op_built_in=yes", "count>=pow2")
_REGULAR = ("is_block_regular=yes",)
_ON_NODES = ("comm_hierarchy=parent",)
_OUT_OF_PLACE = ("is_sendbuf_inplace=no",)
_IN_PLACE = ("is_sendbuf_inplace=yes",)

_RESTRICTIONS: Mapping[str, tuple[str, ...]] = {
    "allreduce=smp": (*_ON_NODES, *_COMMUTATIVE),
    "allreduce=reduce_scatter_allgather": _LARGE_BUILT_IN,
    "allreduce=ring": _COMMUTATIVE,
    "alltoall=brucks": _OUT_OF_PLACE,
    "alltoall=pairwise": _OUT_OF_PLACE,
    "alltoall=pairwise_sendrecv_replace": _IN_PLACE,
    "alltoall=scattered": _OUT_OF_PLACE,
    "alltoallv=pairwise_sendrecv_replace": _IN_PLACE,
    "alltoallv=scattered": _OUT_OF_PLACE,
    "alltoallw=pairwise_sendrecv_replace": _IN_PLACE,
    "alltoallw=scattered": _OUT_OF_PLACE,
    "barrier=smp": _ON_NODES,
    "bcast=smp": _ON_NODES,
    "reduce=smp": (*_ON_NODES, *_COMMUTATIVE),
    "reduce=reduce_scatter_gather": _LARGE_BUILT_IN,
    "reduce_scatter=noncommutative": _REGULAR,
    "reduce_scatter=pairwise": _COMMUTATIVE,
    "reduce_scatter=recursive_halving": _COMMUTATIVE,
    "reduce_scatter_block=pairwise": _COMMUTATIVE,
    "reduce_scatter_block=recursive_halving": _COMMUTATIVE,
    "scan=smp": ("is_node_consecutive=yes",),
}
"""What must hold of a call; powers of two need no condition, for the number of processes is one."""

_OTHERWISE = {"comm_hierarchy=parent": "comm_hierarchy=any"}
"""The opposite of a condition, where it is not `no` for `yes`."""


def can_hold(choice: AlgorithmRange) -> bool:
    """Whether a tree can name the algorithm."""
    return _named(choice) not in _PARAMETERS


def has_sizes(operation: str) -> bool:
    """Whether a tree can choose by the size of its calls."""
    return operation in ASKED


def put_in(tree: Tree, choices: Sequence[AlgorithmRange]) -> dict[str, Any]:
    """The tree with choices that it can hold, sorted by operation, number of processes and size."""
    tuned = dict(tree)
    for operation, ranges in groupby(choices, key=lambda choice: choice.operation):
        key = f"collective={operation}"
        tuned[key] = _branch(tree[key], list(ranges))
    return tuned


def _branch(tree: Tree, choices: Sequence[AlgorithmRange]) -> dict[str, Any]:
    """The branch of one operation; between two groups of processes it stays what it was."""
    inner = tree.get("comm_type=intra", tree)
    by_n: dict[str, Any] = {}
    for n, of_n in groupby(choices, key=lambda choice: choice.n):
        by_n[f"comm_size<{n}"] = inner
        by_n[f"comm_size<={n}"] = _by_size(list(of_n), inner)
    branch = {"comm_type=intra": {**by_n, "comm_size=any": inner}}
    return {**branch, **{key: value for key, value in tree.items() if key.startswith("comm_type=inter")}}


def _by_size(choices: Sequence[AlgorithmRange], inner: Tree) -> Tree:
    operation = choices[0].operation
    if not has_sizes(operation):
        return _guarded(choices[0], inner)
    size = ASKED[operation]
    sizes: dict[str, Any] = {}
    for choice in choices:
        first, last = (choice.from_block, choice.to_block) if size == MESSAGE else (choice.from_bytes, choice.to_bytes)
        sizes[f"{size}<{first}"] = inner
        sizes[f"{size}<={last}"] = _guarded(choice, inner)
    return {**sizes, f"{size}=any": inner}


def _guarded(choice: AlgorithmRange, inner: Tree) -> Tree:
    """The algorithm where all that it asks for holds, and what was chosen before where not."""
    nonblocking = choice.algorithm.name == "nb" or choice.operation in _ANY_KIND
    kind = "allcomm" if nonblocking else "intra"
    made: Tree = {f"algorithm=MPIR_{choice.operation.capitalize()}_{kind}_{choice.algorithm.name}": {}}
    for condition in reversed(_RESTRICTIONS.get(_named(choice), ())):
        if condition == "count>=pow2":
            made = {"count<pow2": inner, "count=any": made}
        else:
            name, _, value = condition.partition("=")
            otherwise = _OTHERWISE.get(condition) or f"{name}={'no' if value == 'yes' else 'yes'}"
            made = {condition: made, otherwise: inner}
    return made


def _named(choice: AlgorithmRange) -> str:
    return f"{choice.operation}={choice.algorithm.name}"
