"""`ictus overlap`: how much of a nonblocking operation a computation hides."""
