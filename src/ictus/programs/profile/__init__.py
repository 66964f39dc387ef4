"""Which MPI calls a user's program makes, and what they cost."""
