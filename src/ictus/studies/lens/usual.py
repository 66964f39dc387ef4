"""The defaults of a lens study; a light module, because the command's help shows them."""

OPERATIONS, SIZES, CALLS = "bcast,reduce,allreduce", "8,1Ki", 1000
"""The defaults, and the number of calls of each case by each suite."""
