"""What MPICH's trees of choices can ask about the size of a call (src/mpi/coll/src/csel.c).

The same facts are needed to go down the library's trees and to write one: a question that it does not know of an
operation ends the program.
"""

from collections.abc import Mapping

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
"""By operation; of the others no size can be asked for."""
