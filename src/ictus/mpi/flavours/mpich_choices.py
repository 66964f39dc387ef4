"""MPICH's trees of conditions that choose algorithms: they are text inside the library, and no variable shows them.

A tuning file (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE) replaces the whole tree; for an operation that it leaves out
the library ends at the first call. So a file with one choice needs the tree that the choice is put into.

For a call, conditions are tried in order and the first true one is followed. The library holds three trees. The
device's comes first where it may choose: it combines shared memory (SHM) and network (NM), as the descriptions of
MPIR_CVAR_*_COMPOSITION explain. On one host the tree of shared memory follows, with one algorithm, release_gather, for
four operations. The layer above devices chooses all others. The walk ends without an answer at a condition or a
property of the call that is unknown here. A condition about a property that an operation does not have ends the
program, so the same facts are needed to write a tree. Source: src/mpi/coll/src/csel.c of MPICH.
"""

import copy
import functools
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ictus.model.algorithm import CallSignature
from ictus.model.document import object_or_none
from ictus.model.library import Installation

_MARK = b'"collective='
ABOVE, COMPOSITION, SHARED_MEMORY = '"algorithm=MPIR_', '"composition=', '"algorithm=MPIDI_POSIX_'
"""Leaves of the layer above devices; of the device, and of its shared memory."""
_LEAST = 2**20
"""A shared library is no smaller; the names beside it are links, or texts that stand for links."""


def selection_tree(installation: Installation) -> dict[str, Any] | None:
    """The tree of the layer above devices; None where the library has none that can be found."""
    return copy.deepcopy(trees_of(installation.wrapper).get(ABOVE))


@functools.cache
def trees_of(wrapper: Path) -> dict[str, dict[str, Any]]:
    """The trees of a library, by the prefix of their leaves: `ABOVE`, `COMPOSITION`, `SHARED_MEMORY`."""
    folder = wrapper.resolve().parent.parent / "lib"
    for path in sorted(folder.glob("libmpi.so*")):
        try:
            content = path.read_bytes() if path.stat().st_size > _LEAST else b""
        except OSError:
            continue
        trees = {leaf: tree for leaf in (ABOVE, COMPOSITION, SHARED_MEMORY) if (tree := tree_in(content, leaf))}
        if trees:
            return trees
    return {}


def tree_in(content: bytes, leaf: str = ABOVE) -> dict[str, Any] | None:
    """The tree with such leaves in the bytes of a library: a text that ends with a zero byte, and is JSON."""
    at = 0
    while (at := content.find(_MARK, at)) >= 0:
        begin, end = content.rfind(b"\0", 0, at) + 1, content.find(b"\0", at)
        text = content[begin : end if end >= 0 else len(content)]
        at = begin + len(text)
        if leaf.encode() in text:
            tree = object_or_none(text)
            if tree is not None:
                return tree
    return None


MESSAGE, TOTAL = "avg_msg_size", "total_msg_size"
"""Bytes of one message or block, and of all blocks together."""

ASKED: Mapping[str, str] = {
    "allgather": TOTAL,
    "allgatherv": TOTAL,
    "allreduce": MESSAGE,
    "alltoall": MESSAGE,
    "bcast": MESSAGE,
    "reduce": MESSAGE,
    "reduce_scatter": TOTAL,
    "reduce_scatter_block": TOTAL,
}
"""By operation; the others have no size in a condition."""


Tree = Mapping[str, Any]

_LIMIT = re.compile(r"(comm_size|avg_msg_size|total_msg_size|count)(<=|<)(\d+)")
_GREEK = ("alpha", "beta", "gamma", "delta")
_NETWORK_ONLY = {
    ("barrier", "beta"),
    ("bcast", "gamma"),
    ("reduce", "gamma"),
    ("allreduce", "beta"),
    ("allgather", "beta"),
    ("alltoall", "beta"),
}
"""Compositions that leave the whole call to the network, and so to the layer above devices."""
SHARED = ("barrier", "bcast", "reduce", "allreduce")
"""Operations that have an algorithm of their own for shared memory."""


def chosen(tree: Tree, call: CallSignature) -> str | None:
    """The leaf for a call: `algorithm=MPIR_Gather_intra_binomial`; None where the tree has none, or it is not known."""
    node: Any = tree.get(f"collective={call.operation}")
    while isinstance(node, Mapping):
        for key, below in node.items():
            condition = str(key)
            if condition.startswith(("algorithm=", "composition=")):
                return condition
            held = _holds(condition, call)
            if held is None:
                return None
            if held:
                node = below
                break
        else:
            return None
    return None


def name_of(leaf: str) -> str:
    """`binomial` of `algorithm=MPIR_Gather_intra_binomial`, as the library's control variables call it."""
    return re.split(r"_(?:intra|inter|allcomm)_", leaf)[-1].removeprefix("composition_")


def composition(tree: Tree | None, call: CallSignature, forced: str) -> str | None:
    """How the device puts a call together: `alpha`; `forced` is its control variable, where 0 leaves it to the tree."""
    if forced.isdigit() and 0 < int(forced) <= len(_GREEK):
        return _GREEK[int(forced) - 1]
    leaf = None if tree is None else chosen(tree, call)
    return None if leaf is None else name_of(leaf)


def in_shared_memory(call: CallSignature, composed: str) -> bool:
    """Whether the processes of one host do this call in shared memory."""
    return call.operation in SHARED and call.one_host and (call.operation, composed) not in _NETWORK_ONLY


def _holds(condition: str, call: CallSignature) -> bool | None:
    """None where it is not known."""
    limit = _LIMIT.fullmatch(condition)
    if limit is not None:
        value = _value(limit[1], call)
        bound = int(limit[3])
        return None if value is None else value <= bound if limit[2] == "<=" else value < bound
    largest_power = 1 << (call.n.bit_length() - 1)
    facts: dict[str, bool | None] = {
        "comm_type=intra": True,
        "comm_type=inter": False,
        "comm_size=pow2": call.n == largest_power,
        "comm_size=node_comm_size": True if call.one_host else None,
        # one host: all of its processes below one that stands for it
        "comm_hierarchy=parent": call.n > 1 if call.one_host else None,
        "comm_hierarchy=flat": call.n == 1 if call.one_host else None,
        "count<pow2": call.count < largest_power,
        "is_multi_threaded=no": True,
        "is_multi_threaded=yes": False,
        "is_commutative=yes": True,
        "is_commutative=no": False,
        "is_op_built_in=yes": call.built_in,
        "is_op_built_in=no": not call.built_in,
        "is_node_consecutive=yes": True if call.one_host else None,
        "is_node_consecutive=no": False if call.one_host else None,
        "is_sendbuf_inplace=yes": call.in_place,
        "is_sendbuf_inplace=no": not call.in_place,
        "is_block_regular=yes": True,
        "is_block_regular=no": False,
    }
    return True if condition.endswith("=any") else facts.get(condition)


def _value(what: str, call: CallSignature) -> int | None:
    if what in (MESSAGE, TOTAL):
        size = call.block_bytes if call.operation == "alltoall" else call.total_bytes
        return size if ASKED.get(call.operation) == what else None
    return call.n if what == "comm_size" else call.count
