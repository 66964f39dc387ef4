"""How much of a nonblocking operation a computation hides: phases in, overlap out. No file, no process."""
