"""What a study of lenses measures where nothing else is said; light, for the command line tells it in its help."""

OPERATIONS, SIZES, CALLS = "bcast,reduce,allreduce", "8,1Ki", 1000
"""What is measured where nothing else is said; so many calls of each case by each suite."""
