"""The heap of a launch: what becomes of memory that its processes free (native workload/heap.hpp)."""

from typing import Literal

HEAP = "heap"
"""The factor."""
HeapState = Literal["kept", "returned", "ordinary"]
"""Memory stays with the process; large blocks go back to the system at each free; as the C library comes."""
KEPT: HeapState = "kept"
RETURNED: HeapState = "returned"
ORDINARY: HeapState = "ordinary"
